// Faults that people met in systems doing the same job, P1 to P10: what goes wrong there goes right here.

#include <catch2/catch_test_macros.hpp>

#include "results/result_aggregator.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits with_retries(std::uint64_t max_retries) {
  DistributedLimits limits;
  limits.max_retries = max_retries;
  return limits;
}

TEST_CASE("P1: a stalled run that wakes up late does not complete the task a second time") {
  Host host;
  must(host.register_worker("w", 2));
  must(host.enqueue("t"));
  const TaskLease first = host.running("t", "w", 10);
  must(host.at(11).recover());
  const TaskLease second = host.running("t", "w", 10);
  CHECK_REFUSED(host, complete(first), "stale_ownership{task_id: t}");
  const CompletionReceipt receipt = must(host.complete(second)).receipt;
  CHECK_REFUSED(host, complete(first), "stale_ownership{task_id: t}");
  CHECK(host.worker("w").completed_tasks == 1);

  // And only one result: the late run has no receipt, and one made up does not match.
  ResultAggregator results = ResultAggregator::create().value();
  const std::vector<std::uint8_t> right = {2};
  const std::vector<std::uint8_t> late = {1};
  REQUIRE(results.store_result({{0}, view_of(receipt), right}));
  CompletionReceipt made_up = receipt;
  made_up.attempt = first.attempt;
  made_up.lease_id = first.lease_id;
  made_up.task_generation = first.task_generation;
  CHECK(refusal(results.store_result({{1}, view_of(made_up), late})) ==
        "mismatched_result_receipt{task_id: t}");
  CHECK(results.get_result("t").value() == right);
}

TEST_CASE("P2: a worker's own two attempts are told apart") {
  Host host;
  must(host.register_worker("w", 2));
  must(host.enqueue("t"));
  const TaskLease first = must(host.assign("t", "w", 10));
  must(host.at(11).recover());
  const TaskLease second = must(host.assign("t", "w", 10));
  const std::string before = host.state();
  CHECK_REFUSED(host, start(first), "stale_ownership{task_id: t}");
  CHECK_REFUSED(host, complete(first), "stale_ownership{task_id: t}");
  CHECK(host.state() == before);
  must(host.start(second));
  CHECK(refusal(host.complete(second)) == "accepted");
}

TEST_CASE("P3: a rescue decided on an old look does not touch what has happened since") {
  Host host;
  must(host.register_worker("w", 4));
  must(host.enqueue("finished"));
  must(host.enqueue("claimed"));
  const TaskLease finished = host.running("finished", "w", 10);
  const TaskLease claimed = host.running("claimed", "w", 10);
  // The rescuer looks and sees two leases that will have run out at 11.
  const std::uint64_t seen = host.revision();
  must(host.at(10).complete(finished));
  must(host.fail(claimed));
  const TaskLease again = must(host.assign("claimed", "w", 10));
  CHECK_REFUSED(host, at(11).expecting(seen).recover(),
                "revision_conflict{expected: " + std::to_string(seen) +
                    ", actual: " + std::to_string(host.revision()) + "}");
  // Looking anew, it finds nothing that is expired now.
  CHECK(must(host.at(11).recover()) == RecoverySummary{0, 0, 0});
  CHECK(host.task("finished").status == TaskStatus::completed);
  CHECK(host.task("claimed").lease == again);
}

TEST_CASE("P4: a task runs once and then once a retry, and every hand-out counts as an attempt") {
  for (const std::uint64_t retries : {std::uint64_t{0}, std::uint64_t{2}}) {
    Host host(with_retries(retries));
    must(host.register_worker("w"));
    must(host.enqueue("t"));
    for (std::uint64_t run = 1; run <= retries + 1; ++run) {
      INFO("run " << run << " with " << retries << " retries");
      const TaskLease lease = host.running("t", "w");
      CHECK(lease.attempt == run);
      const FailureOutcome outcome = must(host.fail(lease));
      CHECK(outcome.kind == (run <= retries ? FailureKind::requeued : FailureKind::retry_exhausted));
    }
    CHECK_REFUSED(host, assign_next("w"), "no_queued_task");
    CHECK(host.task("t").attempt == retries + 1);
    CHECK(host.task("t").retry_count == retries);
  }
}

TEST_CASE("P4: a lease that was handed out but never started is an attempt and a retry as well") {
  Host host(with_retries(1));
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  must(host.assign("t", "w", 1));
  CHECK(must(host.at(2).recover()) == RecoverySummary{1, 1, 0});
  CHECK(must(host.assign("t", "w", 1)).attempt == 2);
  CHECK(must(host.at(3).recover()) == RecoverySummary{1, 0, 1});
}

TEST_CASE(
    "P5: ids that would corrupt streams or keys are refused by rule, the rest is carried byte for byte") {
  Host host;
  const std::vector<std::string> refused = {
      "a\ndata:x", std::string("a\0b", 3), "\xF0\x9F\x98\x80", "\xED\xA0\x80", "a b", "a/b", "a,b"};
  for (const std::string& id : refused) {
    CHECK_REFUSED(host, enqueue(id), "invalid_task{reason: task_id_unsafe}");
    CHECK_REFUSED(host, register_worker(id), "invalid_worker{reason: worker_id_invalid}");
  }
  // ':' is a byte like any other: no key is made by putting ids together.
  const std::vector<std::string> accepted = {"n:1", "n", ":1", "n:", "1", ":", "n:1:", "t:n:1"};
  for (const std::string& id : accepted) {
    must(host.enqueue(id));
    must(host.register_worker(id));
  }
  for (const std::string& id : accepted) {
    CHECK(host.task(id).task_id == id);
    CHECK(host.worker(id).worker_id == id);
  }
  CHECK(host.snapshot().task_records == accepted.size());
  // A target is opaque: whatever bytes it has, they come back.
  const std::string target("\n\0:\xF0\x9F\x98\x80\xED\xA0\x80", 10);
  must(host.enqueue(
      {.task_id = "t", .scan_id = "s", .target_ref = target, .phases = {}, .priority = Priority::low}));
  CHECK(host.task("t").target_ref == target);
}

TEST_CASE("P6: a requeued task goes behind its equals, and in front of everything lower") {
  Host host;
  must(host.register_worker("w", 100));
  for (const char* id : {"1", "2", "3", "4"}) must(host.enqueue(id));
  must(host.fail(host.running("1", "w")));
  CHECK(host.hand_out_all("w") == "2 3 4 1");

  must(host.enqueue("high", Priority::high));
  must(host.assign("high", "w", 5));
  for (int i = 0; i < 50; ++i) must(host.enqueue("low" + std::to_string(i), Priority::low));
  must(host.at(6).recover());
  CHECK(must(host.assign_next("w")).task_id == "high");
}

TEST_CASE(
    "P7: at its deadline a lease is dead for its holder and there for the sweep; never both, never neither") {
  for (const std::uint64_t now : {99U, 100U, 101U}) {
    Host host;
    must(host.register_worker("w"));
    must(host.enqueue("t"));
    const TaskLease lease = host.running("t", "w", 99);
    REQUIRE(lease.expires_at.value == 100);
    Host other;
    must(other.register_worker("w"));
    must(other.enqueue("t"));
    REQUIRE(other.running("t", "w", 99) == lease);
    const bool live = now < 100;
    CHECK(refusal(host.at(now).complete(lease)) == (live ? "accepted" : "lease_expired{task_id: t}"));
    CHECK(must(other.at(now).recover()) == (live ? RecoverySummary{0, 0, 0} : RecoverySummary{1, 1, 0}));
  }
}

TEST_CASE("P8: a worker that goes and comes back leaves no task behind and no lease alive") {
  Host host;
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  const TaskLease old = host.running("t", "w");
  CHECK(must(host.deregister("w", 1)) == RecoverySummary{1, 1, 0});
  CHECK(host.task("t").status == TaskStatus::queued);
  CHECK(host.task("t").attempt == 1);
  CHECK(must(host.reactivate("w", 2)).generation.value == 3);
  CHECK(host.worker("w").current_tasks == 0);
  CHECK_REFUSED(host, complete(old), "stale_ownership{task_id: t}");
  const TaskLease lease = host.running("t", "w");
  CHECK(lease.attempt == 2);
  CHECK(lease.worker_generation.value == 3);
  CHECK_REFUSED(host, complete(old), "stale_ownership{task_id: t}");
  CHECK(refusal(host.complete(lease)) == "accepted");
}

TEST_CASE(
    "P9: a second submission is an explicit duplicate, before and after completion, and the first is kept") {
  Host host;
  must(host.register_worker("w"));
  const TaskSpec first = {"job", "scan", "first", {1}, Priority::low};
  const TaskSpec second = {"job", "scan", "second", {2}, Priority::critical};
  must(host.enqueue(first));
  CHECK_REFUSED(host, enqueue(second), "task_already_exists{task_id: job}");
  CHECK_REFUSED(host, enqueue(first), "task_already_exists{task_id: job}");
  host.finish_next("w");
  CHECK_REFUSED(host, enqueue(first), "task_already_exists{task_id: job}");
  const ScanTask task = host.task("job");
  CHECK(task.target_ref == "first");
  CHECK(task.phases == std::vector<std::uint8_t>{1});
  CHECK(task.priority == Priority::low);
}

TEST_CASE("P10: after 60,000 tasks the indexes hold what the records hold", "[slow]") {
  DistributedLimits limits;
  limits.max_task_records = 65'536;
  limits.max_terminal_tasks = 65'536;
  CoreMachine machine(limits);
  Coordinator& core = machine.coordinator;
  const auto fenced = [&core] { return Fenced{core.revision(), {1}}; };
  REQUIRE(machine.apply(RegisterWorker{fenced(), {.worker_id = "w", .capacity = 4}}));
  for (std::uint32_t i = 0; i < 60'000; ++i) {
    const std::string id = "job" + std::to_string(i);
    REQUIRE(machine.apply(Enqueue{fenced(), {.task_id = id, .scan_id = "s", .target_ref = "r"}}));
    const auto lease = machine.apply(AssignNext{fenced(), "w", {10}});
    REQUIRE(lease);
    REQUIRE(machine.apply(StartTask{fenced(), view_of(lease->value)}));
    REQUIRE(machine.apply(CompleteTask{fenced(), view_of(lease->value)}));
    if (i % 10'000 == 0) REQUIRE(refusal(machine.check_invariants()) == "accepted");
  }
  CHECK(refusal(machine.check_invariants()) == "accepted");
  CHECK(machine.snapshot() == StateSnapshot{{240'001}, {1}, 60'000, 0, 0, 60'000, 1});
  CHECK(machine.get_worker("w").value().value().completed_tasks == 60'000);
  CHECK(machine.peek_next().value() == std::nullopt);
  // Nothing active is left for any sweep to find.
  CHECK(machine.apply(ExpireOldTasks{{core.revision(), {90'000}}, {1}})->value == 0);
  CHECK(machine.apply(RecoverExpiredLeases{{core.revision(), {90'000}}})->value == RecoverySummary{0, 0, 0});
  CHECK(machine.tasks().value().size() == 60'000);
}

}  // namespace
}  // namespace leasegate::test
