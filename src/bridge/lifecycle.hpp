// The life of a transport: its state and the latest transitions, with their reasons.
#pragma once

#include "base/text_block.hpp"
#include "base/window.hpp"
#include "bridge/identity.hpp"

namespace leasegate {

template <class Policy>
struct BasicLifecycleTransition {
  TransportState from = TransportState::new_;
  TransportState to = TransportState::new_;
  UnixMillis at;
  typename Policy::Text reason;
};
using LifecycleTransition = BasicLifecycleTransition<Owned>;
using LifecycleTransitionView = BasicLifecycleTransition<Borrowed>;

class Lifecycle {
 public:
  /** Errors: invalid_capacity. */
  [[nodiscard]] static Result<Lifecycle> create(std::uint64_t max_history = DEFAULT_MAX_HISTORY);

  [[nodiscard]] TransportState state() const { return state_; }

  /** Errors, which change nothing: invalid_transition, invalid_text{reason}, out_of_memory. */
  Status transition(TransportState to, std::string_view reason, UnixMillis now);

  /** Room for `count` transitions by enter(). False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve(std::uint32_t count) { return history_.try_reserve(count); }
  /** A transition that the table allows and that has room. Cannot fail. */
  void enter(TransportState to, TextBlock&& reason, UnixMillis now) {
    record({state_, to, now, std::move(reason), {}});
  }
  /** The same with a reason in static storage. */
  void enter(TransportState to, std::string_view reason, UnixMillis now) {
    record({state_, to, now, {}, reason});
  }

  /** Transitions that are remembered, 0 being the oldest. A view is valid until the next transition. */
  [[nodiscard]] std::uint32_t history_size() const { return history_.size(); }
  [[nodiscard]] LifecycleTransitionView history_at(std::uint32_t index) const;
  /** Older transitions that are remembered no more. */
  [[nodiscard]] std::uint64_t dropped_history() const { return dropped_; }

 private:
  struct Entry {
    TransportState from = TransportState::new_;
    TransportState to = TransportState::new_;
    UnixMillis at;
    TextBlock reason;
    /** Instead of `reason`: a text of ours. */
    std::string_view fixed_reason;
  };

  explicit Lifecycle(std::uint64_t max_history) : history_(max_history) {}

  void record(Entry&& entry);

  TransportState state_ = TransportState::new_;
  std::uint64_t dropped_ = 0;
  Window<Entry> history_;
};

}  // namespace leasegate
