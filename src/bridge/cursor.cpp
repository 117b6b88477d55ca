#include "bridge/cursor.hpp"

#include "bridge/errors.gen.hpp"

namespace leasegate {

Result<Observation> Cursor::observe(Sequence sequence) {
  if (sequence.value == 0) return std::unexpected(errors::invalid_sequence());
  Observation observation{.previous = seen_, .current = seen_};
  if (sequence == seen_) {
    observation.duplicate = true;
  } else if (sequence > seen_) {
    // The difference, not the sum: 2^64 - 1 has no successor.
    observation.gap = seen_.value != 0 && sequence.value - seen_.value > 1;
    observation.advanced = true;
    observation.current = sequence;
    seen_ = sequence;
  }
  return observation;
}

}  // namespace leasegate
