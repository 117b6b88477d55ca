// FlushGate for JavaScript, which drives its steps. Reporting a send and asking for the next step is one
// call: a drain crosses the boundary once an event.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/event.hpp"
#include "bindings/bridge/machine.hpp"
#include "bridge/errors.gen.hpp"
#include "bridge/flush_gate.hpp"

namespace leasegate::bindings {
namespace {

Signal read_signal(FrameReader& in) {
  bool aborted = false;
  in.boolean(aborted);
  return aborted ? Signal::aborted : Signal::live;
}

Signal only_signal() {
  FrameReader in;
  return read_signal(in);
}

ReplyStatus reply_answer(const Result<GateAnswer>& answer) {
  if (!answer) return reply_error(answer.error());
  FrameWriter out;
  out.enumeration(answer->outcome);
  out.u64(answer->ticket);
  out.u64(answer->dropped);
  return 0;
}

/** Why a call settles without its own kind of answer. What only JavaScript holds, it adds. */
std::optional<Error> error_of(const GateStep& step) {
  return step.outcome == GateOutcome::not_accepted ? errors::send_not_accepted() : step.error;
}

ReplyStatus reply_step(const GateStep& step) {
  FrameWriter out;
  out.enumeration(step.kind);
  out.u64(step.ticket);
  if (step.kind == GateStepKind::send) {
    out.u64(step.step);
    write(out, step.event);
  } else if (step.kind == GateStepKind::settle) {
    out.enumeration(step.outcome);
    out.u64(step.dropped);
    if (const auto error = error_of(step)) write(out, *error);
  }
  return 0;
}

}  // namespace

class FlushGateBinding {
 public:
  explicit FlushGateBinding(FlushGate&& gate) : gate_(std::move(gate)), draft_(gate_.draft_history()) {}

  static std::unique_ptr<FlushGateBinding> create() {
    FrameReader in;
    GateLimits limits;
    in.u64(limits.capacity);
    in.u64(limits.max_bytes);
    return bind<FlushGateBinding>(FlushGate::create(limits));
  }

  ReplyStatus run(std::uint32_t op) {
    using enum BridgeOp;
    switch (static_cast<BridgeOp>(op)) {
      case gate_submit:
        return submit();
      case gate_sent:
        return sent();
      case gate_step:
        return reply_step(gate_.next_step());
      case gate_begin:
        return reply_answer(gate_.begin_history(only_signal()));
      case gate_resume:
        return reply(gate_.resume_history());
      case gate_drain:
        return reply_answer(gate_.drain(only_signal()));
      case gate_flush: {
        FrameReader in;
        bool resume = false;
        in.boolean(resume);
        return reply_answer(gate_.flush_history(resume, read_signal(in)));
      }
      case gate_deactivate:
        gate_.deactivate();
        return 0;
      case gate_drop: {
        FrameReader in;
        bool close = false;
        in.boolean(close);
        return reply_answer(gate_.drop(close));
      }
      case gate_abort:
        return reply(gate_.abort(read_number<GateTicket>()));
      default:
        return read_or_install(static_cast<BridgeOp>(op));
    }
  }

 private:
  ReplyStatus submit() {
    FrameReader in;
    const Signal signal = read_signal(in);
    OutboundEventView event;
    read(in, event);
    return reply_answer(gate_.submit(event, signal));
  }

  ReplyStatus sent() {
    FrameReader in;
    SendStep step;
    SendOutcome outcome{};
    in.u64(step);
    in.enumeration(outcome);
    if (const Status status = gate_.send_settled(step, outcome); !status) return reply_error(status.error());
    return reply_step(gate_.next_step());
  }

  ReplyStatus read_or_install(BridgeOp op) {
    using enum BridgeOp;
    switch (op) {
      case gate_history_begin:
        draft_ = gate_.draft_history();
        return 0;
      case gate_history_add: {
        FrameReader in;
        OutboundEventView event;
        read(in, event);
        draft_.add(event);
        return 0;
      }
      case gate_history_install:
        return end_draft(gate_.install_history(std::move(draft_)));
      case gate_history_taken:
        return end_draft(gate_.snapshot_taken(read_number<GateTicket>(), std::move(draft_)));
      case gate_history_failed:
        return reply(gate_.snapshot_failed(read_number<GateTicket>()));
      case gate_state: {
        FrameWriter out;
        out.enumeration(gate_.state());
        out.u64(gate_.pending_count());
        out.u64(gate_.pending_bytes());
        return 0;
      }
      case gate_pending_first:
        next_pending_ = gate_.first_pending();
        return 0;
      case gate_pending_next: {
        FrameWriter out;
        write(out, next_pending_->view());
        next_pending_ = EventQueue::after(next_pending_);
        return 0;
      }
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

  /** A history that was refused keeps no memory. */
  ReplyStatus end_draft(const Status& status) {
    draft_ = gate_.draft_history();
    return reply(status);
  }

  FlushGate gate_;
  HistoryDraft draft_;
  /** JavaScript takes the pending events one by one, with no other call in between. */
  const EventBlock* next_pending_ = nullptr;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_flush_gate) {
  using leasegate::bindings::FlushGateBinding;
  emscripten::class_<FlushGateBinding>("FlushGate")
      .class_function("create", &FlushGateBinding::create)
      .function("run", &FlushGateBinding::run);
}
