// A gate driven by hand: every step that it hands out becomes a phrase, and sends settle when the test says
// so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bridge/flush_gate.hpp"

namespace leasegate::test {

/** An event with an id, a type and a payload that are all told by the id. */
OutboundEvent event(std::string_view id, std::size_t payload_size = 1);
OutboundEventView view_of(const OutboundEvent& event);

/** Answers are phrases: an outcome ("queued", "dropped 2"), "open 1" with the number of the ticket, or an
 * error. */
class GateDriver {
 public:
  explicit GateDriver(const GateLimits& limits = {}) : gate(std::move(*FlushGate::create(limits))) {}

  std::string submit(std::string_view id, Signal signal = Signal::live);
  std::string begin(Signal signal = Signal::live);
  std::string drain(Signal signal = Signal::live);
  std::string flush(bool resume = false, Signal signal = Signal::live);
  std::string drop(bool close = true);
  std::string resume();
  std::string install(const std::vector<std::string>& ids);
  std::string snapshot(std::uint64_t ticket, const std::vector<std::string>& ids);

  /** Takes every step there is: "send a for 1", "snapshot 2", "settle 3 refused gate_closed", joined by "; ".
   */
  std::string pump();
  /** Settles the send in flight and pumps. */
  std::string settle(SendOutcome outcome = SendOutcome::accepted);
  /** The signal of a ticket aborts. */
  std::string abort(std::uint64_t ticket);

  /** The state and the queue: "ready: a b". */
  [[nodiscard]] std::string shown() const;

  FlushGate gate;
  /** Of the send in flight. */
  std::optional<SendStep> sending;
  std::string sending_id;
  /** What the sender took, in order. */
  std::vector<std::string> wire;

 private:
  std::string phrase(const Result<GateAnswer>& answer);
};

}  // namespace leasegate::test
