// Unsigned 64-bit quantities that must not be mixed up: each Tag makes a type of its own.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace leasegate {

template <class Tag>
struct Counter {
  std::uint64_t value = 0;

  friend constexpr auto operator<=>(Counter, Counter) = default;

  /** True when `steps` more would pass 2^64 - 1. */
  [[nodiscard]] constexpr bool exhausted(std::uint64_t steps = 1) const {
    return steps > std::numeric_limits<std::uint64_t>::max() - value;
  }

  /** The value `steps` further on. Must not be exhausted. */
  [[nodiscard]] constexpr Counter after(std::uint64_t steps = 1) const { return {value + steps}; }
};

/** Counts the accepted commands of one pool or one aggregator. */
using Revision = Counter<struct RevisionTag>;
/** The host's clock in whole seconds. Never goes back. */
using LogicalTime = Counter<struct LogicalTimeTag>;
/** A length of logical time in whole seconds. */
using Seconds = Counter<struct SecondsTag>;
using WorkerGeneration = Counter<struct WorkerGenerationTag>;
using TaskGeneration = Counter<struct TaskGenerationTag>;
using RecordVersion = Counter<struct RecordVersionTag>;
using LeaseId = Counter<struct LeaseIdTag>;
using EnqueueOrdinal = Counter<struct EnqueueOrdinalTag>;

/** The time that passed from `then` to `now`; 0 when `then` lies ahead. */
[[nodiscard]] constexpr Seconds elapsed(LogicalTime then, LogicalTime now) {
  return {now.value < then.value ? 0 : now.value - then.value};
}

}  // namespace leasegate
