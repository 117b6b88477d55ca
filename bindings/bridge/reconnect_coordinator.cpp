// ReconnectCoordinator for JavaScript, which drives its steps and holds transports, attempts and errors.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/errors.gen.hpp"
#include "bridge/reconnect_coordinator.hpp"

namespace leasegate::bindings {
namespace {

Signal signal_of(bool aborted) { return aborted ? Signal::aborted : Signal::live; }

ReplyStatus reply_answer(const Result<RecoveryAnswer>& answer) {
  if (!answer) return reply_error(answer.error());
  FrameWriter out;
  out.enumeration(answer->outcome);
  out.u64(answer->ticket);
  return 0;
}

ReplyStatus reply_role(const Result<TransportRole>& role) {
  return role ? reply_number(static_cast<std::uint64_t>(*role)) : reply_error(role.error());
}

ReplyStatus reply_step(const RecoveryStep& step) {
  FrameWriter out;
  out.enumeration(step.kind);
  switch (step.kind) {
    case RecoveryStepKind::none:
      break;
    case RecoveryStepKind::settle:
      out.u64(step.ticket);
      out.enumeration(step.outcome);
      out.u64(step.epoch);
      out.u64(step.flight);
      out.u64(step.transport);
      out.u64(step.evidence.dropped);
      out.boolean(step.evidence.remote_durability_known);
      if (step.error) write(out, *step.error);
      break;
    case RecoveryStepKind::abort_attempt:
      out.u64(step.flight);
      write(out, errors::recovery_closed());  // the reason of its signal
      break;
    case RecoveryStepKind::close_transport:
      out.u64(step.transport);
      break;
    case RecoveryStepKind::attempt:
      out.u64(step.flight);
      out.text(step.resume.session.text);
      out.u64(step.resume.epoch);
      out.u64(step.resume.cursor);
      break;
  }
  return 0;
}

}  // namespace

class ReconnectCoordinatorBinding {
 public:
  explicit ReconnectCoordinatorBinding(ReconnectCoordinator&& coordinator)
      : coordinator_(std::move(coordinator)) {}

  static std::unique_ptr<ReconnectCoordinatorBinding> create() {
    FrameReader in;
    ReconnectConfig config;
    UnixMillis now;
    in.text(config.session.text);
    in.u64(config.epoch);
    in.u64(config.cursor);
    in.boolean(config.has_transport);
    in.u64(now);
    return bind<ReconnectCoordinatorBinding>(ReconnectCoordinator::create(config, now));
  }

  ReplyStatus run(std::uint32_t op) {
    using enum BridgeOp;
    switch (static_cast<BridgeOp>(op)) {
      case recovery_step:
        return reply_step(coordinator_.next_step());
      case recovery_recover: {
        const auto [reason, aborted, now] = read_command<RecoveryRecover>();
        return reply_answer(coordinator_.recover(reason, signal_of(aborted), now));
      }
      case recovery_send:
        return send();
      case recovery_observe:
        return reply_result(coordinator_.observe_sequence(read_number<Sequence>()));
      case recovery_close: {
        FrameReader in;
        bool aborted = false;
        UnixMillis now;
        in.boolean(aborted);
        in.u64(now);
        return reply_answer(coordinator_.close(signal_of(aborted), now));
      }
      case recovery_abort:
        return reply(coordinator_.abort(read_number<RecoveryTicket>()));
      case recovery_timeout:
        coordinator_.close_timeout_elapsed(read_number<UnixMillis>());
        return 0;
      case recovery_state: {
        FrameWriter out;
        write(out, coordinator_.state());
        out.u64(coordinator_.epoch());
        out.u64(coordinator_.cursor());
        return 0;
      }
      case recovery_history: {
        FrameWriter out;
        out.u32(coordinator_.lifecycle().history_size());
        out.u64(coordinator_.lifecycle().dropped_history());
        return 0;
      }
      case recovery_entry: {
        FrameReader in;
        std::uint32_t index = 0;
        in.u32(index);
        return reply_value(coordinator_.lifecycle().history_at(index));
      }
      default:
        return report(static_cast<BridgeOp>(op));
    }
  }

 private:
  /** 0 stands for a signal that has aborted. */
  ReplyStatus send() {
    FrameReader in;
    Epoch epoch;
    OutboundEventView event;
    bool aborted = false;
    in.u64(epoch);
    in.text(event.message_id.text);
    in.text(event.type);
    in.boolean(aborted);
    const auto transport = coordinator_.send(epoch, event, signal_of(aborted));
    if (!transport) return reply_error(transport.error());
    return reply_number(transport->value_or(TransportId{}));
  }

  /** How the outside has settled what a step asked of it. */
  ReplyStatus report(BridgeOp op) {
    using enum BridgeOp;
    FrameReader in;
    UnixMillis now;
    switch (op) {
      case recovery_attempt_settled: {
        const auto [flight, offer, transport, epoch, at] = read_command<RecoveryAttemptSettled>();
        const AttemptResult result = {.offer = offer, .transport = transport, .epoch = epoch};
        const auto fresh = coordinator_.attempt_settled(flight, result, at);
        return fresh ? reply_number(*fresh) : reply_error(fresh.error());
      }
      case recovery_attempt_failed: {
        FlightId flight;
        in.u64(flight);
        in.u64(now);
        return reply(coordinator_.attempt_failed(flight, now));
      }
      case recovery_close_settled: {
        TransportId transport;
        CloseEvidence evidence;
        in.u64(transport);
        in.u64(evidence.dropped);
        in.boolean(evidence.remote_durability_known);
        in.u64(now);
        return reply_role(coordinator_.close_settled(transport, evidence, now));
      }
      case recovery_close_failed: {
        TransportId transport;
        in.u64(transport);
        in.u64(now);
        return reply_role(coordinator_.close_failed(transport, now));
      }
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

  ReconnectCoordinator coordinator_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_reconnect_coordinator) {
  using leasegate::bindings::ReconnectCoordinatorBinding;
  emscripten::class_<ReconnectCoordinatorBinding>("ReconnectCoordinator")
      .class_function("create", &ReconnectCoordinatorBinding::create)
      .function("run", &ReconnectCoordinatorBinding::run);
}
