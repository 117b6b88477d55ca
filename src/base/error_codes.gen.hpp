// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>

namespace leasegate {

enum class ErrorCode : std::uint8_t {
  invalid_limit,
  count_limit_exceeds_maximum,
  time_limit_exceeds_maximum,
  retry_limit_exceeds_maximum,
  invalid_limit_relationship,
  invalid_task,
  invalid_worker,
  revision_conflict,
  logical_time_regression,
  counter_exhausted,
  task_already_exists,
  task_record_capacity_reached,
  active_task_capacity_reached,
  queued_task_capacity_reached,
  terminal_capacity_reserved,
  worker_already_exists,
  worker_capacity_reached,
  no_queued_task,
  no_available_worker,
  task_not_found,
  task_not_queued,
  worker_not_found,
  worker_generation_conflict,
  worker_unavailable,
  worker_at_capacity,
  stale_ownership,
  lease_expired,
  invalid_task_transition,
  state_invariant,
  out_of_memory,
  conflicting_result,
  mismatched_result_receipt,
  result_too_large,
  result_capacity_reached,
  total_result_bytes_exceeded,
  aggregate_item_limit_exceeded,
  duplicate_aggregate_task,
  missing_result,
  aggregate_bytes_exceeded,
};

}  // namespace leasegate
