// A host that drives one machine: it names the current revision and its own clock, so that a test says only
// what it is about.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "support/machine.hpp"

namespace leasegate::test {

/** The value of a command that has to be accepted; fails the test otherwise. */
template <class T>
T must(Result<Transition<T>> result) {
  REQUIRE(refusal(result) == "accepted");
  return std::move(result->value);
}

class Host {
 public:
  /** Through the public handles. */
  explicit Host(const DistributedLimits& limits = {});
  explicit Host(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}

  /** The second that the commands from here on name. It is the caller's to keep it from falling. */
  Host& at(std::uint64_t now) {
    now_ = {now};
    return *this;
  }
  /** The next command, and only that, names this revision instead of the current one. */
  Host& expecting(std::uint64_t revision) {
    expected_ = Revision{revision};
    return *this;
  }

  Result<Transition<WorkerNode>> register_worker(const WorkerSpec& spec);
  Result<Transition<WorkerNode>> register_worker(std::string_view id, std::uint32_t capacity = 1);
  Result<Transition<WorkerNode>> reactivate(const WorkerSpec& spec, std::uint64_t generation);
  Result<Transition<WorkerNode>> reactivate(std::string_view id, std::uint64_t generation);
  Result<Transition<WorkerNode>> update(std::string_view id, std::uint64_t generation,
                                        const WorkerObservation& observation = {});
  Result<Transition<RecoverySummary>> deregister(std::string_view id, std::uint64_t generation);
  Result<Transition<RecoverySummary>> prune();

  Result<Transition<ScanTask>> enqueue(const TaskSpec& spec);
  Result<Transition<ScanTask>> enqueue(std::string_view id, Priority priority = Priority::normal);
  Result<Transition<TaskLease>> assign(std::string_view task, std::string_view worker,
                                       std::uint64_t ttl = 10);
  Result<Transition<TaskLease>> assign_next(std::string_view worker, std::uint64_t ttl = 10);
  Result<Transition<TaskLease>> assign_next_available(std::uint64_t ttl = 10);
  Result<Transition<StartOutcome>> start(const TaskLease& lease);
  Result<Transition<CompletionOutcome>> complete(const TaskLease& lease);
  Result<Transition<FailureOutcome>> fail(const TaskLease& lease,
                                          std::optional<std::uint64_t> retry_after = {});
  Result<Transition<CancellationOutcome>> cancel(const TaskOwnership& ownership);
  Result<Transition<RecoverySummary>> recover();
  Result<Transition<std::uint32_t>> expire(std::uint64_t ttl);
  Result<Transition<TaskLease>> renew(const TaskLease& lease, std::uint64_t ttl = 10);
  Result<Transition<std::uint32_t>> retire(std::uint64_t before, std::uint64_t limit = 1'000'000);
  Result<Transition<std::uint32_t>> forget(std::string_view worker, std::uint64_t generation);

  /** A lease that is running. */
  TaskLease running(std::string_view task, std::string_view worker, std::uint64_t ttl = 10);
  /** Takes the next task and completes it. */
  CompletionReceipt finish_next(std::string_view worker);

  /** Records that have to exist. */
  [[nodiscard]] ScanTask task(std::string_view id) const;
  [[nodiscard]] WorkerNode worker(std::string_view id) const;
  [[nodiscard]] StateSnapshot snapshot() const { return machine_->snapshot(); }
  [[nodiscard]] std::uint64_t revision() const { return snapshot().revision.value; }
  /** The id of the worker that would be taken at `now`, or "none". */
  [[nodiscard]] std::string best_worker(std::uint64_t now) const;
  /** Hands every queued task to `worker`; their ids in the order they came, separated by spaces. */
  std::string hand_out_all(std::string_view worker);
  /** Everything that reads show, as text: equal texts are equal states. */
  [[nodiscard]] std::string state() const;

  [[nodiscard]] Machine& machine() { return *machine_; }
  [[nodiscard]] const Machine& machine() const { return *machine_; }

 private:
  Fenced fenced();

  std::unique_ptr<Machine> machine_;
  LogicalTime now_{1};
  std::optional<Revision> expected_;
};

/** Applies `command` of `host`, expects this refusal, and that nothing has changed. */
#define CHECK_REFUSED(host, command, expected)                       \
  do {                                                               \
    const std::string state_before_ = (host).state();                \
    CHECK(::leasegate::test::refusal((host).command) == (expected)); \
    CHECK((host).state() == state_before_);                          \
  } while (false)

}  // namespace leasegate::test
