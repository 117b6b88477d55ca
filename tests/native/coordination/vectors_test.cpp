// Replays the recorded sequences of the coordinator and the results through the public handles, and the
// journals of what was accepted once more.

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "coordination/worker_pool.hpp"
#include "journal/journals.hpp"
#include "results/result_aggregator.hpp"
#include "support/recorded.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

// --- From JSON

template <class Enum, std::size_t N>
Enum enum_of(const std::array<std::string_view, N>& names, const Json& value) {
  const auto found = std::find(names.begin(), names.end(), value.get<std::string>());
  REQUIRE(found != names.end());
  return static_cast<Enum>(found - names.begin());
}

std::uint32_t small(const Json& object, const char* name) {
  return static_cast<std::uint32_t>(number_of(object.at(name)));
}

void read(const Json& object, const char* name, std::uint64_t& out) {
  if (object.contains(name)) out = number_of(object.at(name));
}

DistributedLimits pool_limits(const Json& cmd) {
  DistributedLimits limits;
  if (!cmd.contains("limits")) return limits;
  const Json& l = cmd.at("limits");
  read(l, "max_task_records", limits.max_task_records);
  read(l, "max_active_tasks", limits.max_active_tasks);
  read(l, "max_queued_tasks", limits.max_queued_tasks);
  read(l, "max_terminal_tasks", limits.max_terminal_tasks);
  read(l, "max_workers", limits.max_workers);
  read(l, "max_retries", limits.max_retries);
  read(l, "max_lease_ttl_secs", limits.max_lease_ttl_secs);
  read(l, "max_task_ttl_secs", limits.max_task_ttl_secs);
  read(l, "heartbeat_timeout_secs", limits.heartbeat_timeout_secs);
  return limits;
}

ResultLimits result_limits(const Json& cmd) {
  ResultLimits limits;
  if (!cmd.contains("result_limits")) return limits;
  const Json& l = cmd.at("result_limits");
  read(l, "max_results", limits.max_results);
  read(l, "max_result_bytes", limits.max_result_bytes);
  read(l, "max_total_bytes", limits.max_total_bytes);
  read(l, "max_aggregate_items", limits.max_aggregate_items);
  read(l, "max_aggregate_bytes", limits.max_aggregate_bytes);
  return limits;
}

WorkerSpec worker_spec(const Json& spec) {
  WorkerSpec out;
  out.worker_id = spec.at("worker_id").get<std::string>();
  out.capacity = small(spec, "capacity");
  out.cpu_basis_points = small(spec, "cpu_basis_points");
  out.memory_basis_points = small(spec, "memory_basis_points");
  out.network_basis_points = small(spec, "network_basis_points");
  for (const Json& tag : spec.at("tags")) out.tags.add(enum_of<WorkerTag>(kWorkerTagNames, tag));
  return out;
}

TaskSpec task_spec(const Json& spec) {
  TaskSpec out;
  out.task_id = spec.at("task_id").get<std::string>();
  out.scan_id = spec.at("scan_id").get<std::string>();
  out.target_ref = spec.at("target_ref").get<std::string>();
  out.phases = spec.at("phases").get<std::vector<std::uint8_t>>();
  out.priority = enum_of<Priority>(kPriorityNames, spec.at("priority"));
  return out;
}

WorkerObservation observation(const Json& o) {
  return {enum_of<WorkerStatus>(kWorkerStatusNames, o.at("status")), small(o, "cpu_basis_points"),
          small(o, "memory_basis_points"), small(o, "network_basis_points")};
}

std::vector<std::uint8_t> bytes_of(const std::string& hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// --- To JSON

template <class Tag>
Json json_of(const Counter<Tag>& counter) {
  return json_number(counter.value);
}
Json json_of(const std::string& text) { return text; }
Json json_of(const TaskLease& l);
Json json_of(const ScanTask& t);
Json json_of(const WorkerNode& w);
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json();
}

Json json_of(const TaskLease& l) {
  return {{"task_id", l.task_id},
          {"worker_id", l.worker_id},
          {"worker_generation", json_of(l.worker_generation)},
          {"task_generation", json_of(l.task_generation)},
          {"attempt", l.attempt},
          {"lease_id", json_of(l.lease_id)},
          {"acquired_at", json_of(l.acquired_at)},
          {"expires_at", json_of(l.expires_at)}};
}

Json json_of(const CompletionReceipt& r) {
  return {{"task_id", r.task_id},
          {"task_generation", json_of(r.task_generation)},
          {"attempt", r.attempt},
          {"lease_id", json_of(r.lease_id)},
          {"worker_id", r.worker_id},
          {"worker_generation", json_of(r.worker_generation)},
          {"record_version", json_of(r.record_version)}};
}

Json json_of(const ScanTask& t) {
  return {{"task_id", t.task_id},
          {"scan_id", t.scan_id},
          {"target_ref", t.target_ref},
          {"phases", t.phases},
          {"status", name_of(t.status)},
          {"priority", name_of(t.priority)},
          {"created_at", json_of(t.created_at)},
          {"started_at", json_of(t.started_at)},
          {"completed_at", json_of(t.completed_at)},
          {"retry_count", t.retry_count},
          {"attempt", t.attempt},
          {"task_generation", json_of(t.task_generation)},
          {"record_version", json_of(t.record_version)},
          {"assigned_to", json_of(t.assigned_to)},
          {"lease", json_of(t.lease)}};
}

Json json_of(const WorkerNode& w) {
  Json tags = Json::array();
  for (std::size_t i = 0; i < kWorkerTagNames.size(); ++i) {
    if (w.tags.has(static_cast<WorkerTag>(i))) tags.push_back(kWorkerTagNames[i]);
  }
  return {{"worker_id", w.worker_id},
          {"generation", json_of(w.generation)},
          {"status", name_of(w.status)},
          {"capacity", w.capacity},
          {"current_tasks", w.current_tasks},
          {"completed_tasks", json_number(w.completed_tasks)},
          {"last_heartbeat", json_of(w.last_heartbeat)},
          {"cpu_basis_points", w.cpu_basis_points},
          {"memory_basis_points", w.memory_basis_points},
          {"network_basis_points", w.network_basis_points},
          {"tags", tags},
          {"effective_capacity", w.effective_capacity()},
          {"available_slots", w.available_slots()}};
}

Json json_of(const StateSnapshot& s) {
  return {{"revision", json_of(s.revision)},
          {"logical_time", json_of(s.logical_time)},
          {"task_records", s.task_records},
          {"active_tasks", s.active_tasks},
          {"queued_tasks", s.queued_tasks},
          {"terminal_tasks", s.terminal_tasks},
          {"workers", s.workers}};
}

Json json_of(std::uint32_t count) { return count; }
Json json_of(const RecoverySummary& s) {
  return {{"workers_affected", s.workers_affected},
          {"tasks_requeued", s.tasks_requeued},
          {"tasks_failed", s.tasks_failed}};
}
Json json_of(const StartOutcome& o) {
  return {{"kind", name_of(o.kind)}, {"record_version", json_of(o.record_version)}};
}
Json json_of(const CompletionOutcome& o) {
  return {{"kind", name_of(o.kind)}, {"receipt", json_of(o.receipt)}};
}
Json json_of(const FailureOutcome& o) {
  Json json = {{"kind", name_of(o.kind)},
               {"retry_count", o.retry_count},
               {"record_version", json_of(o.record_version)}};
  if (o.kind == FailureKind::requeued) json["task_generation"] = json_of(o.task_generation);
  return json;
}
Json json_of(const CancellationOutcome& o) {
  return {{"kind", name_of(o.kind)}, {"record_version", json_of(o.record_version)}};
}
Json json_of(const StoreOutcome& o) { return {{"kind", name_of(o.kind)}}; }

Json hex_of(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : bytes) (hex += kDigits[byte >> 4U]) += kDigits[byte & 15U];
  return hex;
}

Json json_of(const Error& error) {
  const ErrorShape& shape = shape_of(error.code);
  Json json = {{"code", shape.code}};
  for (std::size_t i = 0; i < shape.field_count; ++i) {
    const ErrorField& field = shape.fields[i];
    Json& out = json[std::string(field.name)];
    switch (field.kind) {
      case ErrorField::Kind::number:
        out = json_number(error.numbers[field.index]);
        break;
      case ErrorField::Kind::word:
        out = error.words[field.index];
        break;
      case ErrorField::Kind::subject:
        out = error.subject.view();
        break;
    }
  }
  return json;
}

Json refused(const Error& error) { return {{"err", json_of(error)}}; }

template <class T>
Json answer_of(const Result<Transition<T>>& result) {
  if (!result) return refused(result.error());
  return {{"ok", {{"revision", json_of(result->revision)}, {"value", json_of(result->value)}}}};
}

/** A read, under the name that recordings give to what was found. */
template <class T>
Json found(const char* name, const Result<T>& result) {
  if (!result) return refused(result.error());
  return {{"ok", {{name, json_of(*result)}}}};
}

template <class T>
Json list_of(const char* name, const Result<std::vector<T>>& result) {
  if (!result) return refused(result.error());
  Json list = Json::array();
  for (const T& record : *result) list.push_back(json_of(record));
  return {{"ok", {{name, list}}}};
}

// --- The replay

class CoordinationReplay final : public Replay {
 public:
  /** The journals of the pool and the results that were used last; those of earlier ones have been checked.
   */
  void check_journals() const {
    check_pool_journal();
    check_results_journal();
  }
  Json answer(const Json& cmd) override {
    const auto command = kCommands.find(cmd.at("op").get<std::string>());
    REQUIRE(command != kCommands.end());
    return (this->*command->second)(cmd);
  }

 private:
  using Command = Json (CoordinationReplay::*)(const Json& cmd);
  static const std::map<std::string, Command> kCommands;

  static Fenced fenced(const Json& cmd) { return {{number_of(cmd.at("rev"))}, {number_of(cmd.at("now"))}}; }
  static Seconds ttl(const Json& cmd) { return {number_of(cmd.at("ttl"))}; }
  static std::string id(const Json& cmd, const char* name) { return cmd.at(name).get<std::string>(); }
  [[nodiscard]] TaskLeaseView lease(const Json& cmd) const {
    return view_of(leases_.at(cmd.at("lease").get<std::size_t>()));
  }

  Json make(const Json& cmd) {
    auto pool = WorkerPool::create(pool_limits(cmd));
    if (!pool) return refused(pool.error());
    auto results = ResultAggregator::create(result_limits(cmd));
    if (!results) return refused(results.error());
    use(std::move(*pool));
    check_results_journal();
    results_.emplace(std::move(*results));
    results_header_ = header_of(*results_);
    results_journal_ = std::make_shared<RecordList>();
    results_->attach_journal(results_journal_);
    leases_.clear();
    fences_.clear();
    receipts_.clear();
    return {{"ok", Json::object()}};
  }
  Json make_pool(const Json& cmd) {
    auto pool = WorkerPool::create(pool_limits(cmd));
    if (!pool) return refused(pool.error());
    use(std::move(*pool));
    return {{"ok", Json::object()}};
  }
  void use(WorkerPool pool) {
    check_pool_journal();
    queue_.emplace(pool.task_queue());
    pool_.emplace(std::move(pool));
    pool_header_ = header_of(*pool_);
    pool_journal_ = std::make_shared<RecordList>();
    pool_->attach_journal(pool_journal_);
  }

  template <class Handle>
  static Bytes header_of(const Handle& handle) {
    Array<std::uint8_t> out;
    REQUIRE(handle.journal_header(out));
    return {out.begin(), out.end()};
  }
  /** What the pool's journal leads to is what the pool is: from the beginning, and from a snapshot in the
   * middle. */
  void check_pool_journal() const {
    if (!pool_) return;
    const Bytes journal = joined(pool_header_, pool_journal_->from(0));
    const auto replayed = WorkerPool::replay(journal);
    REQUIRE(replayed);
    REQUIRE_FALSE(replayed->second.error);
    CHECK(replayed->second.applied == pool_->revision().value);
    CHECK(replayed->first.snapshot() == pool_->snapshot());
    CHECK(replayed->first.task_queue().tasks().value() == queue_->tasks().value());
    CHECK(replayed->first.get_workers().value() == pool_->get_workers().value());
    CHECK(replayed->first.state_digest().value() == pool_->state_digest().value());
    CHECK(replayed->first.check_invariants());
    const auto middle = WorkerPool::replay(journal, {.until = {pool_->revision().value / 2}});
    REQUIRE(middle);
    Array<std::uint8_t> snapshot;
    REQUIRE(middle->first.export_snapshot(snapshot));
    const auto rest = WorkerPool::replay(journal, {}, snapshot.view());
    REQUIRE(rest);
    REQUIRE_FALSE(rest->second.error);
    CHECK(rest->first.state_digest().value() == pool_->state_digest().value());
  }
  void check_results_journal() const {
    if (!results_) return;
    const Bytes journal = joined(results_header_, results_journal_->from(0));
    const auto replayed = journal::replay_results(journal);
    REQUIRE(replayed);
    REQUIRE_FALSE(replayed->report.error);
    CHECK(journal::state_digest(replayed->machine).value() == results_->state_digest().value());
  }

  Json register_worker(const Json& cmd) {
    const WorkerSpec spec = worker_spec(cmd.at("spec"));
    return answer_of(pool_->register_worker({fenced(cmd), view_of(spec)}));
  }
  Json reactivate_worker(const Json& cmd) {
    const WorkerSpec spec = worker_spec(cmd.at("spec"));
    return answer_of(
        pool_->reactivate_worker({fenced(cmd), {number_of(cmd.at("generation"))}, view_of(spec)}));
  }
  Json update_worker(const Json& cmd) {
    const std::string worker = id(cmd, "worker_id");
    return answer_of(pool_->update_worker(
        {fenced(cmd), worker, {number_of(cmd.at("generation"))}, observation(cmd.at("observation"))}));
  }
  Json deregister_worker(const Json& cmd) {
    const std::string worker = id(cmd, "worker_id");
    return answer_of(pool_->deregister_worker({fenced(cmd), worker, {number_of(cmd.at("generation"))}}));
  }
  Json prune_dead_workers(const Json& cmd) { return answer_of(pool_->prune_dead_workers({fenced(cmd)})); }
  Json enqueue(const Json& cmd) {
    const TaskSpec spec = task_spec(cmd.at("spec"));
    return answer_of(queue_->enqueue({fenced(cmd), view_of(spec)}));
  }

  Json keep_lease(const Result<Transition<TaskLease>>& result) {
    if (result) leases_.push_back(result->value);
    return answer_of(result);
  }
  Json assign_task(const Json& cmd) {
    const std::string task = id(cmd, "task_id");
    const std::string worker = id(cmd, "worker_id");
    return keep_lease(pool_->assign_task({fenced(cmd), task, worker, ttl(cmd)}));
  }
  Json assign_next(const Json& cmd) {
    const std::string worker = id(cmd, "worker_id");
    return keep_lease(pool_->assign_next({fenced(cmd), worker, ttl(cmd)}));
  }
  Json assign_next_available(const Json& cmd) {
    return keep_lease(pool_->assign_next_available({fenced(cmd), ttl(cmd)}));
  }

  Json start_task(const Json& cmd) { return answer_of(pool_->start_task({fenced(cmd), lease(cmd)})); }
  Json complete_task(const Json& cmd) {
    const auto result = pool_->complete_task({fenced(cmd), lease(cmd)});
    if (result) receipts_.push_back(result->value.receipt);
    return answer_of(result);
  }
  Json fail_task(const Json& cmd) { return answer_of(pool_->fail_task({fenced(cmd), lease(cmd)})); }
  Json cancel_task(const Json& cmd) {
    if (cmd.contains("lease")) return answer_of(pool_->cancel_task({fenced(cmd), lease(cmd)}));
    if (cmd.contains("fence")) {
      const QueuedTaskFence& fence = fences_.at(cmd.at("fence").get<std::size_t>());
      return answer_of(pool_->cancel_task({fenced(cmd), view_of(fence)}));
    }
    const ScanTask task = queue_->get_task(id(cmd, "queued_task")).value().value();
    const QueuedTaskFence fence = fence_of(task);
    return answer_of(pool_->cancel_task({fenced(cmd), view_of(fence)}));
  }
  Json take_fence(const Json& cmd) {
    const auto task = queue_->get_task(id(cmd, "task_id"));
    if (!task) return refused(task.error());
    if (!*task || (*task)->ownership_kind() != OwnershipKind::fence) return {{"ok", {{"fence", nullptr}}}};
    const QueuedTaskFence fence = fence_of(**task);
    fences_.push_back(fence);
    return {{"ok",
             {{"fence", fences_.size() - 1},
              {"task_id", fence.task_id},
              {"task_generation", json_of(fence.task_generation)},
              {"record_version", json_of(fence.record_version)}}}};
  }
  Json recover_expired_leases(const Json& cmd) {
    return answer_of(pool_->recover_expired_leases({fenced(cmd)}));
  }
  Json expire_old_tasks(const Json& cmd) {
    return answer_of(pool_->expire_old_tasks({fenced(cmd), ttl(cmd)}));
  }

  Json get_available_worker(const Json& cmd) {
    return found("worker", pool_->get_available_worker({number_of(cmd.at("now"))}));
  }
  Json get_worker(const Json& cmd) { return found("worker", pool_->get_worker(id(cmd, "worker_id"))); }
  Json get_task(const Json& cmd) { return found("task", queue_->get_task(id(cmd, "task_id"))); }
  Json peek_next(const Json&) { return found("task", queue_->peek_next()); }
  Json get_workers(const Json&) { return list_of("workers", pool_->get_workers()); }
  Json tasks(const Json&) { return list_of("tasks", queue_->tasks()); }
  Json snapshot(const Json&) {
    CHECK(queue_->snapshot() == pool_->snapshot());
    return {{"ok", json_of(pool_->snapshot())}};
  }
  Json check_invariants(const Json&) {
    const Status status = pool_->check_invariants();
    return status ? Json{{"ok", Json::object()}} : refused(status.error());
  }

  Json store_result(const Json& cmd) {
    const std::vector<std::uint8_t> bytes = bytes_of(id(cmd, "bytes"));
    const CompletionReceipt& receipt = receipts_.at(cmd.at("receipt").get<std::size_t>());
    const auto result = results_->store_result({{number_of(cmd.at("rev"))}, view_of(receipt), bytes});
    if (!result) return refused(result.error());
    return {{"ok", {{"revision", json_of(result->revision)}, {"value", json_of(result->value)}}}};
  }
  Json aggregate_results(const Json& cmd) {
    const auto ids = cmd.at("task_ids").get<std::vector<std::string>>();
    const std::vector<IdView> views(ids.begin(), ids.end());
    const auto results = results_->aggregate_results(views);
    if (!results) return refused(results.error());
    Json list = Json::array();
    for (const TaskResult& result : *results) {
      list.push_back({{"task_id", result.task_id}, {"bytes", hex_of(result.bytes)}});
    }
    return {{"ok", {{"results", list}}}};
  }
  Json get_result(const Json& cmd) {
    const auto bytes = results_->get_result(id(cmd, "task_id"));
    if (!bytes) return refused(bytes.error());
    return {{"ok", {{"bytes", *bytes ? hex_of(**bytes) : Json()}}}};
  }
  Json result_stats(const Json&) {
    return {{"ok",
             {{"revision", json_of(results_->revision())},
              {"result_count", results_->result_count()},
              {"total_bytes", json_number(results_->total_bytes())}}}};
  }

  Bytes pool_header_;
  std::shared_ptr<RecordList> pool_journal_;
  Bytes results_header_;
  std::shared_ptr<RecordList> results_journal_;
  std::optional<WorkerPool> pool_;
  std::optional<TaskQueue> queue_;
  std::optional<ResultAggregator> results_;
  std::vector<TaskLease> leases_;
  std::vector<QueuedTaskFence> fences_;
  std::vector<CompletionReceipt> receipts_;
};

const std::map<std::string, CoordinationReplay::Command> CoordinationReplay::kCommands = {
    {"new", &CoordinationReplay::make},
    {"new_pool", &CoordinationReplay::make_pool},
    {"register_worker", &CoordinationReplay::register_worker},
    {"reactivate_worker", &CoordinationReplay::reactivate_worker},
    {"update_worker", &CoordinationReplay::update_worker},
    {"deregister_worker", &CoordinationReplay::deregister_worker},
    {"prune_dead_workers", &CoordinationReplay::prune_dead_workers},
    {"enqueue", &CoordinationReplay::enqueue},
    {"assign_task", &CoordinationReplay::assign_task},
    {"assign_next", &CoordinationReplay::assign_next},
    {"assign_next_available", &CoordinationReplay::assign_next_available},
    {"start_task", &CoordinationReplay::start_task},
    {"complete_task", &CoordinationReplay::complete_task},
    {"fail_task", &CoordinationReplay::fail_task},
    {"cancel_task", &CoordinationReplay::cancel_task},
    {"take_fence", &CoordinationReplay::take_fence},
    {"recover_expired_leases", &CoordinationReplay::recover_expired_leases},
    {"expire_old_tasks", &CoordinationReplay::expire_old_tasks},
    {"get_available_worker", &CoordinationReplay::get_available_worker},
    {"get_worker", &CoordinationReplay::get_worker},
    {"get_task", &CoordinationReplay::get_task},
    {"peek_next", &CoordinationReplay::peek_next},
    {"get_workers", &CoordinationReplay::get_workers},
    {"tasks", &CoordinationReplay::tasks},
    {"snapshot", &CoordinationReplay::snapshot},
    {"check_invariants", &CoordinationReplay::check_invariants},
    {"store_result", &CoordinationReplay::store_result},
    {"aggregate_results", &CoordinationReplay::aggregate_results},
    {"get_result", &CoordinationReplay::get_result},
    {"result_stats", &CoordinationReplay::result_stats},
};

const int kFiles = register_recorded("coordination", [](const std::string& file) {
  CoordinationReplay replay;
  replay_file(file, replay);
  replay.check_journals();
});

TEST_CASE("All 76 recorded sequences of the coordinator are there") { CHECK(kFiles == 76); }

}  // namespace
}  // namespace leasegate::test
