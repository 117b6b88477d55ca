// Which worker is best, and until when it is fresh.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <random>
#include <tuple>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits timeout_of_20() {
  DistributedLimits limits;
  limits.heartbeat_timeout_secs = 20;
  limits.max_workers = 300;
  return limits;
}

TEST_CASE("Each criterion decides where all before it are equal") {
  // `best` is better than `other` in one place; the ids would decide the other way.
  struct Row {
    const char* criterion;
    WorkerSpec best;
    std::uint64_t best_seen;
    WorkerSpec other;
    std::uint64_t other_seen;
  };
  const std::vector<Row> rows = {
      {"free slots before heartbeat", {"z", 3, 0, 0, 0, {}}, 1, {"a", 2, 0, 0, 0, {}}, 9},
      {"heartbeat before cpu", {"z", 2, 20, 20, 20, {}}, 9, {"a", 2, 0, 0, 0, {}}, 8},
      {"cpu before memory", {"z", 2, 10, 20, 20, {}}, 9, {"a", 2, 11, 0, 0, {}}, 9},
      {"memory before network", {"z", 2, 10, 20, 20, {}}, 9, {"a", 2, 10, 21, 0, {}}, 9},
      {"cpu before the greatest memory and network",
       {"z", 20, 10, 9'000, 9'000, {}},
       9,
       {"a", 20, 11, 9'000, 0, {}},
       9},
      {"memory before the greatest network",
       {"z", 20, 9'000, 20, 9'000, {}},
       9,
       {"a", 20, 9'000, 21, 0, {}},
       9},
      {"network before id", {"z", 2, 10, 20, 20, {}}, 9, {"a", 2, 10, 20, 21, {}}, 9},
  };
  for (const Row& row : rows) {
    INFO(row.criterion);
    for (const bool best_first : {true, false}) {
      Host host(timeout_of_20());
      const auto add = [&host](const WorkerSpec& spec) { must(host.register_worker(spec)); };
      const auto see = [&host](const WorkerSpec& spec, std::uint64_t now) {
        must(host.at(now).update(spec.worker_id, 1,
                                 {.cpu_basis_points = spec.cpu_basis_points,
                                  .memory_basis_points = spec.memory_basis_points,
                                  .network_basis_points = spec.network_basis_points}));
      };
      add(best_first ? row.best : row.other);
      add(best_first ? row.other : row.best);
      if (row.best_seen <= row.other_seen) {
        see(row.best, row.best_seen);
        see(row.other, row.other_seen);
      } else {
        see(row.other, row.other_seen);
        see(row.best, row.best_seen);
      }
      CHECK(host.best_worker(9) == "z");
      must(host.enqueue("t"));
      CHECK(must(host.assign_next_available()).worker_id == "z");
    }
  }
}

TEST_CASE("Equal workers are told apart by their ids, byte by byte") {
  Host host(timeout_of_20());
  // Far apart, equal in the first 8 and 16 bytes, one a prefix of the other.
  const std::vector<std::string> ids = {"worker-of-sixteen-bytes-b",
                                        "worker-of-sixteen-bytes-a",
                                        "worker-o",
                                        "worker-of",
                                        "Z",
                                        "a",
                                        "a.",
                                        "a-",
                                        "9"};
  std::vector<std::string> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  for (const std::string& id : ids) must(host.register_worker(id));
  for (std::size_t i = 0; i < sorted.size(); ++i) must(host.enqueue("t" + std::to_string(i)));
  for (const std::string& expected : sorted) CHECK(must(host.assign_next_available()).worker_id == expected);
  CHECK(host.best_worker(1) == "none");
}

TEST_CASE("Free slots are counted as they are now") {
  Host host(timeout_of_20());
  must(host.register_worker("a", 2));
  must(host.register_worker("b", 2));
  for (const char* id : {"1", "2", "3", "4", "5"}) must(host.enqueue(id));
  std::string order;
  for (int i = 0; i < 4; ++i) order += must(host.assign_next_available()).worker_id;
  CHECK(order == "abab");
  CHECK_REFUSED(host, assign_next_available(), "no_available_worker");
  must(host.cancel(host.task("4").lease.value()));
  CHECK(must(host.assign_next_available()).worker_id == "b");
}

TEST_CASE("A stale worker is passed over however good it is") {
  Host host(timeout_of_20());
  must(host.at(10).register_worker("big", 100));
  must(host.at(20).register_worker("small", 1));
  CHECK(host.best_worker(20) == "big");
  CHECK(host.best_worker(30) == "big");
  CHECK(host.best_worker(31) == "small");
  CHECK(host.best_worker(40) == "small");
  CHECK(host.best_worker(41) == "none");
  // A later moment was asked about, not gone to.
  CHECK(host.best_worker(20) == "big");
  must(host.at(25).update("big", 1));
  CHECK(host.best_worker(45) == "big");
  CHECK(host.best_worker(46) == "none");
}

TEST_CASE("A command that fails at a later moment leaves the choice as it was") {
  Host host(timeout_of_20());
  must(host.at(10).register_worker("big", 100));
  must(host.at(20).register_worker("small", 1));
  must(host.enqueue("t"));
  CHECK_REFUSED(host, at(41).assign_next_available(), "no_available_worker");
  CHECK(must(host.at(30).assign_next_available()).worker_id == "big");
}

TEST_CASE("No moment before the logical time is asked about") {
  Host host(timeout_of_20());
  must(host.at(10).register_worker("w"));
  CHECK(refusal(host.machine().get_available_worker({9})) ==
        "logical_time_regression{current: 10, proposed: 9}");
  CHECK(refusal(host.machine().get_available_worker({10})) == "accepted");
  CHECK(host.best_worker(~std::uint64_t{0}) == "none");
}

TEST_CASE("Only healthy workers with a free slot are eligible") {
  Host host(timeout_of_20());
  must(host.register_worker("w", 1));
  CHECK(host.best_worker(1) == "w");
  must(host.update("w", 1, {.status = WorkerStatus::busy}));
  CHECK(host.best_worker(1) == "none");
  must(host.update("w", 1, {.status = WorkerStatus::degraded}));
  CHECK(host.best_worker(1) == "none");
  must(host.update("w", 1, {.cpu_basis_points = 10'000}));
  CHECK(host.best_worker(1) == "none");
  must(host.update("w", 1));
  must(host.enqueue("t"));
  must(host.assign_next("w"));
  CHECK(host.best_worker(1) == "none");
  must(host.deregister("w", 1));
  CHECK(host.best_worker(1) == "none");
  must(host.reactivate("w", 2));
  CHECK(host.best_worker(1) == "w");
}

TEST_CASE("Tags do not matter") {
  Host host(timeout_of_20());
  WorkerTags all;
  all.bits = 31;
  must(host.register_worker({"b", 1, 0, 0, 0, all}));
  must(host.register_worker("a"));
  CHECK(host.best_worker(1) == "a");
}

TEST_CASE("Thousands of heartbeats later the choice is still right") {
  Host host(timeout_of_20());
  constexpr std::uint64_t kWorkers = 40;
  for (std::uint64_t i = 0; i < kWorkers; ++i) must(host.register_worker("w" + std::to_string(100 + i), 2));
  for (std::uint64_t now = 2; now < 400; ++now) {
    // One half reports every second in turn, the other has fallen silent.
    const std::string id = "w" + std::to_string(100 + now % (kWorkers / 2));
    must(host.at(now).update(id, 1, {.cpu_basis_points = static_cast<std::uint32_t>(now % 7)}));
    INFO("second " << now);
    REQUIRE(host.best_worker(now) == id);
    REQUIRE(refusal(host.machine().check_invariants()) == "accepted");
  }
  CHECK(must(host.prune()).workers_affected == kWorkers / 2);
  CHECK(refusal(host.machine().check_invariants()) == "accepted");
}

/** The best of all workers, by looking at each. */
std::string best_by_looking(Host& host, const std::vector<std::string>& ids, std::uint64_t now) {
  std::optional<WorkerNode> best;
  const auto rank = [](const WorkerNode& worker) {
    return std::tuple(worker.available_slots(), worker.last_heartbeat.value,
                      ~std::uint64_t{worker.cpu_basis_points});
  };
  for (const std::string& id : ids) {
    const WorkerNode worker = host.worker(id);
    const bool fresh = now - worker.last_heartbeat.value <= 20;
    if (worker.status != WorkerStatus::healthy || !fresh || worker.available_slots() == 0) continue;
    // Ids ascend, so that the first of equals stays.
    if (!best || rank(worker) > rank(*best)) best = worker;
  }
  return best ? best->worker_id : "none";
}

TEST_CASE("Whatever was asked between two changes, the choice is that of looking at every worker") {
  Host host(timeout_of_20());
  std::mt19937 random(5);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  std::vector<std::string> ids;
  for (char name = 'a'; name < 'j'; ++name) ids.emplace_back(1, name);
  for (const std::string& id : ids) must(host.register_worker(id, 2));
  std::vector<TaskLease> leases;
  std::uint64_t now = 1;
  for (int step = 0; step < 3'000; ++step) {
    const std::string& id = ids[random() % ids.size()];
    now += random() % 8 == 0 ? 1 : 0;
    host.at(now);
    switch (random() % 6) {
      case 0:
        must(host.update(id, 1, {.cpu_basis_points = static_cast<std::uint32_t>(random() % 3)}));
        break;
      case 1:
      case 2: {
        must(host.enqueue("t" + std::to_string(step)));
        const auto lease = host.assign("t" + std::to_string(step), id, 3'000);
        if (lease) {
          leases.push_back(lease->value);
        } else {
          must(host.cancel(fence_of(host.task("t" + std::to_string(step)))));
        }
        break;
      }
      case 3: {
        must(host.enqueue("t" + std::to_string(step)));
        const std::string expected = best_by_looking(host, ids, now);
        const auto lease = host.assign_next_available(3'000);
        REQUIRE((lease ? lease->value.worker_id : "none") == expected);
        if (lease) {
          leases.push_back(lease->value);
        } else {
          must(host.cancel(fence_of(host.task("t" + std::to_string(step)))));
        }
        break;
      }
      default:
        if (leases.empty()) break;
        std::swap(leases[random() % leases.size()], leases.back());
        must(host.cancel(leases.back()));
        leases.pop_back();
    }
    must(host.retire(now + 1));
    INFO("step " << step);
    if (random() % 2 == 0) {
      const std::uint64_t later = now + random() % 25;
      REQUIRE(host.best_worker(later) == best_by_looking(host, ids, later));
    }
    REQUIRE(refusal(host.machine().check_invariants()) == "accepted");
  }
}

TEST_CASE("Workers that leave and come back are ranked anew") {
  Host host(timeout_of_20());
  for (int i = 0; i < 9; ++i) must(host.register_worker("w" + std::to_string(i)));
  for (std::uint64_t round = 0; round < 50; ++round) {
    for (int i = 0; i < 9; ++i) {
      const std::string id = "w" + std::to_string(i);
      must(host.at(2 + round).deregister(id, 1 + 2 * round));
      must(host.reactivate(id, 2 + 2 * round));
    }
    CHECK(host.best_worker(2 + round) == "w0");
  }
  CHECK(refusal(host.machine().check_invariants()) == "accepted");
}

}  // namespace
}  // namespace leasegate::test
