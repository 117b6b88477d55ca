#include "sim/run.hpp"

#include <numeric>

#include "sim/world.hpp"

namespace leasegate::sim {
namespace {

std::vector<std::uint64_t> first_steps(std::uint64_t count) {
  std::vector<std::uint64_t> steps(count);
  std::iota(steps.begin(), steps.end(), std::uint64_t{0});
  return steps;
}

class Shrinker {
 public:
  Shrinker(const RunOptions& options, const Outcome& failed, int max_runs)
      : options_(options), rule_(failed.violation->rule), calm_(!failed.step), runs_left_(max_runs) {}

  Shrunk shrink(const Outcome& failed) {
    const std::uint64_t prefix = shortest_prefix(failed);
    std::vector<std::uint64_t> steps = first_steps(prefix);
    // Ever smaller groups of steps are left out, until a whole round leaves out nothing more.
    for (std::size_t before = steps.size() + 1; steps.size() < before && runs_left_ > 0;) {
      before = steps.size();
      for (std::size_t size = steps.size() / 2; size > 0; size /= 2) leave_out(steps, size);
    }
    RunOptions last = part(steps);
    last.trace = true;
    return {prefix, steps, run(last)};
  }

 private:
  [[nodiscard]] RunOptions part(const std::vector<std::uint64_t>& steps) const {
    RunOptions options = options_;
    options.steps = steps;
    options.calm = calm_;
    options.trace = false;
    return options;
  }

  bool fails(const std::vector<std::uint64_t>& steps) {
    --runs_left_;
    const Outcome outcome = run(part(steps));
    return outcome.violation && outcome.violation->rule == rule_;
  }

  std::uint64_t shortest_prefix(const Outcome& failed) {
    // Every step is checked: the first that fails ends the shortest prefix.
    if (failed.step) return *failed.step + 1;
    // What only the calm finds may be there long before: it is looked for by halving.
    std::uint64_t fine = 0;
    std::uint64_t bad = failed.steps;
    while (fine < bad && runs_left_ > 0) {
      const std::uint64_t middle = fine + (bad - fine) / 2;
      if (fails(first_steps(middle))) {
        bad = middle;
      } else {
        fine = middle + 1;
      }
    }
    return bad;
  }

  /** One pass from the back. */
  void leave_out(std::vector<std::uint64_t>& steps, std::size_t size) {
    for (std::size_t end = steps.size(); end > 0 && runs_left_ > 0;) {
      const std::size_t begin = end > size ? end - size : 0;
      std::vector<std::uint64_t> fewer(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(begin));
      fewer.insert(fewer.end(), steps.begin() + static_cast<std::ptrdiff_t>(end), steps.end());
      if (fails(fewer)) steps = std::move(fewer);
      end = begin;
    }
  }

  RunOptions options_;
  std::string rule_;
  bool calm_;
  int runs_left_;
};

std::string list_of(const std::vector<std::uint64_t>& steps) {
  std::string list;
  for (const std::uint64_t step : steps) list += (list.empty() ? "" : ",") + std::to_string(step);
  return list;
}

}  // namespace

Outcome run(const RunOptions& options) {
  World world(options.seed, options.plant);
  world.s.trace.on = options.trace;
  Outcome outcome;
  const std::vector<std::uint64_t> steps = options.steps ? *options.steps : first_steps(world.s.plan.steps);
  try {
    for (const std::uint64_t step : steps) {
      outcome.step = step;
      world.step(step);
      ++outcome.steps;
    }
    outcome.step.reset();
    if (options.calm) world.calm_down();
  } catch (const Violation& violation) {
    outcome.violation = violation;
    world.s.trace.note([&] { return "VIOLATION " + violation.rule + ": " + violation.detail; });
  }
  outcome.counts = world.s.counts;
  outcome.trace = world.s.trace.lines();
  return outcome;
}

Shrunk shrink(const RunOptions& options, const Outcome& failed, int max_runs) {
  return Shrinker(options, failed, max_runs).shrink(failed);
}

std::string report(const RunOptions& options, const Outcome& failed, const Shrunk& shrunk) {
  constexpr std::size_t kLastLines = 120;
  const std::string plant =
      options.plant == Plant::none
          ? ""
          : " --plant " + std::string(kPlantNames[static_cast<std::size_t>(options.plant)]);
  std::string text = "seed " + std::to_string(options.seed) + " fails ";
  text += failed.step ? "in step " + std::to_string(*failed.step) : "in the calm after its steps";
  text += ": " + failed.violation->rule + "\n  " + failed.violation->detail;
  text += "\nshortest prefix that fails: " + std::to_string(shrunk.prefix) + " steps; " +
          std::to_string(shrunk.steps.size()) + " of them are enough:\n";
  const auto& lines = shrunk.outcome.trace;
  const std::size_t first = lines.size() > kLastLines ? lines.size() - kLastLines : 0;
  if (first > 0) text += "  (" + std::to_string(first) + " lines)\n";
  for (std::size_t i = first; i < lines.size(); ++i) text += "  " + lines[i] + '\n';
  text += "again: npm run sim --" + plant + " --seed " + std::to_string(options.seed) + " --steps " +
          list_of(shrunk.steps) + '\n';
  return text;
}

}  // namespace leasegate::sim
