// Turns, what a call becomes at its turn, and the steps that are handed out.

#include <cassert>

#include "bridge/errors.gen.hpp"
#include "bridge/flush_gate.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {

/** The one place where a state is entered. */
void FlushGate::enter(GateState state) {
  assert(can_become(state_, state));
  state_ = state;
  if (state == GateState::collecting_history) ++collection_;
}

FlushGate::Verdict FlushGate::refused_by_state() const {
  const Refusal refusal = state_ == GateState::closed ? Refusal::closed : Refusal::inactive;
  return {.outcome = GateOutcome::refused, .refusal = refusal, .seen = state_};
}

Result<std::uint32_t> FlushGate::open(CallKind kind) {
  // Submits that wait are bounded by the capacity, everything else by MAX_GATE_CALLS.
  if (calls_.size() >= MAX_GATE_CALLS && calls_.size() - MAX_GATE_CALLS >= limits_.capacity) {
    return std::unexpected(errors::gate_capacity(limits_.capacity + MAX_GATE_CALLS, GateUnit::calls));
  }
  if (!calls_.try_reserve(1)) return std::unexpected(errors::out_of_memory());
  last_ticket_ = last_ticket_.after();
  const std::uint32_t slot = calls_.add(last_ticket_);
  calls_[slot].kind = kind;
  return slot;
}

void FlushGate::wait(std::uint32_t slot) {
  Call& call = calls_[slot];
  call.phase = Phase::waiting;
  Calls::append(waiting_, calls_.slab(), slot);
  if (call.event != nullptr) {
    ++waiting_events_;
    waiting_bytes_ += call.event->payload_size();
  }
}

void FlushGate::hold(std::uint32_t slot) {
  calls_[slot].phase = Phase::holding;
  turn_ = slot;
}

void FlushGate::unlink(std::uint32_t slot) {
  const Call& call = calls_[slot];
  if (slot == turn_) turn_ = kNoSlot;
  if (call.phase == Phase::snapshot_due) Calls::remove(snapshots_, calls_.slab(), slot);
  if (call.phase != Phase::waiting) return;
  Calls::remove(waiting_, calls_.slab(), slot);
  if (call.event != nullptr) {
    --waiting_events_;
    waiting_bytes_ -= call.event->payload_size();
  }
}

/** The call must be in no list but, if it had the turn, have given it back. */
void FlushGate::settle(std::uint32_t slot, Verdict verdict) {
  Call& call = calls_[slot];
  call.phase = Phase::settled;
  call.verdict = verdict;
  call.event.reset();
  Calls::append(settled_, calls_.slab(), slot);
}

void FlushGate::give_turns() {
  while (turn_is_free() && waiting_.count > 0) {
    const std::uint32_t next = waiting_.first;
    unlink(next);
    give_turn(next);
  }
}

void FlushGate::give_turn(std::uint32_t slot) {
  Call& call = calls_[slot];
  switch (call.kind) {
    case CallKind::submit:
      if (state_ == GateState::inactive) return hold(slot);
      // It was counted while it waited: there is room.
      queue_.append(std::move(call.event));
      return settle(slot, {.outcome = GateOutcome::queued});
    case CallKind::begin:
    case CallKind::flush:
      if (call.number != 0) break;
      if (state_ != GateState::inactive) {
        return settle(slot, {.outcome = GateOutcome::refused, .refusal = Refusal::active, .seen = state_});
      }
      return collect_for(slot);
    case CallKind::drain:
    case CallKind::drop:
      break;
  }
  // A drain, a flush's too. One that was stopped waits no more, so the state is draining.
  if (!queue_.empty()) return hold(slot);
  drain_ = kNoSlot;
  enter(GateState::inactive);
  settle(slot, {.outcome = GateOutcome::done});
}

/** Begins or resumes the collection of a begin_history or flush_history. */
void FlushGate::collect_for(std::uint32_t slot) {
  enter(GateState::collecting_history);
  Call& call = calls_[slot];
  call.number = collection_;
  if (call.kind == CallKind::begin) return settle(slot, {.outcome = GateOutcome::done});
  call.phase = Phase::snapshot_due;
  Calls::append(snapshots_, calls_.slab(), slot);
}

void FlushGate::start_drain(std::uint32_t slot) {
  enter(GateState::draining);
  drain_ = slot;
  wait(slot);
  give_turns();
}

void FlushGate::stop_drain(Verdict verdict) {
  if (drain_ == kNoSlot) return;
  const std::uint32_t slot = std::exchange(drain_, kNoSlot);
  if (slot == turn_ && sending()) {
    calls_[slot].stopped = true;
    calls_[slot].verdict = verdict;
    return;
  }
  unlink(slot);
  settle(slot, verdict);
}

/** Of a gate that is now closed. A send in flight keeps its turn. */
void FlushGate::refuse_waiting() {
  const Verdict closed = refused_by_state();
  if (!turn_is_free() && !sending()) {
    const std::uint32_t holder = turn_;
    unlink(holder);
    settle(holder, closed);
  }
  while (waiting_.count > 0) {
    const std::uint32_t next = waiting_.first;
    unlink(next);
    settle(next, closed);
  }
}

namespace {

GateOutcome outcome_of(SendOutcome outcome) {
  switch (outcome) {
    case SendOutcome::accepted:
      return GateOutcome::accepted;
    case SendOutcome::not_accepted:
      return GateOutcome::not_accepted;
    case SendOutcome::failed:
      break;
  }
  return GateOutcome::failed;
}

}  // namespace

void FlushGate::direct_send_settled(std::uint32_t slot, SendOutcome outcome) {
  turn_ = kNoSlot;
  // Its own failure says more than the abort that may have caused it.
  const bool aborted = calls_[slot].stopped && outcome == SendOutcome::accepted;
  settle(slot, aborted ? calls_[slot].verdict : Verdict{.outcome = outcome_of(outcome)});
}

void FlushGate::drain_send_settled(std::uint32_t slot, InFlight&& sent, SendOutcome outcome) {
  const bool accepted = outcome == SendOutcome::accepted;
  if (sent.dropped == nullptr) {
    if (accepted) queue_.take(sent.event).reset();
  } else if (!accepted) {
    ++calls_[sent.dropper].number;
  }
  const bool stopped = calls_[slot].stopped;
  if (!stopped && accepted && !queue_.empty()) return;
  turn_ = kNoSlot;
  if (stopped) {
    return settle(slot, accepted ? calls_[slot].verdict : Verdict{.outcome = outcome_of(outcome)});
  }
  drain_ = kNoSlot;
  enter(accepted ? GateState::inactive : GateState::deactivated);
  settle(slot, {.outcome = accepted ? GateOutcome::done : outcome_of(outcome)});
}

GateStep FlushGate::next_step() {
  if (settled_.count > 0) return settle_step();
  if (snapshots_.count > 0) return snapshot_step();
  if (!turn_is_free() && !sending()) return send_step();
  return {};
}

GateStep FlushGate::settle_step() {
  const std::uint32_t slot = settled_.first;
  Calls::remove(settled_, calls_.slab(), slot);
  const Call& call = calls_[slot];
  GateStep step{.kind = GateStepKind::settle, .ticket = call.serial, .outcome = call.verdict.outcome};
  if (call.kind == CallKind::drop) step.dropped = call.number;
  switch (call.verdict.refusal) {
    case Refusal::none:
      break;
    case Refusal::closed:
      step.error = errors::gate_closed();
      break;
    case Refusal::active:
      step.error = errors::gate_active(call.verdict.seen);
      break;
    case Refusal::inactive:
      step.error = errors::gate_inactive(call.verdict.seen);
      break;
  }
  calls_.remove(slot);
  return step;
}

GateStep FlushGate::snapshot_step() {
  const std::uint32_t slot = snapshots_.first;
  unlink(slot);
  calls_[slot].phase = Phase::snapshotting;
  return {.kind = GateStepKind::snapshot, .ticket = calls_[slot].serial};
}

GateStep FlushGate::send_step() {
  const Call& call = calls_[turn_];
  last_step_ = last_step_.after();
  in_flight_.step = last_step_;
  in_flight_.event = call.kind == CallKind::submit ? call.event.get() : queue_.first();
  return {
      .kind = GateStepKind::send,
      .ticket = call.serial,
      .step = last_step_,
      .event = in_flight_.event->view(),
  };
}

}  // namespace leasegate
