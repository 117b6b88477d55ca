// What every state-changing command checks first, and what every accepted one does.

#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Command {
  const char* name;
  std::function<std::string(Host&)> run;
};

/** Each of the 15 commands, in a form that is accepted in `scene`. */
std::vector<Command> all_commands() {
  const auto lease_of = [](Host& host, const char* id) { return host.task(id).lease.value(); };
  return {
      {"register_worker", [](Host& h) { return refusal(h.register_worker("new")); }},
      {"reactivate_worker", [](Host& h) { return refusal(h.reactivate("gone", 2)); }},
      {"update_worker", [](Host& h) { return refusal(h.update("w", 1)); }},
      {"deregister_worker", [](Host& h) { return refusal(h.deregister("w", 1)); }},
      {"prune_dead_workers", [](Host& h) { return refusal(h.prune()); }},
      {"enqueue", [](Host& h) { return refusal(h.enqueue("new")); }},
      {"assign_task", [](Host& h) { return refusal(h.assign("queued", "w")); }},
      {"assign_next", [](Host& h) { return refusal(h.assign_next("w")); }},
      {"assign_next_available", [](Host& h) { return refusal(h.assign_next_available()); }},
      {"start_task", [=](Host& h) { return refusal(h.start(lease_of(h, "leased"))); }},
      {"complete_task", [=](Host& h) { return refusal(h.complete(lease_of(h, "running"))); }},
      {"fail_task", [=](Host& h) { return refusal(h.fail(lease_of(h, "running"))); }},
      {"cancel_task", [](Host& h) { return refusal(h.cancel(fence_of(h.task("queued")))); }},
      {"recover_expired_leases", [](Host& h) { return refusal(h.recover()); }},
      {"expire_old_tasks", [](Host& h) { return refusal(h.expire(60)); }},
  };
}

Host scene() {
  Host host;
  host.at(5);
  must(host.register_worker("w", 10));
  must(host.register_worker("gone"));
  must(host.deregister("gone", 1));
  for (const char* id : {"leased", "running", "queued"}) must(host.enqueue(id));
  must(host.assign("leased", "w"));
  host.running("running", "w");
  return host;
}

TEST_CASE("Every command needs the current revision") {
  for (const Command& command : all_commands()) {
    INFO(command.name);
    Host host = scene();
    const std::uint64_t revision = host.revision();
    const std::string before = host.state();
    for (const std::uint64_t other : {revision - 1, revision + 1, std::uint64_t{0}, ~std::uint64_t{0}}) {
      host.expecting(other);
      CHECK(command.run(host) == "revision_conflict{expected: " + std::to_string(other) +
                                     ", actual: " + std::to_string(revision) + "}");
    }
    CHECK(host.state() == before);
    CHECK(command.run(host) == "accepted");
  }
}

TEST_CASE("No command goes back in time, and the revision is checked before the time") {
  for (const Command& command : all_commands()) {
    INFO(command.name);
    Host host = scene();
    const std::string before = host.state();
    const std::uint64_t revision = host.revision();
    CHECK(command.run(host.at(4)) == "logical_time_regression{current: 5, proposed: 4}");
    CHECK(command.run(host.at(0)) == "logical_time_regression{current: 5, proposed: 0}");
    CHECK(command.run(host.at(4).expecting(0)) ==
          "revision_conflict{expected: 0, actual: " + std::to_string(revision) + "}");
    CHECK(host.state() == before);
    CHECK(command.run(host.at(5)) == "accepted");
  }
}

TEST_CASE("An accepted command adds one to the revision and sets the logical time") {
  for (const Command& command : all_commands()) {
    INFO(command.name);
    Host host = scene();
    const std::uint64_t revision = host.revision();
    CHECK(command.run(host.at(6)) == "accepted");
    CHECK(host.revision() == revision + 1);
    CHECK(host.snapshot().logical_time.value == 6);
    CHECK(refusal(host.machine().check_invariants()) == "accepted");
  }
}

TEST_CASE("A command that is refused for another reason does not move the time") {
  Host host = scene();
  CHECK_REFUSED(host, at(9).enqueue("queued"), "task_already_exists{task_id: queued}");
  CHECK(host.snapshot().logical_time.value == 5);
  must(host.at(7).enqueue("other"));
  CHECK(host.snapshot().logical_time.value == 7);
}

}  // namespace
}  // namespace leasegate::test
