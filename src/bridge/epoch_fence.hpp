// Lets through only what carries the current epoch, which can only rise.
#pragma once

#include "base/result.hpp"
#include "bridge/counters.hpp"

namespace leasegate {

class EpochFence {
 public:
  /** Errors: invalid_epoch. */
  [[nodiscard]] static Result<EpochFence> create(Epoch initial);

  [[nodiscard]] Epoch current() const { return current_; }

  /** Errors: stale_epoch, for later epochs as well as earlier ones. */
  [[nodiscard]] Status check(Epoch epoch) const;

  /** Errors: epoch_not_advanced. */
  Status advance(Epoch epoch);

 private:
  explicit EpochFence(Epoch initial) : current_(initial) {}

  Epoch current_;
};

}  // namespace leasegate
