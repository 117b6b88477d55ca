// remove_results: all or none of them, and their bytes are free.

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "results/result_aggregator.hpp"
#include "support/access.hpp"
#include "support/failing_allocator.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

struct Scene {
  Scene()
      : store(ResultStore::create({.max_results = 3, .max_result_bytes = 8, .max_total_bytes = 16}).value()) {
    for (const char* id : {"a", "b", "c"}) put(id);
  }
  std::string put(const char* id) {
    const std::vector<std::uint8_t> bytes(4, 7);
    return refusal(store.apply(StoreResult{store.revision(), receipt(id), bytes}));
  }
  static CompletionReceiptView receipt(const char* id) {
    return {.task_id = id,
            .task_generation = {},
            .attempt = 1,
            .lease_id = {1},
            .worker_id = "w",
            .worker_generation = {1},
            .record_version = {4}};
  }
  std::string remove(const std::vector<IdView>& ids) {
    const auto removed = store.apply(RemoveResults{store.revision(), ids});
    return removed ? std::to_string(removed->value) : refusal(removed);
  }
  /** Removes, expects this refusal, and that all is as before. */
  void check_refused(const std::vector<IdView>& ids, const std::string& expected) {
    const Revision before = store.revision();
    CHECK(remove(ids) == expected);
    CHECK(store.revision() == before);
    CHECK(store.result_count() == 3);
    CHECK(store.total_bytes() == 12);
  }
  ResultStore store;
};

TEST_CASE("Removed results are gone, and their room is free") {
  Scene scene;
  CHECK(scene.put("d") == "result_capacity_reached{limit: 3}");
  CHECK(scene.remove({"c", "a"}) == "2");
  CHECK(scene.store.revision().value == 4);
  CHECK(scene.store.result_count() == 1);
  CHECK(scene.store.total_bytes() == 4);
  CHECK_FALSE(scene.store.get_result("a").value());
  CHECK(scene.store.get_result("b").value());
  CHECK(scene.put("d") == "accepted");
  CHECK(scene.put("a") == "accepted");
  CHECK(scene.store.get_result("a").value()->task_id.key == 4);
}

TEST_CASE("No ids remove nothing, and commit") {
  Scene scene;
  CHECK(scene.remove({}) == "0");
  CHECK(scene.store.revision().value == 4);
}

TEST_CASE("A removal removes all or nothing") {
  Scene scene;
  scene.check_refused({"a", "x"}, "missing_result{task_id: x}");
  scene.check_refused({"a", "b", "a"}, "duplicate_aggregate_task{task_id: a}");
  scene.check_refused({"a", "a b"}, "invalid_task{reason: task_command_id_invalid}");
  CHECK(scene.remove({"a", "b", "c"}) == "3");
}

TEST_CASE("A removal checks the number of ids, the ids, the revision, then id by id") {
  Scene scene;
  const std::vector<IdView> many(65'537, IdView("a b"));
  CHECK(refusal(scene.store.apply(RemoveResults{{9}, many})) ==
        "aggregate_item_limit_exceeded{actual: 65537, limit: 65536}");
  const std::vector<IdView> bad = {"x", "a b"};
  CHECK(refusal(scene.store.apply(RemoveResults{{9}, bad})) ==
        "invalid_task{reason: task_command_id_invalid}");
  const std::vector<IdView> missing = {"x"};
  CHECK(refusal(scene.store.apply(RemoveResults{{9}, missing})) ==
        "revision_conflict{expected: 9, actual: 3}");
  ResultStoreTestAccess::revision(scene.store) = {UINT64_MAX};
  scene.check_refused({"a"}, "counter_exhausted{counter: result_revision}");
}

TEST_CASE("A removal survives the failure of any of its allocations") {
  Scene scene;
  const std::vector<IdView> ids = {"a", "b"};
  for (int nth = 1;; ++nth) {
    const FailingAllocation failing(nth);
    const std::string answer = refusal(scene.store.apply(RemoveResults{scene.store.revision(), ids}));
    CHECK(answer == (failing.failed() ? "out_of_memory" : "accepted"));
    if (!failing.failed()) break;
    CHECK(scene.store.result_count() == 3);
  }
  CHECK(scene.store.result_count() == 1);
}

TEST_CASE("The handle removes as its store does") {
  ResultAggregator results = ResultAggregator::create().value();
  const std::vector<std::uint8_t> bytes = {1};
  REQUIRE(results.store_result({{0}, Scene::receipt("a"), bytes}));
  const std::vector<IdView> ids = {"a"};
  CHECK(results.remove_results({{1}, ids})->value == 1);
  CHECK(results.result_count() == 0);
}

}  // namespace
}  // namespace leasegate::test
