#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits short_heartbeat() {
  DistributedLimits limits;
  limits.heartbeat_timeout_secs = 20;
  limits.max_lease_ttl_secs = 100;
  return limits;
}

TEST_CASE("A lease names the task, the worker, both generations, the attempt and its time") {
  Host host;
  must(host.at(5).register_worker("w", 2));
  must(host.enqueue("t"));
  const auto answer = host.at(8).assign("t", "w", 30);
  REQUIRE(answer);
  CHECK(answer->revision.value == 3);
  const TaskLease expected = {"t", "w", {1}, {0}, 1, {1}, {8}, {38}};
  CHECK(answer->value == expected);
  const ScanTask task = host.task("t");
  CHECK(task.status == TaskStatus::leased);
  CHECK(task.record_version.value == 2);
  CHECK(task.attempt == 1);
  CHECK(task.assigned_to == "w");
  CHECK(task.lease == expected);
  CHECK_FALSE(task.started_at);
  CHECK(host.worker("w").current_tasks == 1);
  CHECK(host.snapshot().queued_tasks == 0);
  CHECK(host.snapshot().active_tasks == 1);
}

TEST_CASE("Lease ids count up over all tasks and workers, attempts per task") {
  Host host;
  must(host.register_worker("v"));
  must(host.register_worker("w"));
  must(host.enqueue("a"));
  must(host.enqueue("b"));
  CHECK(must(host.assign("b", "w")).lease_id.value == 1);
  const TaskLease first = must(host.assign("a", "v"));
  CHECK(first.lease_id.value == 2);
  must(host.start(first));
  must(host.fail(first));
  const TaskLease second = must(host.assign("a", "v"));
  CHECK(second.lease_id.value == 3);
  CHECK(second.attempt == 2);
  CHECK(second.task_generation.value == 1);
}

TEST_CASE("assign is checked in the contract's order") {
  Host host(short_heartbeat());
  must(host.register_worker("full"));
  must(host.register_worker("ill"));
  must(host.enqueue("taken"));
  must(host.enqueue("free"));
  must(host.assign("taken", "full"));
  must(host.update("ill", 1, {.status = WorkerStatus::degraded}));
  // Each row mends what the one before it complained of.
  CHECK_REFUSED(host, assign("nowhere", "nobody", 0), "invalid_limit{name: lease_ttl_secs}");
  CHECK_REFUSED(host, assign("nowhere", "nobody", 101),
                "invalid_limit_relationship{reason: lease_ttl_exceeds_limit}");
  CHECK_REFUSED(host, assign("nowhere", "nobody", 100), "task_not_found{task_id: nowhere}");
  CHECK_REFUSED(host, assign("taken", "nobody", 100), "task_not_queued{task_id: taken, status: leased}");
  CHECK_REFUSED(host, assign("free", "nobody", 100), "worker_not_found{worker_id: nobody}");
  CHECK_REFUSED(host, assign("free", "ill", 100), "worker_unavailable{worker_id: ill}");
  CHECK_REFUSED(host, assign("free", "full", 100), "worker_at_capacity{worker_id: full}");
  must(host.register_worker("good"));
  CHECK(refusal(host.assign("free", "good", 100)) == "accepted");
}

TEST_CASE("assign_next looks for a queued task before the ttl and the worker") {
  Host host(short_heartbeat());
  CHECK_REFUSED(host, assign_next("nobody", 0), "no_queued_task");
  must(host.enqueue("t"));
  CHECK_REFUSED(host, assign_next("nobody", 0), "invalid_limit{name: lease_ttl_secs}");
  CHECK_REFUSED(host, assign_next("nobody", 101),
                "invalid_limit_relationship{reason: lease_ttl_exceeds_limit}");
  CHECK_REFUSED(host, assign_next("nobody"), "worker_not_found{worker_id: nobody}");
  must(host.register_worker("nobody"));
  CHECK(must(host.assign_next("nobody")).task_id == "t");
}

TEST_CASE("assign_next_available looks for a task, then a worker, then at the ttl") {
  Host host(short_heartbeat());
  CHECK_REFUSED(host, assign_next_available(0), "no_queued_task");
  must(host.enqueue("t"));
  CHECK_REFUSED(host, assign_next_available(0), "no_available_worker");
  must(host.register_worker("w"));
  CHECK_REFUSED(host, assign_next_available(0), "invalid_limit{name: lease_ttl_secs}");
  CHECK_REFUSED(host, assign_next_available(101),
                "invalid_limit_relationship{reason: lease_ttl_exceeds_limit}");
  const TaskLease lease = must(host.assign_next_available(100));
  CHECK(lease.task_id == "t");
  CHECK(lease.worker_id == "w");
}

TEST_CASE("A worker takes tasks only while healthy") {
  Host host;
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  for (const WorkerStatus status : {WorkerStatus::busy, WorkerStatus::degraded}) {
    must(host.update("w", 1, {.status = status}));
    CHECK_REFUSED(host, assign("t", "w"), "worker_unavailable{worker_id: w}");
    CHECK_REFUSED(host, assign_next("w"), "worker_unavailable{worker_id: w}");
    CHECK_REFUSED(host, assign_next_available(), "no_available_worker");
  }
  must(host.update("w", 1));
  CHECK(refusal(host.assign("t", "w")) == "accepted");
}

TEST_CASE("An offline worker takes no task") {
  Host host;
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  must(host.deregister("w", 1));
  CHECK_REFUSED(host, assign("t", "w"), "worker_unavailable{worker_id: w}");
  must(host.reactivate("w", 2));
  CHECK(refusal(host.assign("t", "w")) == "accepted");
}

TEST_CASE("A heartbeat counts up to the timeout, the last second included") {
  Host host(short_heartbeat());
  must(host.at(10).register_worker("w"));
  must(host.enqueue("t"));
  CHECK_REFUSED(host, at(31).assign("t", "w"), "worker_unavailable{worker_id: w}");
  CHECK_REFUSED(host, at(31).assign_next_available(), "no_available_worker");
  CHECK(refusal(host.at(30).assign("t", "w")) == "accepted");
}

TEST_CASE("A worker has as many tasks as its effective capacity") {
  Host host;
  must(host.register_worker({.worker_id = "w", .capacity = 4, .cpu_basis_points = 5'000}));
  for (const char* id : {"a", "b", "c"}) must(host.enqueue(id));
  must(host.assign("a", "w"));
  must(host.assign("b", "w"));
  CHECK_REFUSED(host, assign("c", "w"), "worker_at_capacity{worker_id: w}");
  CHECK_REFUSED(host, assign_next_available(), "no_available_worker");
  must(host.update("w", 1, {.cpu_basis_points = 4'999}));
  CHECK(refusal(host.assign("c", "w")) == "accepted");
}

TEST_CASE("A worker whose load has risen keeps its tasks and gets no more") {
  Host host;
  must(host.register_worker("w", 2));
  for (const char* id : {"a", "b", "c"}) must(host.enqueue(id));
  must(host.assign("a", "w"));
  must(host.assign("b", "w"));
  must(host.update("w", 1, {.memory_basis_points = 10'000}));
  CHECK(host.worker("w").current_tasks == 2);
  CHECK(host.worker("w").effective_capacity() == 0);
  CHECK(host.worker("w").available_slots() == 0);
  CHECK_REFUSED(host, assign("c", "w"), "worker_at_capacity{worker_id: w}");
}

TEST_CASE("A lease may be as long as the limit and as short as a second") {
  Host host(short_heartbeat());
  must(host.register_worker("w", 2));
  must(host.enqueue("a"));
  must(host.enqueue("b"));
  CHECK(must(host.assign("a", "w", 1)).expires_at.value == 2);
  CHECK(must(host.assign("b", "w", 100)).expires_at.value == 101);
}

TEST_CASE("A deadline that would pass 2^64 - 1 is refused, the last possible one is not") {
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
  Host host(short_heartbeat());
  must(host.at(kMax - 10).register_worker("w", 2));
  must(host.enqueue("t"));
  CHECK_REFUSED(host, assign("t", "w", 11), "counter_exhausted{counter: lease_deadline}");
  CHECK_REFUSED(host, assign_next_available(11), "counter_exhausted{counter: lease_deadline}");
  CHECK(must(host.assign("t", "w", 10)).expires_at.value == kMax);
}

}  // namespace
}  // namespace leasegate::test
