// The highest sequence that was seen. Seen is not processed or acknowledged: hosts observe a sequence before
// they decode its payload.
#pragma once

#include "base/result.hpp"
#include "bridge/counters.hpp"

namespace leasegate {

/** What one observation did. All false: an older sequence came late. */
struct Observation {
  Sequence previous;
  Sequence current;
  bool advanced = false;
  bool duplicate = false;
  /** Sequences between the previous one and this one were not seen. The first observation has no gap. */
  bool gap = false;
};

class Cursor {
 public:
  /** 0: nothing was seen yet. */
  explicit Cursor(Sequence seen = {}) : seen_(seen) {}

  [[nodiscard]] Sequence sequence() const { return seen_; }

  /** Errors: invalid_sequence. */
  Result<Observation> observe(Sequence sequence);

 private:
  Sequence seen_;
};

}  // namespace leasegate
