#include "bridge/delivery_tracker.hpp"

#include <catch2/catch_test_macros.hpp>

#include "bridge/grid.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

const Grid kGrid = {
    {"observed", "received failed cancelled"},
    {"received", "processing processed failed cancelled"},
    {"processing", "processed failed cancelled"},
};

const DeliveryId kId("d");

DeliveryTracker tracker_with(std::uint64_t max_records = 8) {
  DeliveryTracker tracker = *DeliveryTracker::create(max_records);
  REQUIRE(refusal(tracker.observe(kId, MessageId("m"), {3}, {10})) == "accepted");
  return tracker;
}

DeliveryTracker tracker_in(DeliveryState state) {
  using enum DeliveryState;
  DeliveryTracker tracker = tracker_with();
  const auto go = [&](DeliveryState to) {
    REQUIRE(refusal(tracker.transition(kId, to, "why", {11})) == "accepted");
  };
  if (state == received || state == processing) go(received);
  if (state != observed && state != received) {
    if (state == processed) go(received);
    go(state);
  }
  REQUIRE(tracker.get(kId)->state == state);
  return tracker;
}

TEST_CASE("A delivery goes from each state exactly where the contract says", "[bridge]") {
  check_table<DeliveryState>(kDeliveryStateNames, kGrid);
  for (std::size_t from = 0; from < kDeliveryStateNames.size(); ++from) {
    for (std::size_t to = 0; to < kDeliveryStateNames.size(); ++to) {
      DeliveryTracker tracker = tracker_in(static_cast<DeliveryState>(from));
      const bool allowed = allows(kGrid, kDeliveryStateNames[from], kDeliveryStateNames[to]);
      INFO(kDeliveryStateNames[from] << " -> " << kDeliveryStateNames[to]);
      CHECK(refusal(tracker.transition(kId, static_cast<DeliveryState>(to), "", {12})) ==
            (allowed ? "accepted" : no_transition(kDeliveryStateNames[from], kDeliveryStateNames[to])));
      const DeliveryRecordView record = *tracker.get(kId);
      CHECK(record.state == static_cast<DeliveryState>(allowed ? to : from));
      CHECK((record.updated_at == UnixMillis{12}) == allowed);
    }
  }
}

TEST_CASE("Observing checks the ids, then that the id is unused, then the room", "[bridge]") {
  CHECK(refusal(DeliveryTracker::create(0)) == "invalid_capacity");
  DeliveryTracker tracker = tracker_with(1);
  CHECK(refusal(tracker.observe(DeliveryId(""), MessageId(""), {0}, {0})) ==
        "invalid_identifier{kind: delivery_id, reason: empty}");
  CHECK(refusal(tracker.observe(kId, MessageId(""), {0}, {0})) ==
        "invalid_identifier{kind: message_id, reason: empty}");
  CHECK(refusal(tracker.observe(kId, MessageId("n"), {0}, {0})) == "delivery_already_observed{id: d}");
  CHECK(refusal(tracker.observe(DeliveryId("e"), MessageId("n"), {0}, {0})) == "delivery_capacity{limit: 1}");
  CHECK(tracker.size() == 1);
  CHECK(tracker.get(kId)->message.text == "m");
}

TEST_CASE("A failure is kept only of a failed delivery, and looked at only then", "[bridge]") {
  DeliveryTracker tracker = tracker_with();
  CHECK(refusal(tracker.transition(kId, DeliveryState::received, "\xFF", {11})) == "accepted");
  CHECK(tracker.get(kId)->failure.empty());
  CHECK(refusal(tracker.transition(kId, DeliveryState::observed, "\xFF", {11})) ==
        no_transition("received", "observed"));
  CHECK(refusal(tracker.transition(kId, DeliveryState::failed, "\xFF", {12})) ==
        "invalid_text{field: failure, reason: not_utf8}");
  CHECK(refusal(tracker.transition(kId, DeliveryState::failed, std::string(4097, 'x'), {12})) ==
        "invalid_text{field: failure, reason: too_long}");
  CHECK(tracker.get(kId)->state == DeliveryState::received);
  CHECK(refusal(tracker.transition(kId, DeliveryState::failed, "reset", {13})) == "accepted");
  CHECK(tracker.get(kId)->failure == "reset");
}

TEST_CASE("An acknowledgement is independent of the state and set once", "[bridge]") {
  DeliveryTracker tracker = tracker_in(DeliveryState::failed);
  CHECK_FALSE(tracker.get(kId)->transport_acked_at.has_value());
  CHECK(refusal(tracker.acknowledge(DeliveryId("x"), TransportAckId(""), {20})) ==
        "invalid_identifier{kind: transport_ack_id, reason: empty}");
  CHECK(refusal(tracker.acknowledge(DeliveryId("x"), TransportAckId("a"), {20})) ==
        "delivery_not_found{id: x}");
  CHECK(refusal(tracker.acknowledge(kId, TransportAckId("a"), {20})) == "accepted");
  CHECK(refusal(tracker.acknowledge(kId, TransportAckId("a"), {30})) == "accepted");
  CHECK(refusal(tracker.acknowledge(kId, TransportAckId("b"), {30})) == "delivery_ack_conflict{id: d}");
  const DeliveryRecordView record = *tracker.get(kId);
  CHECK(record.transport_ack_id.text == "a");
  CHECK(record.transport_acked_at == UnixMillis{20});
  CHECK(record.updated_at == UnixMillis{20});
  CHECK(record.state == DeliveryState::failed);
}

TEST_CASE("An id that is not valid is repeated in no error", "[bridge]") {
  DeliveryTracker tracker = tracker_with();
  const DeliveryId bad("secret\n");
  const auto refused = tracker.transition(bad, DeliveryState::received, "", {0});
  CHECK(refusal(refused) == "delivery_not_found{id: }");
  CHECK(message_of(refused.error()).view() == "No such delivery: (not a valid id).");
  CHECK(refusal(tracker.forget(bad)) == "delivery_not_found{id: }");
  CHECK_FALSE(tracker.get(bad).has_value());
}

TEST_CASE("Only a terminal delivery is forgotten, and then wholly", "[bridge]") {
  DeliveryTracker tracker = tracker_with(1);
  CHECK(refusal(tracker.forget(DeliveryId("x"))) == "delivery_not_found{id: x}");
  CHECK(refusal(tracker.forget(kId)) == "delivery_not_terminal{id: d, state: observed}");
  CHECK(refusal(tracker.transition(kId, DeliveryState::failed, "f", {1})) == "accepted");
  CHECK(refusal(tracker.acknowledge(kId, TransportAckId("a"), {1})) == "accepted");
  CHECK(refusal(tracker.forget(kId)) == "accepted");
  CHECK(tracker.size() == 0);
  CHECK(refusal(tracker.observe(kId, MessageId("n"), {0}, {5})) == "accepted");
  const DeliveryRecordView record = *tracker.get(kId);
  CHECK(record.state == DeliveryState::observed);
  CHECK(record.transport_ack_id.empty());
  CHECK(record.failure.empty());
}

TEST_CASE("A hundred thousand deliveries pass through eight records", "[bridge]") {
  DeliveryTracker tracker = *DeliveryTracker::create(8);
  for (int i = 0; i < 100'000; ++i) {
    const std::string id = "d" + std::to_string(i);
    REQUIRE(tracker.observe(DeliveryId(id), MessageId("m"), {1}, {1}));
    if (i < 7) continue;
    const std::string oldest = "d" + std::to_string(i - 7);
    REQUIRE(tracker.transition(DeliveryId(oldest), DeliveryState::cancelled, "", {2}));
    REQUIRE(tracker.forget(DeliveryId(oldest)));
    REQUIRE(tracker.size() == 7);
  }
}

}  // namespace
}  // namespace leasegate::test
