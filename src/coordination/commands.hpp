// Every state-changing command of the coordinator as a value. Its texts are borrowed: they must live until
// `Coordinator::apply` returns.
#pragma once

#include "coordination/records.hpp"

namespace leasegate {

/** What every command names: the revision it was decided on, and the caller's logical second. */
struct Fenced {
  Revision expected_revision;
  LogicalTime now;
};

struct RegisterWorker : Fenced {
  WorkerSpecView spec;
};

struct ReactivateWorker : Fenced {
  WorkerGeneration expected_generation;
  WorkerSpecView spec;
};

struct UpdateWorker : Fenced {
  IdView worker_id;
  WorkerGeneration generation;
  WorkerObservation observation;
};

struct DeregisterWorker : Fenced {
  IdView worker_id;
  WorkerGeneration generation;
};

struct PruneDeadWorkers : Fenced {};

struct Enqueue : Fenced {
  TaskSpecView spec;
};

struct AssignTask : Fenced {
  IdView task_id;
  IdView worker_id;
  Seconds lease_ttl_secs;
};

struct AssignNext : Fenced {
  IdView worker_id;
  Seconds lease_ttl_secs;
};

struct AssignNextAvailable : Fenced {
  Seconds lease_ttl_secs;
};

struct StartTask : Fenced {
  TaskLeaseView lease;
};

struct CompleteTask : Fenced {
  TaskLeaseView lease;
};

struct FailTask : Fenced {
  TaskLeaseView lease;
  /** How long the task waits before it can be assigned again; none and 0: not at all. */
  std::optional<Seconds> retry_after_secs = std::nullopt;
};

struct CancelTask : Fenced {
  TaskOwnershipView ownership;
};

struct RecoverExpiredLeases : Fenced {};

struct ExpireOldTasks : Fenced {
  Seconds task_ttl_secs;
};

struct RenewLease : Fenced {
  TaskLeaseView lease;
  Seconds lease_ttl_secs;
};

struct RetireTasks : Fenced {
  /** Only what became terminal before this second. */
  LogicalTime terminal_before;
  /** Tasks to retire at most; not 0. */
  std::uint64_t limit = 0;
};

struct ForgetWorker : Fenced {
  IdView worker_id;
  WorkerGeneration generation;
};

}  // namespace leasegate
