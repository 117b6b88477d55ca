// Random commands for a model's state: mostly sensible, about a third of them wrong in one of the ways in
// which hosts are wrong.
#pragma once

#include <deque>
#include <random>
#include <variant>

#include "coordination/commands.hpp"
#include "support/model.hpp"

namespace leasegate::test {

/** Numbers that are the same on every platform. */
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /** 0 to `bound` - 1. */
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  template <class Container>
  const auto& pick(const Container& from) {
    return from[below(from.size())];
  }

 private:
  std::mt19937_64 engine_;
};

using AnyCommand =
    std::variant<RegisterWorker, ReactivateWorker, UpdateWorker, DeregisterWorker, PruneDeadWorkers, Enqueue,
                 AssignTask, AssignNext, AssignNextAvailable, StartTask, CompleteTask, FailTask, CancelTask,
                 RecoverExpiredLeases, ExpireOldTasks, RenewLease, RetireTasks, ForgetWorker>;

std::string text_of(const AnyCommand& command);

class RandomCommands {
 public:
  /** `worker_names` and `task_names`: how many different ids the host uses. */
  RandomCommands(std::uint64_t seed, const Model& model, std::uint64_t worker_names,
                 std::uint64_t task_names);

  /** The command's texts live as long as this object. */
  AnyCommand next();
  /** Every lease that was handed out may be named again later. */
  void remember(const TaskLease& lease) { leases_.push_back(lease); }
  /** An id to read: known, unknown or invalid. */
  std::string_view any_task_id();
  std::string_view any_worker_id();

  Random random;

 private:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  std::string_view invalid_id();
  std::string_view known_task_id(bool (*wanted)(const ScanTask&));
  std::string_view known_worker_id(bool offline);
  std::uint64_t generation_of(std::string_view worker_id);
  std::uint32_t utilization();
  WorkerSpecView worker_spec(bool offline);
  TaskSpecView task_spec();
  std::uint64_t time();
  Fenced fenced();
  Seconds ttl(std::uint64_t longest);
  TaskLeaseView lease(bool want_running);
  TaskOwnershipView ownership();
  AnyCommand next_of_our_own();

  const Model& model_;
  std::uint64_t worker_names_;
  std::uint64_t task_names_;
  std::deque<std::string> texts_;
  std::deque<TaskLease> leases_;
  std::deque<QueuedTaskFence> fences_;
  std::deque<std::vector<std::uint8_t>> phases_;
};

}  // namespace leasegate::test
