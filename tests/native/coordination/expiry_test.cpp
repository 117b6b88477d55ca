#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits short_ttl() {
  DistributedLimits limits;
  limits.max_task_ttl_secs = 100;
  return limits;
}

TEST_CASE("Active tasks of the age expire, whatever they are doing") {
  Host host(short_ttl());
  must(host.at(10).register_worker("w", 4));
  for (const char* id : {"queued", "leased", "running"}) must(host.enqueue(id));
  must(host.at(11).enqueue("young"));
  must(host.assign("leased", "w"));
  host.running("running", "w");
  const auto answer = host.at(30).expire(20);
  REQUIRE(answer);
  CHECK(answer->value == 3);
  for (const char* id : {"queued", "leased", "running"}) {
    const ScanTask task = host.task(id);
    CHECK(task.status == TaskStatus::expired);
    CHECK(task.completed_at == LogicalTime{30});
    CHECK_FALSE(task.lease);
    CHECK_FALSE(task.assigned_to);
  }
  CHECK(host.task("queued").record_version.value == 2);
  CHECK(host.task("running").record_version.value == 4);
  CHECK(host.task("running").started_at == LogicalTime{11});
  CHECK(host.task("young").status == TaskStatus::queued);
  CHECK(host.worker("w").current_tasks == 0);
  CHECK(host.snapshot().terminal_tasks == 3);
  CHECK(must(host.at(31).expire(20)) == 1);
}

TEST_CASE("Ended tasks do not expire") {
  Host host(short_ttl());
  must(host.enqueue("t"));
  must(host.cancel(fence_of(host.task("t"))));
  const ScanTask before = host.task("t");
  CHECK(must(host.at(90).expire(1)) == 0);
  CHECK(host.task("t") == before);
}

TEST_CASE("A requeued task keeps its age") {
  Host host(short_ttl());
  must(host.at(10).register_worker("w"));
  must(host.enqueue("old"));
  const TaskLease lease = host.running("old", "w");
  must(host.at(12).enqueue("young"));
  must(host.fail(lease));
  CHECK(must(host.at(20).expire(10)) == 1);
  CHECK(host.task("old").status == TaskStatus::expired);
}

TEST_CASE("A sweep that finds nothing is accepted all the same") {
  Host host(short_ttl());
  const auto answer = host.at(50).expire(1);
  REQUIRE(answer);
  CHECK(answer->value == 0);
  CHECK(answer->revision.value == 1);
  CHECK(host.snapshot().logical_time.value == 50);
}

TEST_CASE("The ttl is checked against 0 before the revision, against the limit after it") {
  Host host(short_ttl());
  CHECK_REFUSED(host, expecting(9).expire(0), "invalid_limit{name: task_ttl_secs}");
  CHECK_REFUSED(host, expecting(9).expire(101), "revision_conflict{expected: 9, actual: 0}");
  CHECK_REFUSED(host, expire(101), "invalid_limit_relationship{reason: task_ttl_exceeds_limit}");
  CHECK(refusal(host.expire(100)) == "accepted");
}

TEST_CASE("Ages near the end of time do not wrap") {
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
  Host host(short_ttl());
  must(host.at(kMax - 5).enqueue("t"));
  CHECK(must(host.at(kMax).expire(6)) == 0);
  CHECK(must(host.expire(5)) == 1);
}

}  // namespace
}  // namespace leasegate::test
