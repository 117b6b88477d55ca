#include "results/result_store.hpp"

#include <algorithm>
#include <array>

#include "coordination/errors.gen.hpp"
#include "coordination/validation.hpp"
#include "results/errors.gen.hpp"

namespace leasegate {
namespace {

std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Status validate(const ResultLimits& limits) {
  struct NamedLimit {
    LimitName name;
    std::uint64_t value;
    std::uint64_t ceiling;
  };
  const std::array<NamedLimit, 5> all = {{
      {LimitName::max_results, limits.max_results, MAX_RESULTS},
      {LimitName::max_result_bytes, limits.max_result_bytes, MAX_RESULT_BYTES},
      {LimitName::max_total_bytes, limits.max_total_bytes, MAX_TOTAL_RESULT_BYTES},
      {LimitName::max_aggregate_items, limits.max_aggregate_items, MAX_AGGREGATE_ITEMS},
      {LimitName::max_aggregate_bytes, limits.max_aggregate_bytes, MAX_TOTAL_RESULT_BYTES},
  }};
  for (const NamedLimit& limit : all) {
    if (limit.value == 0) return std::unexpected(errors::invalid_limit(limit.name));
  }
  for (const NamedLimit& limit : all) {
    if (limit.value > limit.ceiling) {
      return std::unexpected(errors::count_limit_exceeds_maximum(limit.name, limit.value, limit.ceiling));
    }
  }
  if (limits.max_result_bytes > limits.max_total_bytes) {
    return std::unexpected(
        errors::invalid_limit_relationship(LimitRelationship::result_bytes_exceed_total_bytes));
  }
  return {};
}

std::string_view ResultStore::Record::bytes() const {
  const std::size_t start = std::size_t{task_id_size} + worker_id_size;
  return text.view(start, text.size() - start);
}

Result<ResultStore> ResultStore::create(const ResultLimits& limits) {
  LEASEGATE_TRY(validate(limits));
  return ResultStore(limits);
}

std::uint32_t ResultStore::find(std::string_view task_id) const {
  return index_.find(task_id, [this](std::uint32_t slot) { return records_[slot].task_id(); });
}

bool ResultStore::proves(const Record& record, const CompletionReceiptView& receipt) const {
  return receipt.task_generation == record.task_generation && receipt.attempt == record.attempt &&
         receipt.lease_id == record.lease_id && receipt.worker_id == record.worker_id() &&
         receipt.worker_generation == record.worker_generation &&
         receipt.record_version == record.record_version;
}

Status ResultStore::check_room(std::uint64_t size) const {
  if (size > limits_.max_result_bytes) {
    return std::unexpected(errors::result_too_large(size, limits_.max_result_bytes));
  }
  if (records_.size() >= limits_.max_results) {
    return std::unexpected(errors::result_capacity_reached(limits_.max_results));
  }
  if (total_bytes_ + size > limits_.max_total_bytes) {
    return std::unexpected(errors::total_result_bytes_exceeded(total_bytes_ + size, limits_.max_total_bytes));
  }
  return {};
}

Result<Transition<StoreOutcome>> ResultStore::apply(const StoreResult& command) {
  const CompletionReceiptView& receipt = command.receipt;
  LEASEGATE_TRY(check_token_ids(receipt));
  if (command.expected_revision != revision_) {
    return std::unexpected(errors::revision_conflict(command.expected_revision.value, revision_.value));
  }
  if (const std::uint32_t held = find(receipt.task_id); held != kNoSlot) {
    const Record& record = records_[held];
    if (!proves(record, receipt)) return std::unexpected(errors::mismatched_result_receipt(receipt.task_id));
    const std::string_view stored = record.bytes();
    if (stored.size() != command.bytes.size() || stored != as_text(command.bytes)) {
      return std::unexpected(errors::conflicting_result(receipt.task_id));
    }
    return Transition<StoreOutcome>{revision_, {StoreKind::already_stored}};
  }
  LEASEGATE_TRY(check_room(command.bytes.size()));
  if (revision_.exhausted()) return std::unexpected(errors::counter_exhausted(CounterName::result_revision));

  const std::array<std::string_view, 3> parts = {receipt.task_id, receipt.worker_id, as_text(command.bytes)};
  TextBlock text;
  if (!records_.try_reserve_one() || !index_.try_reserve_one() || !text.try_assign(parts)) {
    return std::unexpected(errors::out_of_memory());
  }
  const std::uint32_t slot = records_.take();
  Record& record = records_[slot];
  record.key = keys_.take();
  record.text = std::move(text);
  record.task_id_size = static_cast<std::uint16_t>(receipt.task_id.size());
  record.worker_id_size = static_cast<std::uint16_t>(receipt.worker_id.size());
  record.attempt = receipt.attempt;
  record.task_generation = receipt.task_generation;
  record.lease_id = receipt.lease_id;
  record.worker_generation = receipt.worker_generation;
  record.record_version = receipt.record_version;
  index_.insert(receipt.task_id, slot);
  total_bytes_ += command.bytes.size();
  revision_ = revision_.after();
  return Transition<StoreOutcome>{revision_, {StoreKind::stored}};
}

Result<std::uint32_t> ResultStore::name_once(const IdView& task_id, std::uint64_t aggregate) {
  const std::uint32_t slot = find(task_id);
  if (slot == kNoSlot) return std::unexpected(errors::missing_result(task_id));
  Record& record = records_[slot];
  if (record.named_by == aggregate) return std::unexpected(errors::duplicate_aggregate_task(task_id));
  record.named_by = aggregate;
  return slot;
}

Result<Transition<std::uint32_t>> ResultStore::apply(const RemoveResults& command) {
  if (command.task_ids.size() > MAX_AGGREGATE_ITEMS) {
    return std::unexpected(
        errors::aggregate_item_limit_exceeded(command.task_ids.size(), MAX_AGGREGATE_ITEMS));
  }
  for (const IdView& id : command.task_ids) LEASEGATE_TRY(check_task_id(id));
  if (command.expected_revision != revision_) {
    return std::unexpected(errors::revision_conflict(command.expected_revision.value, revision_.value));
  }
  // No more can be found than there are.
  if (!named_.try_reserve(std::min<std::size_t>(command.task_ids.size(), records_.size()))) {
    return std::unexpected(errors::out_of_memory());
  }
  named_.clear();
  const std::uint64_t aggregate = ++aggregates_;
  for (const IdView& id : command.task_ids) {
    const auto slot = name_once(id, aggregate);
    if (!slot) return std::unexpected(slot.error());
    named_.push_back(*slot);
  }
  if (revision_.exhausted()) return std::unexpected(errors::counter_exhausted(CounterName::result_revision));

  for (const std::uint32_t slot : named_) {
    total_bytes_ -= records_[slot].bytes().size();
    index_.erase(records_[slot].task_id(), slot);
    records_.release(slot);
  }
  revision_ = revision_.after();
  return Transition<std::uint32_t>{revision_, static_cast<std::uint32_t>(command.task_ids.size())};
}

Status ResultStore::check_aggregate_count(std::uint64_t count) const {
  if (count > MAX_AGGREGATE_ITEMS) {
    return std::unexpected(errors::aggregate_item_limit_exceeded(count, MAX_AGGREGATE_ITEMS));
  }
  if (count > limits_.max_aggregate_items) {
    return std::unexpected(errors::aggregate_item_limit_exceeded(count, limits_.max_aggregate_items));
  }
  return {};
}

Status ResultStore::aggregate(std::span<const IdView> task_ids, Array<std::uint32_t>& slots) {
  LEASEGATE_TRY(check_aggregate_count(task_ids.size()));
  for (const IdView& id : task_ids) LEASEGATE_TRY(check_task_id(id));
  if (!slots.try_reserve(task_ids.size())) return std::unexpected(errors::out_of_memory());
  slots.clear();
  const std::uint64_t aggregate = ++aggregates_;
  std::uint64_t bytes = 0;
  for (const IdView& id : task_ids) {
    const auto slot = name_once(id, aggregate);
    if (!slot) return std::unexpected(slot.error());
    bytes += records_[*slot].bytes().size();
    if (bytes > limits_.max_aggregate_bytes) {
      return std::unexpected(errors::aggregate_bytes_exceeded(bytes, limits_.max_aggregate_bytes));
    }
    slots.push_back(*slot);
  }
  return {};
}

TaskResultView ResultStore::result_at(std::uint32_t slot) const {
  return {.task_id = {records_[slot].task_id(), records_[slot].key},
          .bytes = as_bytes(records_[slot].bytes())};
}

Result<std::optional<TaskResultView>> ResultStore::get_result(IdView task_id) const {
  LEASEGATE_TRY(check_task_id(task_id));
  const std::uint32_t slot = find(task_id);
  if (slot == kNoSlot) return std::nullopt;
  return result_at(slot);
}

}  // namespace leasegate
