// The heap of deadlines, against a plain set of them.

#include "coordination/lease_deadlines.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace leasegate::test {
namespace {

struct Scene {
  explicit Scene(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t slot = kNoSlot;
      const std::string id = "t" + std::to_string(i);
      REQUIRE(tasks.try_add({.task_id = id, .scan_id = "s", .target_ref = "r"}, {0}, slot));
      REQUIRE(slot == i);
    }
    REQUIRE(found.try_reserve(count));
  }
  void add(std::uint32_t task, std::uint64_t expires_at) {
    REQUIRE(deadlines.try_reserve_one());
    tasks[task].expires_at = {expires_at};
    deadlines.add(tasks, task);
  }
  /** The tasks that have run out at `now`, by slot. */
  std::vector<std::uint32_t> expired(std::uint64_t now) {
    deadlines.collect_expired({now}, found);
    std::vector<std::uint32_t> slots(found.begin(), found.end());
    std::sort(slots.begin(), slots.end());
    return slots;
  }

  TaskTable tasks;
  LeaseDeadlines deadlines;
  Array<std::uint32_t> found;
};

TEST_CASE("A lease has run out at its deadline, not before") {
  Scene scene(3);
  scene.add(0, 10);
  scene.add(1, 9);
  scene.add(2, 10);
  CHECK(scene.expired(8).empty());
  CHECK(scene.expired(9) == std::vector<std::uint32_t>{1});
  CHECK(scene.expired(10) == std::vector<std::uint32_t>{0, 1, 2});
  scene.deadlines.remove(scene.tasks, 1);
  CHECK(scene.expired(10) == std::vector<std::uint32_t>{0, 2});
  CHECK(scene.tasks[1].deadline_position == kNoSlot);
}

TEST_CASE("Deadlines that come and go in any order are found as in a plain map") {
  constexpr std::uint32_t kTasks = 60;
  Scene scene(kTasks);
  std::map<std::uint32_t, std::uint64_t> expected;
  std::mt19937 random(3);  // NOLINT: the same sequence every time is what is wanted
  for (int step = 0; step < 5'000; ++step) {
    const auto task = static_cast<std::uint32_t>(random() % kTasks);
    if (expected.contains(task)) {
      scene.deadlines.remove(scene.tasks, task);
      expected.erase(task);
    } else {
      const std::uint64_t deadline = random() % 40;
      scene.add(task, deadline);
      expected[task] = deadline;
    }
    REQUIRE(scene.deadlines.size() == expected.size());
    for (const std::uint64_t now : {std::uint64_t{0}, std::uint64_t{random() % 40}, std::uint64_t{40}}) {
      std::vector<std::uint32_t> due;
      for (const auto& [slot, deadline] : expected) {
        if (deadline <= now) due.push_back(slot);
      }
      REQUIRE(scene.expired(now) == due);
    }
    for (std::size_t i = 0; i < scene.deadlines.size(); ++i) {
      REQUIRE(scene.tasks[scene.deadlines.task_at(i)].deadline_position == i);
      REQUIRE(scene.deadlines.deadline_at((i == 0 ? 0 : (i - 1) / 2)) <= scene.deadlines.deadline_at(i));
    }
  }
}

}  // namespace
}  // namespace leasegate::test
