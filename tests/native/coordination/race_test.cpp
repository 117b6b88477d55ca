// Real threads, told to start together, want the same thing: one gets it, the others are told that they came
// late.

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <thread>

#include "coordination/worker_pool.hpp"
#include "results/result_aggregator.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

constexpr int kRounds = 300;

/** Runs all of `work` at the same time, each in a thread of its own, and waits for them. */
void run_together(const std::vector<std::function<void()>>& work) {
  std::atomic<std::size_t> ready = 0;
  std::vector<std::thread> threads;
  threads.reserve(work.size());
  for (const auto& each : work) {
    threads.emplace_back([&] {
      ready.fetch_add(1);
      while (ready.load() < work.size()) std::this_thread::yield();
      each();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

struct Scene {
  explicit Scene(const DistributedLimits& limits = {}) : pool(WorkerPool::create(limits).value()) {}

  [[nodiscard]] Fenced now(std::uint64_t seconds) const { return {pool.revision(), {seconds}}; }

  /** A task that runs under a lease from 1 to 11. */
  TaskLease running_task() {
    REQUIRE(pool.register_worker({now(1), {.worker_id = "w", .capacity = 4}}));
    REQUIRE(queue.enqueue({now(1), {.task_id = "t", .scan_id = "s", .target_ref = "r"}}));
    TaskLease lease = pool.assign_task({now(1), "t", "w", {10}}).value().value;
    REQUIRE(pool.start_task({now(1), view_of(lease)}));
    return lease;
  }

  WorkerPool pool;
  TaskQueue queue = pool.task_queue();
};

std::string conflict(std::uint64_t revision) {
  return "revision_conflict{expected: " + std::to_string(revision) +
         ", actual: " + std::to_string(revision + 1) + "}";
}

/** One of the two was accepted, the other was told of the revision that it made. */
void check_one_winner(const std::string& a, const std::string& b, std::uint64_t revision) {
  REQUIRE((a == "accepted") != (b == "accepted"));
  REQUIRE((a == "accepted" ? b : a) == conflict(revision));
}

TEST_CASE("Of two assignments decided on one revision, one wins", "[race]") {
  for (int round = 0; round < kRounds; ++round) {
    Scene scene;
    REQUIRE(scene.pool.register_worker({scene.now(1), {.worker_id = "a", .capacity = 1}}));
    REQUIRE(scene.pool.register_worker({scene.now(1), {.worker_id = "b", .capacity = 1}}));
    REQUIRE(scene.queue.enqueue({scene.now(1), {.task_id = "t", .scan_id = "s", .target_ref = "r"}}));
    const Fenced decided = scene.now(2);
    std::string first;
    std::string second;
    run_together({[&] { first = refusal(scene.pool.assign_task({decided, "t", "a", {10}})); },
                  [&] { second = refusal(scene.pool.assign_task({decided, "t", "b", {10}})); }});
    check_one_winner(first, second, decided.expected_revision.value);
    const ScanTask task = scene.queue.get_task("t").value().value();
    REQUIRE(task.attempt == 1);
    REQUIRE(task.assigned_to == (first == "accepted" ? "a" : "b"));
    REQUIRE(scene.pool.revision().value == decided.expected_revision.value + 1);
    REQUIRE(refusal(scene.pool.check_invariants()) == "accepted");
  }
}

TEST_CASE("Completion against cancellation: one ends the task", "[race]") {
  for (int round = 0; round < kRounds; ++round) {
    Scene scene;
    const TaskLease lease = scene.running_task();
    const Fenced decided = scene.now(2);
    std::string completed;
    std::string cancelled;
    run_together({[&] { completed = refusal(scene.pool.complete_task({decided, view_of(lease)})); },
                  [&] { cancelled = refusal(scene.pool.cancel_task({decided, view_of(lease)})); }});
    check_one_winner(completed, cancelled, decided.expected_revision.value);
    const bool won = completed == "accepted";
    REQUIRE(scene.queue.get_task("t").value().value().status ==
            (won ? TaskStatus::completed : TaskStatus::cancelled));
    const WorkerNode worker = scene.pool.get_worker("w").value().value();
    REQUIRE(worker.current_tasks == 0);
    REQUIRE(worker.completed_tasks == (won ? 1 : 0));
    REQUIRE(refusal(scene.pool.check_invariants()) == "accepted");
  }
}

TEST_CASE("Completion in the last second against the sweep at the deadline: one wins", "[race]") {
  for (int round = 0; round < kRounds; ++round) {
    Scene scene;
    const TaskLease lease = scene.running_task();
    const Revision revision = scene.pool.revision();
    std::string completed;
    std::string recovered;
    run_together({[&] { completed = refusal(scene.pool.complete_task({{revision, {10}}, view_of(lease)})); },
                  [&] { recovered = refusal(scene.pool.recover_expired_leases({{revision, {11}}})); }});
    check_one_winner(completed, recovered, revision.value);
    const ScanTask task = scene.queue.get_task("t").value().value();
    REQUIRE(task.status == (completed == "accepted" ? TaskStatus::completed : TaskStatus::queued));
    REQUIRE(task.retry_count == (completed == "accepted" ? 0 : 1));
    REQUIRE(scene.pool.get_worker("w").value().value().current_tasks == 0);
    REQUIRE(refusal(scene.pool.check_invariants()) == "accepted");
  }
}

TEST_CASE("Completion against the expiry of the task: one wins", "[race]") {
  for (int round = 0; round < kRounds; ++round) {
    Scene scene;
    const TaskLease lease = scene.running_task();
    const Fenced decided = scene.now(10);
    std::string completed;
    std::string expired;
    run_together({[&] { completed = refusal(scene.pool.complete_task({decided, view_of(lease)})); },
                  [&] { expired = refusal(scene.pool.expire_old_tasks({decided, {9}})); }});
    check_one_winner(completed, expired, decided.expected_revision.value);
    const ScanTask task = scene.queue.get_task("t").value().value();
    REQUIRE(task.status == (completed == "accepted" ? TaskStatus::completed : TaskStatus::expired));
    REQUIRE(scene.pool.get_worker("w").value().value().current_tasks == 0);
    REQUIRE(refusal(scene.pool.check_invariants()) == "accepted");
  }
}

TEST_CASE("Two results under one receipt and one revision: one is stored", "[race]") {
  for (int round = 0; round < kRounds; ++round) {
    ResultAggregator results = ResultAggregator::create().value();
    const CompletionReceipt receipt = {"t", {0}, 1, {1}, "w", {1}, {4}};
    const std::vector<std::uint8_t> left = {1};
    const std::vector<std::uint8_t> right = {2};
    std::string first;
    std::string second;
    run_together({[&] { first = refusal(results.store_result({{0}, view_of(receipt), left})); },
                  [&] { second = refusal(results.store_result({{0}, view_of(receipt), right})); }});
    check_one_winner(first, second, 0);
    REQUIRE(results.get_result("t").value().value() == (first == "accepted" ? left : right));
    REQUIRE(results.result_count() == 1);
    REQUIRE(results.total_bytes() == 1);
  }
}

/** Tries again on every revision conflict, as hosts do. */
template <class Attempt>
auto until_decided(const WorkerPool& pool, Attempt&& attempt, std::atomic<std::uint64_t>& conflicts) {
  for (;;) {
    auto result = attempt(pool.revision());
    if (result || result.error().code != ErrorCode::revision_conflict) return result;
    conflicts.fetch_add(1);
  }
}

TEST_CASE("Many threads with a retry loop finish every task exactly once", "[race]") {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kTasks = 200;
  Scene scene;
  WorkerPool& pool = scene.pool;
  TaskQueue& queue = scene.queue;
  std::atomic<std::uint64_t> accepted = 0;
  std::atomic<std::uint64_t> conflicts = 0;
  std::atomic<std::uint32_t> completed = 0;
  std::atomic<std::uint32_t> wrong = 0;
  const auto host = [&](std::uint32_t number) {
    const std::string worker = "w" + std::to_string(number);
    const auto decide = [&](auto&& attempt) {
      auto result = until_decided(pool, attempt, conflicts);
      if (result) accepted.fetch_add(1);
      return result;
    };
    if (!decide([&](Revision r) {
          return pool.register_worker({{r, {1}}, {.worker_id = worker, .capacity = 2}});
        })) {
      wrong.fetch_add(1);
    }
    for (std::uint32_t i = number; i < kTasks; i += kThreads) {
      const std::string id = "t" + std::to_string(i);
      if (!decide([&](Revision r) {
            return queue.enqueue({{r, {1}}, {.task_id = id, .scan_id = "s", .target_ref = "r"}});
          })) {
        wrong.fetch_add(1);
      }
    }
    for (;;) {
      const auto lease = decide([&](Revision r) { return pool.assign_next({{r, {1}}, worker, {10}}); });
      if (!lease) {
        if (lease.error().code != ErrorCode::no_queued_task) wrong.fetch_add(1);
        return;
      }
      const TaskLeaseView token = view_of(lease->value);
      if (!decide([&](Revision r) { return pool.start_task({{r, {1}}, token}); })) wrong.fetch_add(1);
      if (!decide([&](Revision r) { return pool.complete_task({{r, {1}}, token}); })) wrong.fetch_add(1);
      completed.fetch_add(1);
    }
  };
  std::vector<std::function<void()>> hosts;
  for (std::uint32_t i = 0; i < kThreads; ++i) hosts.emplace_back([&host, i] { host(i); });
  // One reader more, who never disturbs them.
  hosts.emplace_back([&] {
    while (completed.load() < kTasks) {
      const StateSnapshot seen = pool.snapshot();
      if (seen.active_tasks + seen.terminal_tasks != seen.task_records) wrong.fetch_add(1);
      if (!queue.tasks() || !pool.get_workers() || !queue.peek_next()) wrong.fetch_add(1);
      std::this_thread::yield();
    }
  });
  run_together(hosts);

  INFO(conflicts.load() << " conflicts");
  CHECK(wrong == 0);
  CHECK(completed == kTasks);
  CHECK(pool.revision().value == accepted);
  CHECK(accepted == kThreads + std::uint64_t{kTasks} * 4);
  const StateSnapshot end = pool.snapshot();
  CHECK(end.terminal_tasks == kTasks);
  CHECK(end.active_tasks == 0);
  std::uint64_t counted = 0;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    const WorkerNode worker = pool.get_worker("w" + std::to_string(i)).value().value();
    CHECK(worker.current_tasks == 0);
    counted += worker.completed_tasks;
  }
  CHECK(counted == kTasks);
  CHECK(refusal(pool.check_invariants()) == "accepted");
}

}  // namespace
}  // namespace leasegate::test
