#include "results/result_aggregator.hpp"

#include <mutex>

#include "base/memory.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {

struct detail::SharedResults {
  explicit SharedResults(ResultStore&& made) : store(std::move(made)) {}

  std::mutex mutex;
  ResultStore store;
};

namespace {

std::unexpected<Error> no_memory() { return std::unexpected(errors::out_of_memory()); }

}  // namespace

Result<ResultAggregator> ResultAggregator::create(const ResultLimits& limits) {
  auto made = ResultStore::create(limits);
  if (!made) return std::unexpected(made.error());
  std::shared_ptr<detail::SharedResults> shared;
  if (!allocates([&] { shared = std::make_shared<detail::SharedResults>(std::move(*made)); }))
    return no_memory();
  return ResultAggregator(std::move(shared));
}

Result<Transition<StoreOutcome>> ResultAggregator::store_result(const StoreResult& command) {
  const std::lock_guard lock(shared_->mutex);
  return shared_->store.apply(command);
}

Result<Transition<std::uint32_t>> ResultAggregator::remove_results(const RemoveResults& command) {
  const std::lock_guard lock(shared_->mutex);
  return shared_->store.apply(command);
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
