// Results by task, taken only against completion receipts, within fixed bounds. A pure state machine like
// Coordinator, with a revision of its own; ResultAggregator adds the lock.
//
// Every error means that nothing changed. Views are valid until the next `apply`.
#pragma once

#include <cstdint>
#include <optional>

#include "base/array.hpp"
#include "base/id_index.hpp"
#include "base/pool.hpp"
#include "base/result.hpp"
#include "base/text_block.hpp"
#include "results/commands.hpp"

namespace leasegate {

namespace journal {
struct ResultState;
}

/** Checks each limit against 0, then its ceiling, then the others. Errors: invalid_limit(_relationship),
 * count_limit_exceeds_maximum. */
[[nodiscard]] Status validate(const ResultLimits& limits);

class ResultStore {
 public:
  /** Errors: those of validate(ResultLimits). */
  [[nodiscard]] static Result<ResultStore> create(const ResultLimits& limits);

  /**
   * Stores one result, or recognises the same one (revision unchanged). O(log N) plus the bytes.
   * Errors: invalid_task, invalid_worker, revision_conflict, conflicting_result, mismatched_result_receipt,
   * result_too_large, result_capacity_reached, total_result_bytes_exceeded, counter_exhausted, out_of_memory.
   */
  Result<Transition<StoreOutcome>> apply(const StoreResult& command);

  /**
   * Removes these results, all or none, and answers how many. Frees their bytes; their ids can be stored
   * again. O(k) plus the ids. Leasegate's own. Errors: aggregate_item_limit_exceeded, invalid_task,
   * revision_conflict, duplicate_aggregate_task, missing_result, counter_exhausted, out_of_memory.
   */
  Result<Transition<std::uint32_t>> apply(const RemoveResults& command);

  /**
   * Checks that the results of `task_ids` can be given together, and fills `slots` with them in that order.
   * Errors: aggregate_item_limit_exceeded, invalid_task, duplicate_aggregate_task, missing_result,
   * aggregate_bytes_exceeded, out_of_memory.
   */
  Status aggregate(std::span<const IdView> task_ids, Array<std::uint32_t>& slots);
  /** The count alone, which is checked before any id is looked at. Errors: aggregate_item_limit_exceeded. */
  [[nodiscard]] Status check_aggregate_count(std::uint64_t count) const;

  /** Errors: invalid_task. */
  [[nodiscard]] Result<std::optional<TaskResultView>> get_result(IdView task_id) const;
  [[nodiscard]] TaskResultView result_at(std::uint32_t slot) const;

  [[nodiscard]] Revision revision() const { return revision_; }
  [[nodiscard]] std::uint32_t result_count() const { return records_.size(); }
  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }

 private:
  friend struct ResultStoreTestAccess;
  friend struct journal::ResultState;

  struct Record {
    /** Task id, worker id, then the bytes. */
    TextBlock text;
    std::uint16_t task_id_size = 0;
    std::uint16_t worker_id_size = 0;
    /** By which a binding may remember the task's id. */
    std::uint32_t key = kNoTextKey;
    std::uint32_t attempt = 0;
    TaskGeneration task_generation;
    LeaseId lease_id;
    WorkerGeneration worker_generation;
    RecordVersion record_version;
    /** The last aggregate that named this result: finds repeated ids without a table. */
    std::uint64_t named_by = 0;

    [[nodiscard]] std::string_view task_id() const { return text.view(0, task_id_size); }
    [[nodiscard]] std::string_view worker_id() const { return text.view(task_id_size, worker_id_size); }
    [[nodiscard]] std::string_view bytes() const;
  };

  explicit ResultStore(const ResultLimits& limits) : limits_(limits) {}

  [[nodiscard]] std::uint32_t find(std::string_view task_id) const;
  [[nodiscard]] bool proves(const Record& record, const CompletionReceiptView& receipt) const;
  [[nodiscard]] Status check_room(std::uint64_t size) const;
  /** The slot of a result that this aggregate has not named yet. Errors: missing_result,
   * duplicate_aggregate_task. */
  [[nodiscard]] Result<std::uint32_t> name_once(const IdView& task_id, std::uint64_t aggregate);

  ResultLimits limits_;
  Revision revision_;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t aggregates_ = 0;
  Pool<Record> records_;
  IdIndex index_;
  TextKeys keys_;
  /** Room for the results that a removal names; its content means nothing between commands. */
  Array<std::uint32_t> named_;
};

}  // namespace leasegate
