#include "bridge/control_registry.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <tuple>
#include <vector>

#include "bridge/grid.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

const Grid kGrid = {
    {"received", "validating succeeded denied errored cancelled superseded"},
    {"validating", "awaiting_local_action succeeded denied errored cancelled superseded"},
    {"awaiting_local_action", "responding succeeded denied errored cancelled superseded"},
    {"responding", "succeeded denied errored cancelled superseded"},
};

ControlKeyView key(std::string_view request, std::string_view session = "s", std::uint64_t generation = 1,
                   std::uint64_t epoch = 1) {
  return {ControlRequestId(request), RemoteSessionId(session), {generation}, {epoch}};
}

const ControlKeyView kKey = key("r");

std::string accept(ControlRegistry& registry, const ControlKeyView& which) {
  return refusal(registry.accept(which, "can_use_tool", ToolUseId(), {1}));
}

ControlRegistry registry_in(ControlState state) {
  using enum ControlState;
  ControlRegistry registry = *ControlRegistry::create();
  REQUIRE(accept(registry, kKey) == "accepted");
  for (const ControlState step : {validating, awaiting_local_action, responding}) {
    if (is_terminal(state) || step > state) break;
    REQUIRE(refusal(registry.advance(kKey, step, {2})) == "accepted");
  }
  if (is_terminal(state)) REQUIRE(refusal(registry.resolve(kKey, {state, "1", "m"}, {2})) == "accepted");
  REQUIRE(registry.get(kKey)->state == state);
  return registry;
}

TEST_CASE("A control request advances one step at a time and resolves from any active state", "[bridge]") {
  check_table<ControlState>(kControlStateNames, kGrid);
  for (std::size_t from = 0; from < kControlStateNames.size(); ++from) {
    for (std::size_t to = 0; to < kControlStateNames.size(); ++to) {
      const auto source = static_cast<ControlState>(from);
      const auto target = static_cast<ControlState>(to);
      const std::string source_name(kControlStateNames[from]);
      const std::string target_name(kControlStateNames[to]);
      const bool source_ended = from >= 4;
      const bool target_ends = to >= 4;
      INFO(source_name << " -> " << target_name);
      const std::string ended = "control_terminal{state: " + source_name + "}";

      ControlRegistry advanced = registry_in(source);
      std::string expected = to == from + 1 ? "accepted" : no_transition(source_name, target_name);
      if (source_ended) expected = ended;
      if (target_ends || to == 0) expected = "invalid_advance{to: " + target_name + "}";
      CHECK(refusal(advanced.advance(kKey, target, {3})) == expected);
      CHECK(advanced.get(kKey)->state == (expected == "accepted" ? target : source));

      ControlRegistry resolved = registry_in(source);
      expected = source_ended ? ended : "accepted";
      if (!target_ends) expected = "invalid_resolution{to: " + target_name + "}";
      CHECK(refusal(resolved.resolve(kKey, {target, "1", "m"}, {3})) == expected);
      CHECK(resolved.get(kKey)->state == (expected == "accepted" ? target : source));
    }
  }
}

TEST_CASE("Accepting checks key, subtype, tool use, novelty and room in this order", "[bridge]") {
  CHECK(refusal(ControlRegistry::create(0)) == "invalid_capacity");
  ControlRegistry registry = *ControlRegistry::create(1);
  const auto refused = [&](const ControlKeyView& which, std::string_view subtype, std::string_view tool) {
    return refusal(registry.accept(which, subtype, ToolUseId(tool), {1}));
  };
  CHECK(refused(key("", "", 0, 0), "", "\n") ==
        "invalid_identifier{kind: control_request_id, reason: empty}");
  CHECK(refused(key("r", "", 0, 0), "", "\n") ==
        "invalid_identifier{kind: remote_session_id, reason: empty}");
  CHECK(refused(key("r", "s", 0, 1), "", "\n") == "invalid_control_key");
  CHECK(refused(key("r", "s", 1, 0), "", "\n") == "invalid_control_key");
  CHECK(refused(kKey, "", "\n") == "invalid_subtype");
  CHECK(refused(kKey, "\xFF", "\n") == "invalid_text{field: subtype, reason: not_utf8}");
  CHECK(refused(kKey, "x", "\n") == "invalid_identifier{kind: tool_use_id, reason: control_character}");
  CHECK(refused(kKey, "x", "") == "accepted");
  CHECK(refused(kKey, "x", "") == "control_already_accepted");
  CHECK(refused(key("q"), "x", "") == "control_capacity{limit: 1}");
}

TEST_CASE("All four parts of the key identify a request", "[bridge]") {
  ControlRegistry registry = *ControlRegistry::create();
  CHECK(accept(registry, key("r", "s", 2, 3)) == "accepted");
  for (const ControlKeyView& other :
       {key("R", "s", 2, 3), key("r", "S", 2, 3), key("r", "s", 3, 3), key("r", "s", 2, 2),
        key("rs", "", 2, 3), key("", "rs", 2, 3), key("r", "s", 3, 2)}) {
    CHECK_FALSE(registry.get(other).has_value());
    CHECK(refusal(registry.resolve(other, {ControlState::denied, {}, "no"}, {1})) == "control_not_found");
  }
  // Parts that would spell the same when joined are different keys.
  CHECK(accept(registry, key("a", "bc")) == "accepted");
  CHECK(accept(registry, key("ab", "c")) == "accepted");
}

TEST_CASE("Resolving checks evidence, presence, state, value and message in this order", "[bridge]") {
  using enum ControlState;
  ControlRegistry registry = *ControlRegistry::create();
  const auto refused = [&](std::string_view request, ControlState state, std::string_view value,
                           std::string_view message) {
    return refusal(registry.resolve(key(request), {state, value, message}, {2}));
  };
  const std::string large = '"' + std::string(1024 * 1024 - 1, 'x') + '"';  // one byte too long
  REQUIRE(accept(registry, kKey) == "accepted");
  CHECK(refused("x", responding, "{", "") == "invalid_resolution{to: responding}");
  CHECK(refused("x", succeeded, "{", "\xFF") == "missing_result_evidence");
  CHECK(refused("x", succeeded, "", "m") == "missing_result_evidence");
  CHECK(refused("x", denied, "{", "") == "missing_reason");
  CHECK(refused("x", denied, "{", "\xFF") == "control_not_found");
  CHECK(refused("r", denied, "{", "\xFF") == "invalid_value");
  CHECK(refused("r", denied, large, "\xFF") == "value_too_large{limit: 1048576}");
  CHECK(refused("r", succeeded, large, "\xFF") == "value_too_large{limit: 1048576}");
  CHECK(refused("r", denied, "1", "\xFF") == "invalid_text{field: message, reason: not_utf8}");
  CHECK(refusal(registry.cancel(kKey, "\xFF", {2})) == "invalid_text{field: reason, reason: not_utf8}");
  CHECK(refusal(registry.cancel(kKey, "", {2})) == "missing_reason");
  CHECK(registry.get(kKey)->state == received);
  CHECK(refused("r", succeeded, '"' + large.substr(2), "") == "accepted");
}

TEST_CASE("Value and message are kept exactly as they were given", "[bridge]") {
  ControlRegistry registry = *ControlRegistry::create();
  REQUIRE(refusal(registry.accept(kKey, "sub", ToolUseId("tool"), {1})) == "accepted");
  const std::string_view value = " {\"a\":1, \"a\": [2 ]}\n";
  REQUIRE(refusal(registry.resolve(kKey, {ControlState::errored, value, "why\n"}, {9})) == "accepted");
  const ControlRecordView record = *registry.get(kKey);
  CHECK(record.key.request.text == "r");
  CHECK(record.key.session.text == "s");
  CHECK(record.tool_use_id.text == "tool");
  CHECK(record.subtype == "sub");
  CHECK(record.value == value);
  CHECK(record.message == "why\n");
  CHECK(record.updated_at == UnixMillis{9});
}

TEST_CASE("cancel_all ends what is active, in the order of the keys", "[bridge]") {
  ControlRegistry registry = *ControlRegistry::create();
  std::vector<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>> keys;
  for (const char* request : {"b", "a", "\xC3\xA9", "A", "aa"}) {
    for (const char* session : {"s10", "s9"}) {
      for (const std::uint64_t generation : {std::uint64_t{10}, std::uint64_t{9}, UINT64_MAX}) {
        for (const std::uint64_t epoch : {2U, 1U, 11U})
          keys.emplace_back(request, session, generation, epoch);
      }
    }
  }
  std::shuffle(keys.begin(), keys.end(), std::mt19937(3));
  for (const auto& [request, session, generation, epoch] : keys) {
    REQUIRE(accept(registry, key(request, session, generation, epoch)) == "accepted");
  }
  const auto resolved = keys.back();
  const ControlKeyView resolved_key =
      key(std::get<0>(resolved), std::get<1>(resolved), std::get<2>(resolved), std::get<3>(resolved));
  REQUIRE(refusal(registry.resolve(resolved_key, {ControlState::denied, {}, "no"}, {2})) == "accepted");
  keys.pop_back();

  Array<std::uint32_t> slots;
  CHECK(refusal(registry.cancel_all("\xFF", {3}, slots)) == "invalid_text{field: reason, reason: not_utf8}");
  REQUIRE(refusal(registry.cancel_all("teardown", {3}, slots)) == "accepted");
  std::sort(keys.begin(), keys.end());
  REQUIRE(slots.size() == keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const ControlRecordView record = registry.record_at(slots[i]);
    CHECK(record.key.request.text == std::get<0>(keys[i]));
    CHECK(record.key.session.text == std::get<1>(keys[i]));
    CHECK(record.key.generation.value == std::get<2>(keys[i]));
    CHECK(record.key.epoch.value == std::get<3>(keys[i]));
    CHECK(record.state == ControlState::cancelled);
    CHECK(record.message == "teardown");
    CHECK(record.value.empty());
    CHECK(record.updated_at == UnixMillis{3});
  }
  CHECK(registry.get(resolved_key)->message == "no");
  REQUIRE(refusal(registry.cancel_all("", {4}, slots)) == "accepted");
  CHECK(slots.empty());
}

TEST_CASE("P15: when the transport ends, requests settle at once and a late reply finds them terminal",
          "[bridge][cases]") {
  ControlRegistry registry = *ControlRegistry::create(1);
  REQUIRE(accept(registry, kKey) == "accepted");
  Array<std::uint32_t> slots;
  REQUIRE(refusal(registry.cancel_all("", {5}, slots)) == "accepted");
  REQUIRE(slots.size() == 1);
  CHECK(registry.record_at(slots[0]).message == kDefaultCancelReason);
  CHECK(refusal(registry.resolve(kKey, {ControlState::succeeded, "1", {}}, {6})) ==
        "control_terminal{state: cancelled}");
  CHECK(refusal(registry.forget(kKey)) == "accepted");
  CHECK(registry.size() == 0);
  CHECK(refusal(registry.resolve(kKey, {ControlState::succeeded, "1", {}}, {7})) == "control_not_found");
  CHECK(accept(registry, key("next")) == "accepted");
}

TEST_CASE("Only a terminal request is forgotten, and then its slot serves the next", "[bridge]") {
  ControlRegistry registry = *ControlRegistry::create(2);
  CHECK(refusal(registry.forget(kKey)) == "control_not_found");
  for (int i = 0; i < 50'000; ++i) {
    const std::string request = "r" + std::to_string(i);
    REQUIRE(accept(registry, key(request)) == "accepted");
    if (i == 0) CHECK(refusal(registry.forget(key(request))) == "control_not_terminal{state: received}");
    REQUIRE(registry.resolve(key(request), {ControlState::succeeded, "{}", {}}, {2}));
    REQUIRE(registry.forget(key(request)));
    REQUIRE(registry.size() == 0);
  }
}

}  // namespace
}  // namespace leasegate::test
