#include "bridge/epoch_fence.hpp"

#include "bridge/errors.gen.hpp"

namespace leasegate {

Result<EpochFence> EpochFence::create(Epoch initial) {
  if (initial.value == 0) return std::unexpected(errors::invalid_epoch());
  return EpochFence(initial);
}

Status EpochFence::check(Epoch epoch) const {
  if (epoch != current_) return std::unexpected(errors::stale_epoch(epoch.value, current_.value));
  return {};
}

Status EpochFence::advance(Epoch epoch) {
  if (epoch <= current_) return std::unexpected(errors::epoch_not_advanced(epoch.value, current_.value));
  current_ = epoch;
  return {};
}

}  // namespace leasegate
