#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

TEST_CASE("An empty pool reads as empty") {
  const Host host;
  CHECK(host.snapshot() == StateSnapshot{});
  CHECK(host.machine().tasks().value().empty());
  CHECK(host.machine().get_workers().value().empty());
  CHECK(host.machine().peek_next().value() == std::nullopt);
  CHECK(host.machine().get_task("t").value() == std::nullopt);
  CHECK(host.machine().get_worker("w").value() == std::nullopt);
  CHECK(host.machine().get_available_worker({0}).value() == std::nullopt);
}

TEST_CASE("Lists are in the order of the bytes of the ids") {
  Host host;
  const std::vector<std::string> ids = {"b", "a", "B", "a.", "a-", "10", "9", "aa", std::string(256, 'a'),
                                        "_", ":"};
  for (const std::string& id : ids) {
    must(host.enqueue(id));
    must(host.register_worker(id));
  }
  std::vector<std::string> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> tasks;
  const std::vector<ScanTask> all_tasks = host.machine().tasks().value();
  for (const ScanTask& task : all_tasks) tasks.push_back(task.task_id);
  CHECK(tasks == sorted);
  std::vector<std::string> workers;
  const std::vector<WorkerNode> all_workers = host.machine().get_workers().value();
  for (const WorkerNode& worker : all_workers) workers.push_back(worker.worker_id);
  CHECK(workers == sorted);
}

TEST_CASE("A record that was read is a snapshot, not a view") {
  Host host;
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  const ScanTask task = host.task("t");
  const WorkerNode worker = host.worker("w");
  const std::vector<ScanTask> tasks = host.machine().tasks().value();
  must(host.assign("t", "w"));
  CHECK(task.status == TaskStatus::queued);
  CHECK(worker.current_tasks == 0);
  CHECK(tasks.front().status == TaskStatus::queued);
}

TEST_CASE("Invalid ids are refused by reads, unknown ones are not there") {
  const Host host;
  CHECK(refusal(host.machine().get_task("a b")) == "invalid_task{reason: task_command_id_invalid}");
  CHECK(refusal(host.machine().get_task("")) == "invalid_task{reason: task_command_id_invalid}");
  CHECK(refusal(host.machine().get_worker("a b")) == "invalid_worker{reason: worker_command_id_invalid}");
  CHECK(refusal(host.machine().get_worker(std::string(257, 'w'))) ==
        "invalid_worker{reason: worker_command_id_invalid}");
  CHECK(host.machine().get_task("unknown").value() == std::nullopt);
  CHECK(host.machine().get_worker("unknown").value() == std::nullopt);
}

TEST_CASE("The snapshot counts every record once") {
  Host host;
  must(host.register_worker("w", 8));
  must(host.register_worker("gone"));
  must(host.deregister("gone", 1));
  for (const char* id : {"a", "b", "c", "d", "e"}) must(host.enqueue(id));
  must(host.assign("a", "w"));
  host.running("b", "w");
  must(host.complete(host.running("c", "w")));
  must(host.cancel(fence_of(host.task("d"))));
  const StateSnapshot snapshot = host.snapshot();
  CHECK(snapshot.task_records == 5);
  CHECK(snapshot.active_tasks == 3);
  CHECK(snapshot.queued_tasks == 1);
  CHECK(snapshot.terminal_tasks == 2);
  CHECK(snapshot.workers == 2);
  CHECK(snapshot.revision.value == host.revision());
}

TEST_CASE("A task's ownership is its fence while queued, its lease while out, nothing once it has ended") {
  Host host;
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  CHECK(host.task("t").ownership_kind() == OwnershipKind::fence);
  const TaskLease lease = must(host.assign("t", "w"));
  CHECK(host.task("t").ownership_kind() == OwnershipKind::lease);
  must(host.start(lease));
  CHECK(host.task("t").ownership_kind() == OwnershipKind::lease);
  must(host.complete(lease));
  CHECK(host.task("t").ownership_kind() == OwnershipKind::none);
}

TEST_CASE("A task's age is never below 0") {
  Host host;
  must(host.at(100).enqueue("t"));
  const ScanTask task = host.task("t");
  CHECK(task.age_secs({99}).value == 0);
  CHECK(task.age_secs({100}).value == 0);
  CHECK(task.age_secs({101}).value == 1);
  CHECK(task.age_secs({~std::uint64_t{0}}).value == ~std::uint64_t{0} - 100);
}

}  // namespace
}  // namespace leasegate::test
