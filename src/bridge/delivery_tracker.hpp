// What became of each delivery, and whether the transport acknowledged it: two independent things. Nothing
// but acknowledge() ever sets an acknowledgement.
//
// Every error means that nothing changed. Views are valid until the next change. An id that is not valid is
// repeated in no error.
#pragma once

#include <optional>

#include "base/id_index.hpp"
#include "base/pool.hpp"
#include "base/text_block.hpp"
#include "bridge/identity.hpp"

namespace leasegate {

template <class Policy>
struct BasicDeliveryRecord {
  template <IdentifierKind Kind>
  using Id = Identifier<Kind, typename Policy::Text>;

  Id<IdentifierKind::delivery_id> id;
  Id<IdentifierKind::message_id> message;
  /** 0: unknown. */
  Sequence sequence;
  DeliveryState state = DeliveryState::observed;
  /** Absent until the transport acknowledged. */
  Id<IdentifierKind::transport_ack_id> transport_ack_id;
  std::optional<UnixMillis> transport_acked_at;
  /** The last change, a first acknowledgement included. */
  UnixMillis updated_at;
  /** Only of a failed delivery. */
  typename Policy::Text failure;
};
using DeliveryRecord = BasicDeliveryRecord<Owned>;
using DeliveryRecordView = BasicDeliveryRecord<Borrowed>;

class DeliveryTracker {
 public:
  /** Errors: invalid_capacity. */
  [[nodiscard]] static Result<DeliveryTracker> create(std::uint64_t max_records = DEFAULT_MAX_RECORDS);

  /** Errors: invalid_identifier (id, message), delivery_already_observed, delivery_capacity, out_of_memory.
   */
  Status observe(DeliveryId id, MessageId message, Sequence sequence, UnixMillis now);

  /**
   * `failure` is looked at and kept only when `state` is failed.
   * Errors: delivery_not_found, invalid_transition, invalid_text{failure}, out_of_memory.
   */
  Status transition(DeliveryId id, DeliveryState state, std::string_view failure, UnixMillis now);

  /**
   * In any state, terminal ones included; the same ack again changes nothing.
   * Errors: invalid_identifier (ack), delivery_not_found, delivery_ack_conflict, out_of_memory.
   */
  Status acknowledge(DeliveryId id, TransportAckId ack, UnixMillis now);

  [[nodiscard]] std::optional<DeliveryRecordView> get(DeliveryId id) const;

  /** Ends a terminal record: its id may be observed anew. Errors: delivery_not_found, delivery_not_terminal.
   */
  Status forget(DeliveryId id);

  [[nodiscard]] std::uint32_t size() const { return records_.size(); }

 private:
  struct Record {
    /** The id, then the message's. */
    TextBlock ids;
    TextBlock ack;
    TextBlock failure;
    Sequence sequence;
    UnixMillis acked_at;
    UnixMillis updated_at;
    std::uint16_t id_size = 0;
    DeliveryState state = DeliveryState::observed;

    [[nodiscard]] std::string_view id() const { return ids.view(0, id_size); }
    [[nodiscard]] std::string_view message() const { return ids.view(id_size, ids.size() - id_size); }
    [[nodiscard]] bool acknowledged() const { return ack.size() > 0; }
  };

  explicit DeliveryTracker(std::uint64_t max_records) : max_records_(max_records) {}

  [[nodiscard]] std::uint32_t find(DeliveryId id, std::uint32_t hash) const;
  [[nodiscard]] std::uint32_t find(DeliveryId id) const;

  std::uint64_t max_records_;
  Pool<Record> records_;
  IdIndex index_;
};

}  // namespace leasegate
