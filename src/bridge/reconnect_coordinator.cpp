#include "bridge/reconnect_coordinator.hpp"

#include "bridge/errors.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {
namespace {

std::unexpected<Error> stale() { return std::unexpected(errors::stale_step()); }
std::unexpected<Error> no_memory() { return std::unexpected(errors::out_of_memory()); }

/** Transitions for which room is kept: into and out of a flight, into and out of draining. */
constexpr std::uint32_t kTransitionsAhead = 4;

}  // namespace

Result<ReconnectCoordinator> ReconnectCoordinator::create(const ReconnectConfig& config, UnixMillis now) {
  LEASEGATE_TRY(check(config.session));
  const auto fence = EpochFence::create(config.epoch);
  if (!fence) return std::unexpected(fence.error());
  auto lifecycle = Lifecycle::create(config.max_history);
  if (!lifecycle) return std::unexpected(lifecycle.error());
  TextBlock session;
  if (!session.try_assign({&config.session.text, 1}) || !lifecycle->try_reserve(kTransitionsAhead))
    return no_memory();

  ReconnectCoordinator made(std::move(session), *fence, Cursor(config.cursor), std::move(*lifecycle));
  if (!made.closings_.try_reserve(1)) return no_memory();
  made.lifecycle_.enter(TransportState::connecting, "created", now);
  if (config.has_transport) {
    made.installed_ = made.take_over();
    made.lifecycle_.enter(TransportState::connected, "created with a transport", now);
  }
  return made;
}

Status ReconnectCoordinator::reserve_call() {
  if (calls_.size() >= MAX_RECOVERY_CALLS) {
    return std::unexpected(errors::recovery_capacity(MAX_RECOVERY_CALLS, RecoveryUnit::calls));
  }
  if (!calls_.try_reserve(1)) return no_memory();
  return {};
}

std::uint32_t ReconnectCoordinator::open(IntrusiveList& list, bool of_close) {
  last_ticket_ = last_ticket_.after();
  const std::uint32_t slot = calls_.add(last_ticket_);
  calls_[slot].of_close = of_close;
  Calls::append(list, calls_.slab(), slot);
  return slot;
}

Result<RecoveryAnswer> ReconnectCoordinator::recover(std::string_view reason, Signal signal, UnixMillis now) {
  if (closing()) return std::unexpected(errors::recovery_closed());
  if (signal == Signal::aborted) return RecoveryAnswer{.outcome = RecoveryOutcome::aborted};
  LEASEGATE_TRY(reserve_call());
  if (!in_flight()) LEASEGATE_TRY(start_flight(reason, now));
  return RecoveryAnswer{.ticket = calls_[open(joined_, false)].serial};
}

Status ReconnectCoordinator::start_flight(std::string_view reason, UnixMillis now) {
  LEASEGATE_TRY(check_text(TextField::reason, reason));
  if (closings_.size() >= MAX_TRANSPORT_CLOSES) {
    return std::unexpected(errors::recovery_capacity(MAX_TRANSPORT_CLOSES, RecoveryUnit::closes));
  }
  // All that the flight and a close may come to later has its room now: reports cannot fail.
  TextBlock text;
  if (!closings_.try_reserve(2) || !lifecycle_.try_reserve(kTransitionsAhead) ||
      !text.try_assign({&reason, 1})) {
    return no_memory();
  }
  if (state() != TransportState::connecting)
    lifecycle_.enter(TransportState::replacing, std::move(text), now);
  flight_ = {.id = flight_.id.after(), .phase = Flight::Phase::due};
  return {};
}

Result<std::optional<TransportId>> ReconnectCoordinator::send(Epoch epoch, const OutboundEventView& event,
                                                              Signal signal) const {
  if (closing()) return std::unexpected(errors::recovery_closed());
  if (state() != TransportState::connected) return std::unexpected(errors::recovering());
  LEASEGATE_TRY(fence_.check(epoch));
  LEASEGATE_TRY(validate(event));
  if (signal == Signal::aborted) return std::nullopt;
  return installed_;
}

Result<RecoveryAnswer> ReconnectCoordinator::close(Signal signal, UnixMillis now) {
  if (signal == Signal::live) LEASEGATE_TRY(reserve_call());
  if (!closing()) begin_close(now);
  // A caller that has left already does not keep the others from it.
  if (signal == Signal::aborted) {
    finish_close_if_settled(now);
    return RecoveryAnswer{.outcome = RecoveryOutcome::aborted};
  }
  const std::uint32_t call = open(closers_, true);
  if (state() == TransportState::closed) {
    settle(call, closers_, close_verdict_);
  } else {
    finish_close_if_settled(now);
  }
  return RecoveryAnswer{.ticket = calls_[call].serial};
}

void ReconnectCoordinator::begin_close(UnixMillis now) {
  lifecycle_.enter(TransportState::draining, "close", now);
  settle_all(joined_, {.outcome = RecoveryOutcome::refused, .refusal = Refusal::closed});
  // An attempt that was not called yet never is.
  if (flight_.phase == Flight::Phase::due) flight_.phase = Flight::Phase::none;
  flight_.abort_due = flight_.phase == Flight::Phase::running;
  if (installed_.value == 0) {
    close_verdict_.outcome = RecoveryOutcome::closed;
  } else {
    close_later(installed_, TransportRole::final);
  }
}

void ReconnectCoordinator::finish_close_if_settled(UnixMillis now) {
  if (state() == TransportState::draining && !in_flight() && closings_.size() == 0) finish_close(now);
}

void ReconnectCoordinator::finish_close(UnixMillis now) {
  if (close_verdict_.outcome == RecoveryOutcome::open) {
    close_verdict_ = {
        .outcome = RecoveryOutcome::refused, .refusal = Refusal::close_timeout, .transport = installed_};
  }
  lifecycle_.enter(TransportState::closed, "closed", now);
  settle_all(closers_, close_verdict_);
}

void ReconnectCoordinator::close_timeout_elapsed(UnixMillis now) {
  if (state() == TransportState::draining) finish_close(now);
}

void ReconnectCoordinator::settle(std::uint32_t slot, IntrusiveList& list, const Verdict& verdict) {
  Calls::remove(list, calls_.slab(), slot);
  calls_[slot].settled = true;
  calls_[slot].verdict = verdict;
  Calls::append(settled_, calls_.slab(), slot);
}

void ReconnectCoordinator::settle_all(IntrusiveList& list, const Verdict& verdict) {
  while (list.count > 0) settle(list.first, list, verdict);
}

void ReconnectCoordinator::close_later(TransportId transport, TransportRole role) {
  const std::uint32_t slot = closings_.add(transport);
  closings_[slot].role = role;
  Closings::append(close_due_, closings_.slab(), slot);
}

/** The flight has ended while the coordinator lives: into `state`, and everybody is told at once. */
void ReconnectCoordinator::land(const Verdict& verdict, TransportState state, std::string_view reason,
                                UnixMillis now) {
  lifecycle_.enter(state, reason, now);
  settle_all(joined_, verdict);
}

Status ReconnectCoordinator::attempt_failed(FlightId flight, UnixMillis now) {
  if (flight_.phase != Flight::Phase::running || flight != flight_.id) return stale();
  flight_ = {.id = flight};
  if (closing()) {
    finish_close_if_settled(now);
  } else {
    land({.outcome = RecoveryOutcome::failed, .flight = flight}, TransportState::reconnect_wait,
         "recovery failed", now);
  }
  return {};
}

Result<TransportId> ReconnectCoordinator::attempt_settled(FlightId flight, const AttemptResult& result,
                                                          UnixMillis now) {
  if (flight_.phase != Flight::Phase::running || flight != flight_.id) return stale();
  flight_ = {.id = flight};
  const bool is_fresh = result.offer == TransportOffer::fresh;
  const TransportId fresh = is_fresh ? take_over() : TransportId{};
  if (closing()) {
    if (is_fresh) close_later(fresh, TransportRole::late);
    finish_close_if_settled(now);
    return fresh;
  }
  // Whatever was handed over before and is not installed has been closed here.
  const bool is_installed = result.offer == TransportOffer::known && result.transport == installed_;
  if ((is_fresh || is_installed) && fence_.advance(result.epoch)) {
    install(is_fresh ? fresh : installed_, now);
  } else {
    refuse_flight(result.epoch, is_fresh || is_installed, fresh, now);
  }
  return fresh;
}

/** The fence has advanced. */
void ReconnectCoordinator::install(TransportId transport, UnixMillis now) {
  const TransportId replaced = std::exchange(installed_, transport);
  const Verdict recovered = {
      .outcome = RecoveryOutcome::recovered, .flight = flight_.id, .transport = transport, .epoch = epoch()};
  land(recovered, TransportState::connected, "recovered", now);
  if (replaced.value != 0 && replaced != transport) close_later(replaced, TransportRole::replaced);
}

/** The flight brought no transport that can be used, or no higher epoch. */
void ReconnectCoordinator::refuse_flight(Epoch got, bool usable, TransportId fresh, UnixMillis now) {
  const Verdict refused = {.outcome = RecoveryOutcome::refused,
                           .refusal = usable ? Refusal::epoch_not_advanced : Refusal::no_transport,
                           .flight = flight_.id,
                           .epoch = got,
                           .current = epoch()};
  land(refused, TransportState::reconnect_wait, usable ? "epoch not advanced" : "no transport", now);
  if (fresh.value != 0) close_later(fresh, TransportRole::refused);
}

Result<TransportRole> ReconnectCoordinator::close_settled(TransportId transport,
                                                          const CloseEvidence& evidence, UnixMillis now) {
  const auto role = end_closing(transport);
  if (!role) return role;
  if (*role == TransportRole::final && state() == TransportState::draining) {
    close_verdict_ = {.outcome = RecoveryOutcome::closed, .transport = transport};
    close_evidence_ = evidence;
  }
  finish_close_if_settled(now);
  return role;
}

Result<TransportRole> ReconnectCoordinator::close_failed(TransportId transport, UnixMillis now) {
  const auto role = end_closing(transport);
  if (!role) return role;
  if (*role == TransportRole::final && state() == TransportState::draining) {
    close_verdict_ = {.outcome = RecoveryOutcome::close_failed, .transport = transport};
  }
  finish_close_if_settled(now);
  return role;
}

/** Forgets a transport whose close has settled. */
Result<TransportRole> ReconnectCoordinator::end_closing(TransportId transport) {
  const std::uint32_t slot = closings_.find(transport);
  if (slot == kNoSlot || !closings_[slot].begun) return stale();
  const TransportRole role = closings_[slot].role;
  closings_.remove(slot);
  return role;
}

Status ReconnectCoordinator::abort(RecoveryTicket ticket) {
  const std::uint32_t slot = calls_.find(ticket);
  if (slot == kNoSlot || calls_[slot].settled) return stale();
  settle(slot, calls_[slot].of_close ? closers_ : joined_, {.outcome = RecoveryOutcome::aborted});
  return {};
}

RecoveryStep ReconnectCoordinator::next_step() {
  if (settled_.count > 0) return settle_step();
  if (flight_.abort_due) {
    flight_.abort_due = false;
    return {.kind = RecoveryStepKind::abort_attempt, .flight = flight_.id};
  }
  if (close_due_.count > 0) {
    const std::uint32_t slot = close_due_.first;
    Closings::remove(close_due_, closings_.slab(), slot);
    closings_[slot].begun = true;
    return {.kind = RecoveryStepKind::close_transport, .transport = closings_[slot].serial};
  }
  if (flight_.phase == Flight::Phase::due) {
    flight_.phase = Flight::Phase::running;
    const ResumePointView resume = {.session = session(), .epoch = epoch(), .cursor = cursor()};
    return {.kind = RecoveryStepKind::attempt, .flight = flight_.id, .resume = resume};
  }
  return {};
}

RecoveryStep ReconnectCoordinator::settle_step() {
  const std::uint32_t slot = settled_.first;
  Calls::remove(settled_, calls_.slab(), slot);
  const Verdict& verdict = calls_[slot].verdict;
  RecoveryStep step{
      .kind = RecoveryStepKind::settle,
      .ticket = calls_[slot].serial,
      .outcome = verdict.outcome,
      .epoch = verdict.epoch,
      .flight = verdict.flight,
      .transport = verdict.transport,
  };
  if (verdict.outcome == RecoveryOutcome::closed) step.evidence = close_evidence_;
  switch (verdict.refusal) {
    case Refusal::none:
      break;
    case Refusal::closed:
      step.error = errors::recovery_closed();
      break;
    case Refusal::no_transport:
      step.error = errors::no_transport();
      break;
    case Refusal::epoch_not_advanced:
      step.error = errors::epoch_not_advanced(verdict.epoch.value, verdict.current.value);
      break;
    case Refusal::close_timeout:
      step.error = errors::close_timeout();
      break;
  }
  calls_.remove(slot);
  return step;
}

}  // namespace leasegate
