// What a host does of its own accord: handing tasks out, recovering them, and letting go of what is over.
#include "sim/host_apply.hpp"
#include "sim/result_bytes.hpp"

namespace leasegate::sim {

void Host::tend(Random& random) {
  if (!serving()) return progress();
  if (!s_.calm && random.percent(s_.plan.careless)) careless_ = 1 + random.below(3);
  switch (random.below(8)) {
    case 0:
      return recover_leases();
    case 1:
      return prune();
    case 2:
      if (s_.plan.expires_tasks) expire(s_.plan.task_ttl);
      return;
    case 3:
      return retire(1 + random.below(10));
    case 4:
      if (s_.plan.forgets_workers) forget_workers();
      return;
    case 5:
      return take_results(1 + random.below(s_.plan.result_limits.max_aggregate_items));
    default:
      if (random.percent(s_.plan.pushes)) hand_out(random.percent(30));
      return;
  }
}

void Host::tend_everything() {
  if (!serving()) return progress();
  careless_ = 0;
  prune();
  recover_leases();
  hand_out(false);
  retire(10);
  take_results(s_.plan.result_limits.max_aggregate_items);
}

/** To the worker that the core chooses, or both chosen here. */
void Host::hand_out(bool chosen) {
  const auto task = tasks_->machine.peek_next();
  const auto worker_at_now = tasks_->machine.get_available_worker(now());
  const auto answer =
      chosen && task && worker_at_now && *worker_at_now
          ? apply(AssignTask{next(), task->task_id, (*worker_at_now)->worker_id, {s_.plan.lease_ttl}})
          : apply(AssignNextAvailable{next(), {s_.plan.lease_ttl}});
  if (!answer) return;
  const std::string& worker = answer->value.worker_id;
  hold({.to = static_cast<Peer>(std::stoul(worker.substr(1))),
        .from_host = number_,
        .ask = Ask::work,
        .outcome = "accepted",
        .lease = answer->value});
}

void Host::recover_leases() {
  if (s_.plant == Plant::no_recovery) return;
  const auto answer = apply(RecoverExpiredLeases{next()});
  if (answer || answer.error().code != ErrorCode::queued_task_capacity_reached || !s_.calm) return;
  // The queue is full, and who could empty it may hold nothing but leases that wait for room in it.
  s_.count("queues cleared");
  expire(1);
}

void Host::prune() {
  if (s_.plant != Plant::no_recovery) apply(PruneDeadWorkers{next()});
}

void Host::expire(std::uint64_t ttl) { apply(ExpireOldTasks{next(), {ttl}}); }

void Host::retire(std::uint64_t most) {
  const Fenced at = next();
  const std::uint64_t kept = s_.plant == Plant::early_retirement ? 0 : s_.plan.retention();
  const LogicalTime before{at.now.value - std::min(at.now.value, kept)};
  apply(RetireTasks{at, before, most});
}

void Host::forget_workers() {
  Array<std::uint32_t> slots;
  if (!tasks_->machine.list_workers(slots)) return;
  for (const std::uint32_t slot : slots) {
    WorkerNode worker;
    assign(worker, tasks_->machine.worker_at(slot));
    if (worker.status != WorkerStatus::offline) continue;
    apply(ForgetWorker{next(), worker.worker_id, worker.generation});
    return;
  }
}

/** Reads some results, which must be what their workers sent, and removes them. */
void Host::take_results(std::uint64_t most) {
  std::vector<std::string> names;
  std::vector<IdView> ids;
  std::uint64_t bytes = 0;
  for (const auto& [task, stored] : results_->lineage.model.results) {
    bytes += stored.bytes.size();
    if (names.size() == most || bytes > s_.plan.result_limits.max_aggregate_bytes) break;
    names.push_back(task);
  }
  if (names.empty()) return;
  ids.assign(names.begin(), names.end());
  Array<std::uint32_t> slots;
  const Status given = results_->machine.aggregate(ids, slots);
  require(given.has_value(), "aggregate_refused", [&] { return test::text_of(given.error()); });
  for (std::size_t i = 0; i < names.size(); ++i) {
    const TaskResultView result = results_->machine.result_at(slots[i]);
    const std::uint64_t lease =
        s_.promises.completed.contains(names[i]) ? s_.promises.completed[names[i]] : 0;
    const Bytes sent = result_bytes(names[i], lease, s_.plan.result_limits.max_result_bytes);
    require(std::equal(result.bytes.begin(), result.bytes.end(), sent.begin(), sent.end()), "wrong_result",
            [&] { return "of " + names[i]; });
  }
  apply(RemoveResults{results_->machine.revision(), ids});
}

void Host::check() {
  if (down()) return;
  tasks_->check();
  results_->check();
}

bool Host::done() const {
  return serving() && tasks_->machine.snapshot().active_tasks == 0 && results_->machine.result_count() == 0 &&
         held_.empty();
}

}  // namespace leasegate::sim
