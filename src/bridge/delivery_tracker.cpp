#include "bridge/delivery_tracker.hpp"

#include <array>

#include "bridge/errors.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {
namespace {

std::unexpected<Error> not_found(DeliveryId id) {
  return std::unexpected(errors::delivery_not_found(is_opaque_id(id.text) ? id.text : std::string_view()));
}

}  // namespace

Result<DeliveryTracker> DeliveryTracker::create(std::uint64_t max_records) {
  if (max_records == 0) return std::unexpected(errors::invalid_capacity());
  return DeliveryTracker(max_records);
}

std::uint32_t DeliveryTracker::find(DeliveryId id, std::uint32_t hash) const {
  return index_.find_hashed(hash, [&](std::uint32_t slot) { return records_[slot].id() == id.text; });
}

std::uint32_t DeliveryTracker::find(DeliveryId id) const { return find(id, hash_of(id.text)); }

Status DeliveryTracker::observe(DeliveryId id, MessageId message, Sequence sequence, UnixMillis now) {
  LEASEGATE_TRY(check(id));
  LEASEGATE_TRY(check(message));
  const std::uint32_t hash = hash_of(id.text);
  if (find(id, hash) != kNoSlot) return std::unexpected(errors::delivery_already_observed(id.text));
  if (records_.size() >= max_records_) return std::unexpected(errors::delivery_capacity(max_records_));

  const std::array<std::string_view, 2> parts = {id.text, message.text};
  TextBlock ids;
  if (!records_.try_reserve_one() || !index_.try_reserve_one() || !ids.try_assign(parts)) {
    return std::unexpected(errors::out_of_memory());
  }
  const std::uint32_t slot = records_.take();
  Record& record = records_[slot];
  record.ids = std::move(ids);
  record.id_size = static_cast<std::uint16_t>(id.text.size());
  record.sequence = sequence;
  record.updated_at = now;
  index_.insert_hashed(hash, slot);
  return {};
}

Status DeliveryTracker::transition(DeliveryId id, DeliveryState state, std::string_view failure,
                                   UnixMillis now) {
  const std::uint32_t slot = find(id);
  if (slot == kNoSlot) return not_found(id);
  Record& record = records_[slot];
  if (!can_become(record.state, state)) {
    return std::unexpected(errors::invalid_state_transition(record.state, state));
  }
  if (state == DeliveryState::failed && !failure.empty()) {
    LEASEGATE_TRY(check_text(TextField::failure, failure));
    if (!record.failure.try_assign({&failure, 1})) return std::unexpected(errors::out_of_memory());
  }
  record.state = state;
  record.updated_at = now;
  return {};
}

Status DeliveryTracker::acknowledge(DeliveryId id, TransportAckId ack, UnixMillis now) {
  LEASEGATE_TRY(check(ack));
  const std::uint32_t slot = find(id);
  if (slot == kNoSlot) return not_found(id);
  Record& record = records_[slot];
  if (record.acknowledged()) {
    if (record.ack.view() != ack.text) return std::unexpected(errors::delivery_ack_conflict(record.id()));
    return {};
  }
  if (!record.ack.try_assign({&ack.text, 1})) return std::unexpected(errors::out_of_memory());
  record.acked_at = now;
  record.updated_at = now;
  return {};
}

std::optional<DeliveryRecordView> DeliveryTracker::get(DeliveryId id) const {
  const std::uint32_t slot = find(id);
  if (slot == kNoSlot) return std::nullopt;
  const Record& record = records_[slot];
  return DeliveryRecordView{
      .id = DeliveryId(record.id()),
      .message = MessageId(record.message()),
      .sequence = record.sequence,
      .state = record.state,
      .transport_ack_id = TransportAckId(record.ack.view()),
      .transport_acked_at = record.acknowledged() ? std::optional(record.acked_at) : std::nullopt,
      .updated_at = record.updated_at,
      .failure = record.failure.view(),
  };
}

Status DeliveryTracker::forget(DeliveryId id) {
  const std::uint32_t slot = find(id);
  if (slot == kNoSlot) return not_found(id);
  const Record& record = records_[slot];
  if (!is_terminal(record.state)) {
    return std::unexpected(errors::delivery_not_terminal(record.id(), record.state));
  }
  index_.erase(record.id(), slot);
  records_.release(slot);
  return {};
}

}  // namespace leasegate
