// Schedules of the flush gate: whatever its driver does and when, sends neither overlap nor overtake, every
// ticket settles once, and every event is accepted, dropped and counted, given back, or still queued.

#include <deque>
#include <map>
#include <set>

#include "bridge/flush_gate.hpp"
#include "fuzz/input.hpp"

namespace leasegate::fuzz {
namespace {

class Schedule {
 public:
  explicit Schedule(Input& input)
      : input_(input), gate_(FlushGate::create({.capacity = 1 + input.below(8), .max_bytes = 24}).value()) {}

  void step() {
    act();
    pump();
    check();
  }

  void finish() {
    opened(gate_.drop(true));
    pump();
    while (!snapshots_.empty() || sending_) {
      if (sending_) {
        settle();
      } else {
        snapshot();
      }
      pump();
    }
    require(gate_.state() == GateState::closed && open_.empty() && direct_.empty(), "not closed at the end");
    require(gate_.pending_count() == 0, "something is still queued");
    require(accepted_.size() + dropped_ + returned_ == made_, [&] {
      return std::to_string(accepted_.size()) + " accepted, " + std::to_string(dropped_) + " dropped, " +
             std::to_string(returned_) + " given back, of " + std::to_string(made_);
    });
  }

 private:
  Signal signal() { return input_.one_in(12) ? Signal::aborted : Signal::live; }

  void act() {
    switch (input_.below(14)) {
      case 0:
      case 1:
      case 2:
        return submit();
      case 3:
        return opened(gate_.begin_history(signal()));
      case 4:
        return install();
      case 5:
        return opened(gate_.drain(signal()));
      case 6:
        return gate_.deactivate();
      case 7:
        (void)gate_.resume_history();
        return;
      case 8:
        return opened(gate_.drop(input_.one_in(8)));
      case 9:
        return opened(gate_.flush_history(input_.one_in(2), signal()));
      case 10:
        return abort();
      case 11:
        return snapshot();
      default:
        return settle();
    }
  }

  OutboundEventView event(std::string_view id) {
    const auto size = static_cast<std::size_t>(input_.below(6));
    return {.message_id = MessageId(id), .type = "t", .payload = View(kPayload).first(size)};
  }

  /** An answer that is no error: an outcome at once, or a ticket. */
  void opened(const Result<GateAnswer>& answer) {
    if (!answer) return;
    if (answer->outcome == GateOutcome::dropped) dropped_ += answer->dropped;
    if (answer->outcome == GateOutcome::open) {
      require(open_.insert(answer->ticket.value).second, "a ticket was given twice");
    }
  }

  void submit() {
    const std::string id = "e" + std::to_string(++made_);
    const auto answer = gate_.submit(event(id), signal());
    opened(answer);
    if (answer && answer->outcome == GateOutcome::open) {
      direct_[answer->ticket.value] = id;
    } else if (!answer || answer->outcome != GateOutcome::queued) {
      ++returned_;
    }
  }

  HistoryDraft history(std::uint64_t& count) {
    HistoryDraft draft = gate_.draft_history();
    count = input_.below(4);
    for (std::uint64_t i = 0; i < count; ++i) draft.add(event("e" + std::to_string(++made_)));
    return draft;
  }

  void install() {
    std::uint64_t count = 0;
    HistoryDraft draft = history(count);
    if (!gate_.install_history(std::move(draft))) returned_ += count;
  }

  void snapshot() {
    if (snapshots_.empty()) return;
    const std::uint64_t ticket = *snapshots_.begin();
    snapshots_.erase(ticket);
    if (input_.one_in(4)) {
      require(gate_.snapshot_failed({ticket}).has_value(), "a snapshot's failure is not taken");
      return;
    }
    std::uint64_t count = 0;
    HistoryDraft draft = history(count);
    if (gate_.snapshot_taken({ticket}, std::move(draft))) return;
    // That was the flush's outcome.
    returned_ += count;
    require(open_.erase(ticket) == 1, "a flush that is not open");
  }

  void abort() {
    if (open_.empty()) return;
    const auto chosen = std::next(open_.begin(), static_cast<std::ptrdiff_t>(input_.below(open_.size())));
    if (gate_.abort({*chosen})) snapshots_.erase(*chosen);
  }

  void settle() {
    if (!sending_) {
      require(!gate_.send_settled({input_.byte()}, SendOutcome::accepted), "an unknown send was settled");
      return;
    }
    const auto outcome = static_cast<SendOutcome>(input_.below(3));
    if (outcome == SendOutcome::accepted) {
      require(accepted_.insert(sending_id_).second, [&] { return sending_id_ + " was accepted twice"; });
    }
    require(gate_.send_settled(*sending_, outcome).has_value(), "a send's outcome is not taken");
    require(!gate_.send_settled(*sending_, outcome), "a send was settled twice");
    sending_.reset();
  }

  void pump() {
    for (GateStep step = gate_.next_step(); step.kind != GateStepKind::none; step = gate_.next_step()) {
      require(open_.contains(step.ticket.value), "a step for a ticket that is not open");
      if (step.kind == GateStepKind::send) {
        send(step);
      } else if (step.kind == GateStepKind::snapshot) {
        require(snapshots_.insert(step.ticket.value).second, "a second snapshot");
      } else {
        settled(step);
      }
    }
  }

  void send(const GateStep& step) {
    require(!sending_, "two sends at once");
    sending_ = step.step;
    sending_id_ = step.event.message_id.text;
    require(!accepted_.contains(sending_id_), [&] { return sending_id_ + " is sent again"; });
    const auto direct = direct_.find(step.ticket.value);
    if (direct != direct_.end()) {
      // In call order: tickets rise, and no earlier direct send is waiting.
      require(direct == direct_.begin() && direct->second == sending_id_, "a direct send overtakes");
    } else {
      require(
          gate_.first_pending() != nullptr && gate_.first_pending()->view().message_id.text == sending_id_,
          "a queued event overtakes");
    }
  }

  void settled(const GateStep& step) {
    open_.erase(step.ticket.value);
    require(step.error.has_value() == (step.outcome == GateOutcome::refused), "an error where none is due");
    if (step.outcome == GateOutcome::dropped) dropped_ += step.dropped;
    const auto direct = direct_.find(step.ticket.value);
    if (direct == direct_.end()) return;
    if (step.outcome != GateOutcome::queued && !accepted_.contains(direct->second)) ++returned_;
    direct_.erase(direct);
  }

  void check() const {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    for (const EventBlock* block = gate_.first_pending(); block != nullptr;
         block = EventQueue::after(block)) {
      ++count;
      bytes += block->payload_size();
    }
    require(gate_.pending_count() == count && gate_.pending_bytes() == bytes, "the queue's counts differ");
    require(count <= 8 && bytes <= 24, "the queue is longer than its limits");
  }

  static constexpr std::uint8_t kPayload[8] = {1, 2, 3, 4, 5, 6, 7, 8};

  Input& input_;
  FlushGate gate_;
  std::set<std::uint64_t> open_;
  std::set<std::uint64_t> snapshots_;
  /** Direct sends by ticket. */
  std::map<std::uint64_t, std::string> direct_;
  std::set<std::string> accepted_;
  std::optional<SendStep> sending_;
  std::string sending_id_;
  std::uint64_t made_ = 0;
  std::uint64_t returned_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return leasegate::fuzz::step_through<leasegate::fuzz::Schedule>(data, size);
}
