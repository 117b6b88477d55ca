// Which handles share their state, and which do not.

#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "coordination/worker_pool.hpp"
#include "results/result_aggregator.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

Enqueue enqueue(const char* id, std::uint64_t revision) {
  return {{{revision}, {1}}, {.task_id = id, .scan_id = "s", .target_ref = "r"}};
}

TEST_CASE("A queue taken from a pool is the pool's") {
  WorkerPool pool = WorkerPool::create().value();
  TaskQueue queue = pool.task_queue();
  TaskQueue again = pool.task_queue();
  REQUIRE(pool.register_worker({{{0}, {1}}, {.worker_id = "w", .capacity = 1}}));
  REQUIRE(queue.enqueue(enqueue("t", 1)));
  CHECK(pool.snapshot() == queue.snapshot());
  CHECK(pool.snapshot() == again.snapshot());
  REQUIRE(pool.assign_next({{{2}, {1}}, "w", {10}}));
  CHECK(again.get_task("t").value().value().status == TaskStatus::leased);
}

TEST_CASE("Copies of a handle share the state") {
  WorkerPool pool = WorkerPool::create().value();
  WorkerPool copy = pool;
  REQUIRE(copy.register_worker({{{0}, {1}}, {.worker_id = "w", .capacity = 1}}));
  CHECK(pool.revision().value == 1);
  CHECK(refusal(pool.prune_dead_workers({{{0}, {1}}})) == "revision_conflict{expected: 0, actual: 1}");
  TaskQueue queue = pool.task_queue();
  TaskQueue queue_copy = queue;
  REQUIRE(queue_copy.enqueue(enqueue("t", 1)));
  CHECK(queue.peek_next().value().value().task_id == "t");
}

TEST_CASE("A queue outlives the pool that it was taken from") {
  std::optional<TaskQueue> queue;
  {
    WorkerPool pool = WorkerPool::create().value();
    queue.emplace(pool.task_queue());
  }
  CHECK(refusal(queue->enqueue(enqueue("t", 0))) == "accepted");
}

TEST_CASE("Pools, and queues made by themselves, have states of their own") {
  WorkerPool one = WorkerPool::create().value();
  WorkerPool other = WorkerPool::create().value();
  TaskQueue alone = TaskQueue::create().value();
  REQUIRE(one.task_queue().enqueue(enqueue("t", 0)));
  CHECK(other.revision().value == 0);
  CHECK(alone.snapshot().revision.value == 0);
  REQUIRE(alone.enqueue(enqueue("t", 0)));
  CHECK(alone.snapshot().queued_tasks == 1);
  CHECK(other.snapshot().queued_tasks == 0);
}

TEST_CASE("A token of one pool is the same token in another where all fields agree") {
  // Tokens are structural and not bound to an instance: whoever keeps two pools keeps them apart.
  WorkerPool one = WorkerPool::create().value();
  WorkerPool other = WorkerPool::create().value();
  TaskLease lease;
  for (WorkerPool* pool : {&one, &other}) {
    REQUIRE(pool->register_worker({{{0}, {1}}, {.worker_id = "w", .capacity = 1}}));
    REQUIRE(pool->task_queue().enqueue(enqueue("t", 1)));
    lease = pool->assign_next({{{2}, {1}}, "w", {10}}).value().value;
  }
  CHECK(refusal(one.start_task({{{3}, {1}}, view_of(lease)})) == "accepted");
}

TEST_CASE("Copies of an aggregator share the results") {
  ResultAggregator results = ResultAggregator::create().value();
  ResultAggregator copy = results;
  const CompletionReceipt receipt = {"t", {0}, 1, {1}, "w", {1}, {4}};
  REQUIRE(copy.store_result({{0}, view_of(receipt), {}}));
  CHECK(results.result_count() == 1);
  CHECK(ResultAggregator::create().value().result_count() == 0);
}

}  // namespace
}  // namespace leasegate::test
