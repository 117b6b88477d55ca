#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

WorkerTags tags(std::initializer_list<WorkerTag> list) {
  WorkerTags tags;
  for (const WorkerTag tag : list) tags.add(tag);
  return tags;
}

TEST_CASE("A new worker is healthy, of generation 1 and as it was asked for") {
  Host host;
  const WorkerSpec spec = {"w", 7, 1, 2, 3, tags({WorkerTag::gpu, WorkerTag::linux, WorkerTag::gpu})};
  const auto answer = host.at(9).register_worker(spec);
  REQUIRE(answer);
  CHECK(answer->revision.value == 1);
  const WorkerNode expected = {"w", {1}, WorkerStatus::healthy, 7, 0, 0, {9}, 1, 2, 3, spec.tags};
  CHECK(answer->value == expected);
  CHECK(host.worker("w") == expected);
  CHECK(host.worker("w").tags.has(WorkerTag::gpu));
  CHECK_FALSE(host.worker("w").tags.has(WorkerTag::windows));
  CHECK(host.snapshot().workers == 1);
}

TEST_CASE("A worker id is registered once, offline ones included") {
  Host host;
  must(host.register_worker("w"));
  CHECK_REFUSED(host, register_worker("w"), "worker_already_exists{worker_id: w}");
  must(host.deregister("w", 1));
  CHECK_REFUSED(host, register_worker("w"), "worker_already_exists{worker_id: w}");
}

TEST_CASE("Workers are bounded, offline ones included, and a known id is told first") {
  DistributedLimits limits;
  limits.max_workers = 2;
  Host host(limits);
  must(host.register_worker("a"));
  must(host.register_worker("b"));
  must(host.deregister("a", 1));
  CHECK_REFUSED(host, register_worker("c"), "worker_capacity_reached{limit: 2}");
  CHECK_REFUSED(host, register_worker("a"), "worker_already_exists{worker_id: a}");
}

TEST_CASE("An offline worker comes back with a new spec, a new generation and its count of completed tasks") {
  Host host;
  must(host.register_worker({"w", 3, 5, 5, 5, tags({WorkerTag::gpu})}));
  must(host.enqueue("t"));
  host.finish_next("w");
  must(host.deregister("w", 1));
  const WorkerSpec spec = {"w", 9, 1, 2, 3, tags({WorkerTag::external})};
  const WorkerNode back = must(host.at(50).reactivate(spec, 2));
  CHECK(back == WorkerNode{"w", {3}, WorkerStatus::healthy, 9, 0, 1, {50}, 1, 2, 3, spec.tags});
  CHECK(host.worker("w") == back);
}

TEST_CASE("Reactivation is checked in order: known, generation, offline") {
  Host host;
  must(host.register_worker("w"));
  CHECK_REFUSED(host, reactivate("v", 9), "worker_not_found{worker_id: v}");
  CHECK_REFUSED(host, reactivate("w", 9), "worker_generation_conflict{expected: 9, actual: 1}");
  CHECK_REFUSED(host, reactivate("w", 1), "worker_unavailable{worker_id: w}");
  must(host.deregister("w", 1));
  CHECK_REFUSED(host, reactivate("w", 1), "worker_generation_conflict{expected: 1, actual: 2}");
  CHECK(refusal(host.reactivate("w", 2)) == "accepted");
}

TEST_CASE("An update sets status, utilization and heartbeat and nothing else") {
  Host host;
  must(host.register_worker({"w", 3, 0, 0, 0, tags({WorkerTag::internal})}));
  must(host.enqueue("t"));
  const TaskLease lease = must(host.assign("t", "w", 10));
  const WorkerNode updated = must(host.at(5).update("w", 1, {WorkerStatus::busy, 100, 200, 300}));
  CHECK(updated ==
        WorkerNode{"w", {1}, WorkerStatus::busy, 3, 1, 0, {5}, 100, 200, 300, tags({WorkerTag::internal})});
  // An observation renews no lease.
  CHECK(host.task("t").lease == lease);
  CHECK_REFUSED(host, at(11).start(lease), "lease_expired{task_id: t}");
}

TEST_CASE("An update without fields says healthy and idle") {
  Host host;
  must(host.register_worker({"w", 3, 100, 200, 300, {}}));
  must(host.update("w", 1, {WorkerStatus::degraded, 1, 1, 1}));
  CHECK(must(host.update("w", 1)) == WorkerNode{"w", {1}, WorkerStatus::healthy, 3, 0, 0, {1}, 0, 0, 0, {}});
}

TEST_CASE("An update is checked in order: status, utilization, revision, known, generation, not offline") {
  Host host;
  must(host.register_worker("w"));
  WorkerObservation seen = {WorkerStatus::offline, 10'001, 0, 0};
  CHECK_REFUSED(host, expecting(9).update("v", 9, seen),
                "invalid_worker{reason: offline_requires_deregister_or_prune}");
  seen.status = WorkerStatus::healthy;
  CHECK_REFUSED(host, expecting(9).update("v", 9, seen),
                "invalid_worker{reason: utilization_exceeds_maximum}");
  seen = {WorkerStatus::healthy, 0, 10'001, 0};
  CHECK_REFUSED(host, expecting(9).update("v", 9, seen),
                "invalid_worker{reason: utilization_exceeds_maximum}");
  seen = {WorkerStatus::healthy, 0, 0, 10'001};
  CHECK_REFUSED(host, expecting(9).update("v", 9, seen),
                "invalid_worker{reason: utilization_exceeds_maximum}");
  seen = {WorkerStatus::healthy, 10'000, 10'000, 10'000};
  CHECK_REFUSED(host, expecting(9).update("v", 9, seen), "revision_conflict{expected: 9, actual: 1}");
  CHECK_REFUSED(host, update("v", 9, seen), "worker_not_found{worker_id: v}");
  CHECK_REFUSED(host, update("w", 9, seen), "worker_generation_conflict{expected: 9, actual: 1}");
  CHECK(refusal(host.update("w", 1, seen)) == "accepted");
  must(host.deregister("w", 1));
  CHECK_REFUSED(host, update("w", 2, seen), "worker_unavailable{worker_id: w}");
}

TEST_CASE("Going offline keeps heartbeat, utilization, tags, capacity and completed tasks") {
  Host host;
  must(host.register_worker({"w", 3, 1, 2, 3, tags({WorkerTag::windows})}));
  must(host.enqueue("t"));
  host.finish_next("w");
  must(host.at(30).deregister("w", 1));
  const WorkerNode offline = host.worker("w");
  CHECK(offline ==
        WorkerNode{"w", {2}, WorkerStatus::offline, 3, 0, 1, {1}, 1, 2, 3, tags({WorkerTag::windows})});
  CHECK(offline.effective_capacity() == 0);
  CHECK(offline.available_slots() == 0);
}

TEST_CASE("Deregistering is checked in order: known, generation, not offline") {
  Host host;
  must(host.register_worker("w"));
  CHECK_REFUSED(host, deregister("v", 9), "worker_not_found{worker_id: v}");
  CHECK_REFUSED(host, deregister("w", 9), "worker_generation_conflict{expected: 9, actual: 1}");
  must(host.deregister("w", 1));
  CHECK_REFUSED(host, deregister("w", 1), "worker_generation_conflict{expected: 1, actual: 2}");
  CHECK_REFUSED(host, deregister("w", 2), "worker_unavailable{worker_id: w}");
}

TEST_CASE("Effective capacity is what the worst utilization leaves, rounded up") {
  struct Row {
    std::uint32_t capacity;
    std::uint32_t cpu, memory, network;
    std::uint32_t effective;
  };
  const std::vector<Row> rows = {
      {1, 0, 0, 0, 1},           {1, 9'999, 0, 0, 1},        {1, 10'000, 0, 0, 0},
      {10, 5'000, 0, 0, 5},      {10, 0, 5'001, 0, 5},       {10, 0, 0, 4'999, 6},
      {4'096, 0, 0, 0, 4'096},   {4'096, 1, 2, 3, 4'095},    {4'096, 9'999, 0, 0, 1},
      {3, 3'333, 3'334, 0, 2},   {3, 3'333, 0, 0, 3},        {4'096, 10'000, 0, 0, 0},
      {7, 10'000, 10'000, 0, 0}, {100, 2'500, 1'000, 50, 75}};
  for (const Row& row : rows) {
    Host host;
    const WorkerNode worker =
        must(host.register_worker({"w", row.capacity, row.cpu, row.memory, row.network, {}}));
    INFO(text_of(worker));
    CHECK(worker.effective_capacity() == row.effective);
    CHECK(worker.available_slots() == row.effective);
    for (const WorkerStatus status : {WorkerStatus::busy, WorkerStatus::degraded}) {
      CHECK(must(host.update("w", 1, {status, row.cpu, row.memory, row.network})).effective_capacity() == 0);
    }
  }
}

}  // namespace
}  // namespace leasegate::test
