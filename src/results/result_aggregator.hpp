// The thread-safe handle on a ResultStore: one mutex, copies share the state. result_store.hpp names the
// errors.
#pragma once

#include <memory>
#include <vector>

#include "journal/replay.hpp"
#include "journal/sink.hpp"
#include "journal/snapshot.hpp"
#include "results/result_store.hpp"

namespace leasegate {

namespace detail {
struct SharedResults;
}

class ResultAggregator {
 public:
  [[nodiscard]] static Result<ResultAggregator> create(const ResultLimits& limits = {});
  /** Errors: those of journal::import_results. */
  [[nodiscard]] static Result<ResultAggregator> from_snapshot(std::span<const std::uint8_t> snapshot);

  Result<Transition<StoreOutcome>> store_result(const StoreResult& command);
  Result<Transition<std::uint32_t>> remove_results(const RemoveResults& command);

  /** In exactly the order asked for; no ids give an empty list. */
  [[nodiscard]] Result<std::vector<TaskResult>> aggregate_results(std::span<const IdView> task_ids) const;
  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> get_result(std::string_view task_id) const;
  [[nodiscard]] Revision revision() const;
  [[nodiscard]] std::uint32_t result_count() const;
  [[nodiscard]] std::uint64_t total_bytes() const;

  // As WorkerPool's.
  void attach_journal(std::shared_ptr<journal::JournalSink> sink);
  Status journal_header(Array<std::uint8_t>& out) const;
  [[nodiscard]] journal::BatchReport apply_batch(std::span<const std::uint8_t> records);
  [[nodiscard]] Result<journal::Digest> state_digest() const;
  Status export_snapshot(Array<std::uint8_t>& out) const;

 private:
  static Result<ResultAggregator> share(Result<ResultStore>&& made);
  explicit ResultAggregator(std::shared_ptr<detail::SharedResults> shared) : shared_(std::move(shared)) {}

  std::shared_ptr<detail::SharedResults> shared_;
};

}  // namespace leasegate
