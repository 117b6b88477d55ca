// Random schedules: every transport that was handed over is closed exactly once by the end, every caller is
// told exactly once, and epochs only rise.

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "bridge/coordinator_driver.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

class Schedule {
 public:
  explicit Schedule(std::uint32_t seed)
      : random_(seed), d_(seed % 2 == 0), transports_(seed % 2 == 0 ? 1 : 0) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      act();
      REQUIRE(d_.coordinator.epoch().value >= epoch_);
      epoch_ = d_.coordinator.epoch().value;
      REQUIRE((d_.state() == "connected") == (d_.send(epoch_).starts_with("t")));
    }
    finish();
  }

 private:
  bool one_in(std::uint32_t n) { return random_() % n == 0; }

  void act() {
    switch (random_() % 8) {
      case 0:
      case 1:
        return opened(d_.recover());
      case 2:
        return end_attempt();
      case 3:
      case 4:
        return end_close();
      case 5:
        if (!open_.empty()) {
          auto chosen = open_.begin();
          std::advance(chosen, random_() % open_.size());
          const std::string said = d_.abort(*chosen);
          if (said != "stale_step") follow(said);
        }
        return;
      case 6:
        if (one_in(8)) opened(d_.close(one_in(3) ? Signal::aborted : Signal::live));
        return;
      default:
        if (one_in(2)) follow(d_.pump());
        if (one_in(20)) follow(d_.time_out());
    }
  }

  void opened(const std::string& answer) {
    if (answer.starts_with("open ")) REQUIRE(open_.insert(std::stoull(answer.substr(5))).second);
    if (one_in(2)) follow(d_.pump());
  }

  void end_attempt() {
    if (!d_.flight) return;
    switch (random_() % 5) {
      case 0:
        return follow(d_.fail());
      case 1:
        return follow(d_.bring_nothing());
      case 2:
        return follow(d_.succeed_with(1 + random_() % (transports_ + 1), epoch_ + random_() % 3));
      default:
        ++transports_;
        return follow(d_.succeed(epoch_ + random_() % 3));
    }
  }

  void end_close() {
    if (d_.closing.empty()) return;
    auto chosen = d_.closing.begin();
    std::advance(chosen, random_() % d_.closing.size());
    follow(one_in(4) ? d_.fail_close(*chosen) : d_.settle_close(*chosen, random_() % 5));
  }

  void follow(const std::string& said) {
    REQUIRE(said != "stale_step");
    for (std::size_t at = said.find("settle "); at != std::string::npos; at = said.find("settle ", at + 1)) {
      REQUIRE(open_.erase(std::stoull(said.substr(at + 7))) == 1);
    }
  }

  void finish() {
    opened(d_.close());
    follow(d_.pump());
    if (one_in(3)) follow(d_.time_out());
    if (d_.flight) end_attempt();
    while (!d_.closing.empty()) end_close();
    follow(d_.pump());
    REQUIRE(d_.state() == "closed");
    REQUIRE(open_.empty());
    // The driver itself refuses a second close of any.
    REQUIRE(d_.roles.size() == transports_);
  }

  std::mt19937 random_;
  CoordinatorDriver d_;
  std::uint64_t transports_;
  std::uint64_t epoch_ = 5;
  std::set<std::uint64_t> open_;
};

TEST_CASE("Every transport is closed once and every caller told once, in thousands of random schedules",
          "[bridge][coordinator][random]") {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    INFO("seed " << seed);
    Schedule(seed).run(60);
  }
}

}  // namespace
}  // namespace leasegate::test
