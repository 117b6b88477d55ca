// A reconnect coordinator driven by hand: every step becomes a phrase, and outcomes come when the test says
// so.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bridge/reconnect_coordinator.hpp"

namespace leasegate::test {

/** Answers are phrases: "open 1" with the number of the ticket, "aborted", or an error. */
class CoordinatorDriver {
 public:
  /** Session "s", epoch 5, cursor 7. */
  explicit CoordinatorDriver(bool has_transport = true);

  std::string recover(std::string_view reason = "lost", Signal signal = Signal::live);
  std::string close(Signal signal = Signal::live);
  std::string send(std::uint64_t epoch, std::string_view id = "m", Signal signal = Signal::live);

  /** The attempt in flight ends; then pumps. */
  std::string succeed(std::uint64_t epoch);
  std::string succeed_with(std::uint64_t known, std::uint64_t epoch);
  std::string bring_nothing();
  std::string fail();
  std::string settle_close(std::uint64_t transport, std::uint64_t dropped = 0);
  std::string fail_close(std::uint64_t transport);
  std::string time_out();
  std::string abort(std::uint64_t ticket);

  /**
   * Takes every step there is, joined by "; ": "attempt 1 from s/5/7", "abort_attempt 1", "close t1",
   * "settle 1 recovered t2/6", "settle 1 failed flight 1", "settle 1 closed 0", "settle 1 refused
   * recovering".
   */
  std::string pump();

  [[nodiscard]] std::string_view state() const { return name_of(coordinator.state()); }

  ReconnectCoordinator coordinator;
  /** The attempt in flight. */
  std::optional<FlightId> flight;
  /** Whose close has begun and not settled, and the roles of those whose close has settled. */
  std::set<std::uint64_t> closing;
  std::map<std::uint64_t, std::string> roles;

 private:
  std::string ended(const Result<TransportId>& settled);
  std::string closed(std::uint64_t transport, const Result<TransportRole>& role);
  static std::string phrase(const Result<RecoveryAnswer>& answer);

  std::uint64_t now_ = 100;
};

}  // namespace leasegate::test
