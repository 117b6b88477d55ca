// Schedules of the reconnect coordinator: every transport that was handed over is closed once, every caller
// is told once, attempts do not overlap, and epochs only rise.

#include <set>

#include "bridge/reconnect_coordinator.hpp"
#include "fuzz/input.hpp"

namespace leasegate::fuzz {
namespace {

ReconnectCoordinator made(bool has_transport) {
  return ReconnectCoordinator::create({.session = RemoteSessionId("s"),
                                       .epoch = {5},
                                       .cursor = {7},
                                       .has_transport = has_transport,
                                       .max_history = 4},
                                      {1})
      .value();
}

class Schedule {
 public:
  explicit Schedule(Input& input)
      : input_(input), has_transport_(input.one_in(2)), coordinator_(made(has_transport_)) {
    if (has_transport_) transports_ = 1;
  }

  void step() {
    act();
    if (!input_.one_in(3)) pump();
    require(coordinator_.epoch().value >= epoch_, "the epoch fell");
    epoch_ = coordinator_.epoch().value;
    const OutboundEventView event{.message_id = MessageId("m"), .type = "t", .payload = {}};
    const bool sends = coordinator_.send({epoch_}, event).has_value();
    require(sends == (coordinator_.state() == TransportState::connected),
            "sends while not connected, or does not");
  }

  void finish() {
    opened(coordinator_.close(Signal::live, now()));
    pump();
    if (input_.one_in(3)) coordinator_.close_timeout_elapsed(now());
    pump();
    while (flight_ || !closing_.empty()) {
      if (flight_) end_attempt();
      pump();
      if (!closing_.empty()) end_close();
      pump();
    }
    require(coordinator_.state() == TransportState::closed && open_.empty(), "not closed at the end");
    require(closed_.size() == transports_, "a transport was not closed");
  }

 private:
  UnixMillis now() { return {++now_}; }

  void act() {
    switch (input_.below(9)) {
      case 0:
      case 1:
        return opened(coordinator_.recover(input_.one_in(8) ? "\xFF" : "lost", signal(), now()));
      case 2:
        return end_attempt();
      case 3:
      case 4:
        return end_close();
      case 5:
        return abort();
      case 6:
        if (input_.one_in(8)) opened(coordinator_.close(signal(), now()));
        return;
      case 7:
        if (input_.one_in(16)) coordinator_.close_timeout_elapsed(now());
        return;
      default:
        (void)coordinator_.observe_sequence({input_.byte()});
    }
  }

  Signal signal() { return input_.one_in(8) ? Signal::aborted : Signal::live; }

  void opened(const Result<RecoveryAnswer>& answer) {
    if (answer && answer->outcome == RecoveryOutcome::open) {
      require(open_.insert(answer->ticket.value).second, "a ticket was given twice");
    }
  }

  void abort() {
    if (open_.empty()) return;
    (void)coordinator_.abort(
        {*std::next(open_.begin(), static_cast<std::ptrdiff_t>(input_.below(open_.size())))});
  }

  void end_attempt() {
    if (!flight_) {
      require(!coordinator_.attempt_failed({input_.byte()}, now()), "an unknown attempt ended");
      return;
    }
    const FlightId flight = *flight_;
    flight_.reset();
    const std::uint64_t epoch = epoch_ + input_.below(3);
    switch (input_.below(4)) {
      case 0:
        require(coordinator_.attempt_failed(flight, now()).has_value(), "a failed attempt is not taken");
        return;
      case 1: {
        const TransportId known{1 + input_.below(transports_ + 1)};
        const AttemptResult result{.offer = TransportOffer::known, .transport = known, .epoch = {epoch}};
        require(coordinator_.attempt_settled(flight, result, now()).has_value(), "an attempt is not taken");
        return;
      }
      case 2:
        require(coordinator_.attempt_settled(flight, {.epoch = {epoch}}, now()).has_value(),
                "an attempt is not taken");
        return;
      default: {
        const AttemptResult result{.offer = TransportOffer::fresh, .epoch = {epoch}};
        const auto fresh = coordinator_.attempt_settled(flight, result, now());
        require(fresh && fresh->value == ++transports_, "a fresh transport has another number");
        return;
      }
    }
  }

  void end_close() {
    if (closing_.empty()) return;
    const auto chosen =
        std::next(closing_.begin(), static_cast<std::ptrdiff_t>(input_.below(closing_.size())));
    const std::uint64_t id = *chosen;
    closing_.erase(chosen);
    require(closed_.insert(id).second, "closed twice");
    const auto role = input_.one_in(4)
                          ? coordinator_.close_failed({id}, now())
                          : coordinator_.close_settled({id}, {.dropped = input_.below(4)}, now());
    require(role.has_value(), "the end of a close is not taken");
  }

  void pump() {
    for (RecoveryStep step = coordinator_.next_step(); step.kind != RecoveryStepKind::none;
         step = coordinator_.next_step()) {
      switch (step.kind) {
        case RecoveryStepKind::none:
          return;
        case RecoveryStepKind::attempt:
          require(!flight_, "two attempts at once");
          flight_ = step.flight;
          break;
        case RecoveryStepKind::abort_attempt:
          require(flight_ == step.flight, "another attempt is aborted");
          break;
        case RecoveryStepKind::close_transport:
          require(!closed_.contains(step.transport.value) && closing_.insert(step.transport.value).second,
                  "a transport is closed twice");
          break;
        case RecoveryStepKind::settle:
          require(open_.erase(step.ticket.value) == 1, "a caller is told twice");
          require(step.error.has_value() == (step.outcome == RecoveryOutcome::refused),
                  "an error where none is due");
          break;
      }
    }
  }

  Input& input_;
  bool has_transport_;
  ReconnectCoordinator coordinator_;
  std::uint64_t transports_ = 0;
  std::uint64_t epoch_ = 5;
  std::uint64_t now_ = 100;
  std::optional<FlightId> flight_;
  std::set<std::uint64_t> open_;
  std::set<std::uint64_t> closing_;
  std::set<std::uint64_t> closed_;
};

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return leasegate::fuzz::step_through<leasegate::fuzz::Schedule>(data, size);
}
