// Runs of one seed: whole, in part, and down to the fewest steps that still fail.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/plan.hpp"
#include "sim/violation.hpp"

namespace leasegate::sim {

struct RunOptions {
  std::uint64_t seed = 0;
  Plant plant = Plant::none;
  /** The steps to take, rising; none given: all that the seed's plan has. */
  std::optional<std::vector<std::uint64_t>> steps{};
  /** After the steps faults end, and all that was begun must come to its end. */
  bool calm = true;
  bool trace = false;
};

struct Outcome {
  std::optional<Violation> violation;
  /** The step after which it was found; nothing when that was in the calm. */
  std::optional<std::uint64_t> step;
  std::uint64_t steps = 0;
  std::map<std::string, std::uint64_t, std::less<>> counts;
  std::vector<std::string> trace;
};

[[nodiscard]] Outcome run(const RunOptions& options);

/** What is left of a failing run. */
struct Shrunk {
  /** The shortest beginning of the run that fails: so many steps. */
  std::uint64_t prefix = 0;
  /** The steps of it that it takes to fail. */
  std::vector<std::uint64_t> steps;
  Outcome outcome;
};

/** `failed` is what `options` came to. The rule that is broken stays the same. At most `max_runs` runs. */
[[nodiscard]] Shrunk shrink(const RunOptions& options, const Outcome& failed, int max_runs = 3'000);

/** All of it for a person: what failed, and the steps that lead there. */
[[nodiscard]] std::string report(const RunOptions& options, const Outcome& failed, const Shrunk& shrunk);

}  // namespace leasegate::sim
