// Each allocation of each operation of the bridge fails once: the answer is out_of_memory, nothing has
// changed, and the same operation succeeds afterwards. Reports of outcomes allocate nothing: they cannot
// fail.

#include <catch2/catch_test_macros.hpp>

#include "bridge/control_registry.hpp"
#include "bridge/deduper.hpp"
#include "bridge/delivery_tracker.hpp"
#include "bridge/gate_driver.hpp"
#include "bridge/reconnect_coordinator.hpp"
#include "bridge/work_lifecycle.hpp"
#include "support/failing_allocator.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

/**
 * Runs `operation` on a scene of its own for each of its allocations, which fails, then on one where none
 * does. `shown` tells a scene's state. Returns how many allocations there were.
 */
template <class Make, class Operation, class Shown>
int fail_each_allocation(Make&& make, Operation&& operation, Shown&& shown) {
  for (int nth = 1;; ++nth) {
    INFO("allocation " << nth);
    auto scene = make();
    const std::string before = shown(scene);
    bool failed = false;
    const std::string said = [&] {
      const FailingAllocation failing(nth);
      const auto answer = operation(scene);
      failed = failing.failed();
      return refusal(answer);
    }();
    REQUIRE(said == (failed ? "out_of_memory" : "accepted"));
    if (!failed) return nth - 1;
    REQUIRE(shown(scene) == before);
    REQUIRE(refusal(operation(scene)) == "accepted");
  }
}

template <class Report>
void allocates_nothing(Report&& report) {
  const unsigned long before = allocations();
  report();
  const unsigned long after = allocations();
  CHECK(after == before);
}

TEST_CASE("A deduper without memory forgets nothing", "[bridge]") {
  const auto full = [] {
    Deduper deduper = *Deduper::create(2);
    REQUIRE(deduper.seen_or_add(MessageId("a")));
    REQUIRE(deduper.seen_or_add(MessageId("b")));
    return deduper;
  };
  const auto add = [](Deduper& deduper) { return deduper.seen_or_add(MessageId("c")); };
  const auto size = [](Deduper& deduper) { return std::to_string(deduper.size()); };
  // "a" goes only if "c" can come.
  const auto has_a = [](Deduper& deduper) { return std::to_string(*deduper.seen_or_add(MessageId("a"))); };
  CHECK(fail_each_allocation([] { return *Deduper::create(2); }, add, size) == 4);
  CHECK(fail_each_allocation(full, add, has_a) == 1);
}

TEST_CASE("A tracker without memory changes no delivery", "[bridge]") {
  const DeliveryId id("d");
  const auto empty = [] { return *DeliveryTracker::create(); };
  const auto observe = [&](DeliveryTracker& tracker) {
    return tracker.observe(id, MessageId("m"), {1}, {1});
  };
  const auto one = [&] {
    DeliveryTracker tracker = empty();
    REQUIRE(observe(tracker));
    return tracker;
  };
  const auto shown = [&](DeliveryTracker& tracker) {
    const auto record = tracker.get(id);
    if (!record) return std::to_string(tracker.size());
    return std::string(name_of(record->state)) + '/' + std::string(record->transport_ack_id.text) + '/' +
           std::string(record->failure);
  };
  CHECK(fail_each_allocation(empty, observe, shown) == 5);
  CHECK(fail_each_allocation(
            one, [&](DeliveryTracker& t) { return t.acknowledge(id, TransportAckId("a"), {2}); }, shown) ==
        1);
  CHECK(fail_each_allocation(
            one, [&](DeliveryTracker& t) { return t.transition(id, DeliveryState::failed, "why", {3}); },
            shown) == 1);
  DeliveryTracker tracker = one();
  REQUIRE(tracker.transition(id, DeliveryState::failed, "why", {3}));
  allocates_nothing([&] { REQUIRE(tracker.forget(id)); });
}

TEST_CASE("A registry without memory changes no request, not even one of many", "[bridge]") {
  const ControlKeyView keys[] = {
      {ControlRequestId("a"), RemoteSessionId("s"), {1}, {1}},
      {ControlRequestId("b"), RemoteSessionId("s"), {1}, {1}},
      {ControlRequestId("c"), RemoteSessionId("s"), {1}, {1}},
  };
  const auto accept = [&](ControlRegistry& registry) {
    return registry.accept(keys[0], "x", ToolUseId(), {1});
  };
  const auto empty = [] { return *ControlRegistry::create(); };
  const auto three = [&] {
    ControlRegistry registry = empty();
    for (const ControlKeyView& key : keys) REQUIRE(registry.accept(key, "x", ToolUseId(), {1}));
    return registry;
  };
  const auto shown = [&](ControlRegistry& registry) {
    std::string text = std::to_string(registry.size());
    for (const ControlKeyView& key : keys) {
      const auto record = registry.get(key);
      if (!record) continue;
      text += ' ' + std::string(name_of(record->state)) + '/' + std::string(record->value) + '/' +
              std::string(record->message);
    }
    return text;
  };
  CHECK(fail_each_allocation(empty, accept, shown) == 5);
  const auto deny = [&](ControlRegistry& registry) {
    return registry.resolve(keys[1], {ControlState::denied, "1", "no"}, {2});
  };
  CHECK(fail_each_allocation(three, deny, shown) == 1);
  const auto cancel_all = [](ControlRegistry& registry) {
    Array<std::uint32_t> slots;
    return registry.cancel_all("end", {3}, slots);
  };
  CHECK(fail_each_allocation(three, cancel_all, shown) == 4);
}

TEST_CASE("A lifecycle without memory stays where it is", "[bridge]") {
  CHECK(fail_each_allocation(
            [] { return *Lifecycle::create(); },
            [](Lifecycle& life) { return life.transition(TransportState::connecting, "r", {1}); },
            [](Lifecycle& life) {
              return std::string(name_of(life.state())) + std::to_string(life.history_size());
            }) == 3);
  CHECK(fail_each_allocation([] { return 0; }, [](int) { return WorkLifecycle::create(WorkId("w")); },
                             [](int) { return std::string(); }) == 1);
}

TEST_CASE("A gate without memory refuses and loses nothing", "[bridge][gate]") {
  const OutboundEvent events[] = {event("a"), event("b")};
  const OutboundEventView views[] = {view_of(events[0]), view_of(events[1])};
  const auto shown = [](GateDriver& d) { return d.shown(); };
  const auto inactive = [] { return GateDriver(); };
  const auto collecting = [] {
    GateDriver d;
    REQUIRE(d.begin() == "done");
    REQUIRE(d.submit("q") == "queued");
    return d;
  };
  const auto ready = [&] {
    GateDriver d = collecting();
    REQUIRE(d.install({"h"}) == "accepted");
    return d;
  };
  const auto draining = [&] {
    GateDriver d = ready();
    REQUIRE(d.drain() == "open 1");
    REQUIRE(d.pump() == "send h for 1");
    return d;
  };
  const auto submit = [&](GateDriver& d) { return d.gate.submit(views[0]); };
  CHECK(fail_each_allocation(inactive, submit, shown) == 5);
  CHECK(fail_each_allocation(collecting, submit, shown) == 1);
  CHECK(fail_each_allocation(
            collecting, [&](GateDriver& d) { return d.gate.install_history(views); }, shown) == 2);
  CHECK(fail_each_allocation(ready, [](GateDriver& d) { return d.gate.drain(); }, shown) == 4);
  CHECK(
      fail_each_allocation(inactive, [](GateDriver& d) { return d.gate.flush_history(false); }, shown) == 4);
  // The drain's call has left room for this one.
  CHECK(fail_each_allocation(draining, [](GateDriver& d) { return d.gate.drop(); }, shown) == 0);
}

TEST_CASE("What is reported to a gate allocates nothing", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.submit("a") == "open 1");
  REQUIRE(d.submit("b") == "open 2");
  REQUIRE(d.begin() == "open 3");
  REQUIRE(d.pump() == "send a for 1");
  allocates_nothing([&] {
    REQUIRE(d.gate.send_settled({1}, SendOutcome::accepted));
    for (int i = 0; i < 2; ++i) static_cast<void>(d.gate.next_step());
    REQUIRE(d.gate.send_settled({2}, SendOutcome::failed));
    for (int i = 0; i < 3; ++i) static_cast<void>(d.gate.next_step());
    d.gate.deactivate();
    REQUIRE(d.gate.resume_history());
  });
}

TEST_CASE("A coordinator without memory starts nothing", "[bridge][coordinator]") {
  const ReconnectConfig config{.session = RemoteSessionId("s"), .epoch = {1}, .has_transport = true};
  CHECK(fail_each_allocation([] { return 0; }, [&](int) { return ReconnectCoordinator::create(config, {1}); },
                             [](int) { return std::string(); }) == 7);
  const auto made = [&] { return std::move(*ReconnectCoordinator::create(config, {1})); };
  const auto shown = [](ReconnectCoordinator& c) { return std::string(name_of(c.state())); };
  const auto recover = [](ReconnectCoordinator& c) { return c.recover("lost", Signal::live, {2}); };
  CHECK(fail_each_allocation(made, recover, shown) >= 5);
  CHECK(fail_each_allocation(
            made, [](ReconnectCoordinator& c) { return c.close(Signal::live, {2}); }, shown) == 4);
  ReconnectCoordinator coordinator = made();
  REQUIRE(recover(coordinator));
  REQUIRE(coordinator.next_step().kind == RecoveryStepKind::attempt);
  allocates_nothing([&] {
    REQUIRE(coordinator.attempt_settled({1}, {.offer = TransportOffer::fresh, .epoch = {2}}, {3}));
    REQUIRE(coordinator.next_step().kind == RecoveryStepKind::settle);
    REQUIRE(coordinator.next_step().kind == RecoveryStepKind::close_transport);
    REQUIRE(coordinator.close(Signal::aborted, {4}));
    REQUIRE(coordinator.next_step().kind == RecoveryStepKind::close_transport);
    REQUIRE(coordinator.close_settled({1}, {}, {5}));
    REQUIRE(coordinator.close_failed({2}, {6}));
  });
  CHECK(shown(coordinator) == "closed");
}

TEST_CASE("A late transport and the last close find their room, however full the history",
          "[bridge][coordinator]") {
  const ReconnectConfig config{
      .session = RemoteSessionId("s"), .epoch = {1}, .has_transport = true, .max_history = 1000};
  ReconnectCoordinator coordinator = std::move(*ReconnectCoordinator::create(config, {1}));
  for (std::uint64_t flight = 1; flight <= 300; ++flight) {
    REQUIRE(coordinator.recover("r", Signal::live, {2}));
    REQUIRE(coordinator.next_step().kind == RecoveryStepKind::attempt);
    allocates_nothing([&] { REQUIRE(coordinator.attempt_failed({flight}, {3})); });
    REQUIRE(coordinator.next_step().kind == RecoveryStepKind::settle);
  }
  REQUIRE(coordinator.recover("r", Signal::live, {4}));
  REQUIRE(coordinator.next_step().kind == RecoveryStepKind::attempt);
  allocates_nothing([&] {
    REQUIRE(coordinator.close(Signal::aborted, {5}));
    REQUIRE(coordinator.attempt_settled({301}, {.offer = TransportOffer::fresh, .epoch = {2}}, {6}));
    coordinator.close_timeout_elapsed({7});
  });
  CHECK(coordinator.state() == TransportState::closed);
}

}  // namespace
}  // namespace leasegate::test
