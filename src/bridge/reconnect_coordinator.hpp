// One owner of the installed transport, one live recovery at a time, an epoch that only moves forward, and
// evidence of every close.
//
// The coordinator never calls out and holds no foreign object: transports, attempts and errors stay with its
// driver (js/bridge, or a test by hand), which knows them by the coordinator's numbers:
//
// 1. Call an operation. recover() and close() answer with a ticket, or with `aborted`.
// 2. Call next_step() until it answers `none`, after every call of the coordinator's, and do what the step
//    says:
//      settle           tell the caller of `ticket` its outcome. The ticket is gone.
//      abort_attempt    abort the signal of the attempt `flight`.
//      close_transport  close `transport`, under a signal that aborts close_timeout later; when that settles,
//                       report close_settled or close_failed, and tell the observer: the answer is the role
//                       to name.
//      attempt          call the attempt `flight` with `resume`; when it settles, report attempt_settled or
//                       attempt_failed.
// 3. Report abort(ticket) when a caller's signal aborts before its ticket has settled. The owner's signal is
//    a close.
// 4. From the first close() on, run a timer of close_timeout until the state is closed; report
//    close_timeout_elapsed.
//
// An attempt names the transport that it resolved to as `fresh` (attempt_settled answers its number), as
// `known` by the number that it got when it was handed over before, or as `none`. A known transport that is
// not the installed one has been closed here, so it counts as none. Each fresh transport is closed exactly
// once, by close at the latest.
//
// Outcomes of a ticket:
//   recovered     `transport` and `epoch`
//   failed        the attempt's own error (`flight`)
//   closed        the evidence of the installed transport
//   close_failed  the own error of closing `transport`
//   aborted       the signal's reason
//   refused       `error`
//
// States, each with the reports and operations that leave it (transport table in src/schema/bridge.mjs):
//
//   connecting, replacing  (a flight's success) connected, (its failure) reconnect_wait, (close) draining
//   connected              (recover) replacing, (close) draining
//   reconnect_wait         (recover) replacing, (close) draining
//   draining               (all has settled, or close_timeout) closed
//
// Without a transport it starts in connecting: the first connect is a recovery too.
//
// Every error means that nothing changed. Views are valid until the next call that changes the coordinator.
#pragma once

#include <optional>

#include "base/intrusive_list.hpp"
#include "base/serial_table.hpp"
#include "bridge/cursor.hpp"
#include "bridge/epoch_fence.hpp"
#include "bridge/lifecycle.hpp"
#include "bridge/outbound_event.hpp"
#include "bridge/signal.hpp"

namespace leasegate {

/** A call whose outcome is still to come. Never 0. */
using RecoveryTicket = Counter<struct RecoveryTicketTag>;
/** One run of an attempt. Never 0. */
using FlightId = Counter<struct FlightIdTag>;
/** A transport that was handed over; 0 stands for none. */
using TransportId = Counter<struct TransportIdTag>;

struct ReconnectConfig {
  RemoteSessionId session;
  Epoch epoch;
  Sequence cursor{};
  /** A connected transport is handed over; it becomes TransportId 1. */
  bool has_transport = false;
  std::uint64_t max_history = DEFAULT_MAX_HISTORY;
};

/** Where an attempt takes up the session. */
template <class Policy>
struct BasicResumePoint {
  Identifier<IdentifierKind::remote_session_id, typename Policy::Text> session;
  Epoch epoch;
  Sequence cursor;
};
using ResumePoint = BasicResumePoint<Owned>;
using ResumePointView = BasicResumePoint<Borrowed>;

/** What the close of a transport left behind. */
struct CloseEvidence {
  std::uint64_t dropped = 0;
  bool remote_durability_known = false;
};

/** What an attempt resolved to. */
struct AttemptResult {
  TransportOffer offer = TransportOffer::none;
  /** Of a known transport. */
  TransportId transport{};
  /** 0 stands for none. */
  Epoch epoch{};
};

struct RecoveryAnswer {
  RecoveryOutcome outcome = RecoveryOutcome::open;
  RecoveryTicket ticket{};
};

struct RecoveryStep {
  RecoveryStepKind kind = RecoveryStepKind::none;
  /** Of `settle`. */
  RecoveryTicket ticket{};
  RecoveryOutcome outcome = RecoveryOutcome::open;
  Epoch epoch{};
  CloseEvidence evidence{};
  std::optional<Error> error{};  // NOLINT(readability-redundant-member-init): g++ 12 wants it
  /** Of `attempt` and `abort_attempt`, and of what a flight settles. */
  FlightId flight{};
  /** Of `attempt`. */
  ResumePointView resume{};
  /** Of `close_transport`, and of what has one. */
  TransportId transport{};
};

class ReconnectCoordinator {
 public:
  /** A transport is taken over only when there is no error. Errors: invalid_identifier, invalid_epoch,
   * invalid_capacity, out_of_memory. */
  [[nodiscard]] static Result<ReconnectCoordinator> create(const ReconnectConfig& config, UnixMillis now);

  /**
   * Joins the flight, or starts one with the caller's attempt; `reason` is looked at only then.
   * Errors: recovery_closed, recovery_capacity, invalid_text{reason}, out_of_memory.
   */
  Result<RecoveryAnswer> recover(std::string_view reason, Signal signal, UnixMillis now);

  /**
   * The transport that `event` is to be sent on; nothing when the signal has aborted. The send is the
   * caller's: it is neither recalled nor awaited, and not accepted is send_not_accepted. Errors:
   * recovery_closed, recovering, stale_epoch, those of the event.
   */
  [[nodiscard]] Result<std::optional<TransportId>> send(Epoch epoch, const OutboundEventView& event,
                                                        Signal signal = Signal::live) const;

  /** In every state. Errors: invalid_sequence. */
  Result<Observation> observe_sequence(Sequence sequence) { return cursor_.observe(sequence); }

  /** The first call closes; every further one gets the same outcome. Errors: recovery_capacity,
   * out_of_memory. */
  Result<RecoveryAnswer> close(Signal signal, UnixMillis now);

  [[nodiscard]] RecoveryStep next_step();

  /** The number of a fresh transport, 0 for any other. Errors: stale_step. */
  Result<TransportId> attempt_settled(FlightId flight, const AttemptResult& result, UnixMillis now);
  /** Errors: stale_step. */
  Status attempt_failed(FlightId flight, UnixMillis now);
  /** Errors: stale_step. */
  Result<TransportRole> close_settled(TransportId transport, const CloseEvidence& evidence, UnixMillis now);
  /** Errors: stale_step. */
  Result<TransportRole> close_failed(TransportId transport, UnixMillis now);
  /** Ends a close that waits; otherwise nothing. */
  void close_timeout_elapsed(UnixMillis now);
  /** Its caller leaves alone: flight and close go on. Errors: stale_step. */
  Status abort(RecoveryTicket ticket);

  [[nodiscard]] TransportState state() const { return lifecycle_.state(); }
  [[nodiscard]] Epoch epoch() const { return fence_.current(); }
  [[nodiscard]] Sequence cursor() const { return cursor_.sequence(); }
  [[nodiscard]] RemoteSessionId session() const { return RemoteSessionId(session_.view()); }
  [[nodiscard]] const Lifecycle& lifecycle() const { return lifecycle_; }
  /** 0 when none is installed; the last one once the coordinator closes. */
  [[nodiscard]] TransportId installed() const { return installed_; }

 private:
  enum class Refusal : std::uint8_t { none, closed, no_transport, epoch_not_advanced, close_timeout };

  struct Verdict {
    RecoveryOutcome outcome = RecoveryOutcome::open;
    Refusal refusal = Refusal::none;
    FlightId flight{};
    TransportId transport{};
    /** What the flight got, and of a refusal for it the epoch that was current. */
    Epoch epoch{};
    Epoch current{};
  };

  struct Call {
    RecoveryTicket serial;
    Links links;
    bool settled = false;
    bool of_close = false;
    Verdict verdict;
  };
  using Calls = ListOf<&Call::links>;

  /** A transport whose close is due or has begun. */
  struct Closing {
    TransportId serial;
    Links links;
    TransportRole role = TransportRole::final;
    bool begun = false;
  };
  using Closings = ListOf<&Closing::links>;

  struct Flight {
    FlightId id;
    enum class Phase : std::uint8_t { none, due, running } phase = Phase::none;
    /** The step that aborts its signal is to be handed out. */
    bool abort_due = false;
  };

  ReconnectCoordinator(TextBlock&& session, EpochFence fence, Cursor cursor, Lifecycle&& lifecycle)
      : session_(std::move(session)), fence_(fence), cursor_(cursor), lifecycle_(std::move(lifecycle)) {}

  [[nodiscard]] bool closing() const { return state() == TransportState::draining || is_terminal(state()); }
  [[nodiscard]] bool in_flight() const { return flight_.phase != Flight::Phase::none; }

  /** A new call in `list`. Its memory must have been reserved. */
  std::uint32_t open(IntrusiveList& list, bool of_close);
  Status reserve_call();
  Status start_flight(std::string_view reason, UnixMillis now);
  TransportId take_over() { return last_transport_ = last_transport_.after(); }
  void settle(std::uint32_t slot, IntrusiveList& list, const Verdict& verdict);
  void settle_all(IntrusiveList& list, const Verdict& verdict);
  void close_later(TransportId transport, TransportRole role);
  void land(const Verdict& verdict, TransportState state, std::string_view reason, UnixMillis now);
  void install(TransportId transport, UnixMillis now);
  void refuse_flight(Epoch got, bool usable, TransportId fresh, UnixMillis now);
  void begin_close(UnixMillis now);
  void finish_close_if_settled(UnixMillis now);
  void finish_close(UnixMillis now);
  Result<TransportRole> end_closing(TransportId transport);
  RecoveryStep settle_step();

  TextBlock session_;
  EpochFence fence_;
  Cursor cursor_;
  Lifecycle lifecycle_;
  TransportId installed_;
  TransportId last_transport_;
  RecoveryTicket last_ticket_;
  Flight flight_;
  SerialTable<Call> calls_;
  /** Who waits for the flight, for the close, and for a settle step; each in call order. */
  IntrusiveList joined_;
  IntrusiveList closers_;
  IntrusiveList settled_;
  SerialTable<Closing> closings_;
  /** Whose close has not begun. */
  IntrusiveList close_due_;
  /** What closing the installed transport came to: what every close is told. */
  Verdict close_verdict_;
  CloseEvidence close_evidence_;
};

}  // namespace leasegate
