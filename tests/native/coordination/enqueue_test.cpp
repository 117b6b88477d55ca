#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits limits(std::uint64_t records, std::uint64_t active, std::uint64_t queued,
                         std::uint64_t terminal) {
  DistributedLimits limits;
  limits.max_task_records = records;
  limits.max_active_tasks = active;
  limits.max_queued_tasks = queued;
  limits.max_terminal_tasks = terminal;
  return limits;
}

void cancel(Host& host, const char* id) { must(host.cancel(fence_of(host.task(id)))); }

TEST_CASE("A new task is queued, untried and as it was asked for") {
  Host host;
  const TaskSpec spec = {"t", "s", "target", {3, 1, 2}, Priority::high};
  const auto answer = host.at(7).enqueue(spec);
  REQUIRE(answer);
  CHECK(answer->revision.value == 1);
  ScanTask expected;
  expected.task_id = "t";
  expected.scan_id = "s";
  expected.target_ref = "target";
  expected.phases = {3, 1, 2};
  expected.status = TaskStatus::queued;
  expected.priority = Priority::high;
  expected.created_at = {7};
  expected.record_version = {1};
  CHECK(answer->value == expected);
  CHECK(host.task("t") == expected);
  CHECK(host.snapshot() == StateSnapshot{{1}, {7}, 1, 1, 1, 0, 0});
}

TEST_CASE("An id is never used twice, not even after its task has ended") {
  Host host;
  must(host.enqueue("t"));
  CHECK_REFUSED(host, enqueue("t"), "task_already_exists{task_id: t}");
  cancel(host, "t");
  CHECK_REFUSED(host, enqueue("t"), "task_already_exists{task_id: t}");
  CHECK(refusal(host.enqueue("T")) == "accepted");
}

TEST_CASE("A known id is told before any lack of room") {
  Host host(limits(1, 1, 1, 1));
  must(host.enqueue("t"));
  CHECK_REFUSED(host, enqueue("t"), "task_already_exists{task_id: t}");
  CHECK_REFUSED(host, enqueue("u"), "task_record_capacity_reached{limit: 1}");
}

TEST_CASE("Task records are bounded, ended tasks included") {
  Host host(limits(2, 1, 1, 2));
  must(host.enqueue("a"));
  cancel(host, "a");
  must(host.enqueue("b"));
  cancel(host, "b");
  CHECK_REFUSED(host, enqueue("c"), "task_record_capacity_reached{limit: 2}");
}

TEST_CASE("Active tasks are bounded, leased and running ones included") {
  Host host(limits(9, 2, 2, 9));
  must(host.register_worker("w", 2));
  must(host.enqueue("a"));
  must(host.enqueue("b"));
  must(host.assign("a", "w"));
  host.running("b", "w");
  CHECK_REFUSED(host, enqueue("c"), "active_task_capacity_reached{limit: 2}");
  must(host.complete(host.task("b").lease.value()));
  CHECK(refusal(host.enqueue("c")) == "accepted");
}

TEST_CASE("Queued tasks are bounded") {
  Host host(limits(9, 9, 2, 9));
  must(host.register_worker("w", 1));
  must(host.enqueue("a"));
  must(host.enqueue("b"));
  CHECK_REFUSED(host, enqueue("c"), "queued_task_capacity_reached{limit: 2}");
  must(host.assign("a", "w"));
  CHECK(refusal(host.enqueue("c")) == "accepted");
}

TEST_CASE("Every admitted task has a terminal record reserved for it") {
  Host host(limits(9, 2, 2, 3));
  for (const char* id : {"a", "b"}) {
    must(host.enqueue(id));
    cancel(host, id);
  }
  must(host.enqueue("c"));
  CHECK_REFUSED(host, enqueue("d"), "terminal_capacity_reserved{limit: 3}");
  cancel(host, "c");
  CHECK_REFUSED(host, enqueue("d"), "terminal_capacity_reserved{limit: 3}");
}

TEST_CASE("Where several kinds of room are short, records are told first, then active, queued, terminal") {
  SECTION("records before active") {
    Host host(limits(1, 1, 1, 1));
    must(host.enqueue("a"));
    CHECK_REFUSED(host, enqueue("b"), "task_record_capacity_reached{limit: 1}");
  }
  SECTION("active before queued and terminal") {
    Host host(limits(9, 1, 1, 1));
    must(host.enqueue("a"));
    CHECK_REFUSED(host, enqueue("b"), "active_task_capacity_reached{limit: 1}");
  }
  SECTION("queued before terminal") {
    Host host(limits(9, 2, 1, 2));
    must(host.enqueue("a"));
    cancel(host, "a");
    must(host.enqueue("b"));
    CHECK_REFUSED(host, enqueue("c"), "queued_task_capacity_reached{limit: 1}");
  }
}

TEST_CASE("At the highest limits the last place can be taken") {
  Host host(limits(3, 3, 3, 3));
  for (const char* id : {"a", "b", "c"}) CHECK(refusal(host.enqueue(id)) == "accepted");
  CHECK(host.snapshot().queued_tasks == 3);
}

}  // namespace
}  // namespace leasegate::test
