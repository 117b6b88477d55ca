// What every node of the simulated world shares: the true time, the network, the storage, and the simulator's
// own books.
#pragma once

#include <map>
#include <string>

#include "sim/history.hpp"
#include "sim/network.hpp"
#include "sim/plan.hpp"
#include "sim/storage.hpp"

namespace leasegate::sim {

/** What has been told to the outside: no crash may take it back. */
struct Promises {
  /** Tasks, and the leases under which they were completed. */
  std::map<std::string, std::uint64_t> completed;
  std::set<std::string> enqueued;
  std::set<std::string> stored;

  void check(const TaskLineage& lineage) const;
  void check(const ResultLineage& lineage) const;
};

/** What happened, in lines for a person. Costs nothing while nobody asked for it. */
class Trace {
 public:
  bool on = false;
  std::uint64_t step = 0;

  template <class Line>
  void note(const Line& line) {
    if (on) lines_.push_back(std::to_string(step) + ": " + line());
  }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

/** How often what happened, by its name. */
using Counts = std::map<std::string, std::uint64_t, std::less<>>;

struct Surroundings {
  Surroundings(const Plan& seeded, Plant planted)
      : plan(seeded), plant(planted), tasks(seeded.limits), results(seeded.result_limits) {}

  /** A clock that is off by `skew`. */
  [[nodiscard]] std::uint64_t clock(std::int64_t skew) const {
    const auto shown = static_cast<std::int64_t>(time) + skew;
    return shown < 0 ? 0 : static_cast<std::uint64_t>(shown);
  }
  void count(std::string_view what) {
    const auto found = counts.find(what);
    ++(found != counts.end() ? found : counts.emplace(what, 0).first)->second;
  }

  Plan plan;
  Plant plant;
  std::uint64_t time = 100;
  Network network;
  Storage storage;
  History<Coordinator> tasks;
  History<ResultStore> results;
  Promises promises;
  Trace trace;
  /** How often what happened, so that it can be told whether anything did. */
  Counts counts;
  /** Faults are over: everybody does their best. */
  bool calm = false;
};

template <class Machine>
History<Machine>& history_of(Surroundings& s) {
  if constexpr (std::is_same_v<Machine, Coordinator>) {
    return s.tasks;
  } else {
    return s.results;
  }
}

}  // namespace leasegate::sim
