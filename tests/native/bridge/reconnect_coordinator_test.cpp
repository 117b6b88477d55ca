// The coordinator's rules one by one. Phrases are explained in coordinator_driver.hpp.

#include <catch2/catch_test_macros.hpp>

#include "bridge/coordinator_driver.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

using Driver = CoordinatorDriver;

/** A driver with a flight in the air: "attempt 1" of ticket 1. */
Driver flying(bool has_transport = true) {
  Driver d(has_transport);
  REQUIRE(d.recover() == "open 1");
  REQUIRE(d.pump() == "attempt 1 from s/5/7");
  return d;
}

std::string history(const Driver& d) {
  std::string text;
  const Lifecycle& life = d.coordinator.lifecycle();
  for (std::uint32_t i = 0; i < life.history_size(); ++i) {
    const LifecycleTransitionView entry = life.history_at(i);
    text += std::string(i > 0 ? " " : "") + std::string(name_of(entry.to)) + '(' + std::string(entry.reason) +
            ')';
  }
  return text;
}

TEST_CASE("A coordinator needs a valid session and an epoch", "[bridge][coordinator]") {
  const auto refused = [](std::string_view session, std::uint64_t epoch, std::uint64_t max_history) {
    return refusal(ReconnectCoordinator::create(
        {.session = RemoteSessionId(session), .epoch = {epoch}, .max_history = max_history}, {1}));
  };
  CHECK(refused("", 0, 0) == "invalid_identifier{kind: remote_session_id, reason: empty}");
  CHECK(refused("s", 0, 0) == "invalid_epoch");
  CHECK(refused("s", 1, 0) == "invalid_capacity");
  CHECK(refused("s", UINT64_MAX, 1) == "accepted");
}

TEST_CASE("It starts connecting, or connected when a transport is handed over", "[bridge][coordinator]") {
  const Driver without(false);
  CHECK(without.state() == "connecting");
  CHECK(without.coordinator.installed() == TransportId{0});
  CHECK(history(without) == "connecting(created)");
  const Driver with(true);
  CHECK(with.state() == "connected");
  CHECK(with.coordinator.installed() == TransportId{1});
  CHECK(history(with) == "connecting(created) connected(created with a transport)");
  CHECK(with.coordinator.cursor() == Sequence{7});
  CHECK(with.coordinator.session().text == "s");
}

TEST_CASE("The first connect is a recovery that stays connecting", "[bridge][coordinator]") {
  Driver d = flying(false);
  CHECK(d.state() == "connecting");
  CHECK(d.succeed(6) == "settle 1 recovered t1/6");
  CHECK(d.state() == "connected");
  CHECK(d.closing.empty());
}

TEST_CASE("Two recoveries join one flight, whose attempt runs once", "[bridge][coordinator]") {
  Driver d = flying();
  CHECK(d.state() == "replacing");
  CHECK(d.recover("again") == "open 2");
  CHECK(d.recover("\xFF") == "open 3");  // Who joins starts nothing: the reason is not looked at.
  CHECK(d.pump().empty());
  CHECK(d.succeed(6) ==
        "settle 1 recovered t2/6; settle 2 recovered t2/6; settle 3 recovered t2/6; close t1");
  CHECK(d.state() == "connected");
  CHECK(d.coordinator.epoch() == Epoch{6});
  CHECK(d.coordinator.installed() == TransportId{2});
  CHECK(d.settle_close(1).empty());
  CHECK(d.roles.at(1) == "replaced");
  CHECK(history(d) ==
        "connecting(created) connected(created with a transport) replacing(lost) connected(recovered)");
}

TEST_CASE("A reason is looked at by whoever starts the flight", "[bridge][coordinator]") {
  Driver d;
  CHECK(d.recover("\xFF") == "invalid_text{field: reason, reason: not_utf8}");
  CHECK(d.state() == "connected");
  CHECK(d.recover("\xFF", Signal::aborted) == "aborted");
  CHECK(d.pump().empty());
  CHECK(d.recover("") == "open 1");
}

TEST_CASE("A waiter that aborts leaves alone, and the flight goes on", "[bridge][coordinator]") {
  Driver d = flying();
  REQUIRE(d.recover() == "open 2");
  CHECK(d.abort(1) == "settle 1 aborted");
  CHECK(d.abort(1) == "stale_step");
  CHECK(d.abort(2) == "settle 2 aborted");
  CHECK(d.state() == "replacing");
  CHECK(d.succeed(6) == "close t1");
  CHECK(d.coordinator.epoch() == Epoch{6});
}

TEST_CASE("A failed attempt keeps the installed transport and tells everybody", "[bridge][coordinator]") {
  Driver d = flying();
  REQUIRE(d.recover() == "open 2");
  CHECK(d.fail() == "settle 1 failed flight 1; settle 2 failed flight 1");
  CHECK(d.state() == "reconnect_wait");
  CHECK(d.coordinator.installed() == TransportId{1});
  CHECK(d.closing.empty());
  CHECK(d.recover() == "open 3");
  CHECK(d.state() == "replacing");
  CHECK(d.pump() == "attempt 2 from s/5/7");
}

TEST_CASE("An attempt may bring nothing", "[bridge][coordinator]") {
  Driver d = flying();
  CHECK(d.bring_nothing() == "settle 1 refused no_transport");
  CHECK(d.state() == "reconnect_wait");
  CHECK(d.coordinator.epoch() == Epoch{5});
}

TEST_CASE("An epoch that is not higher refuses the new transport, which is closed", "[bridge][coordinator]") {
  for (const std::uint64_t epoch : {0U, 4U, 5U}) {
    Driver d = flying();
    CHECK(d.succeed(epoch) ==
          "settle 1 refused epoch_not_advanced{got: " + std::to_string(epoch) + ", current: 5}; close t2");
    CHECK(d.state() == "reconnect_wait");
    CHECK(d.coordinator.installed() == TransportId{1});
    CHECK(d.settle_close(2).empty());
    CHECK(d.roles.at(2) == "refused");
  }
}

TEST_CASE("The installed transport may come back with a higher epoch, and is not closed",
          "[bridge][coordinator]") {
  Driver d = flying();
  CHECK(d.succeed_with(1, 5) == "settle 1 refused epoch_not_advanced{got: 5, current: 5}");
  CHECK(d.closing.empty());
  REQUIRE(d.recover() == "open 2");
  REQUIRE(d.pump() == "attempt 2 from s/5/7");
  CHECK(d.succeed_with(1, 6) == "settle 2 recovered t1/6");
  CHECK(d.state() == "connected");
  CHECK(d.closing.empty());
}

TEST_CASE("A transport that was closed here counts as none", "[bridge][coordinator]") {
  Driver d = flying();
  REQUIRE(d.succeed(6) == "settle 1 recovered t2/6; close t1");
  for (const bool settled : {false, true}) {
    REQUIRE(d.recover().starts_with("open"));
    REQUIRE(d.pump().starts_with("attempt"));
    CHECK(d.succeed_with(1, 9).ends_with("refused no_transport"));
    CHECK(d.coordinator.epoch() == Epoch{6});
    if (!settled) REQUIRE(d.settle_close(1).empty());
  }
  CHECK(d.closing.empty());
}

TEST_CASE("send checks closed, then connected, then the epoch, the event and the signal",
          "[bridge][coordinator]") {
  Driver d;
  CHECK(d.send(4, "", Signal::aborted) == "stale_epoch{got: 4, active: 5}");
  CHECK(d.send(5, "", Signal::aborted) == "invalid_identifier{kind: message_id, reason: empty}");
  CHECK(d.send(5, "m", Signal::aborted) == "aborted");
  CHECK(d.send(5) == "t1");
  REQUIRE(d.recover() == "open 1");
  CHECK(d.send(4, "") == "recovering");
  REQUIRE(d.pump() == "attempt 1 from s/5/7");
  CHECK(d.send(5) == "recovering");
  REQUIRE(d.fail() == "settle 1 failed flight 1");
  CHECK(d.send(5) == "recovering");
  REQUIRE(d.close() == "open 2");
  CHECK(d.send(4, "") == "recovery_closed");
  CHECK(Driver(false).send(5) == "recovering");
}

TEST_CASE("Sequences are observed in every state, and an attempt resumes from them",
          "[bridge][coordinator]") {
  Driver d;
  CHECK(refusal(d.coordinator.observe_sequence({0})) == "invalid_sequence");
  CHECK(d.coordinator.observe_sequence({9})->gap);
  REQUIRE(d.recover() == "open 1");
  CHECK(d.coordinator.observe_sequence({10})->advanced);
  CHECK(d.pump() == "attempt 1 from s/5/10");
  REQUIRE(d.close() == "open 2");
  CHECK(d.coordinator.observe_sequence({11})->advanced);
}

TEST_CASE("close ends in its order and resolves to the evidence", "[bridge][coordinator]") {
  Driver d = flying();
  REQUIRE(d.recover() == "open 2");
  CHECK(d.close() == "open 3");
  CHECK(d.state() == "draining");
  CHECK(d.recover() == "recovery_closed");
  CHECK(d.recover("x", Signal::aborted) == "recovery_closed");
  CHECK(d.pump() ==
        "settle 1 refused recovery_closed; settle 2 refused recovery_closed; abort_attempt 1; close t1");
  CHECK(d.settle_close(1, 4).empty());
  CHECK(d.close() == "open 4");
  CHECK(d.state() == "draining");
  CHECK(d.fail() == "settle 3 closed 4; settle 4 closed 4");
  CHECK(d.state() == "closed");
  CHECK(d.close() == "open 5");
  CHECK(d.pump() == "settle 5 closed 4");
  CHECK(d.roles.at(1) == "final");
}

TEST_CASE("close during a recovery closes the late transport once, and waits for it",
          "[bridge][coordinator]") {
  Driver d = flying();
  REQUIRE(d.close() == "open 2");
  REQUIRE(d.pump() == "settle 1 refused recovery_closed; abort_attempt 1; close t1");
  CHECK(d.succeed(6) == "close t2");
  CHECK(d.coordinator.epoch() == Epoch{5});
  CHECK(d.settle_close(1).empty());
  CHECK(d.settle_close(2) == "settle 2 closed 0");
  CHECK(d.roles.at(2) == "late");
}

TEST_CASE("close waits for background closes", "[bridge][coordinator]") {
  Driver d = flying();
  REQUIRE(d.succeed(6) == "settle 1 recovered t2/6; close t1");
  REQUIRE(d.close() == "open 2");
  CHECK(d.pump() == "close t2");
  CHECK(d.settle_close(2, 1).empty());
  CHECK(d.state() == "draining");
  CHECK(d.fail_close(1) == "settle 2 closed 1");
}

TEST_CASE("close without a transport resolves to no loss", "[bridge][coordinator]") {
  Driver d(false);
  CHECK(d.close() == "open 1");
  CHECK(d.pump() == "settle 1 closed 0");
  CHECK(d.state() == "closed");
  CHECK(history(d) == "connecting(created) draining(close) closed(closed)");
}

TEST_CASE("A close that fails tells everybody so", "[bridge][coordinator]") {
  Driver d;
  REQUIRE(d.close() == "open 1");
  REQUIRE(d.pump() == "close t1");
  CHECK(d.fail_close(1) == "settle 1 close_failed t1");
  CHECK(d.close() == "open 2");
  CHECK(d.pump() == "settle 2 close_failed t1");
}

TEST_CASE("close waits no longer than its timeout", "[bridge][coordinator]") {
  Driver hung;
  REQUIRE(hung.close() == "open 1");
  REQUIRE(hung.pump() == "close t1");
  CHECK(hung.time_out() == "settle 1 refused close_timeout");
  CHECK(hung.state() == "closed");
  CHECK(hung.settle_close(1, 9).empty());  // still reported to the observer
  CHECK(hung.roles.at(1) == "final");
  CHECK(hung.close() == "open 2");
  CHECK(hung.pump() == "settle 2 refused close_timeout");
  CHECK(hung.time_out().empty());

  Driver attempt = flying();
  REQUIRE(attempt.close() == "open 2");
  REQUIRE(attempt.pump() == "settle 1 refused recovery_closed; abort_attempt 1; close t1");
  REQUIRE(attempt.settle_close(1, 3).empty());
  CHECK(attempt.time_out() == "settle 2 closed 3");
  CHECK(attempt.succeed(6) == "close t2");  // late, after the close has ended
  CHECK(attempt.settle_close(2).empty());
  CHECK(attempt.roles.at(2) == "late");
  CHECK(attempt.state() == "closed");

  Driver running;
  CHECK(running.time_out().empty());
  CHECK(running.state() == "connected");
}

TEST_CASE("A caller of close that aborts stops waiting, and the close goes on", "[bridge][coordinator]") {
  Driver d;
  REQUIRE(d.close() == "open 1");
  REQUIRE(d.pump() == "close t1");
  CHECK(d.abort(1) == "settle 1 aborted");
  CHECK(d.settle_close(1).empty());
  CHECK(d.state() == "closed");

  Driver owner;
  CHECK(owner.close(Signal::aborted) == "aborted");
  CHECK(owner.pump() == "close t1");
  CHECK(owner.close(Signal::aborted) == "aborted");
  CHECK(owner.settle_close(1).empty());
  CHECK(owner.state() == "closed");

  Driver bare(false);
  CHECK(bare.close(Signal::aborted) == "aborted");
  CHECK(bare.state() == "closed");
}

TEST_CASE("An attempt that was not called before the close never is", "[bridge][coordinator]") {
  Driver d;
  REQUIRE(d.recover() == "open 1");
  REQUIRE(d.close() == "open 2");
  CHECK(d.pump() == "settle 1 refused recovery_closed; close t1");
  CHECK(d.settle_close(1) == "settle 2 closed 0");
}

TEST_CASE("P14: an old transport's late close leaves the new one alone, and closing twice closes once",
          "[bridge][coordinator][cases]") {
  Driver d = flying();
  REQUIRE(d.succeed(6) == "settle 1 recovered t2/6; close t1");
  CHECK(d.settle_close(1, 5).empty());
  CHECK(d.state() == "connected");
  CHECK(d.coordinator.installed() == TransportId{2});
  CHECK(d.send(6) == "t2");
  CHECK(d.settle_close(1) == "stale_step");
  REQUIRE(d.close() == "open 2");
  REQUIRE(d.close() == "open 3");
  CHECK(d.pump() == "close t2");
  CHECK(d.settle_close(2, 1) == "settle 2 closed 1; settle 3 closed 1");
  CHECK(d.recover() == "recovery_closed");
  CHECK(d.state() == "closed");
}

TEST_CASE("Reports for what is unknown, not handed out or settled are stale", "[bridge][coordinator]") {
  Driver d;
  CHECK(d.fail() == "stale_step");
  CHECK(d.succeed(9) == "stale_step");
  CHECK(d.settle_close(1) == "stale_step");
  CHECK(d.abort(1) == "stale_step");
  REQUIRE(d.recover() == "open 1");
  d.flight = FlightId{1};  // its step was not handed out
  CHECK(d.succeed(9) == "stale_step");
  d.flight.reset();
  REQUIRE(d.pump() == "attempt 1 from s/5/7");
  REQUIRE(d.fail() == "settle 1 failed flight 1");
  d.flight = FlightId{1};
  CHECK(d.fail() == "stale_step");
  CHECK(d.state() == "reconnect_wait");
  d.flight.reset();
  REQUIRE(d.close() == "open 2");
  CHECK(refusal(d.coordinator.close_failed({1}, {0})) == "stale_step");  // due, not begun
}

TEST_CASE("The last epoch cannot be followed", "[bridge][coordinator]") {
  Driver d = flying();
  REQUIRE(d.succeed(UINT64_MAX).starts_with("settle 1 recovered t2/18446744073709551615"));
  REQUIRE(d.recover() == "open 2");
  REQUIRE(d.pump().starts_with("attempt 2"));
  CHECK(d.succeed(UINT64_MAX).starts_with("settle 2 refused epoch_not_advanced"));
}

TEST_CASE("Open calls and closes that never settle are bounded", "[bridge][coordinator]") {
  Driver d = flying();
  for (std::uint64_t open = 1; open < MAX_RECOVERY_CALLS; ++open) REQUIRE(d.recover().starts_with("open"));
  CHECK(d.recover() == "recovery_capacity{limit: 65536, unit: calls}");
  CHECK(d.close() == "recovery_capacity{limit: 65536, unit: calls}");
  CHECK(d.state() == "replacing");
  CHECK(d.close(Signal::aborted) == "aborted");  // the owner's close needs no room
  CHECK(d.state() == "draining");

  Driver hung;
  for (std::uint64_t i = 0; i < MAX_TRANSPORT_CLOSES; ++i) {
    REQUIRE(hung.recover().starts_with("open"));
    REQUIRE(hung.pump().starts_with("attempt"));
    REQUIRE(hung.succeed(6 + i).find("close t") != std::string::npos);
  }
  CHECK(hung.recover() == "recovery_capacity{limit: 1024, unit: closes}");
  CHECK(hung.state() == "connected");
  CHECK(hung.settle_close(1).empty());
  CHECK(hung.recover().starts_with("open"));
}

TEST_CASE("The history is bounded as any lifecycle's", "[bridge][coordinator]") {
  auto made =
      ReconnectCoordinator::create({.session = RemoteSessionId("s"), .epoch = {1}, .max_history = 2}, {1});
  REQUIRE(made);
  for (std::uint64_t i = 0; i < 100; ++i) {
    REQUIRE(made->recover("r", Signal::live, {i}));
    REQUIRE(made->next_step().kind == RecoveryStepKind::attempt);
    REQUIRE(made->attempt_failed({i + 1}, {i}));
    REQUIRE(made->next_step().kind == RecoveryStepKind::settle);
  }
  CHECK(made->lifecycle().history_size() == 2);
  CHECK(made->lifecycle().dropped_history() > 100);
}

}  // namespace
}  // namespace leasegate::test
