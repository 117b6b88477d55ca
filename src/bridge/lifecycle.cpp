#include "bridge/lifecycle.hpp"

#include <cassert>

#include "bridge/errors.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {

Result<Lifecycle> Lifecycle::create(std::uint64_t max_history) {
  if (max_history == 0) return std::unexpected(errors::invalid_capacity());
  return Lifecycle(max_history);
}

Status Lifecycle::transition(TransportState to, std::string_view reason, UnixMillis now) {
  if (!can_become(state_, to)) return std::unexpected(errors::invalid_state_transition(state_, to));
  LEASEGATE_TRY(check_text(TextField::reason, reason));
  TextBlock text;
  if (!try_reserve(1) || (!reason.empty() && !text.try_assign({&reason, 1}))) {
    return std::unexpected(errors::out_of_memory());
  }
  enter(to, std::move(text), now);
  return {};
}

void Lifecycle::record(Entry&& entry) {
  assert(can_become(state_, entry.to));
  if (history_.full()) ++dropped_;
  state_ = entry.to;
  history_.push(std::move(entry));
}

LifecycleTransitionView Lifecycle::history_at(std::uint32_t index) const {
  const Entry& entry = history_[history_.slot_of(index)];
  const std::string_view reason = entry.reason.size() > 0 ? entry.reason.view() : entry.fixed_reason;
  return {.from = entry.from, .to = entry.to, .at = entry.at, .reason = reason};
}

}  // namespace leasegate
