// Random schedules against the one promise of the gate: what the sender accepted is history, then live events
// in submission order; nothing twice, nothing overtaken, nothing lost uncounted.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "bridge/gate_driver.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

class Schedule {
 public:
  explicit Schedule(std::uint32_t seed) : random_(seed), d_({.capacity = 1 + seed % 12}) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      act();
      check();
    }
    finish();
  }

 private:
  bool one_in(std::uint32_t n) { return random_() % n == 0; }

  void act() {
    switch (random_() % 16) {
      case 0:
      case 1:
      case 2:
      case 3:
        return submit();
      case 4:
        return note(d_.begin(), "begin");
      case 5:
        return install();
      case 6:
        return note(d_.drain(), "drain");
      case 7:
        if (one_in(3)) d_.gate.deactivate();
        return follow(d_.pump());
      case 8:
        d_.resume();
        return;
      case 9:
        return drop(false);
      case 10:
        return note(d_.flush(one_in(2)), "flush");
      case 11:
        return abort();
      case 12:
        return snapshot();
      default:
        return settle();
    }
  }

  std::string fresh_id() { return "e" + std::to_string(++submitted_); }

  void submit() {
    const std::string id = fresh_id();
    const std::string answer = d_.submit(id);
    if (answer == "queued") {
      queue_.push_back(id);
    } else if (answer.starts_with("open ")) {
      direct_[std::stoull(answer.substr(5))] = id;
      direct_order_.push_back(id);
      open_.insert(std::stoull(answer.substr(5)));
    } else {
      ++returned_;
    }
    follow(d_.pump());
  }

  void install_ids(const std::vector<std::string>& ids, bool installed) {
    if (installed) {
      queue_.insert(queue_.begin(), ids.begin(), ids.end());
    } else {
      returned_ += ids.size();
    }
  }

  std::vector<std::string> history() {
    std::vector<std::string> ids;
    for (std::uint32_t i = random_() % 4; i > 0; --i) ids.push_back(fresh_id());
    return ids;
  }

  void install() {
    const std::vector<std::string> ids = history();
    install_ids(ids, d_.install(ids) == "accepted");
    follow(d_.pump());
  }

  void snapshot() {
    if (snapshots_.empty()) return;
    const std::uint64_t flush = *snapshots_.begin();
    snapshots_.erase(flush);
    if (one_in(4)) {
      REQUIRE(d_.gate.snapshot_failed({flush}));
      return follow(d_.pump());
    }
    const std::vector<std::string> ids = history();
    const bool installed = d_.snapshot(flush, ids) == "accepted";
    install_ids(ids, installed);
    if (!installed) REQUIRE(open_.erase(flush) == 1);
    follow(d_.pump());
  }

  /** An operation that may open a ticket. */
  void note(const std::string& answer, const std::string& operation) {
    if (answer.starts_with("open ")) open_.insert(std::stoull(answer.substr(5)));
    INFO(operation << ": " << answer);
    follow(d_.pump());
  }

  void drop(bool close) {
    // The event in flight, if it is a drain's and still queued, is the drop's to count when it has settled.
    if (d_.sending && !flying_direct_ && !flying_lost_) {
      queue_.erase(std::find(queue_.begin(), queue_.end(), d_.sending_id));
      flying_lost_ = true;
    }
    expected_dropped_ += queue_.size();
    queue_.clear();
    const std::string answer = d_.drop(close);
    if (answer.starts_with("dropped ")) dropped_ += std::stoull(answer.substr(8));
    note(answer, "drop");
  }

  void abort() {
    if (open_.empty()) return;
    auto chosen = open_.begin();
    std::advance(chosen, random_() % open_.size());
    const std::uint64_t ticket = *chosen;
    const std::string said = d_.abort(ticket);
    if (said == "stale_step") return;
    snapshots_.erase(ticket);
    follow(said);
  }

  void settle() {
    if (!d_.sending) return;
    const std::string id = d_.sending_id;
    const auto outcome = static_cast<SendOutcome>(one_in(3) ? 1 + random_() % 2 : 0);
    const bool direct = flying_direct_;
    const bool lost = flying_lost_;
    const bool running = flying_running();
    if (!direct && !lost) {
      if (running) REQUIRE(queue_.front() == id);
      if (outcome == SendOutcome::accepted) {
        const auto at = std::find(queue_.begin(), queue_.end(), id);
        REQUIRE(at != queue_.end());
        queue_.erase(at);
      }
    }
    if (lost && outcome != SendOutcome::accepted) ++expected_dropped_;
    if (outcome == SendOutcome::accepted) {
      REQUIRE(accepted_.insert(id).second);
    } else if (direct) {
      ++returned_;
    }
    flying_direct_ = flying_lost_ = false;
    follow(d_.settle(outcome));
  }

  /** Whether the drain in flight still is the one that drains. */
  [[nodiscard]] bool flying_running() const { return d_.gate.state() == GateState::draining && !stopped_; }

  /** Learns from the phrases of a pump. */
  void follow(const std::string& said) {
    std::istringstream phrases(said);
    for (std::string phrase; std::getline(phrases, phrase, ';');) {
      if (phrase.starts_with(' ')) phrase.erase(0, 1);
      std::istringstream words(phrase);
      std::string verb;
      words >> verb;
      if (verb == "send") {
        std::string id;
        std::string dummy;
        std::uint64_t ticket = 0;
        words >> id >> dummy >> ticket;
        sent(id, ticket);
      } else if (verb == "snapshot") {
        std::uint64_t ticket = 0;
        words >> ticket;
        REQUIRE(open_.contains(ticket));
        REQUIRE(snapshots_.insert(ticket).second);
      } else {
        std::uint64_t ticket = 0;
        std::string outcome;
        words >> ticket >> outcome;
        REQUIRE(open_.erase(ticket) == 1);
        settled(ticket, outcome, words);
      }
    }
  }

  void sent(const std::string& id, std::uint64_t ticket) {
    REQUIRE(open_.contains(ticket));
    REQUIRE_FALSE(accepted_.contains(id));
    flying_direct_ = direct_.contains(ticket);
    stopped_ = false;
    if (flying_direct_) {
      // In call order: every direct send before it has ended.
      REQUIRE(direct_.at(ticket) == id);
      REQUIRE(direct_order_.front() == id);
      REQUIRE(d_.gate.state() == GateState::inactive);
    } else {
      REQUIRE(d_.gate.state() == GateState::draining);
      REQUIRE(queue_.front() == id);
    }
  }

  void settled(std::uint64_t ticket, const std::string& outcome, std::istringstream& rest) {
    if (outcome == "dropped") {
      std::uint64_t lost = 0;
      rest >> lost;
      dropped_ += lost;
    }
    const auto direct = direct_.find(ticket);
    if (direct == direct_.end()) return;
    const std::string id = direct->second;
    direct_.erase(direct);
    direct_order_.erase(std::find(direct_order_.begin(), direct_order_.end(), id));
    if (outcome == "queued") {
      queue_.push_back(id);
    } else if ((outcome == "aborted" && !accepted_.contains(id)) || outcome == "refused") {
      ++returned_;
    }
  }

  void check() {
    if (d_.gate.state() != GateState::draining) stopped_ = true;
    std::string expected = std::string(name_of(d_.gate.state())) + ':';
    for (const std::string& id : queue_) expected += ' ' + id;
    REQUIRE(d_.shown() == expected);
    REQUIRE(d_.wire.size() == accepted_.size());
    REQUIRE(queue_.size() <= 12);
  }

  void finish() {
    drop(true);
    while (!snapshots_.empty()) snapshot();
    if (d_.sending) settle();
    follow(d_.pump());
    REQUIRE(d_.gate.state() == GateState::closed);
    REQUIRE(open_.empty());
    REQUIRE(direct_.empty());
    REQUIRE(dropped_ == expected_dropped_);
    // Nothing is pending: accepted + dropped + given back = submitted.
    REQUIRE(accepted_.size() + dropped_ + returned_ == submitted_);
  }

  std::mt19937 random_;
  GateDriver d_;
  std::deque<std::string> queue_;
  std::map<std::uint64_t, std::string> direct_;
  std::deque<std::string> direct_order_;
  std::set<std::uint64_t> open_;
  std::set<std::uint64_t> snapshots_;
  std::set<std::string> accepted_;
  bool flying_direct_ = false;
  /** A drop has taken the event in flight. */
  bool flying_lost_ = false;
  bool stopped_ = false;
  std::uint64_t submitted_ = 0;
  std::uint64_t returned_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t expected_dropped_ = 0;
};

TEST_CASE("Order and count hold in thousands of random schedules", "[bridge][gate][random]") {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    INFO("seed " << seed);
    Schedule(seed).run(80);
  }
}

}  // namespace
}  // namespace leasegate::test
