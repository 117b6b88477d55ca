// What a seed decides before its first step: sizes, limits, which faults there are and how often. Each seed
// has a world of its own kind (a swarm), so that together they reach what no single setting of the rates
// would.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "coordination/limits.hpp"
#include "results/schema.gen.hpp"
#include "sim/random.hpp"

namespace leasegate::sim {

/** What may happen in one step. */
enum class Action : std::uint8_t {
  tick,
  deliver,
  worker_acts,
  client_acts,
  host_tends,
  host_flushes,
  host_syncs,
  host_checkpoints,
  // Faults from here on.
  message_lost,
  message_repeated,
  link_cut,
  links_mended,
  worker_crashes,
  worker_pauses,
  worker_clock_jumps,
  host_crashes,
  host_takes_over,
  host_pauses,
  power_fails,
  sync_fails,
  disk_fills,
  disk_empties,
  bit_rots,
};
inline constexpr std::size_t kActions = static_cast<std::size_t>(Action::bit_rots) + 1;

/** Mistakes that can be planted, to see that the simulator finds them. */
enum class Plant : std::uint8_t {
  none,
  /** A disk that says "synced" and has done nothing. */
  lying_sync,
  /** A host that answers before its records are synced. */
  early_answer,
  /** A host that takes a failed sync for a nuisance and tries again. */
  retried_sync,
  /** A storage that lets a host write that has been replaced. */
  no_fence,
  /** A host that mends a worker's stale lease instead of refusing it. */
  mended_lease,
  /** A host that keeps its clock where an expired lease is still good. */
  stopped_clock,
  /** A journal that misses the records of one command. */
  missing_record,
  /** A host that retires tasks while messages about them are still on their way. */
  early_retirement,
  /** A host that forgets to recover expired leases. */
  no_recovery,
};
inline constexpr std::array<std::string_view, 10> kPlantNames = {
    "none",         "lying_sync",    "early_answer",   "retried_sync",     "no_fence",
    "mended_lease", "stopped_clock", "missing_record", "early_retirement", "no_recovery",
};
[[nodiscard]] std::optional<Plant> plant_named(std::string_view name);

struct Plan {
  std::uint64_t steps = 0;
  DistributedLimits limits;
  ResultLimits result_limits;
  std::uint32_t workers = 0;
  std::uint32_t hosts = 0;
  /** Tasks that the client sends. */
  std::uint32_t tasks = 0;
  std::uint32_t outstanding = 0;
  std::array<std::uint32_t, kActions> weights{};

  std::uint64_t lease_ttl = 0;
  std::uint64_t task_ttl = 0;
  std::uint64_t longest_work = 0;
  std::uint64_t longest_delay = 0;
  std::uint64_t longest_tick = 0;
  /** Hosts' and workers' clocks are at most this far from the true time when they start. */
  std::uint64_t host_skew = 0;
  std::uint64_t worker_skew = 0;
  /** How long a message of the client is good. */
  std::uint64_t message_life = 0;
  /** In percent. */
  std::uint32_t reorder = 0;
  std::uint32_t failing_work = 0;
  std::uint32_t pushes = 0;
  std::uint32_t careless = 0;
  std::uint32_t cancels = 0;
  /** Workers that go on after their leases have run out. */
  std::uint32_t zombies = 0;
  bool expires_tasks = false;
  bool forgets_workers = false;

  /** After its end a task is kept so long that no message of its making can still be taken. */
  [[nodiscard]] std::uint64_t retention() const { return message_life + host_skew + 1; }
};

[[nodiscard]] Plan plan_of(std::uint64_t seed);

}  // namespace leasegate::sim
