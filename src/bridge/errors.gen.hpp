// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include <string_view>
#include "base/error.hpp"
#include "bridge/schema.gen.hpp"

namespace leasegate::errors {

[[nodiscard]] inline Error invalid_identifier(IdentifierKind kind, IdentifierReason reason) {
  Error error{ErrorCode::invalid_identifier};
  error.words[0] = name_of(kind);
  error.words[1] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error invalid_labelled_identifier(std::string_view kind, IdentifierReason reason) {
  Error error{ErrorCode::invalid_labelled_identifier};
  error.subject.assign(kind);
  error.words[0] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error invalid_text(TextField field, TextReason reason) {
  Error error{ErrorCode::invalid_text};
  error.words[0] = name_of(field);
  error.words[1] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error invalid_epoch() {
  Error error{ErrorCode::invalid_epoch};
  return error;
}

[[nodiscard]] inline Error invalid_generation() {
  Error error{ErrorCode::invalid_generation};
  return error;
}

[[nodiscard]] inline Error invalid_sequence() {
  Error error{ErrorCode::invalid_sequence};
  return error;
}

[[nodiscard]] inline Error invalid_capacity() {
  Error error{ErrorCode::invalid_capacity};
  return error;
}

[[nodiscard]] inline Error stale_epoch(std::uint64_t got, std::uint64_t active) {
  Error error{ErrorCode::stale_epoch};
  error.numbers[0] = got;
  error.numbers[1] = active;
  return error;
}

[[nodiscard]] inline Error epoch_not_advanced(std::uint64_t got, std::uint64_t current) {
  Error error{ErrorCode::epoch_not_advanced};
  error.numbers[0] = got;
  error.numbers[1] = current;
  return error;
}

[[nodiscard]] inline Error delivery_already_observed(std::string_view id) {
  Error error{ErrorCode::delivery_already_observed};
  error.subject.assign(id);
  return error;
}

[[nodiscard]] inline Error delivery_capacity(std::uint64_t limit) {
  Error error{ErrorCode::delivery_capacity};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error delivery_not_found(std::string_view id) {
  Error error{ErrorCode::delivery_not_found};
  error.subject.assign(id);
  return error;
}

template <class State>
[[nodiscard]] inline Error invalid_state_transition(State from, State to) {
  Error error{ErrorCode::invalid_state_transition};
  error.words[0] = name_of(from);
  error.words[1] = name_of(to);
  return error;
}

[[nodiscard]] inline Error delivery_ack_conflict(std::string_view id) {
  Error error{ErrorCode::delivery_ack_conflict};
  error.subject.assign(id);
  return error;
}

[[nodiscard]] inline Error delivery_not_terminal(std::string_view id, DeliveryState state) {
  Error error{ErrorCode::delivery_not_terminal};
  error.subject.assign(id);
  error.words[0] = name_of(state);
  return error;
}

[[nodiscard]] inline Error invalid_control_key() {
  Error error{ErrorCode::invalid_control_key};
  return error;
}

[[nodiscard]] inline Error invalid_subtype() {
  Error error{ErrorCode::invalid_subtype};
  return error;
}

[[nodiscard]] inline Error control_already_accepted() {
  Error error{ErrorCode::control_already_accepted};
  return error;
}

[[nodiscard]] inline Error control_capacity(std::uint64_t limit) {
  Error error{ErrorCode::control_capacity};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error invalid_advance(ControlState to) {
  Error error{ErrorCode::invalid_advance};
  error.words[0] = name_of(to);
  return error;
}

[[nodiscard]] inline Error invalid_resolution(ControlState to) {
  Error error{ErrorCode::invalid_resolution};
  error.words[0] = name_of(to);
  return error;
}

[[nodiscard]] inline Error missing_result_evidence() {
  Error error{ErrorCode::missing_result_evidence};
  return error;
}

[[nodiscard]] inline Error missing_reason() {
  Error error{ErrorCode::missing_reason};
  return error;
}

[[nodiscard]] inline Error control_not_found() {
  Error error{ErrorCode::control_not_found};
  return error;
}

[[nodiscard]] inline Error control_terminal(ControlState state) {
  Error error{ErrorCode::control_terminal};
  error.words[0] = name_of(state);
  return error;
}

[[nodiscard]] inline Error invalid_value() {
  Error error{ErrorCode::invalid_value};
  return error;
}

[[nodiscard]] inline Error value_too_large(std::uint64_t limit) {
  Error error{ErrorCode::value_too_large};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error control_not_terminal(ControlState state) {
  Error error{ErrorCode::control_not_terminal};
  error.words[0] = name_of(state);
  return error;
}

[[nodiscard]] inline Error invalid_event() {
  Error error{ErrorCode::invalid_event};
  return error;
}

[[nodiscard]] inline Error gate_closed() {
  Error error{ErrorCode::gate_closed};
  return error;
}

[[nodiscard]] inline Error gate_active(GateState state) {
  Error error{ErrorCode::gate_active};
  error.words[0] = name_of(state);
  return error;
}

[[nodiscard]] inline Error gate_inactive(GateState state) {
  Error error{ErrorCode::gate_inactive};
  error.words[0] = name_of(state);
  return error;
}

[[nodiscard]] inline Error gate_capacity(std::uint64_t limit, GateUnit unit) {
  Error error{ErrorCode::gate_capacity};
  error.numbers[0] = limit;
  error.words[0] = name_of(unit);
  return error;
}

[[nodiscard]] inline Error send_not_accepted() {
  Error error{ErrorCode::send_not_accepted};
  return error;
}

[[nodiscard]] inline Error stale_step() {
  Error error{ErrorCode::stale_step};
  return error;
}

[[nodiscard]] inline Error unknown_transport_kind() {
  Error error{ErrorCode::unknown_transport_kind};
  return error;
}

[[nodiscard]] inline Error transport_already_registered(TransportKind kind) {
  Error error{ErrorCode::transport_already_registered};
  error.words[0] = name_of(kind);
  return error;
}

[[nodiscard]] inline Error transport_unavailable(std::string_view kind, TransportAvailability state, TransportFault reason) {
  Error error{ErrorCode::transport_unavailable};
  error.subject.assign(kind);
  error.words[0] = name_of(state);
  error.words[1] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error transport_construct_failed(TransportKind kind, ConstructFault reason) {
  Error error{ErrorCode::transport_construct_failed};
  error.words[0] = name_of(kind);
  error.words[1] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error recovery_closed() {
  Error error{ErrorCode::recovery_closed};
  return error;
}

[[nodiscard]] inline Error recovering() {
  Error error{ErrorCode::recovering};
  return error;
}

[[nodiscard]] inline Error no_transport() {
  Error error{ErrorCode::no_transport};
  return error;
}

[[nodiscard]] inline Error close_timeout() {
  Error error{ErrorCode::close_timeout};
  return error;
}

[[nodiscard]] inline Error recovery_capacity(std::uint64_t limit, RecoveryUnit unit) {
  Error error{ErrorCode::recovery_capacity};
  error.numbers[0] = limit;
  error.words[0] = name_of(unit);
  return error;
}

}  // namespace leasegate::errors
