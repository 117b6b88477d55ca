// One simulated world: a seed and the number of a step decide what happens in that step, and after each step
// everything that must hold is checked.
#pragma once

#include <memory>

#include "sim/client.hpp"
#include "sim/host.hpp"
#include "sim/worker.hpp"

namespace leasegate::sim {

class World {
 public:
  World(std::uint64_t seed, Plant plant);

  /** Throws a Violation. */
  void step(std::uint64_t number);
  /** Faults are over, and the storage has lost its power once more. Whatever was begun must come to its end.
   */
  void calm_down();

  Surroundings s;

 private:
  void perform(Action action, Random& random);
  void perform_fault(Action action, Random& random);
  [[nodiscard]] Action choose(Random& random) const;
  void deliver(Random& random);
  void take(const Message& message, Random& random);
  Host& any_host(Random& random);
  Worker& any_worker(Random& random) {
    return workers_[static_cast<std::size_t>(random.below(workers_.size()))];
  }
  void check();
  void calm_round(Random& random);
  [[nodiscard]] std::uint64_t progress() const;
  [[nodiscard]] bool settled() const;
  void check_the_end();

  std::uint64_t seed_;
  std::vector<Host> hosts_;
  std::vector<Worker> workers_;
  Client client_;
};

}  // namespace leasegate::sim
