// npm run sim: runs seeds, and says of the first that fails what it takes to fail.
//
//   --seed N           one seed            --seeds A..B    these, both included
//   --minutes N        new seeds for so long, from --first on (by default from the clock)
//   --jobs N           threads (2)         --plant NAME    with a planted mistake
//   --steps A,B,...    only these steps of the seed, traced
//   --trace            a trace of the seed

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

#include "sim/run.hpp"

namespace leasegate::sim {
namespace {

struct Arguments {
  std::uint64_t first = 1;
  std::uint64_t last = 100;
  std::uint64_t minutes = 0;
  std::uint64_t jobs = 2;
  bool trace = false;
  RunOptions options;
};

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    std::fprintf(stderr, "Not a number: %.*s\n", static_cast<int>(text.size()), text.data());
    std::exit(2);
  }
  return value;
}

std::vector<std::uint64_t> numbers(std::string_view text) {
  std::vector<std::uint64_t> all;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    all.push_back(number(text.substr(0, comma)));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return all;
}

[[noreturn]] void usage(std::string_view argument) {
  std::fprintf(stderr, "No such argument, or no value for it: %.*s\nSee the top of tests/sim/main.cpp.\n",
               static_cast<int>(argument.size()), argument.data());
  std::exit(2);
}

void one_argument(std::string_view name, std::string_view value, Arguments& arguments) {
  if (name == "--seed") {
    arguments.first = arguments.last = number(value);
  } else if (name == "--seeds") {
    const std::size_t dots = value.find("..");
    if (dots == std::string_view::npos) usage(name);
    arguments.first = number(value.substr(0, dots));
    arguments.last = number(value.substr(dots + 2));
  } else if (name == "--first") {
    arguments.first = number(value);
  } else if (name == "--minutes") {
    arguments.minutes = number(value);
    arguments.last = UINT64_MAX;
  } else if (name == "--jobs") {
    arguments.jobs = number(value);
  } else if (name == "--steps") {
    arguments.options.steps = numbers(value);
    arguments.trace = true;
  } else if (name == "--plant") {
    const auto plant = plant_named(value);
    if (!plant) usage(name);
    arguments.options.plant = *plant;
  } else {
    usage(name);
  }
}

Arguments arguments_of(int count, char** values) {
  Arguments arguments;
  // The one place that asks the clock: which seeds are new.
  arguments.first = 1;
  bool first_given = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = values[i];
    if (name == "--trace") {
      arguments.trace = true;
      continue;
    }
    if (i + 1 == count) usage(name);
    first_given = first_given || name == "--first";
    one_argument(name, values[++i], arguments);
  }
  if (arguments.minutes > 0 && !first_given) {
    arguments.first =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) / 1'000;
  }
  return arguments;
}

class Runner {
 public:
  explicit Runner(const Arguments& arguments)
      : arguments_(arguments),
        next_(arguments.first),
        end_(std::chrono::steady_clock::now() + std::chrono::minutes(arguments.minutes)) {}

  int run_all() {
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < arguments_.jobs; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    std::printf("%llu seeds from %llu on, %llu steps\n", static_cast<unsigned long long>(done_),
                static_cast<unsigned long long>(arguments_.first), static_cast<unsigned long long>(steps_));
    for (const auto& [what, times] : counts_) {
      std::printf("  %10llu  %s\n", static_cast<unsigned long long>(times), what.c_str());
    }
    return failed_ ? 1 : 0;
  }

 private:
  void work() {
    while (!failed_) {
      if (arguments_.minutes > 0 && std::chrono::steady_clock::now() >= end_) return;
      const std::uint64_t seed = next_++;
      if (seed > arguments_.last) return;
      one(seed);
    }
  }

  void one(std::uint64_t seed) {
    RunOptions options = arguments_.options;
    options.seed = seed;
    options.trace = arguments_.trace;
    const Outcome outcome = run(options);
    const std::lock_guard lock(mutex_);
    if (arguments_.trace) {
      for (const std::string& line : outcome.trace) std::printf("%s\n", line.c_str());
    }
    ++done_;
    steps_ += outcome.steps;
    for (const auto& [what, times] : outcome.counts) counts_[what] += times;
    if (!outcome.violation || failed_.exchange(true)) return;
    if (options.steps) return;  // What was shrunk already is shown by its trace.
    std::printf("%s", report(options, outcome, shrink(options, outcome)).c_str());
  }

  const Arguments& arguments_;
  std::atomic<std::uint64_t> next_;
  std::chrono::steady_clock::time_point end_;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::uint64_t steps_ = 0;
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace
}  // namespace leasegate::sim

int main(int count, char** values) {
  const leasegate::sim::Arguments arguments = leasegate::sim::arguments_of(count, values);
  return leasegate::sim::Runner(arguments).run_all();
}
