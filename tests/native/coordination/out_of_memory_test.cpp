// Each allocation of each command fails once: the answer is out_of_memory, nothing has changed, and the same
// command succeeds afterwards.

#include <catch2/catch_test_macros.hpp>

#include "support/failing_allocator.hpp"
#include "support/host.hpp"
#include "support/random_commands.hpp"

namespace leasegate::test {
namespace {

/** What `command` answered, and whether its `nth` allocation was asked for and failed. */
template <class Command>
auto with_failing_allocation(int nth, Command&& command) {
  const FailingAllocation failing(nth);
  auto result = command();
  return std::pair(std::move(result), failing.failed());
}

/** Runs `command` with each of its allocations failing in turn, then without. Returns how many there were. */
template <class Command>
int fail_each_allocation(const Host& host, Command&& command) {
  const std::string before = host.state();
  for (int nth = 1;; ++nth) {
    INFO("allocation " << nth);
    const auto [result, failed] = with_failing_allocation(nth, command);
    REQUIRE(refusal(result) == (failed ? "out_of_memory" : "accepted"));
    if (!failed) return nth - 1;
    REQUIRE(host.state() == before);
  }
}

/** A pool in which each kind of command can succeed. */
struct Scene {
  Scene() {
    must(host.register_worker("w", 3));
    must(host.register_worker("gone"));
    must(host.deregister("gone", 1));
    for (const char* id : {"leased", "running", "failing", "queued"}) must(host.enqueue(id));
    leased = must(host.assign("leased", "w"));
    running = host.running("running", "w");
    failing = host.running("failing", "w");
  }

  Host host;
  TaskLease leased;
  TaskLease running;
  TaskLease failing;
};

TEST_CASE("The first command of each kind survives the failure of any of its allocations") {
  Host host;
  CHECK(fail_each_allocation(host, [&] { return host.register_worker("w", 4); }) >= 5);
  CHECK(fail_each_allocation(host, [&] {
          return host.enqueue({.task_id = "t",
                               .scan_id = "s",
                               .target_ref = std::string("r"),
                               .phases = {},
                               .priority = Priority::normal});
        }) >= 4);
  CHECK(fail_each_allocation(host, [&] { return host.assign("t", "w"); }) >= 1);
  CHECK(refusal(host.machine().check_invariants()) == "accepted");
}

TEST_CASE("start_task survives the failure of any of its allocations") {
  Scene scene;
  fail_each_allocation(scene.host, [&] { return scene.host.start(scene.leased); });
}

TEST_CASE("complete_task survives the failure of any of its allocations") {
  Scene scene;
  CHECK(fail_each_allocation(scene.host, [&] { return scene.host.complete(scene.running); }) == 2);
}

TEST_CASE("fail_task survives the failure of any of its allocations") {
  Scene scene;
  fail_each_allocation(scene.host, [&] { return scene.host.fail(scene.failing); });
}

TEST_CASE("cancel_task survives the failure of any of its allocations") {
  Scene scene;
  fail_each_allocation(scene.host, [&] { return scene.host.cancel(scene.leased); });
  fail_each_allocation(scene.host, [&] { return scene.host.cancel(fence_of(scene.host.task("queued"))); });
}

TEST_CASE("assign_next and assign_next_available survive the failure of any of their allocations") {
  Scene scene;
  must(scene.host.cancel(scene.leased));
  must(scene.host.cancel(scene.running));
  must(scene.host.enqueue("another"));
  CHECK(fail_each_allocation(scene.host, [&] { return scene.host.assign_next("w"); }) >= 2);
  CHECK(fail_each_allocation(scene.host, [&] { return scene.host.assign_next_available(); }) >= 2);
}

TEST_CASE("update_worker and reactivate_worker survive the failure of any of their allocations") {
  Scene scene;
  CHECK(fail_each_allocation(scene.host, [&] { return scene.host.update("w", 1); }) == 1);
  CHECK(fail_each_allocation(scene.host, [&] { return scene.host.reactivate("gone", 2); }) == 1);
}

TEST_CASE("The sweeps survive the failure of any of their allocations") {
  SECTION("recover_expired_leases") {
    Scene scene;
    scene.host.at(11);
    CHECK(fail_each_allocation(scene.host, [&] { return scene.host.recover(); }) == 1);
    CHECK(scene.host.snapshot().queued_tasks == 4);
  }
  SECTION("deregister_worker") {
    Scene scene;
    CHECK(fail_each_allocation(scene.host, [&] { return scene.host.deregister("w", 1); }) == 1);
    CHECK(scene.host.snapshot().queued_tasks == 4);
  }
  SECTION("prune_dead_workers") {
    Scene scene;
    scene.host.at(100);
    CHECK(fail_each_allocation(scene.host, [&] { return scene.host.prune(); }) == 1);
    CHECK(scene.host.snapshot().queued_tasks == 4);
  }
  SECTION("expire_old_tasks") {
    Scene scene;
    scene.host.at(100);
    fail_each_allocation(scene.host, [&] { return scene.host.expire(5); });
    CHECK(scene.host.snapshot().active_tasks == 0);
  }
}

TEST_CASE("Reads survive the failure of any of their allocations") {
  Scene scene;
  const std::string long_id(200, 'x');
  must(scene.host.register_worker(long_id));
  must(scene.host.enqueue(long_id, Priority::critical));
  const Machine& machine = scene.host.machine();
  CHECK(fail_each_allocation(scene.host, [&] { return machine.tasks(); }) > 1);
  CHECK(fail_each_allocation(scene.host, [&] { return machine.get_workers(); }) > 1);
  CHECK(fail_each_allocation(scene.host, [&] { return machine.peek_next(); }) > 0);
  CHECK(fail_each_allocation(scene.host, [&] { return machine.get_task(long_id); }) > 0);
  CHECK(fail_each_allocation(scene.host, [&] { return machine.get_worker(long_id); }) > 0);
  fail_each_allocation(scene.host, [&] { return machine.get_available_worker({1}); });
}

TEST_CASE("Tables grow step by step, and a failed step is as if it had not been tried") {
  // Past the sizes at which pages, indexes, the ranking and the deadlines grow.
  Host host;
  int allocations_that_failed = 0;
  for (int i = 0; i < 140; ++i) {
    const std::string id = "id" + std::to_string(i);
    allocations_that_failed += fail_each_allocation(host, [&] { return host.register_worker(id, 2); });
    allocations_that_failed += fail_each_allocation(host, [&] { return host.enqueue(id); });
    if (i % 2 == 0)
      allocations_that_failed += fail_each_allocation(host, [&] { return host.assign(id, id); });
  }
  INFO(allocations_that_failed << " allocations failed");
  CHECK(allocations_that_failed > 140 * 6);
  CHECK(refusal(host.machine().check_invariants()) == "accepted");
  host.at(11);
  must(host.recover());
  CHECK(host.snapshot().queued_tasks == 140);
}

TEST_CASE("A pool and a queue that cannot be made say so") {
  {
    const FailingAllocation failing(1);
    const auto pool = WorkerPool::create();
    REQUIRE(failing.failed());
    CHECK_FALSE(pool);
  }
  {
    const FailingAllocation failing(1);
    const auto queue = TaskQueue::create();
    REQUIRE(failing.failed());
    CHECK_FALSE(queue);
  }
  CHECK(refusal(WorkerPool::create()) == "accepted");
  CHECK(refusal(TaskQueue::create()) == "accepted");
}

TEST_CASE("Random sequences keep to the model while allocations fail", "[random]") {
  const DistributedLimits limits = {.max_task_records = 150,
                                    .max_active_tasks = 40,
                                    .max_queued_tasks = 40,
                                    .max_terminal_tasks = 150,
                                    .max_workers = 24,
                                    .max_retries = 2,
                                    .max_lease_ttl_secs = 20,
                                    .max_task_ttl_secs = 200,
                                    .heartbeat_timeout_secs = 15};
  PoolMachine machine(limits);
  Model model(limits);
  RandomCommands commands(7, model, 25, 170);
  for (int step = 0; step < 1000; ++step) {
    const AnyCommand command = commands.next();
    INFO("step " << step << ": " << text_of(command));
    std::visit(
        [&](const auto& c) {
          for (int nth = 1;; ++nth) {
            const auto [result, failed] = with_failing_allocation(nth, [&] { return machine.apply(c); });
            if (failed) {
              REQUIRE(refusal(result) == "out_of_memory");
              REQUIRE(machine.snapshot() == model.snapshot());
              REQUIRE(refusal(machine.check_invariants()) == "accepted");
              continue;
            }
            const auto expected = model.apply(c);
            REQUIRE(refusal(result) == (expected ? "accepted" : expected.error()));
            if constexpr (requires { result->value.expires_at; }) {
              if (result) commands.remember(result->value);
            }
            break;
          }
        },
        command);
  }
}

}  // namespace
}  // namespace leasegate::test
