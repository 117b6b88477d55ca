#include "bridge/coordinator_driver.hpp"

#include <catch2/catch_test_macros.hpp>

#include "bridge/gate_driver.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

ReconnectCoordinator made(bool has_transport) {
  auto created = ReconnectCoordinator::create(
      {.session = RemoteSessionId("s"), .epoch = {5}, .cursor = {7}, .has_transport = has_transport}, {1});
  REQUIRE(refusal(created) == "accepted");
  return std::move(*created);
}

std::string transport(TransportId id) { return "t" + std::to_string(id.value); }

}  // namespace

CoordinatorDriver::CoordinatorDriver(bool has_transport) : coordinator(made(has_transport)) {}

std::string CoordinatorDriver::phrase(const Result<RecoveryAnswer>& answer) {
  if (!answer) return refusal(answer);
  if (answer->outcome != RecoveryOutcome::open) return std::string(name_of(answer->outcome));
  return "open " + std::to_string(answer->ticket.value);
}

std::string CoordinatorDriver::recover(std::string_view reason, Signal signal) {
  return phrase(coordinator.recover(reason, signal, {++now_}));
}

std::string CoordinatorDriver::close(Signal signal) { return phrase(coordinator.close(signal, {++now_})); }

std::string CoordinatorDriver::send(std::uint64_t epoch, std::string_view id, Signal signal) {
  const OutboundEvent sent = event(id);
  const auto answer = coordinator.send({epoch}, view_of(sent), signal);
  if (!answer) return refusal(answer);
  return *answer ? transport(**answer) : "aborted";
}

std::string CoordinatorDriver::ended(const Result<TransportId>& settled) {
  if (!settled) return refusal(settled);
  flight.reset();
  return pump();
}

std::string CoordinatorDriver::succeed(std::uint64_t epoch) {
  return ended(coordinator.attempt_settled(flight.value_or(FlightId{}),
                                           {.offer = TransportOffer::fresh, .epoch = {epoch}}, {++now_}));
}

std::string CoordinatorDriver::succeed_with(std::uint64_t known, std::uint64_t epoch) {
  return ended(coordinator.attempt_settled(
      flight.value_or(FlightId{}), {.offer = TransportOffer::known, .transport = {known}, .epoch = {epoch}},
      {++now_}));
}

std::string CoordinatorDriver::bring_nothing() {
  return ended(coordinator.attempt_settled(flight.value_or(FlightId{}), {.epoch = {99}}, {++now_}));
}

std::string CoordinatorDriver::fail() {
  const Status failed = coordinator.attempt_failed(flight.value_or(FlightId{}), {++now_});
  if (!failed) return refusal(failed);
  flight.reset();
  return pump();
}

std::string CoordinatorDriver::closed(std::uint64_t id, const Result<TransportRole>& role) {
  if (!role) return refusal(role);
  REQUIRE(closing.erase(id) == 1);
  REQUIRE(roles.emplace(id, name_of(*role)).second);
  return pump();
}

std::string CoordinatorDriver::settle_close(std::uint64_t id, std::uint64_t dropped) {
  return closed(id, coordinator.close_settled({id}, {.dropped = dropped}, {++now_}));
}

std::string CoordinatorDriver::fail_close(std::uint64_t id) {
  return closed(id, coordinator.close_failed({id}, {++now_}));
}

std::string CoordinatorDriver::time_out() {
  coordinator.close_timeout_elapsed({++now_});
  return pump();
}

std::string CoordinatorDriver::abort(std::uint64_t ticket) {
  const Status aborted = coordinator.abort({ticket});
  return aborted ? pump() : refusal(aborted);
}

std::string CoordinatorDriver::pump() {
  std::string said;
  while (true) {
    const RecoveryStep step = coordinator.next_step();
    if (step.kind == RecoveryStepKind::none) return said;
    if (!said.empty()) said += "; ";
    switch (step.kind) {
      case RecoveryStepKind::none:
        break;
      case RecoveryStepKind::attempt:
        REQUIRE_FALSE(flight.has_value());
        flight = step.flight;
        said += "attempt " + std::to_string(step.flight.value) + " from " +
                std::string(step.resume.session.text) + '/' + std::to_string(step.resume.epoch.value) + '/' +
                std::to_string(step.resume.cursor.value);
        break;
      case RecoveryStepKind::abort_attempt:
        REQUIRE(flight == step.flight);
        said += "abort_attempt " + std::to_string(step.flight.value);
        break;
      case RecoveryStepKind::close_transport:
        REQUIRE_FALSE(roles.contains(step.transport.value));
        REQUIRE(closing.insert(step.transport.value).second);
        said += "close " + transport(step.transport);
        break;
      case RecoveryStepKind::settle:
        said += "settle " + std::to_string(step.ticket.value) + ' ' + std::string(name_of(step.outcome));
        if (step.outcome == RecoveryOutcome::recovered) {
          said += ' ' + transport(step.transport) + '/' + std::to_string(step.epoch.value);
        }
        if (step.outcome == RecoveryOutcome::failed) said += " flight " + std::to_string(step.flight.value);
        if (step.outcome == RecoveryOutcome::closed) said += ' ' + std::to_string(step.evidence.dropped);
        if (step.outcome == RecoveryOutcome::close_failed) said += ' ' + transport(step.transport);
        REQUIRE(step.error.has_value() == (step.outcome == RecoveryOutcome::refused));
        if (step.error) said += ' ' + text_of(*step.error);
        break;
    }
  }
}

}  // namespace leasegate::test
