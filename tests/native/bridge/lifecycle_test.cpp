#include "bridge/lifecycle.hpp"

#include <catch2/catch_test_macros.hpp>

#include "bridge/grid.hpp"
#include "bridge/work_lifecycle.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

const Grid kTransportGrid = {
    {"new", "connecting draining closed"},
    {"connecting", "connected reconnect_wait draining failed"},
    {"connected", "reconnect_wait replacing draining failed"},
    {"reconnect_wait", "connecting replacing draining failed"},
    {"replacing", "connecting connected reconnect_wait draining failed"},
    {"draining", "closed failed"},
};

const Grid kWorkGrid = {
    {"observed", "secret_validated unowned"},     {"secret_validated", "acknowledging unowned"},
    {"acknowledging", "owned unowned"},           {"owned", "spawning failing interrupting"},
    {"spawning", "running failing interrupting"}, {"running", "completing failing interrupting"},
    {"completing", "terminal_reported"},          {"failing", "terminal_reported"},
    {"interrupting", "terminal_reported"},        {"terminal_reported", "released"},
};

const std::map<std::string, std::vector<TransportState>> kTransportPaths = {
    {"new", {}},
    {"connecting", {TransportState::connecting}},
    {"connected", {TransportState::connecting, TransportState::connected}},
    {"reconnect_wait", {TransportState::connecting, TransportState::reconnect_wait}},
    {"replacing", {TransportState::connecting, TransportState::connected, TransportState::replacing}},
    {"draining", {TransportState::draining}},
    {"closed", {TransportState::closed}},
    {"failed", {TransportState::connecting, TransportState::failed}},
};

TEST_CASE("A transport's life goes from each state exactly where the contract says", "[bridge]") {
  check_table<TransportState>(kTransportStateNames, kTransportGrid);
  for (const auto& [from, path] : kTransportPaths) {
    for (std::size_t to = 0; to < kTransportStateNames.size(); ++to) {
      Lifecycle life = *Lifecycle::create();
      for (const TransportState step : path) REQUIRE(life.transition(step, "", {1}));
      INFO(from << " -> " << kTransportStateNames[to]);
      const bool allowed = allows(kTransportGrid, from, kTransportStateNames[to]);
      CHECK(refusal(life.transition(static_cast<TransportState>(to), "", {2})) ==
            (allowed ? "accepted" : no_transition(from, kTransportStateNames[to])));
      CHECK(name_of(life.state()) == (allowed ? kTransportStateNames[to] : from));
      CHECK(life.history_size() == path.size() + (allowed ? 1 : 0));
    }
  }
}

TEST_CASE("A transition is checked before its reason", "[bridge]") {
  Lifecycle life = *Lifecycle::create();
  CHECK(refusal(life.transition(TransportState::connected, "\xFF", {1})) ==
        no_transition("new", "connected"));
  CHECK(refusal(life.transition(TransportState::connecting, "\xFF", {1})) ==
        "invalid_text{field: reason, reason: not_utf8}");
  CHECK(life.state() == TransportState::new_);
  CHECK(life.history_size() == 0);
}

TEST_CASE("The history keeps the latest transitions and counts the older ones", "[bridge]") {
  CHECK(refusal(Lifecycle::create(0)) == "invalid_capacity");
  Lifecycle life = *Lifecycle::create(3);
  REQUIRE(life.transition(TransportState::connecting, "0", {0}));
  REQUIRE(life.transition(TransportState::connected, "1", {1}));
  for (std::uint64_t at = 2; at < 200; ++at) {
    const bool connected = life.state() == TransportState::connected;
    REQUIRE(life.transition(connected ? TransportState::replacing : TransportState::connected,
                            std::to_string(at), {at}));
    REQUIRE(life.history_size() == (at < 3 ? at + 1 : 3));
    REQUIRE(life.dropped_history() == (at < 3 ? 0 : at - 2));
    for (std::uint32_t i = 0; i < 3; ++i) {
      const LifecycleTransitionView entry = life.history_at(i);
      REQUIRE(entry.at == UnixMillis{at - 2 + i});
      REQUIRE(entry.reason == std::to_string(at - 2 + i));
    }
    REQUIRE(life.history_at(2).to == life.state());
  }
}

TEST_CASE("Work goes from each state exactly where the contract says, and is owned in between", "[bridge]") {
  check_table<WorkState>(kWorkStateNames, kWorkGrid);
  const std::string owned = " owned spawning running completing failing interrupting terminal_reported ";
  // Breadth first: every state is reached, and from each of them every target is tried.
  std::map<std::string, std::vector<WorkState>> paths = {{"observed", {}}};
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [from, path] : std::map(paths)) {
      for (std::size_t to = 0; to < kWorkStateNames.size(); ++to) {
        WorkLifecycle work = std::move(*WorkLifecycle::create(WorkId("w")));
        for (const WorkState step : path) REQUIRE(work.transition(step));
        INFO(from << " -> " << kWorkStateNames[to]);
        CHECK(work.owned() == (owned.find(' ' + from + ' ') != std::string::npos));
        const bool allowed = allows(kWorkGrid, from, kWorkStateNames[to]);
        CHECK(refusal(work.transition(static_cast<WorkState>(to))) ==
              (allowed ? "accepted" : no_transition(from, kWorkStateNames[to])));
        CHECK(name_of(work.state()) == (allowed ? kWorkStateNames[to] : from));
        if (!allowed || paths.contains(std::string(kWorkStateNames[to]))) continue;
        std::vector<WorkState> longer = path;
        longer.push_back(static_cast<WorkState>(to));
        paths.emplace(kWorkStateNames[to], longer);
        grown = true;
      }
    }
  }
  CHECK(paths.size() == kWorkStateNames.size());
}

TEST_CASE("Work needs a valid id", "[bridge]") {
  CHECK(refusal(WorkLifecycle::create(WorkId(""))) == "invalid_identifier{kind: work_id, reason: empty}");
  CHECK(WorkLifecycle::create(WorkId("w 1"))->id().text == "w 1");
}

}  // namespace
}  // namespace leasegate::test
