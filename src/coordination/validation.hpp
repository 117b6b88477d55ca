// Checks of arguments alone, before any state is looked at.
#pragma once

#include "base/result.hpp"
#include "coordination/records.hpp"

namespace leasegate {

/** A task id named by a command. Errors: invalid_task{task_command_id_invalid}. */
[[nodiscard]] Status check_task_id(IdView task_id);
/** A worker id named by a command. Errors: invalid_worker{worker_command_id_invalid}. */
[[nodiscard]] Status check_worker_id(IdView worker_id);

/** Both ids of a lease or receipt, the task's first. */
template <class Token>
[[nodiscard]] Status check_token_ids(const Token& token) {
  LEASEGATE_TRY(check_task_id(token.task_id));
  return check_worker_id(token.worker_id);
}

/** Errors: invalid_task. */
[[nodiscard]] Status check_spec(const TaskSpecView& spec);
/** Errors: invalid_worker. */
[[nodiscard]] Status check_spec(const WorkerSpecView& spec);
/** Errors: invalid_worker. */
[[nodiscard]] Status check_observation(const WorkerObservation& observation);

}  // namespace leasegate
