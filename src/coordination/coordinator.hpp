// The coordinator: workers, tasks and leases as one revisioned state machine.
//
// A pure function of its commands: no clock, no randomness, no I/O, no lock (WorkerPool adds that). `apply`
// is the only way to change it. Each `apply` first checks everything and reserves all memory it needs; from
// its first change on nothing can fail. So an error always means that nothing changed, the logical time
// included.
//
// Views in answers borrow from the coordinator and are valid until the next `apply`.
//
// Every command can answer revision_conflict, logical_time_regression, counter_exhausted and out_of_memory;
// the others are listed where they arise. Costs, with W workers, N tasks and L records that a sweep changes:
// single commands O(log N + log W), sweeps O(L log(N + W)).
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "coordination/commands.hpp"
#include "coordination/lease_deadlines.hpp"
#include "coordination/limits.hpp"
#include "coordination/records.hpp"
#include "coordination/task_table.hpp"
#include "coordination/worker_ranking.hpp"
#include "coordination/worker_table.hpp"

namespace leasegate {

namespace journal {
struct CoordinatorState;
}

class Coordinator {
 public:
  /** Errors: those of validate(DistributedLimits). */
  [[nodiscard]] static Result<Coordinator> create(const DistributedLimits& limits);

  // --- Workers
  /** A new worker, healthy, generation 1. Errors: invalid_worker, worker_already_exists,
   * worker_capacity_reached. */
  Result<Transition<WorkerNodeView>> apply(const RegisterWorker& command);
  /**
   * An offline worker comes back with a new spec and generation + 1.
   * Errors: invalid_worker, worker_not_found, worker_generation_conflict, worker_unavailable.
   */
  Result<Transition<WorkerNodeView>> apply(const ReactivateWorker& command);
  /**
   * A heartbeat with what the worker saw of itself. Renews no lease.
   * Errors: invalid_worker, worker_not_found, worker_generation_conflict, worker_unavailable.
   */
  Result<Transition<WorkerNodeView>> apply(const UpdateWorker& command);
  /**
   * Recovers all leases of the worker and takes it offline, generation + 1.
   * Errors: invalid_worker, worker_not_found, worker_generation_conflict, worker_unavailable,
   * queued_task_capacity_reached.
   */
  Result<Transition<RecoverySummary>> apply(const DeregisterWorker& command);
  /** The same for every worker whose heartbeat is stale. Errors: queued_task_capacity_reached. */
  Result<Transition<RecoverySummary>> apply(const PruneDeadWorkers& command);

  // --- Tasks
  /**
   * A new task at the back of its priority. Errors: invalid_task, task_already_exists,
   * task_record_capacity_reached, active_task_capacity_reached, queued_task_capacity_reached,
   * terminal_capacity_reserved.
   */
  Result<Transition<ScanTaskView>> apply(const Enqueue& command);
  /**
   * A lease on this task for this worker. Errors: invalid_task, invalid_worker, invalid_limit,
   * invalid_limit_relationship, task_not_found, task_not_queued, task_not_due, worker_not_found,
   * worker_unavailable, worker_at_capacity.
   */
  Result<Transition<TaskLeaseView>> apply(const AssignTask& command);
  /** The next queued task for this worker. Errors: as AssignTask, and no_queued_task. */
  Result<Transition<TaskLeaseView>> apply(const AssignNext& command);
  /** The next queued task for the best worker. Errors: as AssignNext, and no_available_worker. */
  Result<Transition<TaskLeaseView>> apply(const AssignNextAvailable& command);
  /** Errors: invalid_task, invalid_worker, task_not_found, stale_ownership, lease_expired. */
  Result<Transition<StartOutcome>> apply(const StartTask& command);
  /** Errors: as StartTask, and invalid_transition. */
  Result<Transition<CompletionOutcomeView>> apply(const CompleteTask& command);
  /**
   * Requeues while retries are left, and lets the task wait when `retry_after_secs` says so: it counts as
   * queued, but joins its queue only when its time has come, at the first accepted command from then on.
   * Errors: as CompleteTask, and invalid_limit_relationship, queued_task_capacity_reached.
   */
  Result<Transition<FailureOutcome>> apply(const FailTask& command);
  /** Errors: invalid_task, invalid_worker, task_not_found, stale_ownership, lease_expired. */
  Result<Transition<CancellationOutcome>> apply(const CancelTask& command);
  /** Requeues or fails every task whose lease has run out. Errors: queued_task_capacity_reached. */
  Result<Transition<RecoverySummary>> apply(const RecoverExpiredLeases& command);
  /** Expires every active task that is `task_ttl_secs` old; answers how many. Errors:
   * invalid_limit(_relationship). */
  Result<Transition<std::uint32_t>> apply(const ExpireOldTasks& command);

  // --- Retention and renewal: leasegate's own
  /**
   * The same lease with a later end; the token given is stale from then on.
   * Errors: as StartTask, and invalid_limit, invalid_limit_relationship.
   */
  Result<Transition<TaskLeaseView>> apply(const RenewLease& command);
  /**
   * Forgets the tasks that became terminal first and before `terminal_before`; answers how many. What they
   * held is free, their ids are new, their proofs are gone. Errors: invalid_limit.
   */
  Result<Transition<std::uint32_t>> apply(const RetireTasks& command);
  /**
   * Forgets an offline worker; answers how many terminal tasks still name it, whose proofs go on being
   * recognised. Errors: invalid_worker, worker_not_found, worker_generation_conflict, worker_unavailable.
   */
  Result<Transition<std::uint32_t>> apply(const ForgetWorker& command);

  // --- Reads
  [[nodiscard]] Revision revision() const { return revision_; }
  [[nodiscard]] StateSnapshot snapshot() const;
  [[nodiscard]] std::optional<ScanTaskView> peek_next() const;
  /** Errors: invalid_task. */
  [[nodiscard]] Result<std::optional<ScanTaskView>> get_task(IdView task_id) const;
  /** Errors: invalid_worker. */
  [[nodiscard]] Result<std::optional<WorkerNodeView>> get_worker(IdView worker_id) const;
  /** The worker that assign_next_available would take at `now`. Errors: logical_time_regression. */
  [[nodiscard]] Result<std::optional<WorkerNodeView>> get_available_worker(LogicalTime now) const;

  /** Fills `slots` with all tasks, by id, for `task_at`. Errors: out_of_memory. */
  Status list_tasks(Array<std::uint32_t>& slots) const;
  /** The same with all workers, for `worker_at`. */
  Status list_workers(Array<std::uint32_t>& slots) const;
  [[nodiscard]] ScanTaskView task_at(std::uint32_t slot) const;
  [[nodiscard]] WorkerNodeView worker_at(std::uint32_t slot) const { return workers_.view(slot); }
  /**
   * Completes a lease of which the task's place, `lease_id` and `expires_at` are given, as an earlier answer
   * had them. False, with nothing changed, when that lease does not hold its task any more.
   */
  [[nodiscard]] bool recall(TaskLeaseView& lease) const;

  /** Recomputes every counter and cross-reference from the records. Errors: state_invariant. Walks
   * everything. */
  [[nodiscard]] Status check_invariants() const;

 private:
  friend struct CoordinatorTestAccess;
  friend struct journal::CoordinatorState;

  explicit Coordinator(const DistributedLimits& limits) : limits_(limits) {}

  // What several commands check or do; each lives in the file of its concept.
  [[nodiscard]] Status preflight(const Fenced& command) const;
  /** The first change that a command makes: its time is accepted, and waiting tasks that are due join their
   * queues. */
  void begin(const Fenced& command);
  /** The last one. */
  Revision commit();
  /** True when `count` more ordinals, beside those that waiting tasks will need, would pass the maximum. */
  [[nodiscard]] bool ordinals_exhausted(std::uint64_t count) const {
    return last_ordinal_.exhausted(count + tasks_.waiting());
  }

  // Ids that a command names, after looking them up: one that a record has was checked when it came in, which
  // spares looking at its bytes again. `slot` is kNoSlot where no record has it.
  [[nodiscard]] Status check_task_id_at(std::uint32_t slot, IdView task_id) const;
  [[nodiscard]] Status check_worker_id_at(std::uint32_t slot, IdView worker_id) const;
  /** Both ids of a lease, the task's first. */
  [[nodiscard]] Status check_lease_ids_at(std::uint32_t task_slot, const TaskLeaseView& lease) const;

  [[nodiscard]] Result<std::uint32_t> known_worker(IdView worker_id) const;
  [[nodiscard]] Status check_present(std::uint32_t worker_slot, IdView worker_id,
                                     WorkerGeneration generation) const;

  [[nodiscard]] Status check_room_to_enqueue() const;
  [[nodiscard]] Status check_ttl(Seconds ttl) const;
  [[nodiscard]] Status check_current_lease(const TaskRecord& task, const TaskLeaseView& lease,
                                           LogicalTime now) const;
  [[nodiscard]] bool holds(const TaskRecord& task, const TaskLeaseView& lease) const;
  [[nodiscard]] bool completed_under(const TaskRecord& task, const TaskLeaseView& lease) const;
  [[nodiscard]] bool cancelled_under(const TaskRecord& task, const TaskOwnershipView& ownership) const;
  [[nodiscard]] TaskLeaseView lease_of(std::uint32_t slot) const;
  [[nodiscard]] CompletionReceiptView receipt_of(std::uint32_t slot) const;

  /** A task or worker that a command names or the core has chosen. Only the core's own look-up fills `slot`.
   */
  struct Candidate {
    std::uint32_t slot;
    std::string_view id;
  };
  Result<Transition<TaskLeaseView>> assign(const Fenced& command, Seconds ttl, Candidate chosen_task,
                                           Candidate chosen_worker);
  [[nodiscard]] Status check_assignable(const TaskRecord& task, const WorkerRecord& worker,
                                        const Fenced& command, Seconds ttl) const;

  void observe(std::uint32_t worker_slot, LogicalTime now);
  void go_offline(std::uint32_t worker_slot);
  void release_worker(std::uint32_t task_slot);
  void end_task(std::uint32_t task_slot, TaskStatus status, Proof proof, LogicalTime now);
  void requeue(std::uint32_t task_slot, std::optional<LogicalTime> not_before = {});

  struct InvariantCheck;
  struct RecoveryPlan;
  [[nodiscard]] Result<RecoveryPlan> plan_recovery(Array<std::uint32_t>& tasks) const;
  RecoverySummary recover(const RecoveryPlan& plan, const Array<std::uint32_t>& tasks, const Fenced& command);

  DistributedLimits limits_;
  Revision revision_;
  LogicalTime logical_time_;
  LeaseId last_lease_id_;
  EnqueueOrdinal last_ordinal_;
  TaskTable tasks_;
  WorkerTable workers_;
  LeaseDeadlines deadlines_;
  WorkerRanking ranking_;
  /** Room for the tasks that a sweep touches; its content means nothing between commands. */
  Array<std::uint32_t> swept_;
};

}  // namespace leasegate
