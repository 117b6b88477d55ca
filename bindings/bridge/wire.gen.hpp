// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include "bindings/base/frame.hpp"
#include "bridge/control_registry.hpp"
#include "bridge/cursor.hpp"
#include "bridge/delivery_tracker.hpp"
#include "bridge/lifecycle.hpp"
#include "bridge/reconnect_coordinator.hpp"
#include "bridge/transport_registry.hpp"

namespace leasegate::bindings {

enum class BridgeOp : std::uint32_t {
  validate_opaque_id,
  validate_path_identifier,
  validate_identity,
  validate_control_key,
  delivery_observe,
  delivery_transition,
  delivery_acknowledge,
  control_accept,
  control_advance,
  control_resolve,
  control_cancel,
  control_get,
  control_forget,
  control_cancel_all,
  lifecycle_change,
  transport_check,
  transport_check_built,
  recovery_recover,
  recovery_attempt_settled,
  fence_current,
  fence_check,
  fence_advance,
  cursor_sequence,
  cursor_observe,
  deduper_seen_or_add,
  deduper_size,
  delivery_get,
  delivery_forget,
  delivery_size,
  control_next,
  control_size,
  lifecycle_state,
  lifecycle_history,
  lifecycle_entry,
  work_state,
  work_transition,
  transport_register,
  transport_factory_failed,
  send_not_accepted,
  close_timeout,
  gate_state,
  gate_begin,
  gate_resume,
  gate_history_begin,
  gate_history_add,
  gate_history_install,
  gate_history_taken,
  gate_history_failed,
  gate_submit,
  gate_drain,
  gate_flush,
  gate_deactivate,
  gate_drop,
  gate_step,
  gate_sent,
  gate_abort,
  gate_pending_first,
  gate_pending_next,
  recovery_send,
  recovery_observe,
  recovery_close,
  recovery_step,
  recovery_attempt_failed,
  recovery_close_settled,
  recovery_close_failed,
  recovery_timeout,
  recovery_abort,
  recovery_state,
  recovery_history,
  recovery_entry,
};

inline void read(FrameReader& in, DeliveryState& value) { in.enumeration(value); }

inline void write(FrameWriter& out, DeliveryState value) { out.enumeration(value); }

inline void read(FrameReader& in, ControlState& value) { in.enumeration(value); }

inline void write(FrameWriter& out, ControlState value) { out.enumeration(value); }

inline void read(FrameReader& in, TransportState& value) { in.enumeration(value); }

inline void write(FrameWriter& out, TransportState value) { out.enumeration(value); }

inline void read(FrameReader& in, TransportKind& value) { in.enumeration(value); }

inline void write(FrameWriter& out, TransportKind value) { out.enumeration(value); }

inline void read(FrameReader& in, TransportOffer& value) { in.enumeration(value); }

inline void write(FrameWriter& out, TransportOffer value) { out.enumeration(value); }

inline void read(FrameReader& in, IdentityTupleView& value) {
  in.text(value.bridge_instance.text);
  in.text(value.environment.text);
  in.text(value.work.text);
  in.text(value.session.text);
  in.u64(value.epoch);
  in.u64(value.generation);
}

inline void read(FrameReader& in, ControlKeyView& value) {
  in.text(value.request.text);
  in.text(value.session.text);
  in.u64(value.generation);
  in.u64(value.epoch);
}

inline void write(FrameWriter& out, const ControlKeyView& value) {
  out.text(value.request.text);
  out.text(value.session.text);
  out.u64(value.generation);
  out.u64(value.epoch);
}

inline void write(FrameWriter& out, const Observation& value) {
  out.u64(value.previous);
  out.u64(value.current);
  out.boolean(value.advanced);
  out.boolean(value.duplicate);
  out.boolean(value.gap);
}

inline void write(FrameWriter& out, const DeliveryRecordView& value) {
  out.text(value.id.text);
  out.text(value.message.text);
  out.u64(value.sequence);
  write(out, value.state);
  out.text(value.transport_ack_id.text);
  out.optional_u64(value.transport_acked_at);
  out.u64(value.updated_at);
  out.text(value.failure);
}

inline void write(FrameWriter& out, const ControlRecordView& value) {
  write(out, value.key);
  out.text(value.tool_use_id.text);
  out.text(value.subtype);
  write(out, value.state);
  out.place(value.value);
  out.text(value.message);
  out.u64(value.updated_at);
}

inline void write(FrameWriter& out, const LifecycleTransitionView& value) {
  write(out, value.from);
  write(out, value.to);
  out.u64(value.at);
  out.text(value.reason);
}

struct ValidateOpaqueId {
  std::string_view kind{};
  std::string_view value{};
};

inline void read(FrameReader& in, ValidateOpaqueId& value) {
  in.text(value.kind);
  in.text(value.value);
}

struct ValidatePathIdentifier {
  std::string_view kind{};
  std::string_view value{};
};

inline void read(FrameReader& in, ValidatePathIdentifier& value) {
  in.text(value.kind);
  in.text(value.value);
}

struct ValidateIdentity {
  IdentityTupleView tuple{};
};

inline void read(FrameReader& in, ValidateIdentity& value) {
  read(in, value.tuple);
}

struct ValidateControlKey {
  ControlKeyView key{};
};

inline void read(FrameReader& in, ValidateControlKey& value) {
  read(in, value.key);
}

struct DeliveryObserve {
  IdOf<IdentifierKind::delivery_id> id{};
  IdOf<IdentifierKind::message_id> message{};
  Sequence sequence{};
  UnixMillis now{};
};

inline void read(FrameReader& in, DeliveryObserve& value) {
  in.text(value.id.text);
  in.text(value.message.text);
  in.u64(value.sequence);
  in.u64(value.now);
}

struct DeliveryTransition {
  IdOf<IdentifierKind::delivery_id> id{};
  DeliveryState state{};
  std::string_view failure{};
  UnixMillis now{};
};

inline void read(FrameReader& in, DeliveryTransition& value) {
  in.text(value.id.text);
  read(in, value.state);
  in.text(value.failure);
  in.u64(value.now);
}

struct DeliveryAcknowledge {
  IdOf<IdentifierKind::delivery_id> id{};
  IdOf<IdentifierKind::transport_ack_id> ack_id{};
  UnixMillis now{};
};

inline void read(FrameReader& in, DeliveryAcknowledge& value) {
  in.text(value.id.text);
  in.text(value.ack_id.text);
  in.u64(value.now);
}

struct ControlAccept {
  ControlKeyView key{};
  std::string_view subtype{};
  IdOf<IdentifierKind::tool_use_id> tool_use_id{};
  UnixMillis now{};
};

inline void read(FrameReader& in, ControlAccept& value) {
  read(in, value.key);
  in.text(value.subtype);
  in.text(value.tool_use_id.text);
  in.u64(value.now);
}

struct ControlAdvance {
  ControlKeyView key{};
  ControlState state{};
  UnixMillis now{};
};

inline void read(FrameReader& in, ControlAdvance& value) {
  read(in, value.key);
  read(in, value.state);
  in.u64(value.now);
}

struct ControlResolve {
  ControlKeyView key{};
  ControlState state{};
  std::span<const std::uint8_t> value{};
  std::string_view message{};
  UnixMillis now{};
};

inline void read(FrameReader& in, ControlResolve& value) {
  read(in, value.key);
  read(in, value.state);
  in.blob(value.value);
  in.text(value.message);
  in.u64(value.now);
}

struct ControlCancel {
  ControlKeyView key{};
  std::string_view reason{};
  UnixMillis now{};
};

inline void read(FrameReader& in, ControlCancel& value) {
  read(in, value.key);
  in.text(value.reason);
  in.u64(value.now);
}

struct ControlGet {
  ControlKeyView key{};
};

inline void read(FrameReader& in, ControlGet& value) {
  read(in, value.key);
}

struct ControlForget {
  ControlKeyView key{};
};

inline void read(FrameReader& in, ControlForget& value) {
  read(in, value.key);
}

struct ControlCancelAll {
  std::string_view reason{};
  UnixMillis now{};
};

inline void read(FrameReader& in, ControlCancelAll& value) {
  in.text(value.reason);
  in.u64(value.now);
}

struct LifecycleChange {
  TransportState to{};
  std::string_view reason{};
  UnixMillis now{};
};

inline void read(FrameReader& in, LifecycleChange& value) {
  read(in, value.to);
  in.text(value.reason);
  in.u64(value.now);
}

struct TransportCheck {
  std::string_view kind{};
  bool included{};
  bool enabled{};
  std::span<const std::uint8_t> endpoint{};
};

inline void read(FrameReader& in, TransportCheck& value) {
  in.text(value.kind);
  in.boolean(value.included);
  in.boolean(value.enabled);
  in.blob(value.endpoint);
}

struct TransportCheckBuilt {
  TransportKind kind{};
  bool present{};
  std::string_view built{};
};

inline void read(FrameReader& in, TransportCheckBuilt& value) {
  read(in, value.kind);
  in.boolean(value.present);
  in.text(value.built);
}

struct RecoveryRecover {
  std::string_view reason{};
  bool aborted{};
  UnixMillis now{};
};

inline void read(FrameReader& in, RecoveryRecover& value) {
  in.text(value.reason);
  in.boolean(value.aborted);
  in.u64(value.now);
}

struct RecoveryAttemptSettled {
  FlightId flight{};
  TransportOffer offer{};
  TransportId transport{};
  Epoch epoch{};
  UnixMillis now{};
};

inline void read(FrameReader& in, RecoveryAttemptSettled& value) {
  in.u64(value.flight);
  read(in, value.offer);
  in.u64(value.transport);
  in.u64(value.epoch);
  in.u64(value.now);
}

}  // namespace leasegate::bindings
