// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include <string_view>
#include "base/error.hpp"
#include "coordination/schema.gen.hpp"

namespace leasegate::errors {

[[nodiscard]] inline Error invalid_limit(LimitName name) {
  Error error{ErrorCode::invalid_limit};
  error.words[0] = name_of(name);
  return error;
}

[[nodiscard]] inline Error count_limit_exceeds_maximum(LimitName name, std::uint64_t actual, std::uint64_t maximum) {
  Error error{ErrorCode::count_limit_exceeds_maximum};
  error.words[0] = name_of(name);
  error.numbers[0] = actual;
  error.numbers[1] = maximum;
  return error;
}

[[nodiscard]] inline Error time_limit_exceeds_maximum(LimitName name, std::uint64_t actual, std::uint64_t maximum) {
  Error error{ErrorCode::time_limit_exceeds_maximum};
  error.words[0] = name_of(name);
  error.numbers[0] = actual;
  error.numbers[1] = maximum;
  return error;
}

[[nodiscard]] inline Error retry_limit_exceeds_maximum(std::uint64_t actual, std::uint64_t maximum) {
  Error error{ErrorCode::retry_limit_exceeds_maximum};
  error.numbers[0] = actual;
  error.numbers[1] = maximum;
  return error;
}

[[nodiscard]] inline Error invalid_limit_relationship(LimitRelationship reason) {
  Error error{ErrorCode::invalid_limit_relationship};
  error.words[0] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error invalid_task(InvalidTask reason) {
  Error error{ErrorCode::invalid_task};
  error.words[0] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error invalid_worker(InvalidWorker reason) {
  Error error{ErrorCode::invalid_worker};
  error.words[0] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error revision_conflict(std::uint64_t expected, std::uint64_t actual) {
  Error error{ErrorCode::revision_conflict};
  error.numbers[0] = expected;
  error.numbers[1] = actual;
  return error;
}

[[nodiscard]] inline Error logical_time_regression(std::uint64_t current, std::uint64_t proposed) {
  Error error{ErrorCode::logical_time_regression};
  error.numbers[0] = current;
  error.numbers[1] = proposed;
  return error;
}

[[nodiscard]] inline Error counter_exhausted(CounterName counter) {
  Error error{ErrorCode::counter_exhausted};
  error.words[0] = name_of(counter);
  return error;
}

[[nodiscard]] inline Error task_already_exists(std::string_view task_id) {
  Error error{ErrorCode::task_already_exists};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error task_record_capacity_reached(std::uint64_t limit) {
  Error error{ErrorCode::task_record_capacity_reached};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error active_task_capacity_reached(std::uint64_t limit) {
  Error error{ErrorCode::active_task_capacity_reached};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error queued_task_capacity_reached(std::uint64_t limit) {
  Error error{ErrorCode::queued_task_capacity_reached};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error terminal_capacity_reserved(std::uint64_t limit) {
  Error error{ErrorCode::terminal_capacity_reserved};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error worker_already_exists(std::string_view worker_id) {
  Error error{ErrorCode::worker_already_exists};
  error.subject.assign(worker_id);
  return error;
}

[[nodiscard]] inline Error worker_capacity_reached(std::uint64_t limit) {
  Error error{ErrorCode::worker_capacity_reached};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error no_queued_task() {
  Error error{ErrorCode::no_queued_task};
  return error;
}

[[nodiscard]] inline Error no_available_worker() {
  Error error{ErrorCode::no_available_worker};
  return error;
}

[[nodiscard]] inline Error task_not_found(std::string_view task_id) {
  Error error{ErrorCode::task_not_found};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error task_not_queued(std::string_view task_id, TaskStatus status) {
  Error error{ErrorCode::task_not_queued};
  error.subject.assign(task_id);
  error.words[0] = name_of(status);
  return error;
}

[[nodiscard]] inline Error task_not_due(std::string_view task_id, std::uint64_t not_before) {
  Error error{ErrorCode::task_not_due};
  error.subject.assign(task_id);
  error.numbers[0] = not_before;
  return error;
}

[[nodiscard]] inline Error worker_not_found(std::string_view worker_id) {
  Error error{ErrorCode::worker_not_found};
  error.subject.assign(worker_id);
  return error;
}

[[nodiscard]] inline Error worker_generation_conflict(std::uint64_t expected, std::uint64_t actual) {
  Error error{ErrorCode::worker_generation_conflict};
  error.numbers[0] = expected;
  error.numbers[1] = actual;
  return error;
}

[[nodiscard]] inline Error worker_unavailable(std::string_view worker_id) {
  Error error{ErrorCode::worker_unavailable};
  error.subject.assign(worker_id);
  return error;
}

[[nodiscard]] inline Error worker_at_capacity(std::string_view worker_id) {
  Error error{ErrorCode::worker_at_capacity};
  error.subject.assign(worker_id);
  return error;
}

[[nodiscard]] inline Error stale_ownership(std::string_view task_id) {
  Error error{ErrorCode::stale_ownership};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error lease_expired(std::string_view task_id) {
  Error error{ErrorCode::lease_expired};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error invalid_task_transition(std::string_view task_id, TaskStatus status, Operation operation) {
  Error error{ErrorCode::invalid_task_transition};
  error.subject.assign(task_id);
  error.words[0] = name_of(status);
  error.words[1] = name_of(operation);
  return error;
}

[[nodiscard]] inline Error state_invariant(Invariant reason) {
  Error error{ErrorCode::state_invariant};
  error.words[0] = name_of(reason);
  return error;
}

[[nodiscard]] inline Error out_of_memory() {
  Error error{ErrorCode::out_of_memory};
  return error;
}

}  // namespace leasegate::errors
