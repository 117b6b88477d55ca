#include <catch2/catch_test_macros.hpp>

#include "results/result_aggregator.hpp"
#include "support/access.hpp"
#include "support/failing_allocator.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

CompletionReceipt receipt_for(std::string id) { return {std::move(id), {0}, 1, {1}, "w", {1}, {4}}; }

/** An aggregator and a host that names its current revision. */
struct Scene {
  explicit Scene(const ResultLimits& limits = {}) : results(ResultAggregator::create(limits).value()) {}

  Result<Transition<StoreOutcome>> store(const CompletionReceipt& receipt, const Bytes& bytes) {
    return results.store_result({results.revision(), view_of(receipt), bytes});
  }
  Result<Transition<StoreOutcome>> store(std::string id, const Bytes& bytes) {
    return store(receipt_for(std::move(id)), bytes);
  }
  [[nodiscard]] Result<std::vector<TaskResult>> aggregate(const std::vector<std::string>& ids) const {
    const std::vector<IdView> views(ids.begin(), ids.end());
    return results.aggregate_results(views);
  }
  [[nodiscard]] std::string state() const {
    return std::to_string(results.revision().value) + ' ' + std::to_string(results.result_count()) + ' ' +
           std::to_string(results.total_bytes());
  }

  ResultAggregator results;
};

TEST_CASE("A result is stored against its receipt") {
  Scene scene;
  const auto answer = scene.store("t", {1, 2, 3});
  REQUIRE(answer);
  CHECK(answer->revision.value == 1);
  CHECK(answer->value.kind == StoreKind::stored);
  CHECK(scene.results.get_result("t").value() == Bytes{1, 2, 3});
  CHECK(scene.results.result_count() == 1);
  CHECK(scene.results.total_bytes() == 3);
  CHECK(scene.results.revision().value == 1);
}

TEST_CASE("An empty result is a result") {
  Scene scene;
  REQUIRE(scene.store("t", {}));
  CHECK(scene.results.get_result("t").value() == Bytes{});
  CHECK(scene.results.get_result("u").value() == std::nullopt);
  CHECK(scene.aggregate({"t"}).value() == std::vector<TaskResult>{{"t", {}}});
  CHECK(scene.store("t", {})->value.kind == StoreKind::already_stored);
  CHECK(refusal(scene.store("t", {0})) == "conflicting_result{task_id: t}");
}

TEST_CASE("The same result again is recognised and changes nothing") {
  Scene scene;
  REQUIRE(scene.store("t", {1}));
  REQUIRE(scene.store("u", {2}));
  const std::string before = scene.state();
  const auto again = scene.store("t", {1});
  REQUIRE(again);
  CHECK(again->revision.value == 2);
  CHECK(again->value.kind == StoreKind::already_stored);
  CHECK(scene.state() == before);
}

TEST_CASE("Other bytes under the same receipt conflict") {
  Scene scene;
  REQUIRE(scene.store("t", {1, 2}));
  for (const Bytes& other : {Bytes{1, 3}, Bytes{1}, Bytes{1, 2, 3}, Bytes{}}) {
    CHECK(refusal(scene.store("t", other)) == "conflicting_result{task_id: t}");
  }
  CHECK(scene.results.get_result("t").value() == Bytes{1, 2});
}

TEST_CASE("A receipt that differs in any field does not match, whatever the bytes") {
  Scene scene;
  REQUIRE(scene.store("t", {1}));
  const std::vector<void (*)(CompletionReceipt&)> changes = {
      [](CompletionReceipt& r) { ++r.task_generation.value; },
      [](CompletionReceipt& r) { ++r.attempt; },
      [](CompletionReceipt& r) { ++r.lease_id.value; },
      [](CompletionReceipt& r) { r.worker_id = "v"; },
      [](CompletionReceipt& r) { ++r.worker_generation.value; },
      [](CompletionReceipt& r) { ++r.record_version.value; }};
  for (const auto change : changes) {
    CompletionReceipt other = receipt_for("t");
    change(other);
    CHECK(refusal(scene.store(other, {1})) == "mismatched_result_receipt{task_id: t}");
    CHECK(refusal(scene.store(other, {2})) == "mismatched_result_receipt{task_id: t}");
  }
  CHECK(scene.state() == "1 1 1");
}

TEST_CASE("Ids of a receipt are checked first, the task's before the worker's") {
  Scene scene;
  CompletionReceipt receipt = receipt_for("a b");
  receipt.worker_id = "";
  const auto stale = [&] { return refusal(scene.results.store_result({{9}, view_of(receipt), {}})); };
  CHECK(stale() == "invalid_task{reason: task_command_id_invalid}");
  receipt.task_id = "t";
  CHECK(stale() == "invalid_worker{reason: worker_command_id_invalid}");
  receipt.worker_id = "w";
  CHECK(stale() == "revision_conflict{expected: 9, actual: 0}");
}

TEST_CASE("The revision is the store's own and is checked before anything stored") {
  Scene scene;
  REQUIRE(scene.store("t", {1}));
  const CompletionReceipt receipt = receipt_for("t");
  for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{2}, ~std::uint64_t{0}}) {
    CHECK(refusal(scene.results.store_result({{other}, view_of(receipt), {}})) ==
          "revision_conflict{expected: " + std::to_string(other) + ", actual: 1}");
  }
}

TEST_CASE("The size of one result is bounded") {
  Scene scene({.max_results = 9, .max_result_bytes = 4, .max_total_bytes = 100});
  CHECK(refusal(scene.store("t", Bytes(5))) == "result_too_large{actual: 5, limit: 4}");
  CHECK(refusal(scene.store("t", Bytes(4))) == "accepted");
}

TEST_CASE("The number of results is bounded") {
  Scene scene({.max_results = 2});
  REQUIRE(scene.store("a", {}));
  REQUIRE(scene.store("b", {}));
  CHECK(refusal(scene.store("c", {})) == "result_capacity_reached{limit: 2}");
  // What is there already is recognised all the same.
  CHECK(scene.store("a", {})->value.kind == StoreKind::already_stored);
}

TEST_CASE("The bytes of all results are bounded, to the byte") {
  Scene scene({.max_results = 9, .max_result_bytes = 6, .max_total_bytes = 10});
  REQUIRE(scene.store("a", Bytes(6)));
  CHECK(refusal(scene.store("b", Bytes(5))) == "total_result_bytes_exceeded{actual: 11, limit: 10}");
  CHECK(refusal(scene.store("b", Bytes(4))) == "accepted");
  CHECK(refusal(scene.store("c", Bytes(1))) == "total_result_bytes_exceeded{actual: 11, limit: 10}");
  CHECK(refusal(scene.store("c", {})) == "accepted");
  CHECK(scene.results.total_bytes() == 10);
}

TEST_CASE("Size is told before count, count before total") {
  Scene scene({.max_results = 1, .max_result_bytes = 4, .max_total_bytes = 4});
  REQUIRE(scene.store("a", Bytes(4)));
  CHECK(refusal(scene.store("b", Bytes(5))) == "result_too_large{actual: 5, limit: 4}");
  CHECK(refusal(scene.store("b", Bytes(4))) == "result_capacity_reached{limit: 1}");
  // And an occupied id before all of them.
  CHECK(refusal(scene.store("a", Bytes(5))) == "conflicting_result{task_id: a}");
}

TEST_CASE("An aggregate gives exactly what was asked for, in that order") {
  Scene scene;
  for (const char* id : {"a", "b", "c"}) REQUIRE(scene.store(id, {static_cast<std::uint8_t>(id[0])}));
  CHECK(scene.aggregate({"c", "a"}).value() == std::vector<TaskResult>{{"c", {'c'}}, {"a", {'a'}}});
  CHECK(scene.aggregate({}).value().empty());
  // Not once only.
  CHECK(scene.aggregate({"c", "a"}).value().size() == 2);
}

TEST_CASE("An aggregate with a repeated or a missing id is refused, the first of them decides") {
  Scene scene;
  REQUIRE(scene.store("a", {1}));
  REQUIRE(scene.store("b", {2}));
  CHECK(refusal(scene.aggregate({"a", "b", "a"})) == "duplicate_aggregate_task{task_id: a}");
  CHECK(refusal(scene.aggregate({"a", "x", "a"})) == "missing_result{task_id: x}");
  CHECK(refusal(scene.aggregate({"a", "a", "x"})) == "duplicate_aggregate_task{task_id: a}");
  CHECK(refusal(scene.aggregate({"x", "x"})) == "missing_result{task_id: x}");
  CHECK(refusal(scene.aggregate({"a", "b"})) == "accepted");
}

TEST_CASE("Every id of an aggregate is checked before any is looked up") {
  Scene scene;
  CHECK(refusal(scene.aggregate({"x", "x", ""})) == "invalid_task{reason: task_command_id_invalid}");
  CHECK(refusal(scene.results.get_result("a b")) == "invalid_task{reason: task_command_id_invalid}");
  CHECK(refusal(scene.results.get_result("x")) == "accepted");
}

TEST_CASE("The bytes of an aggregate are bounded, to the byte") {
  Scene scene({.max_aggregate_bytes = 5});
  REQUIRE(scene.store("a", Bytes(3)));
  REQUIRE(scene.store("b", Bytes(2)));
  REQUIRE(scene.store("c", Bytes(4)));
  CHECK(refusal(scene.aggregate({"a", "b"})) == "accepted");
  // The total up to the id that passed the limit, not of all that were asked for.
  CHECK(refusal(scene.aggregate({"a", "c", "b"})) == "aggregate_bytes_exceeded{actual: 7, limit: 5}");
  CHECK(refusal(scene.aggregate({"a", "c", "c"})) == "aggregate_bytes_exceeded{actual: 7, limit: 5}");
  CHECK(refusal(scene.aggregate({"a", "a", "c"})) == "duplicate_aggregate_task{task_id: a}");
}

TEST_CASE("The count of an aggregate is checked first, against the ceiling before the limit") {
  Scene scene({.max_aggregate_items = 2});
  CHECK(refusal(scene.aggregate({"", "", ""})) == "aggregate_item_limit_exceeded{actual: 3, limit: 2}");
  CHECK(refusal(scene.aggregate({"x", "y"})) == "missing_result{task_id: x}");
  const std::vector<IdView> too_many(65'537);
  CHECK(refusal(scene.results.aggregate_results(too_many)) ==
        "aggregate_item_limit_exceeded{actual: 65537, limit: 65536}");
  const std::vector<IdView> highest(65'536);
  CHECK(refusal(scene.results.aggregate_results(highest)) ==
        "aggregate_item_limit_exceeded{actual: 65536, limit: 2}");
}

TEST_CASE("A refused aggregate leaves no trace in the next one") {
  Scene scene;
  REQUIRE(scene.store("a", {1}));
  for (int i = 0; i < 3; ++i) {
    CHECK(refusal(scene.aggregate({"a", "x"})) == "missing_result{task_id: x}");
    CHECK(refusal(scene.aggregate({"a"})) == "accepted");
  }
}

TEST_CASE("The last revision of a store can be reached, and nothing comes after it") {
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
  ResultStore store = ResultStore::create({}).value();
  ResultStoreTestAccess::revision(store) = {kMax - 1};
  const CompletionReceipt first = receipt_for("a");
  const CompletionReceipt second = receipt_for("b");
  CHECK(store.apply({{kMax - 1}, view_of(first), {}})->revision.value == kMax);
  CHECK(refusal(store.apply({{kMax}, view_of(second), {}})) == "counter_exhausted{counter: result_revision}");
  CHECK(store.result_count() == 1);
  // A replay needs no new revision.
  CHECK(store.apply({{kMax}, view_of(first), {}})->value.kind == StoreKind::already_stored);
}

TEST_CASE("Results survive the growth of the store") {
  Scene scene;
  for (int i = 0; i < 1'000; ++i) {
    REQUIRE(scene.store("t" + std::to_string(i),
                        Bytes(static_cast<std::size_t>(i % 7), static_cast<std::uint8_t>(i))));
  }
  for (int i = 0; i < 1'000; ++i) {
    REQUIRE(scene.results.get_result("t" + std::to_string(i)).value() ==
            Bytes(static_cast<std::size_t>(i % 7), static_cast<std::uint8_t>(i)));
  }
  CHECK(refusal(scene.store("t1000", {})) == "accepted");
  CHECK(scene.results.result_count() == 1'001);
}

TEST_CASE("A result whose memory fails is not stored, and is when tried again") {
  Scene scene;
  int failures = 0;
  for (int i = 0; i < 140; ++i) {
    const CompletionReceipt receipt = receipt_for("t" + std::to_string(i));
    const Bytes bytes(10, static_cast<std::uint8_t>(i));
    const std::string before = scene.state();
    for (int nth = 1;; ++nth) {
      bool failed = false;
      auto answer = [&] {
        const FailingAllocation failing(nth);
        auto result = scene.results.store_result({{static_cast<std::uint64_t>(i)}, view_of(receipt), bytes});
        failed = failing.failed();
        return result;
      }();
      REQUIRE(refusal(answer) == (failed ? "out_of_memory" : "accepted"));
      if (!failed) break;
      ++failures;
      REQUIRE(scene.state() == before);
      REQUIRE(scene.results.get_result(receipt.task_id).value() == std::nullopt);
    }
  }
  CHECK(failures >= 140);
}

TEST_CASE("Reads whose memory fails say so and change nothing") {
  Scene scene;
  REQUIRE(scene.store(std::string(100, 'a'), Bytes(100)));
  const std::string id(100, 'a');
  const std::vector<IdView> ids = {id};
  for (int nth = 1;; ++nth) {
    bool failed = false;
    auto answer = [&] {
      const FailingAllocation failing(nth);
      auto result = scene.results.aggregate_results(ids);
      failed = failing.failed();
      return result;
    }();
    REQUIRE(refusal(answer) == (failed ? "out_of_memory" : "accepted"));
    if (!failed) {
      CHECK(nth > 3);
      break;
    }
  }
  {
    const FailingAllocation failing(1);
    const bool answered = scene.results.get_result(id).has_value();
    REQUIRE(failing.failed());
    CHECK_FALSE(answered);
  }
  {
    const FailingAllocation failing(1);
    const bool made = ResultAggregator::create().has_value();
    REQUIRE(failing.failed());
    CHECK_FALSE(made);
  }
  CHECK(scene.results.get_result(id).value() == Bytes(100));
}

}  // namespace
}  // namespace leasegate::test
