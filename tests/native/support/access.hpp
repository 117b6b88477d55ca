// The tests' way into private state: to bring counters to their end, and to break what check_invariants
// guards.
#pragma once

#include "coordination/coordinator.hpp"
#include "results/result_store.hpp"

namespace leasegate {

struct CoordinatorTestAccess {
  static DistributedLimits& limits(Coordinator& c) { return c.limits_; }
  static Revision& revision(Coordinator& c) { return c.revision_; }
  static LogicalTime& logical_time(Coordinator& c) { return c.logical_time_; }
  static LeaseId& last_lease_id(Coordinator& c) { return c.last_lease_id_; }
  static EnqueueOrdinal& last_ordinal(Coordinator& c) { return c.last_ordinal_; }
  static TaskTable& tasks(Coordinator& c) { return c.tasks_; }
  static TaskRecord& task(Coordinator& c, std::string_view id) { return c.tasks_[c.tasks_.find(id)]; }
  static WorkerRecord& worker(Coordinator& c, std::string_view id) { return c.workers_[c.workers_.find(id)]; }
  static WorkerNames& names(Coordinator& c) { return c.workers_.names(); }
  // These lists are private to their tables, whose records the tests may change: hence the casts.
  static IntrusiveList& queue(Coordinator& c, Priority priority) {
    return const_cast<IntrusiveList&>(c.tasks_.queue(priority));
  }
  static IntrusiveList& by_age(Coordinator& c) { return const_cast<IntrusiveList&>(c.tasks_.by_age()); }
  static IntrusiveList& by_heartbeat(Coordinator& c) {
    return const_cast<IntrusiveList&>(c.workers_.by_heartbeat());
  }
};

struct ResultStoreTestAccess {
  static Revision& revision(ResultStore& store) { return store.revision_; }
};

}  // namespace leasegate
