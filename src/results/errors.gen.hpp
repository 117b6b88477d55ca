// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include <string_view>
#include "base/error.hpp"
#include "results/schema.gen.hpp"
#include "coordination/schema.gen.hpp"

namespace leasegate::errors {

[[nodiscard]] inline Error conflicting_result(std::string_view task_id) {
  Error error{ErrorCode::conflicting_result};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error mismatched_result_receipt(std::string_view task_id) {
  Error error{ErrorCode::mismatched_result_receipt};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error result_too_large(std::uint64_t actual, std::uint64_t limit) {
  Error error{ErrorCode::result_too_large};
  error.numbers[0] = actual;
  error.numbers[1] = limit;
  return error;
}

[[nodiscard]] inline Error result_capacity_reached(std::uint64_t limit) {
  Error error{ErrorCode::result_capacity_reached};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error total_result_bytes_exceeded(std::uint64_t actual, std::uint64_t limit) {
  Error error{ErrorCode::total_result_bytes_exceeded};
  error.numbers[0] = actual;
  error.numbers[1] = limit;
  return error;
}

[[nodiscard]] inline Error aggregate_item_limit_exceeded(std::uint64_t actual, std::uint64_t limit) {
  Error error{ErrorCode::aggregate_item_limit_exceeded};
  error.numbers[0] = actual;
  error.numbers[1] = limit;
  return error;
}

[[nodiscard]] inline Error duplicate_aggregate_task(std::string_view task_id) {
  Error error{ErrorCode::duplicate_aggregate_task};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error missing_result(std::string_view task_id) {
  Error error{ErrorCode::missing_result};
  error.subject.assign(task_id);
  return error;
}

[[nodiscard]] inline Error aggregate_bytes_exceeded(std::uint64_t actual, std::uint64_t limit) {
  Error error{ErrorCode::aggregate_bytes_exceeded};
  error.numbers[0] = actual;
  error.numbers[1] = limit;
  return error;
}

}  // namespace leasegate::errors
