#include "bridge/control_registry.hpp"

#include <array>
#include <tuple>

#include "base/json.hpp"
#include "base/sort_slots.hpp"
#include "bridge/errors.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {
namespace {

static_assert(kMaxJsonDepth == MAX_JSON_DEPTH);

/** The parts are hashed one by one: no two keys are made alike by joining their texts. */
std::uint32_t hash_of_key(const ControlKeyView& key) {
  constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;
  std::uint64_t hash = 0;
  for (const std::uint64_t part :
       {std::uint64_t{hash_of(key.request.text)}, std::uint64_t{hash_of(key.session.text)},
        key.generation.value, key.epoch.value}) {
    hash = (hash ^ part) * kOdd;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 29));
}

auto in_order(const ControlKeyView& key) {
  return std::make_tuple(key.request.text, key.session.text, key.generation, key.epoch);
}

bool same(const ControlKeyView& a, const ControlKeyView& b) {
  return a.request.text == b.request.text && a.session.text == b.session.text &&
         a.generation == b.generation && a.epoch == b.epoch;
}

/** What check_evidence does not look at: a value that nobody asked for, and the size of any. */
Status check_value(const ControlResolution& resolution) {
  if (resolution.value.empty()) return {};
  if (resolution.state != ControlState::succeeded && !is_json(resolution.value)) {
    return std::unexpected(errors::invalid_value());
  }
  if (resolution.value.size() > MAX_CONTROL_VALUE_BYTES) {
    return std::unexpected(errors::value_too_large(MAX_CONTROL_VALUE_BYTES));
  }
  return {};
}

/** The evidence that each kind of resolution needs. */
Status check_evidence(const ControlResolution& resolution) {
  if (!is_terminal(resolution.state)) return std::unexpected(errors::invalid_resolution(resolution.state));
  if (resolution.state == ControlState::succeeded) {
    if (!is_json(resolution.value)) return std::unexpected(errors::missing_result_evidence());
  } else if (resolution.message.empty()) {
    return std::unexpected(errors::missing_reason());
  }
  return {};
}

}  // namespace

Status validate(const ControlKeyView& key) {
  LEASEGATE_TRY(check(key.request));
  LEASEGATE_TRY(check(key.session));
  if (key.generation.value == 0 || key.epoch.value == 0)
    return std::unexpected(errors::invalid_control_key());
  return {};
}

ControlKeyView ControlRegistry::Record::key() const {
  return {
      .request = ControlRequestId(texts.view(0, request_size)),
      .session = RemoteSessionId(texts.view(request_size, session_size)),
      .generation = generation,
      .epoch = epoch,
  };
}

Result<ControlRegistry> ControlRegistry::create(std::uint64_t max_records) {
  if (max_records == 0) return std::unexpected(errors::invalid_capacity());
  return ControlRegistry(max_records);
}

std::uint32_t ControlRegistry::find(const ControlKeyView& key, std::uint32_t hash) const {
  return index_.find_hashed(hash, [&](std::uint32_t slot) { return same(records_[slot].key(), key); });
}

std::uint32_t ControlRegistry::find(const ControlKeyView& key) const { return find(key, hash_of_key(key)); }

Result<std::uint32_t> ControlRegistry::find_active(const ControlKeyView& key) const {
  const std::uint32_t slot = find(key);
  if (slot == kNoSlot) return std::unexpected(errors::control_not_found());
  const ControlState state = records_[slot].state;
  if (is_terminal(state)) return std::unexpected(errors::control_terminal(state));
  return slot;
}

Status ControlRegistry::accept(const ControlKeyView& key, std::string_view subtype, ToolUseId tool_use,
                               UnixMillis now) {
  LEASEGATE_TRY(validate(key));
  if (subtype.empty()) return std::unexpected(errors::invalid_subtype());
  LEASEGATE_TRY(check_text(TextField::subtype, subtype));
  LEASEGATE_TRY(check_if_given(tool_use));
  const std::uint32_t hash = hash_of_key(key);
  if (find(key, hash) != kNoSlot) return std::unexpected(errors::control_already_accepted());
  if (records_.size() >= max_records_) return std::unexpected(errors::control_capacity(max_records_));

  const std::array<std::string_view, 4> parts = {key.request.text, key.session.text, tool_use.text, subtype};
  TextBlock texts;
  if (!records_.try_reserve_one() || !index_.try_reserve_one() || !texts.try_assign(parts)) {
    return std::unexpected(errors::out_of_memory());
  }
  const std::uint32_t slot = records_.take();
  Record& record = records_[slot];
  record.texts = std::move(texts);
  record.request_size = static_cast<std::uint16_t>(key.request.text.size());
  record.session_size = static_cast<std::uint16_t>(key.session.text.size());
  record.tool_use_size = static_cast<std::uint16_t>(tool_use.text.size());
  record.generation = key.generation;
  record.epoch = key.epoch;
  record.updated_at = now;
  index_.insert_hashed(hash, slot);
  ActiveList::append(active_, records_.slab(), slot);
  return {};
}

Status ControlRegistry::advance(const ControlKeyView& key, ControlState state, UnixMillis now) {
  if (state == ControlState::received || is_terminal(state)) {
    return std::unexpected(errors::invalid_advance(state));
  }
  const auto slot = find_active(key);
  if (!slot) return std::unexpected(slot.error());
  Record& record = records_[*slot];
  if (!can_become(record.state, state)) {
    return std::unexpected(errors::invalid_state_transition(record.state, state));
  }
  record.state = state;
  record.updated_at = now;
  return {};
}

Status ControlRegistry::resolve(const ControlKeyView& key, const ControlResolution& resolution,
                                UnixMillis now) {
  return resolve(key, resolution, TextField::message, now);
}

Status ControlRegistry::cancel(const ControlKeyView& key, std::string_view reason, UnixMillis now) {
  return resolve(key, {.state = ControlState::cancelled, .value = {}, .message = reason}, TextField::reason,
                 now);
}

Status ControlRegistry::resolve(const ControlKeyView& key, const ControlResolution& resolution,
                                TextField message_field, UnixMillis now) {
  LEASEGATE_TRY(check_evidence(resolution));
  const auto slot = find_active(key);
  if (!slot) return std::unexpected(slot.error());
  LEASEGATE_TRY(check_value(resolution));
  LEASEGATE_TRY(check_text(message_field, resolution.message));
  const std::array<std::string_view, 2> parts = {resolution.value, resolution.message};
  if (!records_[*slot].resolution.try_assign(parts)) return std::unexpected(errors::out_of_memory());
  finish(*slot, resolution.state, resolution.value.size(), now);
  return {};
}

void ControlRegistry::finish(std::uint32_t slot, ControlState state, std::size_t value_size, UnixMillis now) {
  Record& record = records_[slot];
  record.state = state;
  record.value_size = static_cast<std::uint32_t>(value_size);
  record.updated_at = now;
  ActiveList::remove(active_, records_.slab(), slot);
}

Status ControlRegistry::cancel_all(std::string_view reason, UnixMillis now, Array<std::uint32_t>& slots) {
  if (reason.empty()) reason = kDefaultCancelReason;
  LEASEGATE_TRY(check_text(TextField::reason, reason));
  if (!slots.try_reserve(active_.count)) return std::unexpected(errors::out_of_memory());
  slots.clear();
  for (std::uint32_t slot = active_.first; slot != kNoSlot; slot = ActiveList::next(records_.slab(), slot)) {
    // While a record is active nobody looks at its resolution: all of them are written before the first one
    // counts.
    if (!records_[slot].resolution.try_assign({&reason, 1})) {
      slots.clear();
      return std::unexpected(errors::out_of_memory());
    }
    slots.push_back(slot);
  }
  sort_slots(slots, [this](std::uint32_t a, std::uint32_t b) {
    return in_order(records_[a].key()) < in_order(records_[b].key());
  });
  for (const std::uint32_t slot : slots) finish(slot, ControlState::cancelled, 0, now);
  return {};
}

ControlRecordView ControlRegistry::record_at(std::uint32_t slot) const {
  const Record& record = records_[slot];
  const std::size_t ids = std::size_t{record.request_size} + record.session_size;
  const std::size_t subtype = ids + record.tool_use_size;
  const bool resolved = is_terminal(record.state);
  const std::size_t message_size = resolved ? record.resolution.size() - record.value_size : 0;
  return {
      .key = record.key(),
      .tool_use_id = ToolUseId(record.texts.view(ids, record.tool_use_size)),
      .subtype = record.texts.view(subtype, record.texts.size() - subtype),
      .state = record.state,
      .value = record.resolution.view(0, record.value_size),
      .message = record.resolution.view(record.value_size, message_size),
      .updated_at = record.updated_at,
  };
}

std::optional<ControlRecordView> ControlRegistry::get(const ControlKeyView& key) const {
  const std::uint32_t slot = find(key);
  if (slot == kNoSlot) return std::nullopt;
  return record_at(slot);
}

Status ControlRegistry::forget(const ControlKeyView& key) {
  const std::uint32_t slot = find(key);
  if (slot == kNoSlot) return std::unexpected(errors::control_not_found());
  const ControlState state = records_[slot].state;
  if (!is_terminal(state)) return std::unexpected(errors::control_not_terminal(state));
  index_.erase_hashed(hash_of_key(key), slot);
  records_.release(slot);
  return {};
}

}  // namespace leasegate
