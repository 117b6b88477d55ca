// Who and what a message of the bridge is about. Ids of different kinds never convert into one another, even
// when they are spelled the same: each kind is a type of its own.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/result.hpp"
#include "base/text_policy.hpp"
#include "bridge/counters.hpp"
#include "bridge/schema.gen.hpp"

namespace leasegate {

/** An id of one kind, not validated by being made. Without text it is absent. */
template <IdentifierKind Kind, class Text>
struct Identifier {
  static constexpr IdentifierKind kind = Kind;

  Identifier() = default;
  template <class From>
    requires std::is_constructible_v<Text, From&&>
  explicit Identifier(From&& from) : text(std::forward<From>(from)) {}
  /** Borrows from an id that owns its text. */
  template <class Owner>
    requires std::is_same_v<Owner, Identifier<Kind, std::string>> && (!std::is_same_v<Owner, Identifier>)
  Identifier(const Owner& owner) : text(owner.text) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool empty() const { return text.empty(); }
  friend bool operator==(const Identifier&, const Identifier&) = default;

  Text text;
};

template <IdentifierKind Kind>
using IdOf = Identifier<Kind, std::string_view>;
using BridgeInstanceId = IdOf<IdentifierKind::bridge_instance_id>;
using EnvironmentId = IdOf<IdentifierKind::environment_id>;
using WorkId = IdOf<IdentifierKind::work_id>;
using RemoteSessionId = IdOf<IdentifierKind::remote_session_id>;
using MessageId = IdOf<IdentifierKind::message_id>;
using ControlRequestId = IdOf<IdentifierKind::control_request_id>;
using ToolUseId = IdOf<IdentifierKind::tool_use_id>;
using DeliveryId = IdOf<IdentifierKind::delivery_id>;
using TransportAckId = IdOf<IdentifierKind::transport_ack_id>;

/** Errors: invalid_identifier, in the order empty, too_long, not_utf8, control_character. */
[[nodiscard]] Status check_opaque_id(IdentifierKind kind, std::string_view value);

template <IdentifierKind Kind>
[[nodiscard]] Status check(const IdOf<Kind>& id) {
  return check_opaque_id(Kind, id.text);
}
/** The same, but absent is fine. */
template <IdentifierKind Kind>
[[nodiscard]] Status check_if_given(const IdOf<Kind>& id) {
  return id.empty() ? Status() : check_opaque_id(Kind, id.text);
}

[[nodiscard]] bool is_opaque_id(std::string_view value);

/** What an error may repeat of a caller's word: at most 256 bytes of it, nothing when it is not UTF-8. */
[[nodiscard]] std::string_view label_of(std::string_view word);

/** As check_opaque_id, for a caller that names the kind in its own words, which are echoed. Errors:
 * invalid_identifier. */
[[nodiscard]] Status validate_opaque_id(std::string_view kind, std::string_view value);
/** An opaque id of A-Z a-z 0-9 _ - alone. Errors: invalid_identifier, with unsafe_path checked last. */
[[nodiscard]] Status validate_path_identifier(std::string_view kind, std::string_view value);

/** Which surface of which session a message belongs to. */
template <class Policy>
struct BasicIdentityTuple {
  template <IdentifierKind Kind>
  using Id = Identifier<Kind, typename Policy::Text>;

  /** Absent when empty, as environment and work. */
  Id<IdentifierKind::bridge_instance_id> bridge_instance{};
  Id<IdentifierKind::environment_id> environment{};
  Id<IdentifierKind::work_id> work{};
  Id<IdentifierKind::remote_session_id> session{};
  Epoch epoch{};
  Generation generation{};
};
using IdentityTuple = BasicIdentityTuple<Owned>;
using IdentityTupleView = BasicIdentityTuple<Borrowed>;

/** Errors: invalid_identifier of the session, invalid_epoch, invalid_generation, invalid_identifier of the
 * others. */
[[nodiscard]] Status validate(const IdentityTupleView& identity);

/** A free text: valid UTF-8, then at most MAX_TEXT_BYTES; empty is absent. Errors: invalid_text. */
[[nodiscard]] Status check_text(TextField field, std::string_view text);

}  // namespace leasegate
