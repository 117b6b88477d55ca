// renew_lease: a current lease lasts longer; the token it was is stale.

#include <catch2/catch_test_macros.hpp>

#include "support/access.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Scene {
  Scene() {
    must(host.register_worker("w", 2));
    must(host.enqueue("t"));
    lease = must(host.assign("t", "w", 10));
  }
  Host host;
  TaskLease lease;
};

TEST_CASE("A renewed lease ends later and is otherwise the same") {
  Scene scene;
  const TaskLease renewed = must(scene.host.at(5).renew(scene.lease, 10));
  TaskLease expected = scene.lease;
  expected.expires_at = {15};
  CHECK(renewed == expected);
  const ScanTask task = scene.host.task("t");
  CHECK(task.lease == renewed);
  CHECK(task.record_version.value == 3);
  CHECK(task.status == TaskStatus::leased);
  CHECK(scene.host.worker("w").current_tasks == 1);
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
}

TEST_CASE("The token that was renewed is stale, the new one does all that a lease does") {
  Scene scene;
  const TaskLease renewed = must(scene.host.at(5).renew(scene.lease, 10));
  CHECK_REFUSED(scene.host, start(scene.lease), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, renew(scene.lease, 20), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(scene.lease), "stale_ownership{task_id: t}");
  must(scene.host.at(14).start(renewed));
  const TaskLease again = must(scene.host.renew(renewed, 10));
  CHECK(scene.host.task("t").status == TaskStatus::running);
  CHECK(must(scene.host.at(20).complete(again)).receipt.lease_id == scene.lease.lease_id);
}

TEST_CASE("A renewed lease runs out at its new end, and no earlier") {
  Scene scene;
  const TaskLease renewed = must(scene.host.at(9).renew(scene.lease, 10));
  CHECK(must(scene.host.at(18).recover()).tasks_requeued == 0);
  CHECK_REFUSED(scene.host, at(19).renew(renewed, 10), "lease_expired{task_id: t}");
  CHECK(must(scene.host.recover()).tasks_requeued == 1);
}

TEST_CASE("A renewal in the middle of many deadlines keeps them in order") {
  Host host;
  must(host.register_worker("w", 40));
  std::vector<TaskLease> leases;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "t" + std::to_string(i);
    must(host.enqueue(id));
    leases.push_back(must(host.assign(id, "w", 10 + static_cast<std::uint64_t>(i))));
  }
  for (std::size_t i = 0; i < leases.size(); i += 3) must(host.renew(leases[i], 100));
  CHECK(refusal(host.machine().check_invariants()) == "accepted");
  CHECK(must(host.at(60).recover()).tasks_requeued == 26);
}

TEST_CASE("A lease is renewed only to a later end") {
  Scene scene;
  const std::string refused = "invalid_limit_relationship{reason: renewal_not_later}";
  CHECK_REFUSED(scene.host, renew(scene.lease, 10), refused);
  CHECK_REFUSED(scene.host, renew(scene.lease, 9), refused);
  CHECK_REFUSED(scene.host, at(4).renew(scene.lease, 7), refused);
  CHECK(must(scene.host.at(4).renew(scene.lease, 8)).expires_at.value == 12);
}

TEST_CASE("A renewal checks ids, revision and time, ttl, task, lease, end and counters, in this order") {
  Host host(std::make_unique<CoreMachine>(DistributedLimits{}));
  Coordinator& core = static_cast<CoreMachine&>(host.machine()).coordinator;
  must(host.register_worker("w", 2));
  must(host.enqueue("t"));
  const TaskLease lease = must(host.assign("t", "w", 10));
  TaskLease other = lease;
  other.task_id = "a b";
  CHECK_REFUSED(host, expecting(0).renew(other, 0), "invalid_task{reason: task_command_id_invalid}");
  other.task_id = "unknown";
  CHECK_REFUSED(host, expecting(0).renew(other, 0), "revision_conflict{expected: 0, actual: 3}");
  CHECK_REFUSED(host, at(0).renew(other, 0), "logical_time_regression{current: 1, proposed: 0}");
  host.at(1);
  CHECK_REFUSED(host, renew(other, 0), "invalid_limit{name: lease_ttl_secs}");
  CHECK_REFUSED(host, renew(other, 3'601), "invalid_limit_relationship{reason: lease_ttl_exceeds_limit}");
  CHECK_REFUSED(host, renew(other, 1), "task_not_found{task_id: unknown}");
  other = lease;
  other.attempt = 2;
  CHECK_REFUSED(host, renew(other, 1), "stale_ownership{task_id: t}");
  CHECK_REFUSED(host, renew(lease, 1), "invalid_limit_relationship{reason: renewal_not_later}");
  CoordinatorTestAccess::task(core, "t").version = {UINT64_MAX};
  CHECK_REFUSED(host, renew(lease, 11), "counter_exhausted{counter: record_version}");
}

TEST_CASE("A lease cannot be renewed past the end of time") {
  Host host;
  host.at(UINT64_MAX - 20);
  must(host.register_worker("w", 2));
  must(host.enqueue("t"));
  const TaskLease lease = must(host.assign("t", "w", 10));
  CHECK_REFUSED(host, at(UINT64_MAX - 15).renew(lease, 16), "counter_exhausted{counter: lease_deadline}");
  CHECK(must(host.renew(lease, 15)).expires_at.value == UINT64_MAX);
}

}  // namespace
}  // namespace leasegate::test
