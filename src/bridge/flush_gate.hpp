// An ordered way out: a frozen history reaches the sender before any live event, and sends never overlap or
// overtake.
//
// The gate never calls out. Its driver (js/bridge, or a test by hand) does:
//
// 1. Call an operation. It answers at once (an error, or an outcome other than `open`), or with a ticket.
// 2. Call next_step() until it answers `none`, after every call of the gate's, and do what the step says:
//      send      give `event` to the sender of `ticket`, its signal with it; when that settles, report it
//                with send_settled(step, accepted | not_accepted | failed). The gate counts the send as in
//                flight from the moment it hands out the step: whatever the sender's synchronous part calls
//                finds it so.
//      snapshot  ask the host of flush `ticket` for its history; report snapshot_taken or snapshot_failed.
//      settle    tell the caller of `ticket` its outcome. The ticket is gone.
// 3. Report abort(ticket) when the caller's signal aborts before its ticket has settled.
//
// At most one send is in flight. A report for a step or ticket that is unknown or settled is stale_step and
// changes nothing. Each ticket settles exactly once; no step is lost, repeated or queued beyond the open
// tickets.
//
// Outcomes of a ticket:
//   done          of begin_history, drain, flush_history
//   queued        of a submit that found the gate collecting at its turn
//   accepted      of a direct send
//   dropped       of a drop, with the number of lost events
//   not_accepted  the sender settled without accepting: send_not_accepted with the acceptance that the driver
//                 holds
//   failed        the sender's or the snapshot's own error, which the driver holds
//   aborted       the signal's reason
//   refused       `error`
//
// What an operation does in each state (GateState in src/schema/bridge.mjs; collecting is
// collecting_history):
//
//                    inactive        collecting     ready          draining       deactivated    closed
//   begin_history    collecting (1)  gate_active    gate_active    gate_active    gate_active    gate_closed
//   resume_history   gate_active     gate_active    gate_active    gate_active    collecting     gate_closed
//   install_history  gate_inactive   ready          gate_inactive  gate_inactive  gate_inactive  gate_closed
//   submit           direct (1)      queued         queued         queued         queued         gate_closed
//   drain            gate_inactive   gate_inactive  draining (2)   gate_inactive  draining (2)   gate_closed
//   deactivate       -               deactivated    deactivated    deactivated(3) deactivated    -
//   drop             closed (4)      closed (4)     closed (4)     closed (3, 4)  closed (4)     -
//
//   (1) At its turn. Direct sends, begin_history and drains take turns in call order; what waits looks at the
//       state again at its turn, by this table. While one waits, the state stays what it is.
//   (2) Draining at once; it sends at its turn. With an empty queue: inactive.
//   (3) The drain is stopped: it sends no more, its send in flight keeps the turn, and its caller is told
//       when that send settles. How the send settles changes no state then.
//   (4) Inactive without `close`.
//
// Every error means that nothing changed. Views are valid until the next call that changes the gate.
#pragma once

#include <optional>
#include <span>

#include "base/intrusive_list.hpp"
#include "base/serial_table.hpp"
#include "bridge/event_queue.hpp"
#include "bridge/signal.hpp"

namespace leasegate {

struct GateLimits {
  /** Events that are queued or wait to be sent directly. */
  std::uint64_t capacity = DEFAULT_GATE_CAPACITY;
  /** Their payloads. */
  std::uint64_t max_bytes = DEFAULT_GATE_MAX_BYTES;
};

/** A call whose outcome is still to come. Never 0. */
using GateTicket = Counter<struct GateTicketTag>;
/** A send that was handed out. Never 0. */
using SendStep = Counter<struct SendStepTag>;

/** What an operation answers: an outcome, or the ticket of a call that is open. */
struct GateAnswer {
  GateOutcome outcome = GateOutcome::open;
  GateTicket ticket{};
  /** Of `dropped`: the events that were lost. */
  std::uint64_t dropped = 0;
};

struct GateStep {
  GateStepKind kind = GateStepKind::none;
  GateTicket ticket{};
  /** Of `send`. */
  SendStep step{};
  OutboundEventView event{};
  /** Of `settle`. */
  GateOutcome outcome = GateOutcome::open;
  std::uint64_t dropped = 0;
  std::optional<Error> error{};  // NOLINT(readability-redundant-member-init): g++ 12 wants it
};

/** A history on its way into a gate, event by event. Copies what it is given, and never more than the gate
 * can hold. */
class HistoryDraft {
 public:
  /** What is wrong with an event, or that there is no memory, is remembered and refuses the installation. */
  void add(const OutboundEventView& event);

 private:
  friend class FlushGate;
  explicit HistoryDraft(const GateLimits& limits) : limits_(limits) {}

  GateLimits limits_;
  EventQueue events_;
  /** Of all events that were added, kept or not. */
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::optional<Error> fault_;
  bool out_of_memory_ = false;
};

class FlushGate {
 public:
  /** Errors: invalid_capacity. */
  [[nodiscard]] static Result<FlushGate> create(const GateLimits& limits = {});

  /** Errors: gate_closed, gate_active, gate_capacity{calls}, out_of_memory. */
  Result<GateAnswer> begin_history(Signal signal = Signal::live);

  /** Errors: gate_closed, gate_active. */
  Status resume_history();

  [[nodiscard]] HistoryDraft draft_history() const { return HistoryDraft(limits_); }
  /** Errors: gate_closed, gate_inactive, those of an event, gate_capacity, out_of_memory. */
  Status install_history(HistoryDraft&& history);
  Status install_history(std::span<const OutboundEventView> history);

  /** Errors: those of the event, gate_closed, gate_capacity, out_of_memory. */
  Result<GateAnswer> submit(const OutboundEventView& event, Signal signal = Signal::live);

  /** Errors: gate_closed, gate_inactive, gate_capacity{calls}, out_of_memory. */
  Result<GateAnswer> drain(Signal signal = Signal::live);

  /**
   * begin_history (or resume_history), the host's snapshot, its installation into that very collection, and a
   * drain, as one call. What fails or aborts before the installation leaves the state as it is. Errors:
   * gate_closed, gate_active, gate_capacity{calls}, out_of_memory.
   */
  Result<GateAnswer> flush_history(bool resume, Signal signal = Signal::live);

  void deactivate();

  /** Without `close` the gate becomes inactive, unless it is closed. Errors: gate_capacity{calls},
   * out_of_memory. */
  Result<GateAnswer> drop(bool close = true);

  [[nodiscard]] GateStep next_step();

  /** Errors: stale_step. */
  Status send_settled(SendStep step, SendOutcome outcome);
  /** Any error but stale_step is the outcome of the flush: no settle step follows. Errors: as
   * install_history, stale_step. */
  Status snapshot_taken(GateTicket flush, HistoryDraft&& history);
  /** Errors: stale_step. */
  Status snapshot_failed(GateTicket flush);
  /** The signal of a submit, begin_history, drain or flush_history. Errors: stale_step. */
  Status abort(GateTicket ticket);

  [[nodiscard]] GateState state() const { return state_; }
  /** Queued events, a drain's head in flight included. */
  [[nodiscard]] std::uint64_t pending_count() const { return queue_.count(); }
  [[nodiscard]] std::uint64_t pending_bytes() const { return queue_.bytes(); }
  /** The queue in order: from first_pending() by EventQueue::after(). */
  [[nodiscard]] const EventBlock* first_pending() const { return queue_.first(); }

 private:
  enum class CallKind : std::uint8_t { submit, begin, flush, drain, drop };
  enum class Phase : std::uint8_t {
    /** For its turn (waiting_). */
    waiting,
    /** Has the turn (turn_). */
    holding,
    /** A flush that has begun its collection: the step is to be handed out (snapshots_), or was. */
    snapshot_due,
    snapshotting,
    /** A drop, for the send in flight (drops_). */
    awaiting_send,
    /** Its settle step is to be handed out (settled_). */
    settled,
  };
  /** The errors that a call can settle with, without the 400 bytes of an Error. */
  enum class Refusal : std::uint8_t { none, closed, active, inactive };

  struct Verdict {
    GateOutcome outcome = GateOutcome::open;
    Refusal refusal = Refusal::none;
    GateState seen = GateState::inactive;
  };

  struct Call {
    GateTicket serial;
    Links links;
    CallKind kind = CallKind::submit;
    Phase phase = Phase::waiting;
    /** A drain or direct send that was stopped while its send is in flight: `verdict` is for when that
     * settles. */
    bool stopped = false;
    Verdict verdict;
    /** Of a direct send. */
    EventBlock::Owner event;
    /** Of a flush: the collection that it began. Of a drop: the events that it lost. */
    std::uint64_t number = 0;
  };
  using Calls = ListOf<&Call::links>;

  struct InFlight {
    SendStep step;
    EventBlock* event = nullptr;
    /** Set when a drop took the event out of the queue: who counts it if it is not accepted. */
    EventBlock::Owner dropped;
    std::uint32_t dropper = kNoSlot;
  };

  explicit FlushGate(const GateLimits& limits) : limits_(limits) {}

  [[nodiscard]] bool sending() const { return in_flight_.event != nullptr; }
  [[nodiscard]] bool turn_is_free() const { return turn_ == kNoSlot; }
  [[nodiscard]] Status check_room(std::uint64_t events, std::uint64_t bytes) const;
  [[nodiscard]] Status check_can_begin() const;
  [[nodiscard]] Status check_collecting(std::uint64_t collection) const;
  [[nodiscard]] Verdict refused_by_state() const;

  void enter(GateState state);
  /** A new call of `kind`, in no list. Errors: gate_capacity{calls}, out_of_memory. */
  Result<std::uint32_t> open(CallKind kind);
  GateAnswer answer_of(std::uint32_t slot) const { return {.ticket = calls_[slot].serial}; }
  void wait(std::uint32_t slot);
  void hold(std::uint32_t slot);
  void settle(std::uint32_t slot, Verdict verdict);
  /** Out of whatever list its phase has put it in. */
  void unlink(std::uint32_t slot);

  void give_turns();
  void give_turn(std::uint32_t slot);
  void collect_for(std::uint32_t slot);
  void start_drain(std::uint32_t slot);
  /** Stops the drain that runs or waits, if there is one. */
  void stop_drain(Verdict verdict);
  void refuse_waiting();
  Status splice(HistoryDraft&& history);

  GateStep settle_step();
  GateStep snapshot_step();
  GateStep send_step();
  void direct_send_settled(std::uint32_t slot, SendOutcome outcome);
  void drain_send_settled(std::uint32_t slot, InFlight&& sent, SendOutcome outcome);

  GateLimits limits_;
  GateState state_ = GateState::inactive;
  EventQueue queue_;
  SerialTable<Call> calls_;
  /** For their turn, in call order. */
  IntrusiveList waiting_;
  IntrusiveList snapshots_;
  IntrusiveList drops_;
  IntrusiveList settled_;
  std::uint64_t waiting_events_ = 0;
  std::uint64_t waiting_bytes_ = 0;
  /** The direct send or drain whose turn it is. */
  std::uint32_t turn_ = kNoSlot;
  /** The drain that was not stopped, running or waiting: there is one exactly while the state is draining. */
  std::uint32_t drain_ = kNoSlot;
  InFlight in_flight_;
  GateTicket last_ticket_;
  SendStep last_step_;
  /** Counts the collections that were begun or resumed. */
  std::uint64_t collection_ = 0;
};

}  // namespace leasegate
