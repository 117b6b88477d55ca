#include "bridge/gate_driver.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/records.hpp"

namespace leasegate::test {

OutboundEvent event(std::string_view id, std::size_t payload_size) {
  OutboundEvent made;
  made.message_id.text = id;
  made.type = "t-" + std::string(id);
  made.payload.assign(payload_size, static_cast<std::uint8_t>(id.empty() ? 0 : id.back()));
  return made;
}

OutboundEventView view_of(const OutboundEvent& event) {
  return {.message_id = event.message_id, .type = event.type, .payload = event.payload};
}

std::string GateDriver::phrase(const Result<GateAnswer>& answer) {
  if (!answer) return refusal(answer);
  std::string text(name_of(answer->outcome));
  if (answer->outcome == GateOutcome::open) text += ' ' + std::to_string(answer->ticket.value);
  if (answer->outcome == GateOutcome::dropped) text += ' ' + std::to_string(answer->dropped);
  return text;
}

std::string GateDriver::submit(std::string_view id, Signal signal) {
  const OutboundEvent made = event(id);
  return phrase(gate.submit(view_of(made), signal));
}
std::string GateDriver::begin(Signal signal) { return phrase(gate.begin_history(signal)); }
std::string GateDriver::drain(Signal signal) { return phrase(gate.drain(signal)); }
std::string GateDriver::flush(bool resume, Signal signal) {
  return phrase(gate.flush_history(resume, signal));
}
std::string GateDriver::drop(bool close) { return phrase(gate.drop(close)); }
std::string GateDriver::resume() { return refusal(gate.resume_history()); }

std::string GateDriver::install(const std::vector<std::string>& ids) {
  std::vector<OutboundEvent> events;
  for (const std::string& id : ids) events.push_back(event(id));
  std::vector<OutboundEventView> views;
  for (const OutboundEvent& made : events) views.push_back(view_of(made));
  return refusal(gate.install_history(views));
}

std::string GateDriver::snapshot(std::uint64_t ticket, const std::vector<std::string>& ids) {
  HistoryDraft draft = gate.draft_history();
  for (const std::string& id : ids) {
    const OutboundEvent made = event(id);
    draft.add(view_of(made));
  }
  return refusal(gate.snapshot_taken({ticket}, std::move(draft)));
}

std::string GateDriver::pump() {
  std::string said;
  while (true) {
    const GateStep step = gate.next_step();
    if (step.kind == GateStepKind::none) return said;
    if (!said.empty()) said += "; ";
    const std::string ticket = std::to_string(step.ticket.value);
    switch (step.kind) {
      case GateStepKind::none:
        break;
      case GateStepKind::send: {
        REQUIRE_FALSE(sending.has_value());
        sending = step.step;
        sending_id = step.event.message_id.text;
        REQUIRE(step.event.type == "t-" + sending_id);
        REQUIRE(step.event.payload.size() == 1);
        said += "send " + sending_id + " for " + ticket;
        break;
      }
      case GateStepKind::snapshot:
        said += "snapshot " + ticket;
        break;
      case GateStepKind::settle:
        said += "settle " + ticket + ' ' + std::string(name_of(step.outcome));
        if (step.outcome == GateOutcome::dropped) said += ' ' + std::to_string(step.dropped);
        REQUIRE(step.error.has_value() == (step.outcome == GateOutcome::refused));
        if (step.error) said += ' ' + text_of(*step.error);
        break;
    }
  }
}

std::string GateDriver::settle(SendOutcome outcome) {
  REQUIRE(sending.has_value());
  const SendStep step = *std::exchange(sending, std::nullopt);
  if (outcome == SendOutcome::accepted) wire.push_back(sending_id);
  REQUIRE(refusal(gate.send_settled(step, outcome)) == "accepted");
  REQUIRE(refusal(gate.send_settled(step, outcome)) == "stale_step");
  return pump();
}

std::string GateDriver::abort(std::uint64_t ticket) {
  const Status aborted = gate.abort({ticket});
  return aborted ? pump() : refusal(aborted);
}

std::string GateDriver::shown() const {
  std::string text = std::string(name_of(gate.state())) + ':';
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  for (const EventBlock* block = gate.first_pending(); block != nullptr; block = EventQueue::after(block)) {
    text += ' ' + std::string(block->view().message_id.text);
    ++count;
    bytes += block->payload_size();
  }
  REQUIRE(gate.pending_count() == count);
  REQUIRE(gate.pending_bytes() == bytes);
  return text;
}

}  // namespace leasegate::test
