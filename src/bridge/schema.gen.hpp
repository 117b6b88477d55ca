// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace leasegate {

/** UTF-8 bytes of an opaque id. */
inline constexpr std::uint64_t MAX_OPAQUE_ID_BYTES = 256;
/** UTF-8 bytes of a free text: event type, subtype, failure, message, reason. */
inline constexpr std::uint64_t MAX_TEXT_BYTES = 4096;
/** Bytes of the JSON text that resolves a control request (1 MiB). */
inline constexpr std::uint64_t MAX_CONTROL_VALUE_BYTES = 1048576;
/** Arrays and objects around one another in a JSON text. */
inline constexpr std::uint64_t MAX_JSON_DEPTH = 10000;
/** Port of an endpoint. */
inline constexpr std::uint64_t MAX_PORT = 65535;
/** begin_history, flush_history and drop calls of one gate that are open at a time. */
inline constexpr std::uint64_t MAX_GATE_CALLS = 65536;
/** recover and close calls of one coordinator that are open at a time. */
inline constexpr std::uint64_t MAX_RECOVERY_CALLS = 65536;
/** Transports of one coordinator whose close has not settled. */
inline constexpr std::uint64_t MAX_TRANSPORT_CLOSES = 1024;
/** Default of max_records: delivery tracker, control registry. */
inline constexpr std::uint64_t DEFAULT_MAX_RECORDS = 65536;
/** Default of max_history: transitions that a lifecycle remembers. */
inline constexpr std::uint64_t DEFAULT_MAX_HISTORY = 1024;
/** Default of capacity: events that a gate holds. */
inline constexpr std::uint64_t DEFAULT_GATE_CAPACITY = 100000;
/** Default of max_bytes: payload bytes that a gate holds (64 MiB). */
inline constexpr std::uint64_t DEFAULT_GATE_MAX_BYTES = 67108864;
/** Default of close_timeout, in milliseconds. */
inline constexpr std::uint64_t DEFAULT_CLOSE_TIMEOUT_MS = 3000;

enum class IdentifierKind : std::uint8_t {
  bridge_instance_id,
  environment_id,
  work_id,
  remote_session_id,
  message_id,
  control_request_id,
  tool_use_id,
  delivery_id,
  transport_ack_id,
};
inline constexpr std::array<std::string_view, 9> kIdentifierKindNames = {
    "bridge_instance_id",
    "environment_id",
    "work_id",
    "remote_session_id",
    "message_id",
    "control_request_id",
    "tool_use_id",
    "delivery_id",
    "transport_ack_id",
};
[[nodiscard]] constexpr std::string_view name_of(IdentifierKind value) {
  return kIdentifierKindNames[static_cast<std::size_t>(value)];
}

enum class IdentifierReason : std::uint8_t {
  empty,
  too_long,
  not_utf8,
  control_character,
  unsafe_path,
};
inline constexpr std::array<std::string_view, 5> kIdentifierReasonNames = {
    "empty",
    "too_long",
    "not_utf8",
    "control_character",
    "unsafe_path",
};
[[nodiscard]] constexpr std::string_view name_of(IdentifierReason value) {
  return kIdentifierReasonNames[static_cast<std::size_t>(value)];
}

enum class TextField : std::uint8_t {
  type,
  subtype,
  failure,
  message,
  reason,
};
inline constexpr std::array<std::string_view, 5> kTextFieldNames = {
    "type",
    "subtype",
    "failure",
    "message",
    "reason",
};
[[nodiscard]] constexpr std::string_view name_of(TextField value) {
  return kTextFieldNames[static_cast<std::size_t>(value)];
}

enum class TextReason : std::uint8_t {
  not_utf8,
  too_long,
};
inline constexpr std::array<std::string_view, 2> kTextReasonNames = {
    "not_utf8",
    "too_long",
};
[[nodiscard]] constexpr std::string_view name_of(TextReason value) {
  return kTextReasonNames[static_cast<std::size_t>(value)];
}

enum class DeliveryState : std::uint8_t {
  observed,
  received,
  processing,
  processed,
  failed,
  cancelled,
};
inline constexpr std::array<std::string_view, 6> kDeliveryStateNames = {
    "observed",
    "received",
    "processing",
    "processed",
    "failed",
    "cancelled",
};
[[nodiscard]] constexpr std::string_view name_of(DeliveryState value) {
  return kDeliveryStateNames[static_cast<std::size_t>(value)];
}

enum class ControlState : std::uint8_t {
  received,
  validating,
  awaiting_local_action,
  responding,
  succeeded,
  denied,
  errored,
  cancelled,
  superseded,
};
inline constexpr std::array<std::string_view, 9> kControlStateNames = {
    "received",
    "validating",
    "awaiting_local_action",
    "responding",
    "succeeded",
    "denied",
    "errored",
    "cancelled",
    "superseded",
};
[[nodiscard]] constexpr std::string_view name_of(ControlState value) {
  return kControlStateNames[static_cast<std::size_t>(value)];
}

enum class TransportState : std::uint8_t {
  new_,
  connecting,
  connected,
  reconnect_wait,
  replacing,
  draining,
  closed,
  failed,
};
inline constexpr std::array<std::string_view, 8> kTransportStateNames = {
    "new",
    "connecting",
    "connected",
    "reconnect_wait",
    "replacing",
    "draining",
    "closed",
    "failed",
};
[[nodiscard]] constexpr std::string_view name_of(TransportState value) {
  return kTransportStateNames[static_cast<std::size_t>(value)];
}

enum class WorkState : std::uint8_t {
  observed,
  secret_validated,
  acknowledging,
  owned,
  spawning,
  running,
  completing,
  failing,
  interrupting,
  terminal_reported,
  released,
  unowned,
};
inline constexpr std::array<std::string_view, 12> kWorkStateNames = {
    "observed",
    "secret_validated",
    "acknowledging",
    "owned",
    "spawning",
    "running",
    "completing",
    "failing",
    "interrupting",
    "terminal_reported",
    "released",
    "unowned",
};
[[nodiscard]] constexpr std::string_view name_of(WorkState value) {
  return kWorkStateNames[static_cast<std::size_t>(value)];
}

enum class GateState : std::uint8_t {
  inactive,
  collecting_history,
  ready,
  draining,
  deactivated,
  closed,
};
inline constexpr std::array<std::string_view, 6> kGateStateNames = {
    "inactive",
    "collecting_history",
    "ready",
    "draining",
    "deactivated",
    "closed",
};
[[nodiscard]] constexpr std::string_view name_of(GateState value) {
  return kGateStateNames[static_cast<std::size_t>(value)];
}

enum class GateUnit : std::uint8_t {
  events,
  bytes,
  calls,
};
inline constexpr std::array<std::string_view, 3> kGateUnitNames = {
    "events",
    "bytes",
    "calls",
};
[[nodiscard]] constexpr std::string_view name_of(GateUnit value) {
  return kGateUnitNames[static_cast<std::size_t>(value)];
}

enum class GateStepKind : std::uint8_t {
  none,
  send,
  snapshot,
  settle,
};
inline constexpr std::array<std::string_view, 4> kGateStepKindNames = {
    "none",
    "send",
    "snapshot",
    "settle",
};
[[nodiscard]] constexpr std::string_view name_of(GateStepKind value) {
  return kGateStepKindNames[static_cast<std::size_t>(value)];
}

enum class GateOutcome : std::uint8_t {
  open,
  done,
  queued,
  accepted,
  not_accepted,
  failed,
  aborted,
  dropped,
  refused,
};
inline constexpr std::array<std::string_view, 9> kGateOutcomeNames = {
    "open",
    "done",
    "queued",
    "accepted",
    "not_accepted",
    "failed",
    "aborted",
    "dropped",
    "refused",
};
[[nodiscard]] constexpr std::string_view name_of(GateOutcome value) {
  return kGateOutcomeNames[static_cast<std::size_t>(value)];
}

enum class SendOutcome : std::uint8_t {
  accepted,
  not_accepted,
  failed,
};
inline constexpr std::array<std::string_view, 3> kSendOutcomeNames = {
    "accepted",
    "not_accepted",
    "failed",
};
[[nodiscard]] constexpr std::string_view name_of(SendOutcome value) {
  return kSendOutcomeNames[static_cast<std::size_t>(value)];
}

enum class TransportKind : std::uint8_t {
  hybrid,
  ccr_sse,
  websocket,
  direct_connect,
  ssh,
};
inline constexpr std::array<std::string_view, 5> kTransportKindNames = {
    "hybrid",
    "ccr_sse",
    "websocket",
    "direct_connect",
    "ssh",
};
[[nodiscard]] constexpr std::string_view name_of(TransportKind value) {
  return kTransportKindNames[static_cast<std::size_t>(value)];
}

enum class TransportAvailability : std::uint8_t {
  malformed_configuration,
  build_excluded,
  gate_disabled,
  unconfigured,
  implementation_unavailable,
};
inline constexpr std::array<std::string_view, 5> kTransportAvailabilityNames = {
    "malformed_configuration",
    "build_excluded",
    "gate_disabled",
    "unconfigured",
    "implementation_unavailable",
};
[[nodiscard]] constexpr std::string_view name_of(TransportAvailability value) {
  return kTransportAvailabilityNames[static_cast<std::size_t>(value)];
}

enum class TransportFault : std::uint8_t {
  unknown_kind,
  not_included,
  not_enabled,
  no_endpoint,
  endpoint_not_utf8,
  endpoint_character,
  endpoint_scheme,
  endpoint_userinfo,
  endpoint_host,
  endpoint_port,
  endpoint_escape,
  no_factory,
};
inline constexpr std::array<std::string_view, 12> kTransportFaultNames = {
    "unknown_kind",
    "not_included",
    "not_enabled",
    "no_endpoint",
    "endpoint_not_utf8",
    "endpoint_character",
    "endpoint_scheme",
    "endpoint_userinfo",
    "endpoint_host",
    "endpoint_port",
    "endpoint_escape",
    "no_factory",
};
[[nodiscard]] constexpr std::string_view name_of(TransportFault value) {
  return kTransportFaultNames[static_cast<std::size_t>(value)];
}

enum class ConstructFault : std::uint8_t {
  factory_failed,
  no_transport,
  wrong_kind,
};
inline constexpr std::array<std::string_view, 3> kConstructFaultNames = {
    "factory_failed",
    "no_transport",
    "wrong_kind",
};
[[nodiscard]] constexpr std::string_view name_of(ConstructFault value) {
  return kConstructFaultNames[static_cast<std::size_t>(value)];
}

enum class TransportRole : std::uint8_t {
  replaced,
  late,
  refused,
  final,
};
inline constexpr std::array<std::string_view, 4> kTransportRoleNames = {
    "replaced",
    "late",
    "refused",
    "final",
};
[[nodiscard]] constexpr std::string_view name_of(TransportRole value) {
  return kTransportRoleNames[static_cast<std::size_t>(value)];
}

enum class RecoveryUnit : std::uint8_t {
  calls,
  closes,
};
inline constexpr std::array<std::string_view, 2> kRecoveryUnitNames = {
    "calls",
    "closes",
};
[[nodiscard]] constexpr std::string_view name_of(RecoveryUnit value) {
  return kRecoveryUnitNames[static_cast<std::size_t>(value)];
}

enum class RecoveryStepKind : std::uint8_t {
  none,
  settle,
  abort_attempt,
  close_transport,
  attempt,
};
inline constexpr std::array<std::string_view, 5> kRecoveryStepKindNames = {
    "none",
    "settle",
    "abort_attempt",
    "close_transport",
    "attempt",
};
[[nodiscard]] constexpr std::string_view name_of(RecoveryStepKind value) {
  return kRecoveryStepKindNames[static_cast<std::size_t>(value)];
}

enum class RecoveryOutcome : std::uint8_t {
  open,
  recovered,
  failed,
  aborted,
  closed,
  close_failed,
  refused,
};
inline constexpr std::array<std::string_view, 7> kRecoveryOutcomeNames = {
    "open",
    "recovered",
    "failed",
    "aborted",
    "closed",
    "close_failed",
    "refused",
};
[[nodiscard]] constexpr std::string_view name_of(RecoveryOutcome value) {
  return kRecoveryOutcomeNames[static_cast<std::size_t>(value)];
}

enum class TransportOffer : std::uint8_t {
  none,
  fresh,
  known,
};
inline constexpr std::array<std::string_view, 3> kTransportOfferNames = {
    "none",
    "fresh",
    "known",
};
[[nodiscard]] constexpr std::string_view name_of(TransportOffer value) {
  return kTransportOfferNames[static_cast<std::size_t>(value)];
}

/** The states that each state may become, a bit a state. */
inline constexpr std::array<std::uint32_t, 6> kDeliveryStateTransitions = {
    1U << 1 | 1U << 4 | 1U << 5,  // observed -> received, failed, cancelled
    1U << 2 | 1U << 3 | 1U << 4 | 1U << 5,  // received -> processing, processed, failed, cancelled
    1U << 3 | 1U << 4 | 1U << 5,  // processing -> processed, failed, cancelled
    0,  // processed -> (terminal)
    0,  // failed -> (terminal)
    0,  // cancelled -> (terminal)
};
[[nodiscard]] constexpr bool can_become(DeliveryState from, DeliveryState to) {
  return (kDeliveryStateTransitions[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1U) != 0;
}
[[nodiscard]] constexpr bool is_terminal(DeliveryState state) {
  return kDeliveryStateTransitions[static_cast<std::size_t>(state)] == 0;
}

/** The states that each state may become, a bit a state. */
inline constexpr std::array<std::uint32_t, 9> kControlStateTransitions = {
    1U << 1 | 1U << 4 | 1U << 5 | 1U << 6 | 1U << 7 | 1U << 8,  // received -> validating, succeeded, denied, errored, cancelled, superseded
    1U << 2 | 1U << 4 | 1U << 5 | 1U << 6 | 1U << 7 | 1U << 8,  // validating -> awaiting_local_action, succeeded, denied, errored, cancelled, superseded
    1U << 3 | 1U << 4 | 1U << 5 | 1U << 6 | 1U << 7 | 1U << 8,  // awaiting_local_action -> responding, succeeded, denied, errored, cancelled, superseded
    1U << 4 | 1U << 5 | 1U << 6 | 1U << 7 | 1U << 8,  // responding -> succeeded, denied, errored, cancelled, superseded
    0,  // succeeded -> (terminal)
    0,  // denied -> (terminal)
    0,  // errored -> (terminal)
    0,  // cancelled -> (terminal)
    0,  // superseded -> (terminal)
};
[[nodiscard]] constexpr bool can_become(ControlState from, ControlState to) {
  return (kControlStateTransitions[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1U) != 0;
}
[[nodiscard]] constexpr bool is_terminal(ControlState state) {
  return kControlStateTransitions[static_cast<std::size_t>(state)] == 0;
}

/** The states that each state may become, a bit a state. */
inline constexpr std::array<std::uint32_t, 8> kTransportStateTransitions = {
    1U << 1 | 1U << 5 | 1U << 6,  // new -> connecting, draining, closed
    1U << 2 | 1U << 3 | 1U << 5 | 1U << 7,  // connecting -> connected, reconnect_wait, draining, failed
    1U << 3 | 1U << 4 | 1U << 5 | 1U << 7,  // connected -> reconnect_wait, replacing, draining, failed
    1U << 1 | 1U << 4 | 1U << 5 | 1U << 7,  // reconnect_wait -> connecting, replacing, draining, failed
    1U << 1 | 1U << 2 | 1U << 3 | 1U << 5 | 1U << 7,  // replacing -> connecting, connected, reconnect_wait, draining, failed
    1U << 6 | 1U << 7,  // draining -> closed, failed
    0,  // closed -> (terminal)
    0,  // failed -> (terminal)
};
[[nodiscard]] constexpr bool can_become(TransportState from, TransportState to) {
  return (kTransportStateTransitions[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1U) != 0;
}
[[nodiscard]] constexpr bool is_terminal(TransportState state) {
  return kTransportStateTransitions[static_cast<std::size_t>(state)] == 0;
}

/** The states that each state may become, a bit a state. */
inline constexpr std::array<std::uint32_t, 12> kWorkStateTransitions = {
    1U << 1 | 1U << 11,  // observed -> secret_validated, unowned
    1U << 2 | 1U << 11,  // secret_validated -> acknowledging, unowned
    1U << 3 | 1U << 11,  // acknowledging -> owned, unowned
    1U << 4 | 1U << 7 | 1U << 8,  // owned -> spawning, failing, interrupting
    1U << 5 | 1U << 7 | 1U << 8,  // spawning -> running, failing, interrupting
    1U << 6 | 1U << 7 | 1U << 8,  // running -> completing, failing, interrupting
    1U << 9,  // completing -> terminal_reported
    1U << 9,  // failing -> terminal_reported
    1U << 9,  // interrupting -> terminal_reported
    1U << 10,  // terminal_reported -> released
    0,  // released -> (terminal)
    0,  // unowned -> (terminal)
};
[[nodiscard]] constexpr bool can_become(WorkState from, WorkState to) {
  return (kWorkStateTransitions[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1U) != 0;
}
[[nodiscard]] constexpr bool is_terminal(WorkState state) {
  return kWorkStateTransitions[static_cast<std::size_t>(state)] == 0;
}

/** The states that each state may become, a bit a state. */
inline constexpr std::array<std::uint32_t, 6> kGateStateTransitions = {
    1U << 1 | 1U << 5,  // inactive -> collecting_history, closed
    1U << 2 | 1U << 4 | 1U << 0 | 1U << 5,  // collecting_history -> ready, deactivated, inactive, closed
    1U << 3 | 1U << 4 | 1U << 0 | 1U << 5,  // ready -> draining, deactivated, inactive, closed
    1U << 0 | 1U << 4 | 1U << 5,  // draining -> inactive, deactivated, closed
    1U << 3 | 1U << 1 | 1U << 0 | 1U << 5,  // deactivated -> draining, collecting_history, inactive, closed
    0,  // closed -> (terminal)
};
[[nodiscard]] constexpr bool can_become(GateState from, GateState to) {
  return (kGateStateTransitions[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1U) != 0;
}
[[nodiscard]] constexpr bool is_terminal(GateState state) {
  return kGateStateTransitions[static_cast<std::size_t>(state)] == 0;
}

}  // namespace leasegate
