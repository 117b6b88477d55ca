#include "support/random_commands.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "support/records.hpp"

namespace leasegate::test {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

bool any(const ScanTask&) { return true; }
bool queued(const ScanTask& task) { return task.status == TaskStatus::queued; }

/** Changes one field, so that the token is almost the right one. */
void spoil(TaskLease& lease, Random& random) {
  switch (random.below(8)) {
    case 0:
      lease.task_id += "x";
      break;
    case 1:
      lease.worker_id += "x";
      break;
    case 2:
      ++lease.worker_generation.value;
      break;
    case 3:
      ++lease.task_generation.value;
      break;
    case 4:
      ++lease.attempt;
      break;
    case 5:
      ++lease.lease_id.value;
      break;
    case 6:
      --lease.acquired_at.value;
      break;
    default:
      ++lease.expires_at.value;
      break;
  }
}

}  // namespace

RandomCommands::RandomCommands(std::uint64_t seed, const Model& model, std::uint64_t worker_names,
                               std::uint64_t task_names)
    : random(seed), model_(model), worker_names_(worker_names), task_names_(task_names) {}

std::string_view RandomCommands::invalid_id() {
  static const std::array<std::string, 8> kInvalid = {
      "",   std::string(257, 'a'), "a b", "a\nb", std::string("a\0b", 3), "\xF0\x9F\x98\x80", "\xED\xA0\x80",
      "a/b"};
  return random.pick(kInvalid);
}

std::string_view RandomCommands::any_task_id() {
  if (random.chance(3)) return invalid_id();
  return keep("t" + std::to_string(random.below(task_names_)));
}

std::string_view RandomCommands::any_worker_id() {
  if (random.chance(3)) return invalid_id();
  // Short names and ones that differ only far behind.
  const std::uint64_t number = random.below(worker_names_);
  return keep((number % 2 == 0 ? "w" : "a-worker-with-a-long-name-") + std::to_string(number));
}

std::string_view RandomCommands::known_task_id(bool (*wanted)(const ScanTask&)) {
  std::vector<std::string_view> ids;
  for (const auto& [id, task] : model_.tasks) {
    if (wanted(task.record)) ids.push_back(id);
  }
  if (ids.empty() || random.chance(8)) return any_task_id();
  return keep(std::string(random.pick(ids)));
}

std::string_view RandomCommands::known_worker_id(bool offline) {
  std::vector<std::string_view> ids;
  for (const auto& [id, worker] : model_.workers) {
    if ((worker.status == WorkerStatus::offline) == offline) ids.push_back(id);
  }
  if (ids.empty() || random.chance(8)) return any_worker_id();
  return keep(std::string(random.pick(ids)));
}

std::uint64_t RandomCommands::generation_of(std::string_view worker_id) {
  const auto found = model_.workers.find(std::string(worker_id));
  const std::uint64_t actual = found == model_.workers.end() ? 1 : found->second.generation.value;
  if (random.chance(90)) return actual;
  return random.chance(50) ? actual - 1 : random.below(5);
}

std::uint32_t RandomCommands::utilization() {
  if (random.chance(50)) return 0;
  if (random.chance(2)) return 10'001;
  static constexpr std::array<std::uint32_t, 7> kValues = {1, 2'500, 5'000, 7'500, 9'999, 10'000, 3'333};
  return random.pick(kValues);
}

WorkerSpecView RandomCommands::worker_spec(bool offline) {
  static constexpr std::array<std::uint32_t, 8> kCapacities = {1, 1, 2, 3, 5, 8, 100, 4'096};
  WorkerSpecView spec;
  spec.worker_id = offline ? known_worker_id(true) : any_worker_id();
  spec.capacity = random.chance(4) ? (random.chance(50) ? 0 : 4'097) : random.pick(kCapacities);
  spec.cpu_basis_points = utilization();
  spec.memory_basis_points = utilization();
  spec.network_basis_points = utilization();
  spec.tags.bits = static_cast<std::uint8_t>(random.below(32));
  return spec;
}

TaskSpecView RandomCommands::task_spec() {
  TaskSpecView spec;
  spec.task_id = any_task_id();
  spec.scan_id = random.chance(2) ? invalid_id() : std::string_view("scan");
  spec.target_ref = random.chance(2) ? keep(std::string(random.chance(50) ? 0 : 1'025, 'r'))
                                     : keep("ref:" + std::to_string(random.below(1'000)));
  const std::uint64_t phases = random.chance(1) ? 257 : random.below(4);
  spec.phases = phases_.emplace_back(phases, static_cast<std::uint8_t>(random.below(256)));
  spec.priority = static_cast<Priority>(random.below(4));
  return spec;
}

/** Mostly a little later, sometimes just at a boundary, sometimes before the logical time. */
std::uint64_t RandomCommands::time() {
  const std::uint64_t now = model_.time;
  const auto later = [now](std::uint64_t seconds) { return kMax - now < seconds ? kMax : now + seconds; };
  if (random.chance(3)) return now == 0 ? 0 : now - 1 - random.below(now < 100 ? now : 100);
  if (random.chance(55)) return now;
  if (random.chance(70)) return later(random.below(3));
  if (random.chance(40)) return later(model_.limits.heartbeat_timeout_secs + random.below(3) - 1);
  if (random.chance(60)) return later(random.below(model_.limits.max_lease_ttl_secs) + 1);
  if (!leases_.empty() && random.chance(80)) {
    const std::uint64_t deadline = random.pick(leases_).expires_at.value - random.below(2);
    if (deadline >= now) return deadline;
  }
  return later(random.below(10));
}

Fenced RandomCommands::fenced() {
  std::uint64_t revision = model_.revision;
  if (random.chance(4)) {
    static constexpr std::array<std::uint64_t, 4> kOthers = {0, 1, kMax, kMax - 1};
    revision = random.chance(60) ? revision - 1 : random.pick(kOthers);
  }
  return {{revision}, {time()}};
}

Seconds RandomCommands::ttl(std::uint64_t longest) {
  if (random.chance(3)) return {0};
  if (random.chance(3)) return {random.chance(50) ? longest + 1 : kMax};
  return {1 + random.below(longest)};
}

TaskLeaseView RandomCommands::lease(bool want_running) {
  TaskLease chosen = {"nobody", "noone", {1}, {0}, 1, {1}, {0}, {1}};
  std::vector<const TaskLease*> current;
  for (const auto& [id, task] : model_.tasks) {
    if (task.record.lease && (task.record.status == TaskStatus::running) == want_running) {
      current.push_back(&*task.record.lease);
    }
  }
  if (!current.empty() && random.chance(75)) {
    chosen = *random.pick(current);
  } else if (!leases_.empty()) {
    chosen = random.pick(leases_);
  }
  if (random.chance(6)) spoil(chosen, random);
  if (random.chance(1)) chosen.task_id = invalid_id();
  if (random.chance(1)) chosen.worker_id = invalid_id();
  leases_.push_back(std::move(chosen));
  const TaskLease& kept = leases_.back();
  return view_of(kept);
}

TaskOwnershipView RandomCommands::ownership() {
  if (random.chance(50)) return lease(random.chance(50));
  if (fences_.empty() || random.chance(70)) {
    const std::string id(known_task_id(random.chance(85) ? queued : any));
    const auto found = model_.tasks.find(id);
    QueuedTaskFence fence =
        found == model_.tasks.end() ? QueuedTaskFence{id, {0}, {1}} : fence_of(found->second.record);
    if (random.chance(8)) ++fence.record_version.value;
    if (random.chance(4)) --fence.record_version.value;
    if (random.chance(4)) ++fence.task_generation.value;
    fences_.push_back(std::move(fence));
    return view_of(fences_.back());
  }
  return view_of(random.pick(fences_));
}

/** Renewal and retention. */
AnyCommand RandomCommands::next_of_our_own() {
  const std::uint64_t roll = random.below(100);
  if (roll < 50) return RenewLease{fenced(), lease(random.chance(50)), ttl(model_.limits.max_lease_ttl_secs)};
  if (roll < 75) {
    const Fenced at = fenced();
    const std::uint64_t age = random.below(30);
    const std::uint64_t before = random.chance(10) ? kMax : at.now.value - std::min(age, at.now.value);
    return RetireTasks{at, {before}, random.chance(3) ? 0 : 1 + random.below(6)};
  }
  const std::string_view id = known_worker_id(random.chance(85));
  return ForgetWorker{fenced(), id, {generation_of(id)}};
}

AnyCommand RandomCommands::next() {
  if (random.chance(12)) return next_of_our_own();
  const std::uint64_t roll = random.below(100);
  if (roll < 6) return RegisterWorker{fenced(), worker_spec(false)};
  if (roll < 10) {
    const WorkerSpecView spec = worker_spec(true);
    return ReactivateWorker{fenced(), {generation_of(spec.worker_id)}, spec};
  }
  if (roll < 24) {
    const std::string_view id = known_worker_id(false);
    WorkerObservation observation;
    if (random.chance(25))
      observation.status = static_cast<WorkerStatus>(1 + random.below(random.chance(5) ? 3 : 2));
    observation.cpu_basis_points = utilization();
    observation.memory_basis_points = utilization();
    observation.network_basis_points = utilization();
    return UpdateWorker{fenced(), id, {generation_of(id)}, observation};
  }
  if (roll < 26) {
    const std::string_view id = known_worker_id(false);
    return DeregisterWorker{fenced(), id, {generation_of(id)}};
  }
  if (roll < 28) return PruneDeadWorkers{fenced()};
  if (roll < 46) return Enqueue{fenced(), task_spec()};
  const std::uint64_t longest = model_.limits.max_lease_ttl_secs;
  if (roll < 51) return AssignTask{fenced(), known_task_id(queued), known_worker_id(false), ttl(longest)};
  if (roll < 55) return AssignNext{fenced(), known_worker_id(false), ttl(longest)};
  if (roll < 68) return AssignNextAvailable{fenced(), ttl(longest)};
  if (roll < 78) return StartTask{fenced(), lease(random.chance(10))};
  if (roll < 85) return CompleteTask{fenced(), lease(random.chance(90))};
  if (roll < 91) {
    FailTask fail{fenced(), lease(random.chance(90))};
    if (random.chance(40)) fail.retry_after_secs = Seconds{random.below(12)};
    if (random.chance(3))
      fail.retry_after_secs = Seconds{random.chance(50) ? kMax : model_.limits.max_task_ttl_secs};
    return fail;
  }
  if (roll < 95) return CancelTask{fenced(), ownership()};
  if (roll < 98) return RecoverExpiredLeases{fenced()};
  return ExpireOldTasks{fenced(), ttl(model_.limits.max_task_ttl_secs)};
}

// --- Commands as text, for the report of a failure

namespace {

std::string id_text(std::string_view id) { return '"' + std::string(id) + '"'; }
std::string lease_text(const TaskLeaseView& l) {
  return text_of(TaskLease{std::string(l.task_id), std::string(l.worker_id), l.worker_generation,
                           l.task_generation, l.attempt, l.lease_id, l.acquired_at, l.expires_at});
}
std::string spec_text(const WorkerSpecView& s) {
  return id_text(s.worker_id) + " capacity " + std::to_string(s.capacity) + " utilization " +
         std::to_string(s.cpu_basis_points) + '/' + std::to_string(s.memory_basis_points) + '/' +
         std::to_string(s.network_basis_points);
}

struct Describe {
  std::string operator()(const RegisterWorker& c) const { return "register_worker " + spec_text(c.spec); }
  std::string operator()(const ReactivateWorker& c) const {
    return "reactivate_worker generation " + text_of(c.expected_generation) + ' ' + spec_text(c.spec);
  }
  std::string operator()(const UpdateWorker& c) const {
    const WorkerObservation& o = c.observation;
    return "update_worker " + id_text(c.worker_id) + " generation " + text_of(c.generation) + ' ' +
           std::string(name_of(o.status)) + " utilization " + std::to_string(o.cpu_basis_points) + '/' +
           std::to_string(o.memory_basis_points) + '/' + std::to_string(o.network_basis_points);
  }
  std::string operator()(const DeregisterWorker& c) const {
    return "deregister_worker " + id_text(c.worker_id) + " generation " + text_of(c.generation);
  }
  std::string operator()(const PruneDeadWorkers&) const { return "prune_dead_workers"; }
  std::string operator()(const Enqueue& c) const {
    return "enqueue " + id_text(c.spec.task_id) + " scan " + id_text(c.spec.scan_id) + " target_ref of " +
           std::to_string(c.spec.target_ref.size()) + " bytes, " + std::to_string(c.spec.phases.size()) +
           " phases, " + std::string(name_of(c.spec.priority));
  }
  std::string operator()(const AssignTask& c) const {
    return "assign_task " + id_text(c.task_id) + " to " + id_text(c.worker_id) + " ttl " +
           text_of(c.lease_ttl_secs);
  }
  std::string operator()(const AssignNext& c) const {
    return "assign_next to " + id_text(c.worker_id) + " ttl " + text_of(c.lease_ttl_secs);
  }
  std::string operator()(const AssignNextAvailable& c) const {
    return "assign_next_available ttl " + text_of(c.lease_ttl_secs);
  }
  std::string operator()(const StartTask& c) const { return "start_task " + lease_text(c.lease); }
  std::string operator()(const CompleteTask& c) const { return "complete_task " + lease_text(c.lease); }
  std::string operator()(const FailTask& c) const {
    return "fail_task " + lease_text(c.lease) +
           (c.retry_after_secs ? " retry after " + text_of(*c.retry_after_secs) : "");
  }
  std::string operator()(const CancelTask& c) const {
    if (const auto* lease = std::get_if<TaskLeaseView>(&c.ownership))
      return "cancel_task " + lease_text(*lease);
    const auto& f = std::get<QueuedTaskFenceView>(c.ownership);
    return "cancel_task " +
           text_of(QueuedTaskFence{std::string(f.task_id), f.task_generation, f.record_version});
  }
  std::string operator()(const RecoverExpiredLeases&) const { return "recover_expired_leases"; }
  std::string operator()(const ExpireOldTasks& c) const {
    return "expire_old_tasks ttl " + text_of(c.task_ttl_secs);
  }
  std::string operator()(const RenewLease& c) const {
    return "renew_lease " + lease_text(c.lease) + " ttl " + text_of(c.lease_ttl_secs);
  }
  std::string operator()(const RetireTasks& c) const {
    return "retire_tasks before " + text_of(c.terminal_before) + ", at most " + std::to_string(c.limit);
  }
  std::string operator()(const ForgetWorker& c) const {
    return "forget_worker " + id_text(c.worker_id) + " generation " + text_of(c.generation);
  }
};

}  // namespace

std::string text_of(const AnyCommand& command) {
  const Fenced& fenced = std::visit([](const auto& c) -> const Fenced& { return c; }, command);
  return std::visit(Describe{}, command) + ", revision " + text_of(fenced.expected_revision) + ", now " +
         text_of(fenced.now);
}

}  // namespace leasegate::test
