#include "coordination/limits.hpp"

#include <array>

#include "coordination/errors.gen.hpp"

namespace leasegate {
namespace {

struct NamedLimit {
  LimitName name;
  std::uint64_t value;
  std::uint64_t ceiling;
};

template <std::size_t N>
const NamedLimit* first_zero(const std::array<NamedLimit, N>& limits) {
  for (const NamedLimit& limit : limits) {
    if (limit.value == 0) return &limit;
  }
  return nullptr;
}

template <std::size_t N>
const NamedLimit* first_too_high(const std::array<NamedLimit, N>& limits) {
  for (const NamedLimit& limit : limits) {
    if (limit.value > limit.ceiling) return &limit;
  }
  return nullptr;
}

std::unexpected<Error> contradiction(LimitRelationship reason) {
  return std::unexpected(errors::invalid_limit_relationship(reason));
}

}  // namespace

Status validate(const DistributedLimits& limits) {
  const std::array<NamedLimit, 5> counts = {{
      {LimitName::max_task_records, limits.max_task_records, MAX_TASK_RECORDS},
      {LimitName::max_active_tasks, limits.max_active_tasks, MAX_ACTIVE_TASKS},
      {LimitName::max_queued_tasks, limits.max_queued_tasks, MAX_ACTIVE_TASKS},
      {LimitName::max_terminal_tasks, limits.max_terminal_tasks, MAX_TASK_RECORDS},
      {LimitName::max_workers, limits.max_workers, MAX_WORKERS},
  }};
  const std::array<NamedLimit, 3> times = {{
      {LimitName::max_lease_ttl_secs, limits.max_lease_ttl_secs, MAX_LEASE_TTL_SECS},
      {LimitName::max_task_ttl_secs, limits.max_task_ttl_secs, MAX_TASK_TTL_SECS},
      {LimitName::heartbeat_timeout_secs, limits.heartbeat_timeout_secs, MAX_HEARTBEAT_TIMEOUT_SECS},
  }};
  if (const auto* zero = first_zero(counts)) return std::unexpected(errors::invalid_limit(zero->name));
  if (const auto* high = first_too_high(counts)) {
    return std::unexpected(errors::count_limit_exceeds_maximum(high->name, high->value, high->ceiling));
  }
  if (const auto* high = first_too_high(times)) {
    return std::unexpected(errors::time_limit_exceeds_maximum(high->name, high->value, high->ceiling));
  }
  if (limits.max_retries > MAX_RETRIES) {
    return std::unexpected(errors::retry_limit_exceeds_maximum(limits.max_retries, MAX_RETRIES));
  }
  if (const auto* zero = first_zero(times)) return std::unexpected(errors::invalid_limit(zero->name));
  using enum LimitRelationship;
  if (limits.max_active_tasks > limits.max_task_records)
    return contradiction(active_tasks_exceed_task_records);
  if (limits.max_queued_tasks > limits.max_active_tasks)
    return contradiction(queued_tasks_exceed_active_tasks);
  if (limits.max_terminal_tasks > limits.max_task_records)
    return contradiction(terminal_tasks_exceed_task_records);
  if (limits.max_terminal_tasks < limits.max_active_tasks)
    return contradiction(terminal_tasks_below_active_tasks);
  return {};
}

}  // namespace leasegate
