// What leaves: terminal tasks that nobody asks for any more, and workers that will not come back.

#include "coordination/coordinator.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/validation.hpp"

namespace leasegate {

Result<Transition<std::uint32_t>> Coordinator::apply(const RetireTasks& command) {
  if (command.limit == 0) return std::unexpected(errors::invalid_limit(LimitName::retire_limit));
  LEASEGATE_TRY(preflight(command));

  begin(command);
  std::uint32_t count = 0;
  for (std::uint32_t slot = tasks_.by_end().first;
       slot != kNoSlot && count < command.limit && tasks_[slot].completed_at < command.terminal_before;
       slot = tasks_.by_end().first) {
    if (names_worker(tasks_[slot].proof)) workers_.names().remove_proof(tasks_[slot].worker_name);
    tasks_.retire(slot);
    ++count;
  }
  return Transition<std::uint32_t>{commit(), count};
}

Result<Transition<std::uint32_t>> Coordinator::apply(const ForgetWorker& command) {
  LEASEGATE_TRY(check_worker_id(command.worker_id));
  LEASEGATE_TRY(preflight(command));
  const auto slot = known_worker(command.worker_id);
  if (!slot) return std::unexpected(slot.error());
  const WorkerRecord& worker = workers_[*slot];
  if (worker.generation != command.generation) {
    return std::unexpected(
        errors::worker_generation_conflict(command.generation.value, worker.generation.value));
  }
  if (!worker.offline()) return std::unexpected(errors::worker_unavailable(command.worker_id));

  begin(command);
  const std::uint32_t proofs = workers_.names()[worker.name].proofs;
  workers_.forget(*slot);
  return Transition<std::uint32_t>{commit(), proofs};
}

}  // namespace leasegate
