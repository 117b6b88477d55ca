// The whole grid: what each command does to a task in each status.

#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

/** A task "t" in some status, the lease it has or had, and the fence of the moment it was queued in. */
struct Scene {
  explicit Scene(TaskStatus status) : host(limits()) {
    must(host.register_worker("w", 4));
    must(host.enqueue("t"));
    fence = fence_of(host.task("t"));
    if (status == TaskStatus::queued) return;
    lease = must(host.assign("t", "w", 10));
    if (status == TaskStatus::leased) return;
    must(host.start(lease));
    if (status == TaskStatus::completed) must(host.complete(lease));
    if (status == TaskStatus::failed) must(host.fail(lease));
    if (status == TaskStatus::cancelled) must(host.cancel(lease));
    if (status == TaskStatus::expired) must(host.at(8).expire(7));
    REQUIRE(host.task("t").status == status);
  }

  static DistributedLimits limits() {
    DistributedLimits limits;
    limits.max_retries = 0;
    return limits;
  }

  Host host;
  TaskLease lease = {"t", "w", {1}, {0}, 1, {1}, {1}, {11}};
  QueuedTaskFence fence;
};

template <class T>
std::string told(const Result<Transition<T>>& result) {
  return result ? text_of(result->value) : text_of(result.error());
}

const std::string kStale = "stale_ownership{task_id: t}";
const std::string kReceipt =
    "{receipt: receipt{task_id: t, task_generation: 0, attempt: 1, lease_id: 1, worker_id: w, "
    "worker_generation: 1, record_version: 4}}";

TEST_CASE("Every command on a task in every status") {
  struct Row {
    TaskStatus status;
    std::string assign, start, complete, fail, cancel_by_lease, cancel_by_fence;
    /** How many tasks the sweeps end or fail. */
    std::uint32_t expired, recovered;
  };
  const auto not_queued = [](const char* status) {
    return std::string("task_not_queued{task_id: t, status: ") + status + "}";
  };
  const auto not_running = [](const char* operation) {
    return std::string("invalid_transition{task_id: t, status: leased, operation: ") + operation + "}";
  };
  const std::vector<Row> grid = {
      {TaskStatus::queued, "lease", kStale, kStale, kStale, kStale, "cancelled{record_version: 2}", 1, 0},
      {TaskStatus::leased, not_queued("leased"), "started{record_version: 3}", not_running("complete"),
       not_running("fail"), "cancelled{record_version: 3}", kStale, 1, 1},
      {TaskStatus::running, not_queued("running"), "already_running{record_version: 3}",
       "completed" + kReceipt, "retry_exhausted{task_generation: 0, retry_count: 0, record_version: 4}",
       "cancelled{record_version: 4}", kStale, 1, 1},
      {TaskStatus::completed, not_queued("completed"), kStale, "already_completed" + kReceipt, kStale, kStale,
       kStale, 0, 0},
      {TaskStatus::failed, not_queued("failed"), kStale, kStale,
       "retry_exhausted{task_generation: 0, retry_count: 0, record_version: 4}", kStale, kStale, 0, 0},
      {TaskStatus::cancelled, not_queued("cancelled"), kStale, kStale, kStale,
       "already_cancelled{record_version: 4}", kStale, 0, 0},
      {TaskStatus::expired, not_queued("expired"), kStale, kStale, kStale, kStale, kStale, 0, 0},
  };
  REQUIRE(grid.size() == kTaskStatusNames.size());
  for (const Row& row : grid) {
    INFO("a task that is " << name_of(row.status));
    const auto run = [&row](const std::function<std::string(Scene&)>& command) {
      Scene scene(row.status);
      scene.host.at(9);
      std::string answer = command(scene);
      CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
      return answer;
    };
    CHECK(run([](Scene& s) { return told(s.host.assign("t", "w")); }).substr(0, row.assign.size()) ==
          row.assign);
    CHECK(run([](Scene& s) { return told(s.host.start(s.lease)); }) == row.start);
    CHECK(run([](Scene& s) { return told(s.host.complete(s.lease)); }) == row.complete);
    CHECK(run([](Scene& s) { return told(s.host.fail(s.lease)); }) == row.fail);
    CHECK(run([](Scene& s) { return told(s.host.cancel(s.lease)); }) == row.cancel_by_lease);
    CHECK(run([](Scene& s) { return told(s.host.cancel(s.fence)); }) == row.cancel_by_fence);
    CHECK(run([](Scene& s) { return std::to_string(must(s.host.expire(8))); }) ==
          std::to_string(row.expired));
    CHECK(run([](Scene& s) { return text_of(must(s.host.at(11).recover())); }) ==
          text_of(RecoverySummary{row.recovered, 0, row.recovered}));
    CHECK(run([](Scene& s) { return text_of(must(s.host.deregister("w", 1))); }) ==
          text_of(RecoverySummary{1, 0, row.recovered}));
    CHECK(run([](Scene& s) { return text_of(must(s.host.at(999).prune())); }) ==
          text_of(RecoverySummary{1, 0, row.recovered}));
  }
}

}  // namespace
}  // namespace leasegate::test
