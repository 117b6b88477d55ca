// Long random sequences: after every step the machine and the plain model agree in everything that can be
// seen.

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "support/access.hpp"
#include "support/machine.hpp"
#include "support/random_commands.hpp"

namespace leasegate::test {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

/** Limits and a starting point under which sequences run. */
struct Profile {
  const char* name;
  DistributedLimits limits;
  std::uint64_t worker_names;
  std::uint64_t task_names;
  int runs;
  int steps;
  std::uint64_t start_time = 0;
  /** Commands, leases and ordinals that are left before the counter's end; 0 for all of them. */
  std::uint64_t revisions_left = 0;
  std::uint64_t leases_left = 0;
  std::uint64_t ordinals_left = 0;
};

DistributedLimits limits(std::uint64_t records, std::uint64_t active, std::uint64_t queued,
                         std::uint64_t terminal, std::uint64_t workers, std::uint64_t retries) {
  return {.max_task_records = records,
          .max_active_tasks = active,
          .max_queued_tasks = queued,
          .max_terminal_tasks = terminal,
          .max_workers = workers,
          .max_retries = retries,
          .max_lease_ttl_secs = 20,
          .max_task_ttl_secs = 200,
          .heartbeat_timeout_secs = 15};
}

template <class T>
std::string text_of_found(const std::optional<T>& record) {
  return record ? text_of(*record) : "none";
}

class Comparison {
 public:
  Comparison(const Profile& profile, std::uint64_t seed)
      : machine_(profile.limits),
        model_(profile.limits),
        commands_(seed, model_, profile.worker_names, profile.task_names) {
    Coordinator& c = machine_.coordinator;
    CoordinatorTestAccess::logical_time(c) = {model_.time = profile.start_time};
    if (profile.revisions_left > 0) {
      CoordinatorTestAccess::revision(c) = {model_.revision = kMax - profile.revisions_left};
    }
    if (profile.leases_left > 0) {
      CoordinatorTestAccess::last_lease_id(c) = {model_.last_lease_id = kMax - profile.leases_left};
    }
    if (profile.ordinals_left > 0) {
      CoordinatorTestAccess::last_ordinal(c) = {model_.last_ordinal = kMax - profile.ordinals_left};
    }
  }

  void step() {
    const AnyCommand command = commands_.next();
    INFO(text_of(command));
    std::visit([this](const auto& c) { compare_outcomes(c); }, command);
    compare_records();
    compare_reads();
    REQUIRE(refusal(machine_.check_invariants()) == "accepted");
  }

  int accepted = 0;
  int refused = 0;

 private:
  template <class Command>
  void compare_outcomes(const Command& command) {
    const auto expected = model_.apply(command);
    const auto actual = machine_.apply(command);
    if (!actual || !expected) {
      REQUIRE((actual ? "accepted" : text_of(actual.error())) == (expected ? "accepted" : expected.error()));
      ++refused;
      return;
    }
    REQUIRE(actual->revision == expected->revision);
    REQUIRE(actual->value == expected->value);
    if constexpr (requires { actual->value.expires_at; }) commands_.remember(actual->value);
    ++accepted;
  }

  void compare_records() {
    REQUIRE(machine_.snapshot() == model_.snapshot());
    const std::vector<ScanTask> tasks = machine_.tasks().value();
    REQUIRE(tasks.size() == model_.tasks.size());
    auto task = tasks.begin();
    for (const auto& [id, expected] : model_.tasks) {
      if (!(*task == expected.record)) REQUIRE(*task == expected.record);
      ++task;
    }
    const std::vector<WorkerNode> workers = machine_.get_workers().value();
    REQUIRE(workers.size() == model_.workers.size());
    auto worker = workers.begin();
    for (const auto& [id, expected] : model_.workers) {
      if (!(*worker == expected)) REQUIRE(*worker == expected);
      const std::uint32_t effective = effective_capacity(expected);
      if (worker->effective_capacity() != effective) REQUIRE(worker->effective_capacity() == effective);
      const std::uint32_t slots = effective > expected.current_tasks ? effective - expected.current_tasks : 0;
      if (worker->available_slots() != slots) REQUIRE(worker->available_slots() == slots);
      ++worker;
    }
  }

  template <class T>
  void compare(const Result<std::optional<T>>& actual, const Answer<std::optional<T>>& expected) {
    if (actual && expected && *actual == *expected) return;
    REQUIRE((actual ? "accepted" : text_of(actual.error())) == (expected ? "accepted" : expected.error()));
    if (!actual) return;
    REQUIRE(text_of_found(*actual) == text_of_found(*expected));
  }

  void compare_reads() {
    compare<ScanTask>(machine_.peek_next(), model_.peek_next());
    const std::string_view task_id = commands_.any_task_id();
    compare<ScanTask>(machine_.get_task(task_id), model_.get_task(task_id));
    const std::string_view worker_id = commands_.any_worker_id();
    compare<WorkerNode>(machine_.get_worker(worker_id), model_.get_worker(worker_id));
    // Asking for a later moment changes nothing, whatever it is.
    const std::uint64_t now = model_.time;
    const std::uint64_t timeout = model_.limits.heartbeat_timeout_secs;
    for (const std::uint64_t later : {std::uint64_t{0}, std::uint64_t{1}, commands_.random.below(timeout + 2),
                                      timeout, timeout + 1, kMax - now}) {
      const LogicalTime asked{kMax - now < later ? kMax : now + later};
      compare<WorkerNode>(machine_.get_available_worker(asked), model_.get_available_worker(asked));
    }
    if (now > 0)
      compare<WorkerNode>(machine_.get_available_worker({now - 1}), model_.get_available_worker({now - 1}));
  }

  CoreMachine machine_;
  Model model_;
  RandomCommands commands_;
};

void run(const Profile& profile) {
  int accepted = 0;
  int refused = 0;
  for (int seed = 1; seed <= profile.runs; ++seed) {
    Comparison comparison(profile, static_cast<std::uint64_t>(seed));
    for (int step = 0; step < profile.steps; ++step) {
      INFO("profile " << profile.name << ", seed " << seed << ", step " << step);
      comparison.step();
    }
    accepted += comparison.accepted;
    refused += comparison.refused;
  }
  INFO("accepted " << accepted << ", refused " << refused);
  // The sequences are worth nothing when nearly all commands fail, or none.
  CHECK(accepted > refused / 5);
  CHECK(refused > accepted / 5);
}

TEST_CASE("Random sequences agree with the model: ordinary limits", "[random]") {
  run({"ordinary", limits(200, 24, 24, 200, 6, 2), 8, 240, 60, 600});
}
TEST_CASE("Random sequences agree with the model: a short queue", "[random]") {
  run({"short queue", limits(200, 12, 3, 200, 4, 1), 5, 240, 50, 500});
}
TEST_CASE("Random sequences agree with the model: few terminal records", "[random]") {
  run({"few terminal records", limits(60, 10, 10, 20, 4, 1), 5, 100, 50, 300});
}
TEST_CASE("Random sequences agree with the model: no retries", "[random]") {
  run({"no retries", limits(200, 20, 20, 200, 5, 0), 7, 240, 40, 500});
}
TEST_CASE("Random sequences agree with the model: one of everything", "[random]") {
  run({"one of everything", limits(80, 1, 1, 80, 1, 32), 2, 100, 40, 300});
}
TEST_CASE("Random sequences agree with the model: many workers", "[random]") {
  run({"many workers", limits(400, 100, 100, 400, 70, 3), 72, 500, 12, 1000});
}
TEST_CASE("Random sequences agree with the model: the end of time", "[random]") {
  run({"end of time", limits(200, 20, 20, 200, 5, 3), 7, 240, 40, 500, kMax - 300});
}
TEST_CASE("Random sequences agree with the model: times above 2^53", "[random]") {
  run({"above 2^53", limits(200, 20, 20, 200, 5, 3), 7, 240, 30, 500, (std::uint64_t{1} << 53U) - 40});
}
TEST_CASE("Random sequences agree with the model: the last revisions", "[random]") {
  run({"last revisions", limits(200, 20, 20, 200, 5, 3), 7, 240, 30, 500, 0, 200, 0, 0});
}
TEST_CASE("Random sequences agree with the model: the last lease ids", "[random]") {
  run({"last lease ids", limits(200, 20, 20, 200, 5, 3), 7, 240, 30, 500, 0, 0, 40, 0});
}
TEST_CASE("Random sequences agree with the model: the last enqueue ordinals", "[random]") {
  run({"last enqueue ordinals", limits(200, 20, 20, 200, 5, 3), 7, 240, 30, 500, 0, 0, 0, 60});
}
TEST_CASE("Random sequences agree with the model: default limits, one long run", "[random]") {
  run({"default limits", {}, 30, 5000, 1, 3000});
}

}  // namespace
}  // namespace leasegate::test
