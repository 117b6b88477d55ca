// What is sent to a remote side.
#pragma once

#include "bridge/identity.hpp"

namespace leasegate {

template <class Policy>
struct BasicOutboundEvent {
  Identifier<IdentifierKind::message_id, typename Policy::Text> message_id;
  typename Policy::Text type;
  typename Policy::Bytes payload;
};
using OutboundEvent = BasicOutboundEvent<Owned>;
using OutboundEventView = BasicOutboundEvent<Borrowed>;

/** Errors: invalid_identifier, invalid_event, invalid_text{type}. */
[[nodiscard]] Status validate(const OutboundEventView& event);

}  // namespace leasegate
