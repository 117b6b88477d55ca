// The gate's rules one by one. Phrases are explained in gate_driver.hpp.

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>

#include "bridge/gate_driver.hpp"
#include "bridge/grid.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

using enum SendOutcome;
using Wire = std::vector<std::string>;

/** A gate in `state` with the queue "q1 q2", but for the states that have none. */
GateDriver gate_in(GateState state) {
  GateDriver d;
  if (state == GateState::inactive) return d;
  if (state == GateState::closed) {
    REQUIRE(d.drop() == "dropped 0");
    return d;
  }
  REQUIRE(d.begin() == "done");
  REQUIRE(d.submit("q2") == "queued");
  REQUIRE(d.submit("q3") == "queued");
  if (state == GateState::collecting_history) return d;
  REQUIRE(d.install({"q1"}) == "accepted");
  if (state == GateState::draining) {
    REQUIRE(d.drain() == "open 1");
    REQUIRE(d.pump() == "send q1 for 1");
  }
  if (state == GateState::deactivated) d.gate.deactivate();
  REQUIRE(d.gate.state() == state);
  return d;
}

TEST_CASE("Each operation does in each state what the table says", "[bridge][gate]") {
  struct Row {
    const char* name;
    std::function<std::string(GateDriver&)> run;
    /** By state: the answer, then the state and queue after it. */
    std::map<std::string, std::pair<std::string, std::string>> expected;
  };
  const std::string closed = "gate_closed";
  const auto active = [](const char* state) { return "gate_active{state: " + std::string(state) + "}"; };
  const auto inactive = [](const char* state) { return "gate_inactive{state: " + std::string(state) + "}"; };
  const std::string collecting = "collecting_history: q2 q3";
  const std::string ready = "ready: q1 q2 q3";
  const std::string draining = "draining: q1 q2 q3";
  const std::string deactivated = "deactivated: q1 q2 q3";
  const Row rows[] = {
      {"begin_history",
       [](GateDriver& d) { return d.begin(); },
       {{"inactive", {"done", "collecting_history:"}},
        {"collecting_history", {active("collecting_history"), collecting}},
        {"ready", {active("ready"), ready}},
        {"draining", {active("draining"), draining}},
        {"deactivated", {active("deactivated"), deactivated}},
        {"closed", {closed, "closed:"}}}},
      {"resume_history",
       [](GateDriver& d) { return d.resume(); },
       {{"inactive", {active("inactive"), "inactive:"}},
        {"collecting_history", {active("collecting_history"), collecting}},
        {"ready", {active("ready"), ready}},
        {"draining", {active("draining"), draining}},
        {"deactivated", {"accepted", "collecting_history: q1 q2 q3"}},
        {"closed", {closed, "closed:"}}}},
      {"install_history",
       [](GateDriver& d) { return d.install({"h"}); },
       {{"inactive", {inactive("inactive"), "inactive:"}},
        {"collecting_history", {"accepted", "ready: h q2 q3"}},
        {"ready", {inactive("ready"), ready}},
        {"draining", {inactive("draining"), draining}},
        {"deactivated", {inactive("deactivated"), deactivated}},
        {"closed", {closed, "closed:"}}}},
      {"submit",
       [](GateDriver& d) { return d.submit("s").substr(0, 6); },
       {{"inactive", {"open 1", "inactive:"}},
        {"collecting_history", {"queued", collecting + " s"}},
        {"ready", {"queued", ready + " s"}},
        {"draining", {"queued", draining + " s"}},
        {"deactivated", {"queued", deactivated + " s"}},
        {"closed", {"gate_c", "closed:"}}}},
      {"drain",
       [](GateDriver& d) { return d.drain(); },
       {{"inactive", {inactive("inactive"), "inactive:"}},
        {"collecting_history", {inactive("collecting_history"), collecting}},
        {"ready", {"open 1", draining}},
        {"draining", {inactive("draining"), draining}},
        {"deactivated", {"open 1", draining}},
        {"closed", {closed, "closed:"}}}},
      {"flush_history",
       [](GateDriver& d) { return d.flush(); },
       {{"inactive", {"open 1", "collecting_history:"}},
        {"collecting_history", {active("collecting_history"), collecting}},
        {"ready", {active("ready"), ready}},
        {"draining", {active("draining"), draining}},
        {"deactivated", {active("deactivated"), deactivated}},
        {"closed", {closed, "closed:"}}}},
      {"flush_history, resuming",
       [](GateDriver& d) { return d.flush(true); },
       {{"inactive", {active("inactive"), "inactive:"}},
        {"collecting_history", {active("collecting_history"), collecting}},
        {"ready", {active("ready"), ready}},
        {"draining", {active("draining"), draining}},
        {"deactivated", {"open 1", "collecting_history: q1 q2 q3"}},
        {"closed", {closed, "closed:"}}}},
      {"deactivate",
       [](GateDriver& d) {
         d.gate.deactivate();
         return std::string();
       },
       {{"inactive", {"", "inactive:"}},
        {"collecting_history", {"", "deactivated: q2 q3"}},
        {"ready", {"", deactivated}},
        {"draining", {"", deactivated}},
        {"deactivated", {"", deactivated}},
        {"closed", {"", "closed:"}}}},
      {"drop",
       [](GateDriver& d) { return d.drop(false); },
       {{"inactive", {"dropped 0", "inactive:"}},
        {"collecting_history", {"dropped 2", "inactive:"}},
        {"ready", {"dropped 3", "inactive:"}},
        {"draining", {"open 2", "inactive:"}},
        {"deactivated", {"dropped 3", "inactive:"}},
        {"closed", {"dropped 0", "closed:"}}}},
      {"drop and close",
       [](GateDriver& d) { return d.drop(true); },
       {{"inactive", {"dropped 0", "closed:"}},
        {"collecting_history", {"dropped 2", "closed:"}},
        {"ready", {"dropped 3", "closed:"}},
        {"draining", {"open 2", "closed:"}},
        {"deactivated", {"dropped 3", "closed:"}},
        {"closed", {"dropped 0", "closed:"}}}},
  };
  for (const Row& row : rows) {
    for (std::size_t state = 0; state < kGateStateNames.size(); ++state) {
      INFO(row.name << " when " << kGateStateNames[state]);
      GateDriver d = gate_in(static_cast<GateState>(state));
      const auto& [answer, after] = row.expected.at(std::string(kGateStateNames[state]));
      CHECK(row.run(d) == answer);
      CHECK(d.shown() == after);
    }
  }
}

TEST_CASE("The gate's table of states is what its operations make of it", "[bridge][gate]") {
  check_table<GateState>(kGateStateNames, {
                                              {"inactive", "collecting_history closed"},
                                              {"collecting_history", "ready deactivated inactive closed"},
                                              {"ready", "draining deactivated inactive closed"},
                                              {"draining", "inactive deactivated closed"},
                                              {"deactivated", "draining collecting_history inactive closed"},
                                          });
}

TEST_CASE("A gate needs room for one event and one byte", "[bridge][gate]") {
  CHECK(refusal(FlushGate::create({.capacity = 0})) == "invalid_capacity");
  CHECK(refusal(FlushGate::create({.max_bytes = 0})) == "invalid_capacity");
}

TEST_CASE("Direct sends go one at a time, in call order", "[bridge][gate]") {
  GateDriver d;
  CHECK(d.submit("a") == "open 1");
  CHECK(d.pump() == "send a for 1");
  CHECK(d.submit("b") == "open 2");
  CHECK(d.submit("c") == "open 3");
  CHECK(d.pump().empty());
  CHECK(d.settle(failed) == "settle 1 failed; send b for 2");
  CHECK(d.settle(not_accepted) == "settle 2 not_accepted; send c for 3");
  CHECK(d.settle() == "settle 3 accepted");
  CHECK(d.shown() == "inactive:");
}

TEST_CASE("begin_history waits for the direct sends before it, and what comes after it is collected",
          "[bridge][gate]") {
  GateDriver d;
  CHECK(d.submit("a") == "open 1");
  CHECK(d.pump() == "send a for 1");
  CHECK(d.submit("b") == "open 2");
  CHECK(d.begin() == "open 3");
  CHECK(d.begin() == "open 4");
  CHECK(d.submit("c") == "open 5");
  CHECK(d.shown() == "inactive:");
  CHECK(d.settle() == "settle 1 accepted; send b for 2");
  CHECK(d.settle() ==
        "settle 2 accepted; settle 3 done; settle 4 refused gate_active{state: collecting_history}; settle 5 "
        "queued");
  CHECK(d.shown() == "collecting_history: c");
}

TEST_CASE("P12: a live event during the history read goes out once, after the history",
          "[bridge][gate][cases]") {
  GateDriver d;
  CHECK(d.begin() == "done");
  CHECK(d.submit("live") == "queued");
  CHECK(d.install({"h1", "h2"}) == "accepted");
  CHECK(d.drain() == "open 1");
  CHECK(d.pump() == "send h1 for 1");
  CHECK(d.settle() == "send h2 for 1");
  CHECK(d.settle() == "send live for 1");
  CHECK(d.settle() == "settle 1 done");
  CHECK(d.wire == Wire{"h1", "h2", "live"});
  CHECK(d.shown() == "inactive:");
}

TEST_CASE("P11: a submit inside a connect handler does not overtake the buffer", "[bridge][gate][cases]") {
  GateDriver d;
  REQUIRE(d.begin() == "done");
  REQUIRE(d.submit("A") == "queued");
  d.gate.deactivate();
  CHECK(d.submit("B") == "queued");
  CHECK(d.drain() == "open 1");
  CHECK(d.pump() == "send A for 1");
  CHECK(d.submit("C") == "queued");
  CHECK(d.settle() == "send B for 1");
  CHECK(d.settle() == "send C for 1");
  CHECK(d.settle() == "settle 1 done");
  CHECK(d.wire == Wire{"A", "B", "C"});
}

TEST_CASE("P13: a full gate refuses and loses nothing", "[bridge][gate][cases]") {
  GateDriver d({.capacity = 1});
  REQUIRE(d.begin() == "done");
  CHECK(d.submit("a") == "queued");
  CHECK(d.submit("b") == "gate_capacity{limit: 1, unit: events}");
  CHECK(d.install({"h"}) == "gate_capacity{limit: 1, unit: events}");
  CHECK(d.shown() == "collecting_history: a");
  CHECK(d.install({}) == "accepted");
  CHECK(d.drain() == "open 1");
  CHECK(d.pump() == "send a for 1");
  CHECK(d.submit("b") == "gate_capacity{limit: 1, unit: events}");
  CHECK(d.settle() == "settle 1 done");
  CHECK(d.wire == Wire{"a"});
}

TEST_CASE("Payload bytes are bounded too, after the events", "[bridge][gate]") {
  GateDriver d({.capacity = 2, .max_bytes = 10});
  REQUIRE(d.begin() == "done");
  const OutboundEvent six = event("six", 6);
  const OutboundEvent five = event("five", 5);
  const OutboundEvent four = event("four", 4);
  const OutboundEvent none = event("none", 0);
  CHECK(d.gate.submit(view_of(six)));
  CHECK(refusal(d.gate.submit(view_of(five))) == "gate_capacity{limit: 10, unit: bytes}");
  CHECK(d.gate.submit(view_of(four)));
  CHECK(refusal(d.gate.submit(view_of(none))) == "gate_capacity{limit: 2, unit: events}");
  CHECK(d.gate.pending_bytes() == 10);
  const OutboundEventView history[] = {view_of(four), view_of(five), view_of(six)};
  CHECK(refusal(d.gate.install_history(history)) == "gate_capacity{limit: 2, unit: events}");
  CHECK(d.gate.drop(false)->dropped == 2);
  REQUIRE(d.begin() == "done");
  CHECK(refusal(d.gate.install_history(std::span(history).subspan(1, 2))) ==
        "gate_capacity{limit: 10, unit: bytes}");
  CHECK(d.gate.pending_bytes() == 0);
  CHECK(d.gate.install_history(std::span(history).subspan(0, 2)));
  CHECK(d.gate.pending_bytes() == 9);
}

TEST_CASE("Waiting direct sends count for the capacity, the one in flight does not", "[bridge][gate]") {
  GateDriver d({.capacity = 2});
  CHECK(d.submit("a") == "open 1");
  CHECK(d.pump() == "send a for 1");
  CHECK(d.submit("b") == "open 2");
  CHECK(d.submit("c") == "open 3");
  CHECK(d.submit("d") == "gate_capacity{limit: 2, unit: events}");
  CHECK(d.begin() == "open 4");
  CHECK(d.gate.pending_count() == 0);
  CHECK(d.settle() == "settle 1 accepted; send b for 2");
  CHECK(d.submit("d") == "open 5");
  CHECK(d.abort(5) == "settle 5 aborted");
  CHECK(d.submit("e") == "open 6");
  CHECK(d.settle() == "settle 2 accepted; send c for 3");
  CHECK(d.settle() == "settle 3 accepted; settle 4 done; settle 6 queued");
  CHECK(d.shown() == "collecting_history: e");
}

TEST_CASE("What is sent at once needs no room", "[bridge][gate]") {
  GateDriver d({.max_bytes = 1});
  const OutboundEvent large = event("l", 100);
  REQUIRE(d.gate.submit(view_of(large)));
  CHECK(refusal(d.gate.submit(view_of(large))) == "gate_capacity{limit: 1, unit: bytes}");
}

TEST_CASE("submit checks the event, then closed, then the signal, then the room", "[bridge][gate]") {
  GateDriver d({.capacity = 1});
  const auto refused = [&](std::string_view id, std::string_view type) {
    return refusal(
        d.gate.submit({.message_id = MessageId(id), .type = type, .payload = {}}, Signal::aborted));
  };
  REQUIRE(d.begin() == "done");
  REQUIRE(d.submit("a") == "queued");
  CHECK(d.submit("b", Signal::aborted) == "aborted");
  REQUIRE(d.drop() == "dropped 1");
  CHECK(refused("", "") == "invalid_identifier{kind: message_id, reason: empty}");
  CHECK(refused("m", "") == "invalid_event");
  CHECK(refused("m", "\xFF") == "invalid_text{field: type, reason: not_utf8}");
  CHECK(refused("m", "t") == "gate_closed");
}

TEST_CASE("install_history checks the state, then every event, then the room, and changes nothing",
          "[bridge][gate]") {
  GateDriver d({.capacity = 2});
  CHECK(d.install({""}) == "gate_inactive{state: inactive}");
  REQUIRE(d.begin() == "done");
  CHECK(d.install({"a", "b", "c", "\n", "\xFF"}) ==
        "invalid_identifier{kind: message_id, reason: control_character}");
  CHECK(d.install({"a", "b", "c"}) == "gate_capacity{limit: 2, unit: events}");
  CHECK(d.shown() == "collecting_history:");
  CHECK(d.install({"a", "b"}) == "accepted");
}

TEST_CASE("A drain checks closed, then the state, then the signal", "[bridge][gate]") {
  GateDriver d;
  CHECK(d.drain(Signal::aborted) == "gate_inactive{state: inactive}");
  CHECK(d.begin(Signal::aborted) == "aborted");
  CHECK(d.flush(false, Signal::aborted) == "aborted");
  REQUIRE(d.begin() == "done");
  CHECK(d.begin(Signal::aborted) == "gate_active{state: collecting_history}");
  REQUIRE(d.install({"a"}) == "accepted");
  CHECK(d.drain(Signal::aborted) == "aborted");
  CHECK(d.shown() == "ready: a");
  d.gate.deactivate();
  CHECK(d.flush(true, Signal::aborted) == "aborted");
  CHECK(d.shown() == "deactivated: a");
  REQUIRE(d.drop() == "dropped 1");
  CHECK(d.drain(Signal::aborted) == "gate_closed");
  CHECK(d.begin(Signal::aborted) == "gate_closed");
  CHECK(d.flush(true, Signal::aborted) == "gate_closed");
}

TEST_CASE("A drain of an empty queue goes straight to inactive", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.begin() == "done");
  REQUIRE(d.install({}) == "accepted");
  CHECK(d.drain() == "done");
  CHECK(d.shown() == "inactive:");
  REQUIRE(d.begin() == "done");
  d.gate.deactivate();
  CHECK(d.drain() == "done");
  CHECK(d.shown() == "inactive:");
}

TEST_CASE("A failing head stays in front and deactivates the gate", "[bridge][gate]") {
  for (const SendOutcome outcome : {failed, not_accepted}) {
    GateDriver d = gate_in(GateState::draining);
    CHECK(d.settle() == "send q2 for 1");
    CHECK(d.settle(outcome) == "settle 1 " + std::string(name_of(outcome)));
    CHECK(d.shown() == "deactivated: q2 q3");
    CHECK(d.submit("live") == "queued");
    CHECK(d.drain() == "open 2");
    CHECK(d.pump() == "send q2 for 2");
    CHECK(d.settle() == "send q3 for 2");
    CHECK(d.settle() == "send live for 2");
    CHECK(d.settle() == "settle 2 done");
    CHECK(d.wire == Wire{"q1", "q2", "q3", "live"});
  }
}

TEST_CASE("deactivate stops a drain after its send in flight, whatever comes of it", "[bridge][gate]") {
  const std::string stopped = "settle 1 refused gate_inactive{state: deactivated}";
  GateDriver accepting = gate_in(GateState::draining);
  accepting.gate.deactivate();
  CHECK(accepting.pump().empty());
  CHECK(accepting.settle() == stopped);
  CHECK(accepting.shown() == "deactivated: q2 q3");

  GateDriver refusing = gate_in(GateState::draining);
  refusing.gate.deactivate();
  CHECK(refusing.settle(not_accepted) == "settle 1 not_accepted");
  CHECK(refusing.shown() == "deactivated: q1 q2 q3");
}

TEST_CASE("deactivate during the last send still rejects the drain", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.begin() == "done");
  REQUIRE(d.install({"a"}) == "accepted");
  REQUIRE(d.drain() == "open 1");
  REQUIRE(d.pump() == "send a for 1");
  d.gate.deactivate();
  CHECK(d.settle() == "settle 1 refused gate_inactive{state: deactivated}");
  CHECK(d.shown() == "deactivated:");
}

TEST_CASE("A drain between heads is stopped at once", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.begin() == "done");
  REQUIRE(d.install({"a"}) == "accepted");
  REQUIRE(d.drain() == "open 1");  // no step was taken yet
  d.gate.deactivate();
  CHECK(d.pump() == "settle 1 refused gate_inactive{state: deactivated}");
  CHECK(d.wire.empty());
}

TEST_CASE("A new drain is draining at once, waits for the stopped one's send, and is not moved by it",
          "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  d.gate.deactivate();
  CHECK(d.drain() == "open 2");
  CHECK(d.shown() == "draining: q1 q2 q3");
  CHECK(d.drain() == "gate_inactive{state: draining}");
  CHECK(d.pump().empty());
  CHECK(d.settle(failed) == "settle 1 failed; send q1 for 2");
  CHECK(d.shown() == "draining: q1 q2 q3");
  CHECK(d.settle() == "send q2 for 2");

  GateDriver last = gate_in(GateState::inactive);
  REQUIRE(last.begin() == "done");
  REQUIRE(last.install({"a"}) == "accepted");
  REQUIRE(last.drain() == "open 1");
  REQUIRE(last.pump() == "send a for 1");
  last.gate.deactivate();
  CHECK(last.drain() == "open 2");
  CHECK(last.settle() == "settle 1 refused gate_inactive{state: deactivated}; settle 2 done");
  CHECK(last.shown() == "inactive:");
}

TEST_CASE("A drain that waits is stopped at once", "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  d.gate.deactivate();
  REQUIRE(d.drain() == "open 2");
  d.gate.deactivate();
  CHECK(d.pump() == "settle 2 refused gate_inactive{state: deactivated}");
  REQUIRE(d.drain() == "open 3");
  CHECK(d.abort(3) == "settle 3 aborted");
  CHECK(d.shown() == "deactivated: q1 q2 q3");
  CHECK(d.settle() == "settle 1 refused gate_inactive{state: deactivated}");
  CHECK(d.shown() == "deactivated: q2 q3");
}

TEST_CASE("A resumed history goes in front, and the send in flight leaves from wherever it stands",
          "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  d.gate.deactivate();
  CHECK(d.resume() == "accepted");
  CHECK(d.submit("live") == "queued");
  CHECK(d.install({"h1", "h2"}) == "accepted");
  CHECK(d.drain() == "open 2");
  CHECK(d.shown() == "draining: h1 h2 q1 q2 q3 live");
  CHECK(d.settle() == "settle 1 refused gate_inactive{state: deactivated}; send h1 for 2");
  CHECK(d.shown() == "draining: h1 h2 q2 q3 live");
}

TEST_CASE("drop takes effect at once and settles with the send in flight", "[bridge][gate]") {
  GateDriver taken = gate_in(GateState::draining);
  CHECK(taken.drop() == "open 2");
  CHECK(taken.shown() == "closed:");
  CHECK(taken.pump().empty());
  CHECK(taken.submit("x") == "gate_closed");
  CHECK(taken.settle() == "settle 1 refused gate_closed; settle 2 dropped 2");

  GateDriver lost = gate_in(GateState::draining);
  CHECK(lost.drop(false) == "open 2");
  CHECK(lost.shown() == "inactive:");
  CHECK(lost.settle(not_accepted) == "settle 1 not_accepted; settle 2 dropped 3");
  CHECK(lost.shown() == "inactive:");
}

TEST_CASE("A second drop counts only what it emptied itself", "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  CHECK(d.drop(false) == "open 2");
  CHECK(d.drop() == "open 3");
  CHECK(d.shown() == "closed:");
  CHECK(d.settle(failed) == "settle 1 failed; settle 2 dropped 3; settle 3 dropped 0");
}

TEST_CASE("A stopped drain's send is lost to a later drop only if it is not accepted", "[bridge][gate]") {
  for (const bool accepts : {true, false}) {
    GateDriver d = gate_in(GateState::draining);
    d.gate.deactivate();
    CHECK(d.drop() == "open 2");
    CHECK(d.settle(accepts ? accepted : failed) ==
          (accepts ? "settle 1 refused gate_inactive{state: deactivated}; settle 2 dropped 2"
                   : "settle 1 failed; settle 2 dropped 3"));
  }
}

TEST_CASE("drop waits for a direct send, which is not the gate's to lose", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.submit("a") == "open 1");
  REQUIRE(d.pump() == "send a for 1");
  REQUIRE(d.submit("b") == "open 2");
  REQUIRE(d.begin() == "open 3");
  CHECK(d.drop() == "open 4");
  CHECK(d.pump() == "settle 2 refused gate_closed; settle 3 refused gate_closed");
  CHECK(d.settle(failed) == "settle 1 failed; settle 4 dropped 0");
}

TEST_CASE("A direct send whose step was not taken is refused by a drop that closes", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.submit("a") == "open 1");
  CHECK(d.drop() == "dropped 0");
  CHECK(d.pump() == "settle 1 refused gate_closed");
  CHECK(d.wire.empty());
}

TEST_CASE("A drop that leaves the gate open lets what waits have its turn", "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  CHECK(d.drop(false) == "open 2");
  CHECK(d.submit("next") == "open 3");
  CHECK(d.begin() == "open 4");
  CHECK(d.pump().empty());
  CHECK(d.settle() == "settle 1 refused gate_inactive{state: inactive}; settle 2 dropped 2; send next for 3");
  CHECK(d.settle() == "settle 3 accepted; settle 4 done");
}

TEST_CASE("A signal that aborts before the turn sends nothing", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.submit("a") == "open 1");
  REQUIRE(d.pump() == "send a for 1");
  REQUIRE(d.submit("b") == "open 2");
  REQUIRE(d.begin() == "open 3");
  REQUIRE(d.flush() == "open 4");
  CHECK(d.abort(2) == "settle 2 aborted");
  CHECK(d.abort(3) == "settle 3 aborted");
  CHECK(d.abort(4) == "settle 4 aborted");
  CHECK(d.abort(4) == "stale_step");
  CHECK(d.settle() == "settle 1 accepted");
  REQUIRE(d.submit("c") == "open 5");
  CHECK(d.abort(5) == "settle 5 aborted");
  CHECK(d.shown() == "inactive:");
  CHECK(d.wire == Wire{"a"});
}

TEST_CASE("A signal that aborts during a direct send is told when that has settled", "[bridge][gate]") {
  for (const SendOutcome outcome : {accepted, not_accepted, failed}) {
    GateDriver d;
    REQUIRE(d.submit("a") == "open 1");
    REQUIRE(d.pump() == "send a for 1");
    CHECK(d.abort(1).empty());
    CHECK(d.abort(1).empty());
    CHECK(d.settle(outcome) == "settle 1 " + std::string(outcome == accepted ? "aborted" : name_of(outcome)));
    CHECK(d.shown() == "inactive:");
  }
}

TEST_CASE("A signal that aborts a drain deactivates the gate", "[bridge][gate]") {
  GateDriver during = gate_in(GateState::draining);
  CHECK(during.abort(1).empty());
  CHECK(during.shown() == "deactivated: q1 q2 q3");
  CHECK(during.settle() == "settle 1 aborted");
  CHECK(during.shown() == "deactivated: q2 q3");

  GateDriver own = gate_in(GateState::draining);
  CHECK(own.abort(1).empty());
  CHECK(own.settle(failed) == "settle 1 failed");

  GateDriver between = gate_in(GateState::ready);
  REQUIRE(between.drain() == "open 1");
  CHECK(between.abort(1) == "settle 1 aborted");
  CHECK(between.shown() == "deactivated: q1 q2 q3");
}

TEST_CASE("Whatever stops a drain first decides what it is told", "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  d.gate.deactivate();
  CHECK(d.abort(1).empty());
  CHECK(d.drop() == "open 2");
  CHECK(d.settle() == "settle 1 refused gate_inactive{state: deactivated}; settle 2 dropped 2");
}

TEST_CASE("flush_history begins, asks for the history, installs and drains", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.submit("a") == "open 1");
  REQUIRE(d.pump() == "send a for 1");
  REQUIRE(d.flush() == "open 2");
  CHECK(d.settle() == "settle 1 accepted; snapshot 2");
  CHECK(d.submit("live") == "queued");
  CHECK(d.snapshot(2, {"h"}) == "accepted");
  CHECK(d.snapshot(2, {"h"}) == "stale_step");
  CHECK(d.shown() == "draining: h live");
  CHECK(d.pump() == "send h for 2");
  CHECK(d.settle() == "send live for 2");
  CHECK(d.settle() == "settle 2 done");
  CHECK(d.shown() == "inactive:");

  REQUIRE(d.flush() == "open 3");
  CHECK(d.pump() == "snapshot 3");
  CHECK(d.snapshot(3, {}) == "accepted");
  CHECK(d.pump() == "settle 3 done");
  CHECK(d.shown() == "inactive:");
}

TEST_CASE("What fails before the installation leaves the gate collecting", "[bridge][gate]") {
  GateDriver d({.capacity = 2});
  REQUIRE(d.flush() == "open 1");
  REQUIRE(d.pump() == "snapshot 1");
  REQUIRE(d.submit("live") == "queued");
  CHECK(refusal(d.gate.snapshot_failed({1})) == "accepted");
  CHECK(d.pump() == "settle 1 failed");
  CHECK(refusal(d.gate.snapshot_failed({1})) == "stale_step");
  CHECK(d.shown() == "collecting_history: live");
  d.gate.deactivate();

  REQUIRE(d.flush(true) == "open 2");
  REQUIRE(d.pump() == "snapshot 2");
  CHECK(d.snapshot(2, {"h1", "h2"}) == "gate_capacity{limit: 2, unit: events}");
  CHECK(d.pump().empty());  // The error was the answer.
  CHECK(d.abort(2) == "stale_step");
  CHECK(d.shown() == "collecting_history: live");
  d.gate.deactivate();

  REQUIRE(d.flush(true) == "open 3");
  CHECK(d.abort(3) == "settle 3 aborted");  // before the snapshot was asked for
  d.gate.deactivate();
  REQUIRE(d.flush(true) == "open 4");
  REQUIRE(d.pump() == "snapshot 4");
  CHECK(d.abort(4) == "settle 4 aborted");
  CHECK(d.snapshot(4, {}) == "stale_step");
  CHECK(d.shown() == "collecting_history: live");
  CHECK(d.install({"small"}) == "accepted");
}

TEST_CASE("flush_history installs only into the collection that it began", "[bridge][gate]") {
  GateDriver d;
  REQUIRE(d.flush() == "open 1");
  REQUIRE(d.pump() == "snapshot 1");
  d.gate.deactivate();
  CHECK(d.snapshot(1, {"h"}) == "gate_inactive{state: deactivated}");

  REQUIRE(d.flush(true) == "open 2");
  REQUIRE(d.pump() == "snapshot 2");
  d.gate.deactivate();
  REQUIRE(d.resume() == "accepted");
  CHECK(d.snapshot(2, {"h"}) == "gate_inactive{state: collecting_history}");
  d.gate.deactivate();

  REQUIRE(d.flush(true) == "open 3");
  REQUIRE(d.pump() == "snapshot 3");
  REQUIRE(d.install({"other"}) == "accepted");
  CHECK(d.snapshot(3, {"h"}) == "gate_inactive{state: ready}");
  d.gate.deactivate();

  REQUIRE(d.flush(true) == "open 4");
  REQUIRE(d.pump() == "snapshot 4");
  CHECK(d.drop() == "dropped 1");
  CHECK(d.pump().empty());
  CHECK(d.snapshot(4, {"h"}) == "gate_closed");
}

TEST_CASE("A resumed flush waits for the stopped drain's send before its own", "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  d.gate.deactivate();
  REQUIRE(d.flush(true) == "open 2");
  CHECK(d.pump() == "snapshot 2");
  CHECK(d.snapshot(2, {"h"}) == "accepted");
  CHECK(d.shown() == "draining: h q1 q2 q3");
  CHECK(d.pump().empty());
  CHECK(d.settle(not_accepted) == "settle 1 not_accepted; send h for 2");
  CHECK(d.abort(2).empty());
  CHECK(d.settle() == "settle 2 aborted");
  CHECK(d.shown() == "deactivated: q1 q2 q3");
}

TEST_CASE("An outcome for a step or ticket that is unknown or settled changes nothing", "[bridge][gate]") {
  GateDriver d = gate_in(GateState::draining);
  CHECK(refusal(d.gate.send_settled({0}, accepted)) == "stale_step");
  CHECK(refusal(d.gate.send_settled({2}, accepted)) == "stale_step");
  CHECK(refusal(d.gate.snapshot_failed({1})) == "stale_step");
  CHECK(d.snapshot(1, {}) == "stale_step");
  CHECK(d.abort(0) == "stale_step");
  CHECK(d.abort(7) == "stale_step");
  REQUIRE(d.drop() == "open 2");
  CHECK(d.abort(2) == "stale_step");
  CHECK(d.settle() == "settle 1 refused gate_closed; settle 2 dropped 2");
  CHECK(d.abort(1) == "stale_step");
}

TEST_CASE("Open calls are bounded, those that the driver has not collected included", "[bridge][gate]") {
  GateDriver d({.capacity = 1});
  REQUIRE(d.submit("a") == "open 1");
  REQUIRE(d.pump() == "send a for 1");
  std::uint64_t open = 1;
  while (d.begin().starts_with("open")) ++open;
  CHECK(open == MAX_GATE_CALLS + 1);
  CHECK(d.drop() == "gate_capacity{limit: 65537, unit: calls}");
  CHECK(d.flush() == "gate_capacity{limit: 65537, unit: calls}");
  CHECK(d.abort(2) == "settle 2 aborted");
  CHECK(d.submit("b").starts_with("open"));
  CHECK(d.submit("c") == "gate_capacity{limit: 1, unit: events}");
}

}  // namespace
}  // namespace leasegate::test
