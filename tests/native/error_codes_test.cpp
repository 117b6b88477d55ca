// Every error code of the coordinator and the results, reached once through the code that answers it: the
// list is complete by construction, and what else the code carries is tested where its concept is.

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <vector>

#include "results/result_aggregator.hpp"
#include "support/access.hpp"
#include "support/failing_allocator.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Row {
  ErrorCode code;
  const char* text;
  std::function<std::string()> reach;
};

DistributedLimits ones() { return {1, 1, 1, 1, 1, 0, 10, 10, 10}; }

/** A pool with one worker and one task, running. */
struct Running {
  explicit Running(const DistributedLimits& limits = {}) : host(limits) {
    must(host.register_worker("w"));
    must(host.enqueue("t"));
    lease = must(host.assign("t", "w"));
  }
  Host host;
  TaskLease lease;
};

std::string limits_with(void (*change)(DistributedLimits&)) {
  DistributedLimits limits;
  change(limits);
  return refusal(validate(limits));
}

struct Results {
  explicit Results(const ResultLimits& limits = {}) : results(ResultAggregator::create(limits).value()) {}
  std::string store(const char* id, std::size_t size, std::uint32_t attempt = 1) {
    const CompletionReceipt receipt = {id, {0}, attempt, {1}, "w", {1}, {4}};
    const std::vector<std::uint8_t> bytes(size);
    return refusal(results.store_result({results.revision(), view_of(receipt), bytes}));
  }
  [[nodiscard]] std::string aggregate(const std::vector<IdView>& ids) const {
    return refusal(results.aggregate_results(ids));
  }
  ResultAggregator results;
};

std::vector<Row> all_codes() {
  using enum ErrorCode;
  return {
      {invalid_limit, "invalid_limit{name: max_workers}",
       [] { return limits_with([](DistributedLimits& l) { l.max_workers = 0; }); }},
      {count_limit_exceeds_maximum,
       "count_limit_exceeds_maximum{name: max_workers, actual: 4097, maximum: 4096}",
       [] { return limits_with([](DistributedLimits& l) { l.max_workers = 4'097; }); }},
      {time_limit_exceeds_maximum,
       "time_limit_exceeds_maximum{name: max_lease_ttl_secs, actual: 86401, maximum: 86400}",
       [] { return limits_with([](DistributedLimits& l) { l.max_lease_ttl_secs = 86'401; }); }},
      {retry_limit_exceeds_maximum, "retry_limit_exceeds_maximum{actual: 33, maximum: 32}",
       [] { return limits_with([](DistributedLimits& l) { l.max_retries = 33; }); }},
      {invalid_limit_relationship, "invalid_limit_relationship{reason: lease_ttl_exceeds_limit}",
       [] {
         Host host;
         must(host.enqueue("t"));
         return refusal(host.assign("t", "w", 3'601));
       }},
      {invalid_task, "invalid_task{reason: task_id_empty}", [] { return refusal(Host().enqueue("")); }},
      {invalid_worker, "invalid_worker{reason: worker_id_invalid}",
       [] { return refusal(Host().register_worker("")); }},
      {revision_conflict, "revision_conflict{expected: 1, actual: 0}",
       [] { return refusal(Host().expecting(1).prune()); }},
      {logical_time_regression, "logical_time_regression{current: 1, proposed: 0}",
       [] {
         Host host;
         must(host.prune());
         return refusal(host.at(0).prune());
       }},
      {counter_exhausted, "counter_exhausted{counter: lease_deadline}",
       [] {
         Host host;
         must(host.at(~std::uint64_t{0}).register_worker("w"));
         must(host.enqueue("t"));
         return refusal(host.assign("t", "w"));
       }},
      {task_already_exists, "task_already_exists{task_id: t}",
       [] { return refusal(Running().host.enqueue("t")); }},
      {task_record_capacity_reached, "task_record_capacity_reached{limit: 1}",
       [] { return refusal(Running(ones()).host.enqueue("u")); }},
      {active_task_capacity_reached, "active_task_capacity_reached{limit: 1}",
       [] {
         DistributedLimits limits = ones();
         limits.max_task_records = 2;
         return refusal(Running(limits).host.enqueue("u"));
       }},
      {queued_task_capacity_reached, "queued_task_capacity_reached{limit: 1}",
       [] {
         DistributedLimits limits;
         limits.max_queued_tasks = 1;
         Running scene(limits);
         must(scene.host.enqueue("u"));
         return refusal(scene.host.enqueue("v"));
       }},
      {terminal_capacity_reserved, "terminal_capacity_reserved{limit: 1}",
       [] {
         DistributedLimits limits = ones();
         limits.max_task_records = 2;
         Running scene(limits);
         must(scene.host.cancel(scene.lease));
         return refusal(scene.host.enqueue("u"));
       }},
      {worker_already_exists, "worker_already_exists{worker_id: w}",
       [] { return refusal(Running().host.register_worker("w")); }},
      {worker_capacity_reached, "worker_capacity_reached{limit: 1}",
       [] { return refusal(Running(ones()).host.register_worker("v")); }},
      {no_queued_task, "no_queued_task", [] { return refusal(Host().assign_next_available()); }},
      {no_available_worker, "no_available_worker",
       [] {
         Host host;
         must(host.enqueue("t"));
         return refusal(host.assign_next_available());
       }},
      {task_not_found, "task_not_found{task_id: u}", [] { return refusal(Running().host.assign("u", "w")); }},
      {task_not_queued, "task_not_queued{task_id: t, status: leased}",
       [] { return refusal(Running().host.assign("t", "w")); }},
      {task_not_due, "task_not_due{task_id: t, not_before: 11}",
       [] {
         Running scene;
         must(scene.host.start(scene.lease));
         must(scene.host.fail(scene.lease, 10));
         return refusal(scene.host.assign("t", "w"));
       }},
      {worker_not_found, "worker_not_found{worker_id: v}",
       [] { return refusal(Running().host.update("v", 1)); }},
      {worker_generation_conflict, "worker_generation_conflict{expected: 2, actual: 1}",
       [] { return refusal(Running().host.update("w", 2)); }},
      {worker_unavailable, "worker_unavailable{worker_id: w}",
       [] { return refusal(Running().host.reactivate("w", 1)); }},
      {worker_at_capacity, "worker_at_capacity{worker_id: w}",
       [] {
         Running scene;
         must(scene.host.enqueue("u"));
         return refusal(scene.host.assign("u", "w"));
       }},
      {stale_ownership, "stale_ownership{task_id: t}",
       [] {
         Running scene;
         ++scene.lease.attempt;
         return refusal(scene.host.start(scene.lease));
       }},
      {lease_expired, "lease_expired{task_id: t}",
       [] {
         Running scene;
         return refusal(scene.host.at(11).start(scene.lease));
       }},
      {invalid_task_transition, "invalid_transition{task_id: t, status: leased, operation: complete}",
       [] {
         Running scene;
         return refusal(scene.host.complete(scene.lease));
       }},
      {state_invariant, "state_invariant{reason: bounds}",
       [] {
         CoreMachine machine({});
         REQUIRE(machine.apply(RegisterWorker{{{0}, {1}}, {.worker_id = "w", .capacity = 1}}));
         CoordinatorTestAccess::limits(machine.coordinator).max_workers = 0;
         return refusal(machine.check_invariants());
       }},
      {out_of_memory, "out_of_memory",
       [] {
         Host host;
         auto result = [&] {
           const FailingAllocation failing(1);
           return host.register_worker("w");
         }();
         return refusal(result);
       }},
      {conflicting_result, "conflicting_result{task_id: t}",
       [] {
         Results results;
         results.store("t", 1);
         return results.store("t", 2);
       }},
      {mismatched_result_receipt, "mismatched_result_receipt{task_id: t}",
       [] {
         Results results;
         results.store("t", 1);
         return results.store("t", 1, 2);
       }},
      {result_too_large, "result_too_large{actual: 2, limit: 1}",
       [] { return Results({.max_result_bytes = 1}).store("t", 2); }},
      {result_capacity_reached, "result_capacity_reached{limit: 1}",
       [] {
         Results results({.max_results = 1});
         results.store("t", 1);
         return results.store("u", 1);
       }},
      {total_result_bytes_exceeded, "total_result_bytes_exceeded{actual: 3, limit: 2}",
       [] {
         Results results({.max_result_bytes = 2, .max_total_bytes = 2});
         results.store("t", 1);
         return results.store("u", 2);
       }},
      {aggregate_item_limit_exceeded, "aggregate_item_limit_exceeded{actual: 2, limit: 1}",
       [] { return Results({.max_aggregate_items = 1}).aggregate({"t", "u"}); }},
      {duplicate_aggregate_task, "duplicate_aggregate_task{task_id: t}",
       [] {
         Results results;
         results.store("t", 1);
         return results.aggregate({"t", "t"});
       }},
      {missing_result, "missing_result{task_id: t}", [] { return Results().aggregate({"t"}); }},
      {aggregate_bytes_exceeded, "aggregate_bytes_exceeded{actual: 2, limit: 1}",
       [] {
         Results results({.max_aggregate_bytes = 1});
         results.store("t", 2);
         return results.aggregate({"t"});
       }},
  };
}

TEST_CASE("Every error code of the coordinator and the results can be reached") {
  const std::vector<Row> rows = all_codes();
  // One row a code, in the order of the codes: none is missing and none comes twice.
  REQUIRE(rows.size() == static_cast<std::size_t>(ErrorCode::aggregate_bytes_exceeded) + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    INFO(name_of(row.code));
    CHECK(row.code == static_cast<ErrorCode>(i));
    CHECK(row.reach() == row.text);
    CHECK(std::string_view(row.text).starts_with(name_of(row.code)));
  }
}

}  // namespace
}  // namespace leasegate::test
