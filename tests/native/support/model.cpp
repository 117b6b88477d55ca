#include "support/model.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "support/records.hpp"

namespace leasegate::test {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string with_id(const char* code, const char* field, std::string_view id) {
  return std::string(code) + "{" + field + ": " + std::string(id) + "}";
}
std::string with_task(const char* code, std::string_view id) { return with_id(code, "task_id", id); }
std::string with_worker(const char* code, std::string_view id) { return with_id(code, "worker_id", id); }
std::string with_reason(const char* code, const char* reason) { return with_id(code, "reason", reason); }
std::string exhausted(const char* counter) { return with_id("counter_exhausted", "counter", counter); }
std::string over(const char* code, std::uint64_t limit) {
  return std::string(code) + "{limit: " + number(limit) + "}";
}
std::string over(const char* code, std::uint64_t actual, std::uint64_t limit) {
  return std::string(code) + "{actual: " + number(actual) + ", limit: " + number(limit) + "}";
}

bool has_safe_bytes(std::string_view id) {
  return std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == ':' || c == '-';
  });
}
bool valid_id(std::string_view id) { return !id.empty() && id.size() <= 256 && has_safe_bytes(id); }

std::optional<std::string> bad_task_id(std::string_view id) {
  if (valid_id(id)) return {};
  return with_reason("invalid_task", "task_command_id_invalid");
}
std::optional<std::string> bad_worker_id(std::string_view id) {
  if (valid_id(id)) return {};
  return with_reason("invalid_worker", "worker_command_id_invalid");
}
template <class Token>
std::optional<std::string> bad_token(const Token& token) {
  if (const auto bad = bad_task_id(token.task_id)) return bad;
  return bad_worker_id(token.worker_id);
}

std::optional<std::string> bad_spec(const TaskSpecView& spec) {
  const auto bad = [](const char* reason) { return with_reason("invalid_task", reason); };
  if (spec.task_id.empty()) return bad("task_id_empty");
  if (spec.task_id.size() > 256) return bad("task_id_too_long");
  if (!has_safe_bytes(spec.task_id)) return bad("task_id_unsafe");
  if (spec.scan_id.empty()) return bad("scan_id_empty");
  if (spec.scan_id.size() > 256) return bad("scan_id_too_long");
  if (!has_safe_bytes(spec.scan_id)) return bad("scan_id_unsafe");
  if (spec.target_ref.empty()) return bad("target_ref_empty");
  if (spec.target_ref.size() > 1024) return bad("target_ref_too_long");
  if (spec.phases.size() > 256) return bad("too_many_phases");
  return {};
}

std::optional<std::string> bad_spec(const WorkerSpecView& spec) {
  const auto bad = [](const char* reason) { return with_reason("invalid_worker", reason); };
  if (!valid_id(spec.worker_id)) return bad("worker_id_invalid");
  if (spec.capacity == 0) return bad("capacity_zero");
  if (spec.capacity > 4096) return bad("capacity_exceeds_maximum");
  if (spec.cpu_basis_points > 10'000 || spec.memory_basis_points > 10'000 ||
      spec.network_basis_points > 10'000) {
    return bad("utilization_exceeds_maximum");
  }
  return {};
}

TaskLease owned(const TaskLeaseView& l) {
  return {std::string(l.task_id),
          std::string(l.worker_id),
          l.worker_generation,
          l.task_generation,
          l.attempt,
          l.lease_id,
          l.acquired_at,
          l.expires_at};
}
CompletionReceipt owned(const CompletionReceiptView& r) {
  return {std::string(r.task_id),   r.task_generation,   r.attempt,       r.lease_id,
          std::string(r.worker_id), r.worker_generation, r.record_version};
}
TaskOwnership owned(const TaskOwnershipView& ownership) {
  if (const auto* lease = std::get_if<TaskLeaseView>(&ownership)) return owned(*lease);
  const auto& fence = std::get<QueuedTaskFenceView>(ownership);
  return QueuedTaskFence{std::string(fence.task_id), fence.task_generation, fence.record_version};
}

bool is_queued(TaskStatus status) { return status == TaskStatus::queued; }
bool is_active(TaskStatus status) {
  return status == TaskStatus::queued || status == TaskStatus::leased || status == TaskStatus::running;
}
bool is_terminal(TaskStatus status) { return !is_active(status); }

}  // namespace

std::uint32_t effective_capacity(const WorkerNode& w) {
  if (w.status != WorkerStatus::healthy) return 0;
  const std::uint64_t load =
      std::max<std::uint64_t>(w.cpu_basis_points, std::max(w.memory_basis_points, w.network_basis_points));
  const std::uint64_t exact = std::uint64_t{w.capacity} * (10'000 - load);
  return static_cast<std::uint32_t>(exact / 10'000 + (exact % 10'000 == 0 ? 0 : 1));
}

namespace {

std::uint32_t slots(const WorkerNode& w) {
  const std::uint32_t effective = effective_capacity(w);
  return w.current_tasks >= effective ? 0 : effective - w.current_tasks;
}

}  // namespace

// --- Shared steps

std::optional<std::string> Model::preflight(const Fenced& c) const {
  if (c.expected_revision.value != revision) {
    return "revision_conflict{expected: " + number(c.expected_revision.value) +
           ", actual: " + number(revision) + "}";
  }
  if (c.now.value < time) {
    return "logical_time_regression{current: " + number(time) + ", proposed: " + number(c.now.value) + "}";
  }
  if (revision == kMax) return exhausted("revision");
  return {};
}

/** Time goes on, and every waiting task that is due joins the back of its priority. */
void Model::begin(const Fenced& c) {
  time = c.now.value;
  std::vector<Task*> due;
  for (auto& [id, task] : tasks) {
    if (task.record.not_before && task.record.not_before->value <= time) due.push_back(&task);
  }
  std::sort(due.begin(), due.end(), [](const Task* a, const Task* b) {
    return std::tuple(a->record.not_before->value, a->ordinal) <
           std::tuple(b->record.not_before->value, b->ordinal);
  });
  for (Task* task : due) {
    task->record.not_before.reset();
    task->ordinal = ++last_ordinal;
  }
}

Revision Model::commit(const Fenced& c) {
  begin(c);
  return {++revision};
}

/** Each waiting task will need one as well. */
bool Model::ordinals_left(std::uint64_t wanted) const {
  for (const auto& [id, task] : tasks) wanted += task.record.not_before ? 1 : 0;
  return kMax - last_ordinal >= wanted;
}

std::uint32_t Model::count(bool (*wanted)(TaskStatus)) const {
  return static_cast<std::uint32_t>(std::count_if(
      tasks.begin(), tasks.end(), [&](const auto& entry) { return wanted(entry.second.record.status); }));
}

Model::Task* Model::next_task(std::uint64_t now) {
  // Highest priority first; in it those that do not wait, in their order; then those that are due.
  const auto key = [](const Task& task) {
    const auto& wait = task.record.not_before;
    return std::tuple(3 - static_cast<int>(task.record.priority), wait.has_value(),
                      wait.value_or(LogicalTime{}).value, task.ordinal);
  };
  Task* best = nullptr;
  for (auto& [id, task] : tasks) {
    if (!is_queued(task.record.status)) continue;
    if (task.record.not_before && task.record.not_before->value > now) continue;
    if (best == nullptr || key(task) < key(*best)) best = &task;
  }
  return best;
}

bool Model::fresh(const WorkerNode& worker, std::uint64_t now) const {
  return now - worker.last_heartbeat.value <= limits.heartbeat_timeout_secs;
}

const WorkerNode* Model::best_worker(std::uint64_t now) const {
  const WorkerNode* best = nullptr;
  // Smaller is better in every place of the key.
  const auto key = [](const WorkerNode& w) {
    return std::tuple(kMax - slots(w), kMax - w.last_heartbeat.value, w.cpu_basis_points,
                      w.memory_basis_points, w.network_basis_points, w.worker_id);
  };
  for (const auto& [id, worker] : workers) {
    if (worker.status != WorkerStatus::healthy || !fresh(worker, now) || slots(worker) == 0) continue;
    if (best == nullptr || key(worker) < key(*best)) best = &worker;
  }
  return best;
}

// --- Workers

Answer<Transition<WorkerNode>> Model::apply(const RegisterWorker& c) {
  if (const auto bad = bad_spec(c.spec)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const std::string id(c.spec.worker_id);
  if (workers.contains(id)) return std::unexpected(with_worker("worker_already_exists", id));
  if (workers.size() >= limits.max_workers)
    return std::unexpected(over("worker_capacity_reached", limits.max_workers));
  WorkerNode worker;
  worker.worker_id = id;
  worker.generation = {1};
  worker.status = WorkerStatus::healthy;
  worker.capacity = c.spec.capacity;
  worker.last_heartbeat = c.now;
  worker.cpu_basis_points = c.spec.cpu_basis_points;
  worker.memory_basis_points = c.spec.memory_basis_points;
  worker.network_basis_points = c.spec.network_basis_points;
  worker.tags = c.spec.tags;
  workers[id] = worker;
  return Transition<WorkerNode>{commit(c), worker};
}

Answer<Transition<WorkerNode>> Model::apply(const ReactivateWorker& c) {
  if (const auto bad = bad_spec(c.spec)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const auto found = workers.find(std::string(c.spec.worker_id));
  if (found == workers.end()) return std::unexpected(with_worker("worker_not_found", c.spec.worker_id));
  WorkerNode& worker = found->second;
  if (worker.generation != c.expected_generation) {
    return std::unexpected("worker_generation_conflict{expected: " + number(c.expected_generation.value) +
                           ", actual: " + number(worker.generation.value) + "}");
  }
  if (worker.status != WorkerStatus::offline || worker.current_tasks > 0) {
    return std::unexpected(with_worker("worker_unavailable", c.spec.worker_id));
  }
  if (worker.generation.value == kMax) return std::unexpected(exhausted("worker_generation"));
  ++worker.generation.value;
  worker.status = WorkerStatus::healthy;
  worker.capacity = c.spec.capacity;
  worker.last_heartbeat = c.now;
  worker.cpu_basis_points = c.spec.cpu_basis_points;
  worker.memory_basis_points = c.spec.memory_basis_points;
  worker.network_basis_points = c.spec.network_basis_points;
  worker.tags = c.spec.tags;
  return Transition<WorkerNode>{commit(c), worker};
}

Answer<Transition<WorkerNode>> Model::apply(const UpdateWorker& c) {
  if (const auto bad = bad_worker_id(c.worker_id)) return std::unexpected(*bad);
  if (c.observation.status == WorkerStatus::offline) {
    return std::unexpected(with_reason("invalid_worker", "offline_requires_deregister_or_prune"));
  }
  if (c.observation.cpu_basis_points > 10'000 || c.observation.memory_basis_points > 10'000 ||
      c.observation.network_basis_points > 10'000) {
    return std::unexpected(with_reason("invalid_worker", "utilization_exceeds_maximum"));
  }
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const auto found = workers.find(std::string(c.worker_id));
  if (found == workers.end()) return std::unexpected(with_worker("worker_not_found", c.worker_id));
  WorkerNode& worker = found->second;
  if (worker.generation != c.generation) {
    return std::unexpected("worker_generation_conflict{expected: " + number(c.generation.value) +
                           ", actual: " + number(worker.generation.value) + "}");
  }
  if (worker.status == WorkerStatus::offline)
    return std::unexpected(with_worker("worker_unavailable", c.worker_id));
  worker.status = c.observation.status;
  worker.cpu_basis_points = c.observation.cpu_basis_points;
  worker.memory_basis_points = c.observation.memory_basis_points;
  worker.network_basis_points = c.observation.network_basis_points;
  worker.last_heartbeat = c.now;
  return Transition<WorkerNode>{commit(c), worker};
}

Answer<Transition<RecoverySummary>> Model::apply(const DeregisterWorker& c) {
  if (const auto bad = bad_worker_id(c.worker_id)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const auto found = workers.find(std::string(c.worker_id));
  if (found == workers.end()) return std::unexpected(with_worker("worker_not_found", c.worker_id));
  WorkerNode& worker = found->second;
  if (worker.generation != c.generation) {
    return std::unexpected("worker_generation_conflict{expected: " + number(c.generation.value) +
                           ", actual: " + number(worker.generation.value) + "}");
  }
  if (worker.status == WorkerStatus::offline)
    return std::unexpected(with_worker("worker_unavailable", c.worker_id));
  const std::vector<Task*> held = leases_of({worker.worker_id});
  if (const auto bad = cannot_recover(held)) return std::unexpected(*bad);
  if (worker.generation.value == kMax) return std::unexpected(exhausted("worker_generation"));
  begin(c);
  RecoverySummary summary = recover(held, c.now.value);
  summary.workers_affected = 1;
  worker.status = WorkerStatus::offline;
  ++worker.generation.value;
  return Transition<RecoverySummary>{commit(c), summary};
}

Answer<Transition<RecoverySummary>> Model::apply(const PruneDeadWorkers& c) {
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  std::vector<std::string> dead;
  for (const auto& [id, worker] : workers) {
    if (worker.status != WorkerStatus::offline && !fresh(worker, c.now.value)) dead.push_back(id);
  }
  const std::vector<Task*> held = leases_of(dead);
  if (const auto bad = cannot_recover(held)) return std::unexpected(*bad);
  for (const std::string& id : dead) {
    if (workers[id].generation.value == kMax) return std::unexpected(exhausted("worker_generation"));
  }
  begin(c);
  RecoverySummary summary = recover(held, c.now.value);
  summary.workers_affected = static_cast<std::uint32_t>(dead.size());
  for (const std::string& id : dead) {
    workers[id].status = WorkerStatus::offline;
    ++workers[id].generation.value;
  }
  return Transition<RecoverySummary>{commit(c), summary};
}

// --- Tasks

Answer<Transition<ScanTask>> Model::apply(const Enqueue& c) {
  if (const auto bad = bad_spec(c.spec)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const std::string id(c.spec.task_id);
  if (tasks.contains(id)) return std::unexpected(with_task("task_already_exists", id));
  if (tasks.size() >= limits.max_task_records) {
    return std::unexpected(over("task_record_capacity_reached", limits.max_task_records));
  }
  if (count(is_active) >= limits.max_active_tasks) {
    return std::unexpected(over("active_task_capacity_reached", limits.max_active_tasks));
  }
  if (count(is_queued) >= limits.max_queued_tasks) {
    return std::unexpected(over("queued_task_capacity_reached", limits.max_queued_tasks));
  }
  if (count(is_terminal) + count(is_active) + 1 > limits.max_terminal_tasks) {
    return std::unexpected(over("terminal_capacity_reserved", limits.max_terminal_tasks));
  }
  if (!ordinals_left(1)) return std::unexpected(exhausted("enqueue_ordinal"));
  begin(c);
  Task task;
  task.made = task.ordinal = ++last_ordinal;
  task.record.task_id = id;
  task.record.scan_id = std::string(c.spec.scan_id);
  task.record.target_ref = std::string(c.spec.target_ref);
  task.record.phases.assign(c.spec.phases.begin(), c.spec.phases.end());
  task.record.priority = c.spec.priority;
  task.record.created_at = c.now;
  task.record.record_version = {1};
  tasks[id] = task;
  return Transition<ScanTask>{commit(c), task.record};
}

Answer<Transition<TaskLease>> Model::assign(const Fenced& c, std::uint64_t ttl, const std::string& task_id,
                                            const std::string& worker_id) {
  if (ttl == 0) return std::unexpected(with_id("invalid_limit", "name", "lease_ttl_secs"));
  if (ttl > limits.max_lease_ttl_secs) {
    return std::unexpected(with_reason("invalid_limit_relationship", "lease_ttl_exceeds_limit"));
  }
  if (!tasks.contains(task_id)) return std::unexpected(with_task("task_not_found", task_id));
  Task& task = tasks[task_id];
  if (task.record.status != TaskStatus::queued) {
    return std::unexpected("task_not_queued{task_id: " + task_id +
                           ", status: " + std::string(name_of(task.record.status)) + "}");
  }
  if (task.record.not_before && task.record.not_before->value > c.now.value) {
    return std::unexpected("task_not_due{task_id: " + task_id +
                           ", not_before: " + number(task.record.not_before->value) + "}");
  }
  if (!workers.contains(worker_id)) return std::unexpected(with_worker("worker_not_found", worker_id));
  WorkerNode& worker = workers[worker_id];
  if (worker.status != WorkerStatus::healthy || !fresh(worker, c.now.value)) {
    return std::unexpected(with_worker("worker_unavailable", worker_id));
  }
  if (slots(worker) == 0) return std::unexpected(with_worker("worker_at_capacity", worker_id));
  if (last_lease_id == kMax) return std::unexpected(exhausted("lease_id"));
  if (task.record.attempt == std::numeric_limits<std::uint32_t>::max())
    return std::unexpected(exhausted("attempt"));
  if (task.record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
  if (kMax - c.now.value < ttl) return std::unexpected(exhausted("lease_deadline"));
  begin(c);
  ++task.record.attempt;
  ++task.record.record_version.value;
  task.record.status = TaskStatus::leased;
  const TaskLease lease = {
      task_id,           worker_id, worker.generation,  task.record.task_generation, task.record.attempt,
      {++last_lease_id}, c.now,     {c.now.value + ttl}};
  task.record.lease = lease;
  task.record.assigned_to = worker_id;
  ++worker.current_tasks;
  return Transition<TaskLease>{commit(c), lease};
}

Answer<Transition<TaskLease>> Model::apply(const AssignTask& c) {
  if (const auto bad = bad_task_id(c.task_id)) return std::unexpected(*bad);
  if (const auto bad = bad_worker_id(c.worker_id)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  return assign(c, c.lease_ttl_secs.value, std::string(c.task_id), std::string(c.worker_id));
}

Answer<Transition<TaskLease>> Model::apply(const AssignNext& c) {
  if (const auto bad = bad_worker_id(c.worker_id)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const Task* task = next_task(c.now.value);
  if (task == nullptr) return std::unexpected("no_queued_task");
  return assign(c, c.lease_ttl_secs.value, task->record.task_id, std::string(c.worker_id));
}

Answer<Transition<TaskLease>> Model::apply(const AssignNextAvailable& c) {
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const Task* task = next_task(c.now.value);
  if (task == nullptr) return std::unexpected("no_queued_task");
  const WorkerNode* worker = best_worker(c.now.value);
  if (worker == nullptr) return std::unexpected("no_available_worker");
  return assign(c, c.lease_ttl_secs.value, task->record.task_id, worker->worker_id);
}

std::optional<std::string> Model::current_lease(const Task& task, const TaskLease& lease,
                                                std::uint64_t now) const {
  if (task.record.lease != lease) return with_task("stale_ownership", lease.task_id);
  if (now >= lease.expires_at.value) return with_task("lease_expired", lease.task_id);
  return {};
}

/** Becoming terminal, by whatever command. */
void Model::end(Task& task, TaskStatus status, std::uint64_t now) {
  if (task.record.assigned_to) --workers[*task.record.assigned_to].current_tasks;
  task.record.status = status;
  task.record.completed_at = LogicalTime{now};
  task.record.not_before.reset();
  task.ended = ++ends;
  ++task.record.record_version.value;
  task.record.lease.reset();
  task.record.assigned_to.reset();
}

void Model::requeue(Task& task, std::optional<std::uint64_t> not_before) {
  --workers[*task.record.assigned_to].current_tasks;
  task.record.status = TaskStatus::queued;
  ++task.record.retry_count;
  ++task.record.task_generation.value;
  ++task.record.record_version.value;
  task.record.started_at.reset();
  task.record.lease.reset();
  task.record.assigned_to.reset();
  task.ordinal = ++last_ordinal;
  if (not_before) task.record.not_before = LogicalTime{*not_before};
}

Answer<Transition<StartOutcome>> Model::apply(const StartTask& c) {
  if (const auto bad = bad_token(c.lease)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const TaskLease lease = owned(c.lease);
  if (!tasks.contains(lease.task_id)) return std::unexpected(with_task("task_not_found", lease.task_id));
  Task& task = tasks[lease.task_id];
  if (const auto bad = current_lease(task, lease, c.now.value)) return std::unexpected(*bad);
  if (task.record.status == TaskStatus::running) {
    return Transition<StartOutcome>{{revision}, {StartKind::already_running, task.record.record_version}};
  }
  if (task.record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
  task.record.status = TaskStatus::running;
  task.record.started_at = c.now;
  ++task.record.record_version.value;
  return Transition<StartOutcome>{commit(c), {StartKind::started, task.record.record_version}};
}

Answer<Transition<CompletionOutcome>> Model::apply(const CompleteTask& c) {
  if (const auto bad = bad_token(c.lease)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const TaskLease lease = owned(c.lease);
  if (!tasks.contains(lease.task_id)) return std::unexpected(with_task("task_not_found", lease.task_id));
  Task& task = tasks[lease.task_id];
  if (task.record.status == TaskStatus::completed) {
    const CompletionReceipt& kept = *task.receipt;
    const bool same = kept.task_id == lease.task_id && kept.task_generation == lease.task_generation &&
                      kept.attempt == lease.attempt && kept.lease_id == lease.lease_id &&
                      kept.worker_id == lease.worker_id && kept.worker_generation == lease.worker_generation;
    if (!same) return std::unexpected(with_task("stale_ownership", lease.task_id));
    return Transition<CompletionOutcome>{{revision}, {CompletionKind::already_completed, kept}};
  }
  if (const auto bad = current_lease(task, lease, c.now.value)) return std::unexpected(*bad);
  if (task.record.status != TaskStatus::running) {
    return std::unexpected("invalid_transition{task_id: " + lease.task_id + ", status: " +
                           std::string(name_of(task.record.status)) + ", operation: complete}");
  }
  WorkerNode& worker = workers[lease.worker_id];
  if (task.record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
  if (worker.completed_tasks == kMax) return std::unexpected(exhausted("completed_tasks"));
  end(task, TaskStatus::completed, c.now.value);
  ++worker.completed_tasks;
  task.receipt = CompletionReceipt{
      lease.task_id,           lease.task_generation,     lease.attempt, lease.lease_id, lease.worker_id,
      lease.worker_generation, task.record.record_version};
  return Transition<CompletionOutcome>{commit(c), {CompletionKind::completed, *task.receipt}};
}

Answer<Transition<FailureOutcome>> Model::apply(const FailTask& c) {
  if (const auto bad = bad_token(c.lease)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const std::uint64_t delay = c.retry_after_secs.value_or(Seconds{}).value;
  if (delay > limits.max_task_ttl_secs) {
    return std::unexpected(with_reason("invalid_limit_relationship", "retry_delay_exceeds_limit"));
  }
  const TaskLease lease = owned(c.lease);
  if (!tasks.contains(lease.task_id)) return std::unexpected(with_task("task_not_found", lease.task_id));
  Task& task = tasks[lease.task_id];
  if (task.record.status == TaskStatus::failed) {
    if (task.failure != lease) return std::unexpected(with_task("stale_ownership", lease.task_id));
    return Transition<FailureOutcome>{
        {revision}, {FailureKind::retry_exhausted, {}, task.record.retry_count, task.record.record_version}};
  }
  if (const auto bad = current_lease(task, lease, c.now.value)) return std::unexpected(*bad);
  if (task.record.status != TaskStatus::running) {
    return std::unexpected("invalid_transition{task_id: " + lease.task_id +
                           ", status: " + std::string(name_of(task.record.status)) + ", operation: fail}");
  }
  if (task.record.retry_count < limits.max_retries) {
    if (count(is_queued) >= limits.max_queued_tasks) {
      return std::unexpected(over("queued_task_capacity_reached", limits.max_queued_tasks));
    }
    if (task.record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
    if (task.record.task_generation.value == kMax) return std::unexpected(exhausted("task_generation"));
    if (!ordinals_left(delay > 0 ? 2 : 1)) return std::unexpected(exhausted("enqueue_ordinal"));
    if (kMax - c.now.value < delay) return std::unexpected(exhausted("not_before"));
    begin(c);
    requeue(task, delay > 0 ? std::optional(c.now.value + delay) : std::nullopt);
    return Transition<FailureOutcome>{commit(c),
                                      {FailureKind::requeued, task.record.task_generation,
                                       task.record.retry_count, task.record.record_version}};
  }
  if (task.record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
  end(task, TaskStatus::failed, c.now.value);
  task.failure = lease;
  return Transition<FailureOutcome>{
      commit(c), {FailureKind::retry_exhausted, {}, task.record.retry_count, task.record.record_version}};
}

Answer<Transition<CancellationOutcome>> Model::apply(const CancelTask& c) {
  const TaskOwnership ownership = owned(c.ownership);
  const auto* fence = std::get_if<QueuedTaskFence>(&ownership);
  const auto* lease = std::get_if<TaskLease>(&ownership);
  if (const auto bad = fence != nullptr ? bad_task_id(fence->task_id) : bad_token(*lease)) {
    return std::unexpected(*bad);
  }
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const std::string id = fence != nullptr ? fence->task_id : lease->task_id;
  if (!tasks.contains(id)) return std::unexpected(with_task("task_not_found", id));
  Task& task = tasks[id];
  if (task.record.status == TaskStatus::cancelled) {
    if (task.cancellation != ownership) return std::unexpected(with_task("stale_ownership", id));
    return Transition<CancellationOutcome>{{revision},
                                           {CancellationKind::already_cancelled, task.record.record_version}};
  }
  if (fence != nullptr) {
    const QueuedTaskFence now = fence_of(task.record);
    if (task.record.status != TaskStatus::queued || *fence != now) {
      return std::unexpected(with_task("stale_ownership", id));
    }
  } else if (const auto bad = current_lease(task, *lease, c.now.value)) {
    return std::unexpected(*bad);
  }
  if (task.record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
  begin(c);
  end(task, TaskStatus::cancelled, c.now.value);
  task.cancellation = ownership;
  return Transition<CancellationOutcome>{commit(c),
                                         {CancellationKind::cancelled, task.record.record_version}};
}

Answer<Transition<std::uint32_t>> Model::apply(const ExpireOldTasks& c) {
  const std::uint64_t ttl = c.task_ttl_secs.value;
  if (ttl == 0) return std::unexpected(with_id("invalid_limit", "name", "task_ttl_secs"));
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  if (ttl > limits.max_task_ttl_secs) {
    return std::unexpected(with_reason("invalid_limit_relationship", "task_ttl_exceeds_limit"));
  }
  std::vector<Task*> old;
  for (auto& [id, task] : tasks) {
    if (is_active(task.record.status) && c.now.value - task.record.created_at.value >= ttl)
      old.push_back(&task);
  }
  for (const Task* task : old) {
    if (task->record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
  }
  std::sort(old.begin(), old.end(), [](const Task* a, const Task* b) { return a->made < b->made; });
  begin(c);
  for (Task* task : old) end(*task, TaskStatus::expired, c.now.value);
  return Transition<std::uint32_t>{commit(c), static_cast<std::uint32_t>(old.size())};
}

// --- Renewal and retention

Answer<Transition<TaskLease>> Model::apply(const RenewLease& c) {
  if (const auto bad = bad_token(c.lease)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const std::uint64_t ttl = c.lease_ttl_secs.value;
  if (ttl == 0) return std::unexpected(with_id("invalid_limit", "name", "lease_ttl_secs"));
  if (ttl > limits.max_lease_ttl_secs) {
    return std::unexpected(with_reason("invalid_limit_relationship", "lease_ttl_exceeds_limit"));
  }
  const TaskLease lease = owned(c.lease);
  if (!tasks.contains(lease.task_id)) return std::unexpected(with_task("task_not_found", lease.task_id));
  Task& task = tasks[lease.task_id];
  if (const auto bad = current_lease(task, lease, c.now.value)) return std::unexpected(*bad);
  const bool overflows = kMax - c.now.value < ttl;
  if (!overflows && c.now.value + ttl <= lease.expires_at.value) {
    return std::unexpected(with_reason("invalid_limit_relationship", "renewal_not_later"));
  }
  if (task.record.record_version.value == kMax) return std::unexpected(exhausted("record_version"));
  if (overflows) return std::unexpected(exhausted("lease_deadline"));
  ++task.record.record_version.value;
  task.record.lease->expires_at.value = c.now.value + ttl;
  return Transition<TaskLease>{commit(c), *task.record.lease};
}

Answer<Transition<std::uint32_t>> Model::apply(const RetireTasks& c) {
  if (c.limit == 0) return std::unexpected(with_id("invalid_limit", "name", "retire_limit"));
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  std::uint32_t retired = 0;
  while (retired < c.limit) {
    const auto first = std::min_element(tasks.begin(), tasks.end(), [](const auto& a, const auto& b) {
      const auto key = [](const Task& task) { return task.ended == 0 ? kMax : task.ended; };
      return key(a.second) < key(b.second);
    });
    if (first == tasks.end() || first->second.ended == 0 ||
        first->second.record.completed_at >= c.terminal_before) {
      break;
    }
    tasks.erase(first);
    ++retired;
  }
  return Transition<std::uint32_t>{commit(c), retired};
}

Answer<Transition<std::uint32_t>> Model::apply(const ForgetWorker& c) {
  if (const auto bad = bad_worker_id(c.worker_id)) return std::unexpected(*bad);
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  const std::string id(c.worker_id);
  if (!workers.contains(id)) return std::unexpected(with_worker("worker_not_found", id));
  const WorkerNode& worker = workers[id];
  if (worker.generation != c.generation) {
    return std::unexpected("worker_generation_conflict{expected: " + number(c.generation.value) +
                           ", actual: " + number(worker.generation.value) + "}");
  }
  if (worker.status != WorkerStatus::offline) return std::unexpected(with_worker("worker_unavailable", id));
  std::uint32_t proofs = 0;
  for (const auto& [task_id, task] : tasks) {
    const TaskLease* cancelled = task.cancellation ? std::get_if<TaskLease>(&*task.cancellation) : nullptr;
    const bool named = (task.receipt && task.receipt->worker_id == id) ||
                       (task.failure && task.failure->worker_id == id) ||
                       (cancelled != nullptr && cancelled->worker_id == id);
    proofs += named ? 1 : 0;
  }
  workers.erase(id);
  return Transition<std::uint32_t>{commit(c), proofs};
}

// --- Recovery

namespace {

void by_lease_id(std::vector<Model::Task*>& tasks) {
  std::sort(tasks.begin(), tasks.end(), [](const Model::Task* a, const Model::Task* b) {
    return a->record.lease->lease_id < b->record.lease->lease_id;
  });
}

}  // namespace

std::vector<Model::Task*> Model::leases_of(const std::vector<std::string>& worker_ids) {
  std::vector<Task*> held;
  for (auto& [id, task] : tasks) {
    if (!task.record.assigned_to) continue;
    if (std::find(worker_ids.begin(), worker_ids.end(), *task.record.assigned_to) != worker_ids.end()) {
      held.push_back(&task);
    }
  }
  by_lease_id(held);
  return held;
}

std::optional<std::string> Model::cannot_recover(const std::vector<Task*>& in_lease_order) const {
  std::vector<const Task*> again;
  for (const Task* task : in_lease_order) {
    if (task->record.retry_count < limits.max_retries) again.push_back(task);
  }
  if (count(is_queued) + again.size() > limits.max_queued_tasks) {
    return over("queued_task_capacity_reached", limits.max_queued_tasks);
  }
  for (const Task* task : in_lease_order) {
    if (task->record.record_version.value == kMax) return exhausted("record_version");
  }
  for (const Task* task : again) {
    if (task->record.task_generation.value == kMax) return exhausted("task_generation");
  }
  if (!ordinals_left(again.size())) return exhausted("enqueue_ordinal");
  return {};
}

RecoverySummary Model::recover(const std::vector<Task*>& in_lease_order, std::uint64_t now) {
  RecoverySummary summary;
  std::set<std::string> holders;
  for (Task* task : in_lease_order) {
    holders.insert(*task->record.assigned_to);
    if (task->record.retry_count < limits.max_retries) {
      requeue(*task);
      ++summary.tasks_requeued;
    } else {
      end(*task, TaskStatus::failed, now);
      ++summary.tasks_failed;
    }
  }
  summary.workers_affected = static_cast<std::uint32_t>(holders.size());
  return summary;
}

Answer<Transition<RecoverySummary>> Model::apply(const RecoverExpiredLeases& c) {
  if (const auto bad = preflight(c)) return std::unexpected(*bad);
  std::vector<Task*> over_time;
  for (auto& [id, task] : tasks) {
    if (task.record.lease && c.now.value >= task.record.lease->expires_at.value) over_time.push_back(&task);
  }
  by_lease_id(over_time);
  if (const auto bad = cannot_recover(over_time)) return std::unexpected(*bad);
  begin(c);
  const RecoverySummary summary = recover(over_time, c.now.value);
  return Transition<RecoverySummary>{commit(c), summary};
}

// --- Reads

StateSnapshot Model::snapshot() const {
  return {{revision},
          {time},
          static_cast<std::uint32_t>(tasks.size()),
          count(is_active),
          count(is_queued),
          count(is_terminal),
          static_cast<std::uint32_t>(workers.size())};
}

std::optional<ScanTask> Model::peek_next() const {
  const Task* task = const_cast<Model*>(this)->next_task(time);
  if (task == nullptr) return {};
  return task->record;
}

Answer<std::optional<ScanTask>> Model::get_task(std::string_view id) const {
  if (const auto bad = bad_task_id(id)) return std::unexpected(*bad);
  const auto found = tasks.find(std::string(id));
  if (found == tasks.end()) return std::nullopt;
  return found->second.record;
}

Answer<std::optional<WorkerNode>> Model::get_worker(std::string_view id) const {
  if (const auto bad = bad_worker_id(id)) return std::unexpected(*bad);
  const auto found = workers.find(std::string(id));
  if (found == workers.end()) return std::nullopt;
  return found->second;
}

Answer<std::optional<WorkerNode>> Model::get_available_worker(LogicalTime now) const {
  if (now.value < time) {
    return std::unexpected("logical_time_regression{current: " + number(time) +
                           ", proposed: " + number(now.value) + "}");
  }
  const WorkerNode* best = best_worker(now.value);
  if (best == nullptr) return std::nullopt;
  return *best;
}

// --- Results

Answer<Transition<StoreOutcome>> ResultModel::apply(const StoreResult& c) {
  if (const auto bad = bad_token(c.receipt)) return std::unexpected(*bad);
  if (c.expected_revision.value != revision) {
    return std::unexpected("revision_conflict{expected: " + number(c.expected_revision.value) +
                           ", actual: " + number(revision) + "}");
  }
  const CompletionReceipt receipt = owned(c.receipt);
  const std::vector<std::uint8_t> bytes(c.bytes.begin(), c.bytes.end());
  if (const auto found = results.find(receipt.task_id); found != results.end()) {
    if (found->second.receipt != receipt) {
      return std::unexpected(with_task("mismatched_result_receipt", receipt.task_id));
    }
    if (found->second.bytes != bytes)
      return std::unexpected(with_task("conflicting_result", receipt.task_id));
    return Transition<StoreOutcome>{{revision}, {StoreKind::already_stored}};
  }
  if (bytes.size() > limits.max_result_bytes) {
    return std::unexpected(over("result_too_large", bytes.size(), limits.max_result_bytes));
  }
  if (results.size() >= limits.max_results)
    return std::unexpected(over("result_capacity_reached", limits.max_results));
  if (total_bytes() + bytes.size() > limits.max_total_bytes) {
    return std::unexpected(
        over("total_result_bytes_exceeded", total_bytes() + bytes.size(), limits.max_total_bytes));
  }
  if (revision == kMax) return std::unexpected(exhausted("result_revision"));
  results[receipt.task_id] = {receipt, bytes};
  return Transition<StoreOutcome>{{++revision}, {StoreKind::stored}};
}

Answer<std::vector<TaskResult>> ResultModel::aggregate(const std::vector<std::string>& ids) const {
  if (ids.size() > 65'536) return std::unexpected(over("aggregate_item_limit_exceeded", ids.size(), 65'536));
  if (ids.size() > limits.max_aggregate_items) {
    return std::unexpected(over("aggregate_item_limit_exceeded", ids.size(), limits.max_aggregate_items));
  }
  for (const std::string& id : ids) {
    if (const auto bad = bad_task_id(id)) return std::unexpected(*bad);
  }
  std::set<std::string> seen;
  std::vector<TaskResult> answer;
  std::uint64_t total = 0;
  for (const std::string& id : ids) {
    if (!seen.insert(id).second) return std::unexpected(with_task("duplicate_aggregate_task", id));
    const auto found = results.find(id);
    if (found == results.end()) return std::unexpected(with_task("missing_result", id));
    total += found->second.bytes.size();
    if (total > limits.max_aggregate_bytes) {
      return std::unexpected(over("aggregate_bytes_exceeded", total, limits.max_aggregate_bytes));
    }
    answer.push_back({id, found->second.bytes});
  }
  return answer;
}

Answer<std::optional<std::vector<std::uint8_t>>> ResultModel::get_result(std::string_view id) const {
  if (const auto bad = bad_task_id(id)) return std::unexpected(*bad);
  const auto found = results.find(std::string(id));
  if (found == results.end()) return std::nullopt;
  return found->second.bytes;
}

std::uint64_t ResultModel::total_bytes() const {
  std::uint64_t total = 0;
  for (const auto& [id, stored] : results) total += stored.bytes.size();
  return total;
}

// --- Limits

namespace {

struct Named {
  const char* name;
  std::uint64_t value;
  std::uint64_t ceiling;
};

std::string above(const char* code, const Named& limit) {
  return std::string(code) + "{name: " + limit.name + ", actual: " + number(limit.value) +
         ", maximum: " + number(limit.ceiling) + "}";
}

std::string contradiction(const char* reason) { return with_reason("invalid_limit_relationship", reason); }

}  // namespace

std::string judge(const DistributedLimits& l) {
  const std::vector<Named> counts = {{"max_task_records", l.max_task_records, 65'536},
                                     {"max_active_tasks", l.max_active_tasks, 16'384},
                                     {"max_queued_tasks", l.max_queued_tasks, 16'384},
                                     {"max_terminal_tasks", l.max_terminal_tasks, 65'536},
                                     {"max_workers", l.max_workers, 4'096}};
  const std::vector<Named> times = {{"max_lease_ttl_secs", l.max_lease_ttl_secs, 86'400},
                                    {"max_task_ttl_secs", l.max_task_ttl_secs, 2'678'400},
                                    {"heartbeat_timeout_secs", l.heartbeat_timeout_secs, 86'400}};
  for (const Named& limit : counts) {
    if (limit.value == 0) return with_id("invalid_limit", "name", limit.name);
  }
  for (const Named& limit : counts) {
    if (limit.value > limit.ceiling) return above("count_limit_exceeds_maximum", limit);
  }
  for (const Named& limit : times) {
    if (limit.value > limit.ceiling) return above("time_limit_exceeds_maximum", limit);
  }
  if (l.max_retries > 32)
    return "retry_limit_exceeds_maximum{actual: " + number(l.max_retries) + ", maximum: 32}";
  for (const Named& limit : times) {
    if (limit.value == 0) return with_id("invalid_limit", "name", limit.name);
  }
  if (l.max_active_tasks > l.max_task_records) return contradiction("active_tasks_exceed_task_records");
  if (l.max_queued_tasks > l.max_active_tasks) return contradiction("queued_tasks_exceed_active_tasks");
  if (l.max_terminal_tasks > l.max_task_records) return contradiction("terminal_tasks_exceed_task_records");
  if (l.max_terminal_tasks < l.max_active_tasks) return contradiction("terminal_tasks_below_active_tasks");
  return "accepted";
}

std::string judge(const ResultLimits& l) {
  const std::vector<Named> all = {{"max_results", l.max_results, 65'536},
                                  {"max_result_bytes", l.max_result_bytes, 16 * 1024 * 1024},
                                  {"max_total_bytes", l.max_total_bytes, 256 * 1024 * 1024},
                                  {"max_aggregate_items", l.max_aggregate_items, 65'536},
                                  {"max_aggregate_bytes", l.max_aggregate_bytes, 256 * 1024 * 1024}};
  for (const Named& limit : all) {
    if (limit.value == 0) return with_id("invalid_limit", "name", limit.name);
  }
  for (const Named& limit : all) {
    if (limit.value > limit.ceiling) return above("count_limit_exceeds_maximum", limit);
  }
  if (l.max_result_bytes > l.max_total_bytes) return contradiction("result_bytes_exceed_total_bytes");
  return "accepted";
}

}  // namespace leasegate::test
