#include "sim/plan.hpp"

#include <algorithm>

namespace leasegate::sim {
namespace {

DistributedLimits limits_of(Random& random) {
  DistributedLimits limits;
  limits.max_active_tasks = random.between(1, random.percent(50) ? 6 : 30);
  limits.max_queued_tasks =
      random.percent(60) ? limits.max_active_tasks : random.between(1, limits.max_active_tasks);
  limits.max_terminal_tasks = limits.max_active_tasks + random.below(40);
  limits.max_task_records = limits.max_terminal_tasks + random.below(20);
  limits.max_workers = random.between(1, 8);
  limits.max_retries = random.below(4);
  limits.max_lease_ttl_secs = random.between(4, 40);
  limits.max_task_ttl_secs = random.between(60, 400);
  limits.heartbeat_timeout_secs = random.between(4, 30);
  return limits;
}

ResultLimits result_limits_of(Random& random) {
  ResultLimits limits;
  limits.max_results = random.between(2, 30);
  limits.max_result_bytes = random.between(40, 300);
  limits.max_total_bytes = limits.max_result_bytes * random.between(1, 12);
  limits.max_aggregate_items = random.between(1, 8);
  limits.max_aggregate_bytes = limits.max_result_bytes * random.between(1, 4);
  return limits;
}

/** Most worlds lack most faults, and have more of those that they do not lack. */
std::array<std::uint32_t, kActions> weights_of(Random& random) {
  std::array<std::uint32_t, kActions> weights{};
  const auto set = [&](Action action, std::uint64_t weight) {
    weights[static_cast<std::size_t>(action)] = static_cast<std::uint32_t>(weight);
  };
  set(Action::tick, random.between(10, random.percent(30) ? 200 : 50));
  set(Action::deliver, random.between(1'500, 3'000));
  set(Action::worker_acts, random.between(400, 1'000));
  set(Action::client_acts, random.between(30, 200));
  set(Action::host_tends, random.between(200, 600));
  set(Action::host_flushes, random.between(100, 800));
  set(Action::host_syncs, random.between(100, 800));
  set(Action::host_checkpoints, random.below(20));
  for (auto action = static_cast<std::size_t>(Action::message_lost); action < kActions; ++action) {
    static constexpr std::array<std::uint32_t, 4> kRates = {1, 2, 5, 15};
    weights[action] = random.percent(45) ? random.pick(kRates) : 0;
  }
  // What begins must end, or there is nothing to see.
  set(Action::links_mended, 20);
  set(Action::disk_empties, 30);
  set(Action::host_takes_over, random.between(40, 150));
  return weights;
}

}  // namespace

std::optional<Plant> plant_named(std::string_view name) {
  const auto* found = std::find(kPlantNames.begin(), kPlantNames.end(), name);
  if (found == kPlantNames.end()) return std::nullopt;
  return static_cast<Plant>(found - kPlantNames.begin());
}

Plan plan_of(std::uint64_t seed) {
  Random random = random_of(seed, 0);
  Plan plan;
  plan.steps = random.between(500, random.percent(20) ? 20'000 : 6'000);
  plan.limits = limits_of(random);
  plan.result_limits = result_limits_of(random);
  plan.workers = static_cast<std::uint32_t>(random.between(1, plan.limits.max_workers + 1));
  plan.hosts = static_cast<std::uint32_t>(random.between(1, 3));
  plan.tasks = static_cast<std::uint32_t>(random.between(3, 150));
  plan.outstanding = static_cast<std::uint32_t>(random.between(1, 8));
  plan.weights = weights_of(random);
  plan.lease_ttl = random.between(3, plan.limits.max_lease_ttl_secs);
  plan.task_ttl = random.between(20, plan.limits.max_task_ttl_secs);
  plan.longest_work = random.between(1, plan.lease_ttl);
  plan.longest_delay = random.below(20);
  plan.longest_tick = random.between(1, random.percent(20) ? 12 : 3);
  plan.host_skew = random.percent(50) ? 0 : random.between(1, 8);
  plan.worker_skew = random.percent(40) ? 0 : random.between(1, 15);
  plan.message_life = random.between(10, 60);
  plan.reorder = static_cast<std::uint32_t>(random.percent(40) ? 0 : random.between(5, 80));
  plan.failing_work = static_cast<std::uint32_t>(random.percent(30) ? 0 : random.between(5, 60));
  plan.pushes = static_cast<std::uint32_t>(random.pick(std::to_array<std::uint64_t>({0, 30, 70, 100})));
  plan.careless = static_cast<std::uint32_t>(random.percent(50) ? 0 : random.between(1, 15));
  plan.cancels = static_cast<std::uint32_t>(random.percent(50) ? 0 : random.between(1, 15));
  plan.zombies = static_cast<std::uint32_t>(random.percent(50) ? 0 : random.between(20, 100));
  plan.expires_tasks = random.percent(30);
  plan.forgets_workers = random.percent(30);
  return plan;
}

}  // namespace leasegate::sim
