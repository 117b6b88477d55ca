#include "results/result_aggregator.hpp"

#include <mutex>

#include "base/memory.hpp"
#include "coordination/errors.gen.hpp"
#include "journal/tap.hpp"

namespace leasegate {

struct detail::SharedResults {
  explicit SharedResults(ResultStore&& made) : store(std::move(made)) {}

  std::mutex mutex;
  ResultStore store;
  std::shared_ptr<journal::JournalSink> sink;
  journal::JournalTap tap;
};

namespace {

std::unexpected<Error> no_memory() { return std::unexpected(errors::out_of_memory()); }

}  // namespace

Result<ResultAggregator> ResultAggregator::share(Result<ResultStore>&& made) {
  if (!made) return std::unexpected(made.error());
  std::shared_ptr<detail::SharedResults> shared;
  if (!allocates([&] { shared = std::make_shared<detail::SharedResults>(std::move(*made)); }))
    return no_memory();
  return ResultAggregator(std::move(shared));
}

Result<ResultAggregator> ResultAggregator::create(const ResultLimits& limits) {
  return share(ResultStore::create(limits));
}

Result<ResultAggregator> ResultAggregator::from_snapshot(std::span<const std::uint8_t> snapshot) {
  return share(journal::import_results(snapshot));
}

void ResultAggregator::attach_journal(std::shared_ptr<journal::JournalSink> sink) {
  const std::lock_guard lock(shared_->mutex);
  shared_->tap.attach(sink.get());
  std::swap(shared_->sink, sink);
}

Status ResultAggregator::journal_header(Array<std::uint8_t>& out) const {
  const std::lock_guard lock(shared_->mutex);
  return journal::write_header(out, shared_->store);
}

journal::BatchReport ResultAggregator::apply_batch(std::span<const std::uint8_t> records) {
  const std::lock_guard lock(shared_->mutex);
  return journal::apply_records(shared_->store, records, {}, &shared_->tap);
}

Result<journal::Digest> ResultAggregator::state_digest() const {
  const std::lock_guard lock(shared_->mutex);
  return journal::state_digest(shared_->store);
}

Status ResultAggregator::export_snapshot(Array<std::uint8_t>& out) const {
  const std::lock_guard lock(shared_->mutex);
  return journal::export_snapshot(shared_->store, out);
}

Result<Transition<StoreOutcome>> ResultAggregator::store_result(const StoreResult& command) {
  const std::lock_guard lock(shared_->mutex);
  return shared_->tap.apply(shared_->store, command);
}

Result<Transition<std::uint32_t>> ResultAggregator::remove_results(const RemoveResults& command) {
  const std::lock_guard lock(shared_->mutex);
  return shared_->tap.apply(shared_->store, command);
}

Result<std::vector<TaskResult>> ResultAggregator::aggregate_results(std::span<const IdView> task_ids) const {
  const std::lock_guard lock(shared_->mutex);
  Array<std::uint32_t> slots;
  LEASEGATE_TRY(shared_->store.aggregate(task_ids, slots));
  std::vector<TaskResult> results;
  const bool enough = allocates([&] {
    results.reserve(slots.size());
    for (const std::uint32_t slot : slots) {
      const TaskResultView view = shared_->store.result_at(slot);
      results.push_back({std::string(view.task_id), {view.bytes.begin(), view.bytes.end()}});
    }
  });
  if (!enough) return no_memory();
  return results;
}

Result<std::optional<std::vector<std::uint8_t>>> ResultAggregator::get_result(
    std::string_view task_id) const {
  const std::lock_guard lock(shared_->mutex);
  const auto view = shared_->store.get_result(task_id);
  if (!view) return std::unexpected(view.error());
  std::optional<std::vector<std::uint8_t>> bytes;
  if (!*view) return bytes;
  if (!allocates([&] { bytes.emplace((*view)->bytes.begin(), (*view)->bytes.end()); })) return no_memory();
  return bytes;
}

Revision ResultAggregator::revision() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->store.revision();
}

std::uint32_t ResultAggregator::result_count() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->store.result_count();
}

std::uint64_t ResultAggregator::total_bytes() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->store.total_bytes();
}

}  // namespace leasegate
