// The whole state of a machine as canonical bytes: everything that a later answer can depend on, and nothing
// else. Two machines that will answer alike for ever have the same bytes, whatever their memory looks like.
#pragma once

#include "coordination/coordinator.hpp"
#include "journal/byte_reader.hpp"
#include "journal/byte_writer.hpp"
#include "results/result_store.hpp"

namespace leasegate::journal {

/** The machines' own way to and from bytes: reaches where their commands do not. */
struct CoordinatorState {
  /** Errors: out_of_memory (the order of offline workers is made for the occasion). */
  static Status write(const Coordinator& coordinator, ByteWriter& out);
  /**
   * A coordinator with this state. All of it is checked: ranges, limits, orders, references, then
   * check_invariants. Errors: journal_malformed, journal_snapshot_invalid, out_of_memory.
   */
  static Result<Coordinator> read(ByteReader& in);

  [[nodiscard]] static const DistributedLimits& limits(const Coordinator& coordinator) {
    return coordinator.limits_;
  }

 private:
  class Import;
};

struct ResultState {
  /** Errors: out_of_memory (the order of the ids is made for the occasion). */
  static Status write(const ResultStore& store, ByteWriter& out);
  /** Errors: journal_malformed, journal_snapshot_invalid, out_of_memory. */
  static Result<ResultStore> read(ByteReader& in);

  [[nodiscard]] static const ResultLimits& limits(const ResultStore& store) { return store.limits_; }
};

}  // namespace leasegate::journal
