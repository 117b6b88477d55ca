// Generated from src/schema by "npm run generate". Do not edit.
#include "base/error.hpp"

#include <array>

namespace leasegate {
namespace {

constexpr std::array<ErrorShape, 39> kShapes = {{
    {"invalid_limit", "{name} must not be 0.", 1, {{{"name", ErrorField::Kind::word, 0}}}},
    {"count_limit_exceeds_maximum", "{name} is {actual}, but leasegate allows at most {maximum}.", 3, {{{"name", ErrorField::Kind::word, 0}, {"actual", ErrorField::Kind::number, 0}, {"maximum", ErrorField::Kind::number, 1}}}},
    {"time_limit_exceeds_maximum", "{name} is {actual} seconds, but leasegate allows at most {maximum}.", 3, {{{"name", ErrorField::Kind::word, 0}, {"actual", ErrorField::Kind::number, 0}, {"maximum", ErrorField::Kind::number, 1}}}},
    {"retry_limit_exceeds_maximum", "max_retries is {actual}, but leasegate allows at most {maximum}.", 2, {{{"actual", ErrorField::Kind::number, 0}, {"maximum", ErrorField::Kind::number, 1}}}},
    {"invalid_limit_relationship", "The limits contradict one another: {reason}.", 1, {{{"reason", ErrorField::Kind::word, 0}}}},
    {"invalid_task", "The task is not valid: {reason}. Ids are 1 to 256 bytes of A-Z a-z 0-9 . _ : - and a target_ref has 1 to 1,024 bytes.", 1, {{{"reason", ErrorField::Kind::word, 0}}}},
    {"invalid_worker", "The worker is not valid: {reason}. Ids are 1 to 256 bytes of A-Z a-z 0-9 . _ : -, the capacity is 1 to 4,096 and utilizations are 0 to 10,000 basis points.", 1, {{{"reason", ErrorField::Kind::word, 0}}}},
    {"revision_conflict", "The command expected revision {expected}, but the current one is {actual}. Read the state again and decide anew.", 2, {{{"expected", ErrorField::Kind::number, 0}, {"actual", ErrorField::Kind::number, 1}}}},
    {"logical_time_regression", "Logical time is {current} already; {proposed} lies before it.", 2, {{{"current", ErrorField::Kind::number, 0}, {"proposed", ErrorField::Kind::number, 1}}}},
    {"counter_exhausted", "The counter {counter} would pass its maximum.", 1, {{{"counter", ErrorField::Kind::word, 0}}}},
    {"task_already_exists", "Task {task_id} exists already; ids are never used twice, not even after a task has ended.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"task_record_capacity_reached", "All {limit} task records (max_task_records) are in use.", 1, {{{"limit", ErrorField::Kind::number, 0}}}},
    {"active_task_capacity_reached", "{limit} tasks (max_active_tasks) are active already.", 1, {{{"limit", ErrorField::Kind::number, 0}}}},
    {"queued_task_capacity_reached", "The queue has room for {limit} tasks (max_queued_tasks) and would overflow.", 1, {{{"limit", ErrorField::Kind::number, 0}}}},
    {"terminal_capacity_reserved", "The {limit} terminal records (max_terminal_tasks) are taken or reserved for active tasks.", 1, {{{"limit", ErrorField::Kind::number, 0}}}},
    {"worker_already_exists", "Worker {worker_id} is registered already; reactivate it if it is offline.", 1, {{{"worker_id", ErrorField::Kind::subject, 0}}}},
    {"worker_capacity_reached", "All {limit} worker records (max_workers, offline ones included) are in use.", 1, {{{"limit", ErrorField::Kind::number, 0}}}},
    {"no_queued_task", "No task is queued.", 0, {{}}},
    {"no_available_worker", "No worker is healthy, fresh and has a free slot.", 0, {{}}},
    {"task_not_found", "There is no task {task_id}.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"task_not_queued", "Task {task_id} is {status}, not queued.", 2, {{{"task_id", ErrorField::Kind::subject, 0}, {"status", ErrorField::Kind::word, 0}}}},
    {"worker_not_found", "There is no worker {worker_id}.", 1, {{{"worker_id", ErrorField::Kind::subject, 0}}}},
    {"worker_generation_conflict", "The command expected worker generation {expected}, but the current one is {actual}.", 2, {{{"expected", ErrorField::Kind::number, 0}, {"actual", ErrorField::Kind::number, 1}}}},
    {"worker_unavailable", "Worker {worker_id} is not in a state that allows this (offline, not healthy, stale, or still holding tasks).", 1, {{{"worker_id", ErrorField::Kind::subject, 0}}}},
    {"worker_at_capacity", "Worker {worker_id} has no free slot.", 1, {{{"worker_id", ErrorField::Kind::subject, 0}}}},
    {"stale_ownership", "The lease or fence given for task {task_id} is not its current one. Its owner has changed; drop the work.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"lease_expired", "The lease on task {task_id} has expired.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"invalid_transition", "Task {task_id} is {status}: {operation} needs it to be running.", 3, {{{"task_id", ErrorField::Kind::subject, 0}, {"status", ErrorField::Kind::word, 0}, {"operation", ErrorField::Kind::word, 1}}}},
    {"state_invariant", "The state contradicts itself: {reason}. This is a bug of leasegate.", 1, {{{"reason", ErrorField::Kind::word, 0}}}},
    {"out_of_memory", "There was not enough memory for the command; nothing has changed.", 0, {{}}},
    {"conflicting_result", "A different result is stored for task {task_id} under the same receipt.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"mismatched_result_receipt", "A result is stored for task {task_id} under another receipt.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"result_too_large", "The result has {actual} bytes; max_result_bytes is {limit}.", 2, {{{"actual", ErrorField::Kind::number, 0}, {"limit", ErrorField::Kind::number, 1}}}},
    {"result_capacity_reached", "{limit} results (max_results) are stored already.", 1, {{{"limit", ErrorField::Kind::number, 0}}}},
    {"total_result_bytes_exceeded", "The stored results would have {actual} bytes; max_total_bytes is {limit}.", 2, {{{"actual", ErrorField::Kind::number, 0}, {"limit", ErrorField::Kind::number, 1}}}},
    {"aggregate_item_limit_exceeded", "{actual} results were asked for at once; at most {limit} are allowed.", 2, {{{"actual", ErrorField::Kind::number, 0}, {"limit", ErrorField::Kind::number, 1}}}},
    {"duplicate_aggregate_task", "Task {task_id} was asked for more than once.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"missing_result", "No result is stored for task {task_id}.", 1, {{{"task_id", ErrorField::Kind::subject, 0}}}},
    {"aggregate_bytes_exceeded", "The results asked for have {actual} bytes or more; max_aggregate_bytes is {limit}.", 2, {{{"actual", ErrorField::Kind::number, 0}, {"limit", ErrorField::Kind::number, 1}}}},
}};

}  // namespace

const ErrorShape& shape_of(ErrorCode code) {
  return kShapes[static_cast<std::size_t>(code)];
}

}  // namespace leasegate
