// The operations and reports. Turns and what happens at them: flush_gate_turns.cpp.

#include "bridge/flush_gate.hpp"

#include "bridge/errors.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {
namespace {

std::unexpected<Error> stale() { return std::unexpected(errors::stale_step()); }

}  // namespace

void HistoryDraft::add(const OutboundEventView& event) {
  if (fault_) return;
  if (const Status valid = validate(event); !valid) {
    fault_ = valid.error();
    events_.clear();
    return;
  }
  ++count_;
  bytes_ += event.payload.size();
  if (count_ > limits_.capacity || bytes_ > limits_.max_bytes || out_of_memory_) {
    // It cannot be installed any more, but a later event that is not valid still decides the error.
    events_.clear();
    return;
  }
  EventBlock::Owner block = EventBlock::try_make(event);
  out_of_memory_ = block == nullptr;
  if (!out_of_memory_) events_.append(std::move(block));
}

Result<FlushGate> FlushGate::create(const GateLimits& limits) {
  if (limits.capacity == 0 || limits.max_bytes == 0) return std::unexpected(errors::invalid_capacity());
  return FlushGate(limits);
}

Status FlushGate::check_room(std::uint64_t events, std::uint64_t bytes) const {
  if (events > limits_.capacity - queue_.count() - waiting_events_) {
    return std::unexpected(errors::gate_capacity(limits_.capacity, GateUnit::events));
  }
  if (bytes > limits_.max_bytes - queue_.bytes() - waiting_bytes_) {
    return std::unexpected(errors::gate_capacity(limits_.max_bytes, GateUnit::bytes));
  }
  return {};
}

Status FlushGate::check_can_begin() const {
  if (state_ == GateState::closed) return std::unexpected(errors::gate_closed());
  if (state_ != GateState::inactive) return std::unexpected(errors::gate_active(state_));
  return {};
}

/** That the gate still is in the collection numbered `collection`. */
Status FlushGate::check_collecting(std::uint64_t collection) const {
  if (state_ == GateState::closed) return std::unexpected(errors::gate_closed());
  if (state_ != GateState::collecting_history || collection != collection_) {
    return std::unexpected(errors::gate_inactive(state_));
  }
  return {};
}

Result<GateAnswer> FlushGate::begin_history(Signal signal) {
  LEASEGATE_TRY(check_can_begin());
  if (signal == Signal::aborted) return GateAnswer{.outcome = GateOutcome::aborted};
  if (turn_is_free()) {
    enter(GateState::collecting_history);
    return GateAnswer{.outcome = GateOutcome::done};
  }
  const auto call = open(CallKind::begin);
  if (!call) return std::unexpected(call.error());
  wait(*call);
  return answer_of(*call);
}

Status FlushGate::resume_history() {
  if (state_ == GateState::closed) return std::unexpected(errors::gate_closed());
  if (state_ != GateState::deactivated) return std::unexpected(errors::gate_active(state_));
  enter(GateState::collecting_history);
  return {};
}

Status FlushGate::splice(HistoryDraft&& history) {
  if (history.fault_) return std::unexpected(*history.fault_);
  LEASEGATE_TRY(check_room(history.count_, history.bytes_));
  if (history.out_of_memory_) return std::unexpected(errors::out_of_memory());
  queue_.prepend(std::move(history.events_));
  enter(GateState::ready);
  return {};
}

Status FlushGate::install_history(HistoryDraft&& history) {
  LEASEGATE_TRY(check_collecting(collection_));
  return splice(std::move(history));
}

Status FlushGate::install_history(std::span<const OutboundEventView> history) {
  LEASEGATE_TRY(check_collecting(collection_));
  HistoryDraft draft = draft_history();
  for (const OutboundEventView& event : history) draft.add(event);
  return splice(std::move(draft));
}

Result<GateAnswer> FlushGate::submit(const OutboundEventView& event, Signal signal) {
  LEASEGATE_TRY(validate(event));
  if (state_ == GateState::closed) return std::unexpected(errors::gate_closed());
  if (signal == Signal::aborted) return GateAnswer{.outcome = GateOutcome::aborted};
  const bool direct = state_ == GateState::inactive;
  // What is sent at once is never pending.
  if (!direct || !turn_is_free()) LEASEGATE_TRY(check_room(1, event.payload.size()));
  EventBlock::Owner block = EventBlock::try_make(event);
  if (block == nullptr) return std::unexpected(errors::out_of_memory());
  if (!direct) {
    queue_.append(std::move(block));
    return GateAnswer{.outcome = GateOutcome::queued};
  }
  const auto call = open(CallKind::submit);
  if (!call) return std::unexpected(call.error());
  calls_[*call].event = std::move(block);
  if (turn_is_free()) {
    hold(*call);
  } else {
    wait(*call);
  }
  return answer_of(*call);
}

Result<GateAnswer> FlushGate::drain(Signal signal) {
  if (state_ == GateState::closed) return std::unexpected(errors::gate_closed());
  if (state_ != GateState::ready && state_ != GateState::deactivated) {
    return std::unexpected(errors::gate_inactive(state_));
  }
  if (signal == Signal::aborted) return GateAnswer{.outcome = GateOutcome::aborted};
  if (turn_is_free() && queue_.empty()) {
    enter(GateState::inactive);
    return GateAnswer{.outcome = GateOutcome::done};
  }
  const auto call = open(CallKind::drain);
  if (!call) return std::unexpected(call.error());
  start_drain(*call);
  return answer_of(*call);
}

Result<GateAnswer> FlushGate::flush_history(bool resume, Signal signal) {
  if (!resume) {
    LEASEGATE_TRY(check_can_begin());
  } else if (state_ != GateState::deactivated) {
    return std::unexpected(state_ == GateState::closed ? errors::gate_closed() : errors::gate_active(state_));
  }
  if (signal == Signal::aborted) return GateAnswer{.outcome = GateOutcome::aborted};
  const auto call = open(CallKind::flush);
  if (!call) return std::unexpected(call.error());
  // Resuming waits for nothing: what a stopped drain has in flight is in the queue already.
  if (resume || turn_is_free()) {
    collect_for(*call);
  } else {
    wait(*call);
  }
  return answer_of(*call);
}

void FlushGate::deactivate() {
  if (state_ == GateState::inactive || state_ == GateState::closed || state_ == GateState::deactivated)
    return;
  enter(GateState::deactivated);
  stop_drain(refused_by_state());
  give_turns();
}

Result<GateAnswer> FlushGate::drop(bool close) {
  std::uint32_t drop = kNoSlot;
  if (sending()) {
    const auto call = open(CallKind::drop);
    if (!call) return std::unexpected(call.error());
    drop = *call;
    // A direct send is not the gate's to lose: its caller holds the event.
    if (calls_[turn_].kind != CallKind::submit && in_flight_.dropped == nullptr) {
      in_flight_.dropped = queue_.take(in_flight_.event);
      in_flight_.dropper = drop;
    }
  }
  const std::uint64_t lost = queue_.count();
  queue_.clear();
  const GateState target = close || state_ == GateState::closed ? GateState::closed : GateState::inactive;
  if (state_ != target) enter(target);
  stop_drain(refused_by_state());
  if (target == GateState::closed) refuse_waiting();
  give_turns();
  if (drop == kNoSlot) return GateAnswer{.outcome = GateOutcome::dropped, .dropped = lost};
  calls_[drop].number = lost;
  calls_[drop].phase = Phase::awaiting_send;
  Calls::append(drops_, calls_.slab(), drop);
  return answer_of(drop);
}

Status FlushGate::send_settled(SendStep step, SendOutcome outcome) {
  if (!sending() || step != in_flight_.step) return stale();
  InFlight sent = std::exchange(in_flight_, {});
  const std::uint32_t call = turn_;
  if (calls_[call].kind == CallKind::submit) {
    direct_send_settled(call, outcome);
  } else {
    drain_send_settled(call, std::move(sent), outcome);
  }
  while (drops_.count > 0) {
    const std::uint32_t drop = drops_.first;
    Calls::remove(drops_, calls_.slab(), drop);
    settle(drop, {.outcome = GateOutcome::dropped});
  }
  give_turns();
  return {};
}

Status FlushGate::snapshot_taken(GateTicket flush, HistoryDraft&& history) {
  const std::uint32_t call = calls_.find(flush);
  if (call == kNoSlot || calls_[call].phase != Phase::snapshotting) return stale();
  Status installed = check_collecting(calls_[call].number);
  if (installed) installed = splice(std::move(history));
  if (!installed) {
    calls_.remove(call);
    return installed;
  }
  start_drain(call);
  return {};
}

Status FlushGate::snapshot_failed(GateTicket flush) {
  const std::uint32_t call = calls_.find(flush);
  if (call == kNoSlot || calls_[call].phase != Phase::snapshotting) return stale();
  settle(call, {.outcome = GateOutcome::failed});
  return {};
}

Status FlushGate::abort(GateTicket ticket) {
  const std::uint32_t slot = calls_.find(ticket);
  if (slot == kNoSlot) return stale();
  Call& call = calls_[slot];
  if (call.phase == Phase::settled || call.phase == Phase::awaiting_send) return stale();
  if (slot == drain_) {
    enter(GateState::deactivated);
    stop_drain({.outcome = GateOutcome::aborted});
  } else if (slot == turn_ && sending()) {
    // Whatever stopped a drain first decides what its caller is told.
    if (!call.stopped) call.verdict = {.outcome = GateOutcome::aborted};
    call.stopped = true;
  } else {
    unlink(slot);
    settle(slot, {.outcome = GateOutcome::aborted});
  }
  give_turns();
  return {};
}

}  // namespace leasegate
