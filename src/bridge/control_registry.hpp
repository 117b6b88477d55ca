// Control requests of a remote side (may a tool be used, interrupt, ...) from acceptance to resolution. All
// four parts of a key identify a request: an answer for another generation or epoch finds nothing.
//
// Every error means that nothing changed. Views are valid until the next change.
#pragma once

#include <optional>

#include "base/array.hpp"
#include "base/id_index.hpp"
#include "base/intrusive_list.hpp"
#include "base/pool.hpp"
#include "base/text_block.hpp"
#include "bridge/identity.hpp"

namespace leasegate {

template <class Policy>
struct BasicControlKey {
  Identifier<IdentifierKind::control_request_id, typename Policy::Text> request;
  Identifier<IdentifierKind::remote_session_id, typename Policy::Text> session;
  Generation generation;
  Epoch epoch;
};
using ControlKey = BasicControlKey<Owned>;
using ControlKeyView = BasicControlKey<Borrowed>;

/** Errors: invalid_identifier (request, session), invalid_control_key. */
[[nodiscard]] Status validate(const ControlKeyView& key);

template <class Policy>
struct BasicControlRecord {
  BasicControlKey<Policy> key;
  /** Absent when empty. */
  Identifier<IdentifierKind::tool_use_id, typename Policy::Text> tool_use_id;
  typename Policy::Text subtype;
  ControlState state = ControlState::received;
  /** JSON text, exactly as it was given; absent when empty, as the message. */
  typename Policy::Text value;
  typename Policy::Text message;
  UnixMillis updated_at;
};
using ControlRecord = BasicControlRecord<Owned>;
using ControlRecordView = BasicControlRecord<Borrowed>;

/** How a request ended. Borrows its texts; empty ones are absent. */
struct ControlResolution {
  ControlState state = ControlState::succeeded;
  std::string_view value;
  std::string_view message;
};

/** The message of cancel_all without a reason. */
inline constexpr std::string_view kDefaultCancelReason = "cancelled with the surface";

class ControlRegistry {
 public:
  /** Errors: invalid_capacity. */
  [[nodiscard]] static Result<ControlRegistry> create(std::uint64_t max_records = DEFAULT_MAX_RECORDS);

  /**
   * Errors: those of validate(ControlKeyView), invalid_subtype, invalid_text{subtype}, invalid_identifier
   * (tool use), control_already_accepted, control_capacity, out_of_memory.
   */
  Status accept(const ControlKeyView& key, std::string_view subtype, ToolUseId tool_use, UnixMillis now);

  /** One step on: validating, awaiting_local_action, responding. Errors: invalid_advance, control_not_found,
   * control_terminal, invalid_transition. */
  Status advance(const ControlKeyView& key, ControlState state, UnixMillis now);

  /**
   * Ends an active request, whatever its state. Errors: invalid_resolution, missing_result_evidence,
   * missing_reason, control_not_found, control_terminal, invalid_value, value_too_large,
   * invalid_text{message}, out_of_memory.
   */
  Status resolve(const ControlKeyView& key, const ControlResolution& resolution, UnixMillis now);

  /** Resolves as cancelled. Errors: as resolve, but invalid_text{reason}. */
  Status cancel(const ControlKeyView& key, std::string_view reason, UnixMillis now);

  /**
   * Cancels every active request and fills `slots` with their records, ordered by request, session
   * (bytewise), generation and epoch. O(n log n) of the active ones, whatever is retained besides. Errors:
   * invalid_text{reason}, out_of_memory.
   */
  Status cancel_all(std::string_view reason, UnixMillis now, Array<std::uint32_t>& slots);

  [[nodiscard]] std::optional<ControlRecordView> get(const ControlKeyView& key) const;
  [[nodiscard]] ControlRecordView record_at(std::uint32_t slot) const;

  /** Ends a terminal record: its key may be accepted anew. Errors: control_not_found, control_not_terminal.
   */
  Status forget(const ControlKeyView& key);

  [[nodiscard]] std::uint32_t size() const { return records_.size(); }

 private:
  struct Record {
    /** Request, session, tool use, then subtype. */
    TextBlock texts;
    /** Value, then message. Means nothing before the record is terminal. */
    TextBlock resolution;
    std::uint32_t value_size = 0;
    std::uint16_t request_size = 0;
    std::uint16_t session_size = 0;
    std::uint16_t tool_use_size = 0;
    ControlState state = ControlState::received;
    Generation generation;
    Epoch epoch;
    UnixMillis updated_at;
    Links active;

    [[nodiscard]] ControlKeyView key() const;
  };
  using ActiveList = ListOf<&Record::active>;

  explicit ControlRegistry(std::uint64_t max_records) : max_records_(max_records) {}

  [[nodiscard]] std::uint32_t find(const ControlKeyView& key, std::uint32_t hash) const;
  [[nodiscard]] std::uint32_t find(const ControlKeyView& key) const;
  /** The slot of an active record. Errors: control_not_found, control_terminal. */
  [[nodiscard]] Result<std::uint32_t> find_active(const ControlKeyView& key) const;
  Status resolve(const ControlKeyView& key, const ControlResolution& resolution, TextField message_field,
                 UnixMillis now);
  /** What resolve() keeps must be in the record already. */
  void finish(std::uint32_t slot, ControlState state, std::size_t value_size, UnixMillis now);

  std::uint64_t max_records_;
  Pool<Record> records_;
  IdIndex index_;
  IntrusiveList active_;
};

}  // namespace leasegate
