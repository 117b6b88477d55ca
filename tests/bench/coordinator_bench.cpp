// The native cycle: enqueue, assign_next_available, start, complete, with W workers and N retained tasks.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "coordination/coordinator.hpp"

namespace {

using namespace leasegate;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kRecords = MAX_TASK_RECORDS;

/** Ids made beforehand: the cycle measures the coordinator, not string formatting. */
const std::vector<std::string>& task_ids() {
  static const std::vector<std::string> ids = [] {
    std::vector<std::string> made;
    for (std::uint64_t i = 0; i < kRecords; ++i) made.push_back("task-" + std::to_string(i));
    return made;
  }();
  return ids;
}

class Host {
 public:
  template <class Command>
  auto apply(const Command& command) {
    auto result = coordinator_.apply(command);
    if (!result) std::abort();
    revision_ = result->revision;
    return result->value;
  }

  explicit Host(std::uint32_t workers, std::uint32_t capacity = 4)
      : coordinator_(*Coordinator::create({.max_task_records = kRecords,
                                           .max_active_tasks = MAX_ACTIVE_TASKS,
                                           .max_queued_tasks = MAX_ACTIVE_TASKS,
                                           .max_terminal_tasks = kRecords,
                                           .max_workers = MAX_WORKERS})) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      const std::string id = "worker-" + std::to_string(i);
      RegisterWorker command{next(), {.worker_id = id, .capacity = capacity}};
      apply(command);
    }
  }

  void enqueue() {
    apply(Enqueue{
        next(),
        {.task_id = task_ids()[enqueued_++], .scan_id = "scan-1", .target_ref = "https://example.test/"}});
  }
  TaskLeaseView assign() { return apply(AssignNextAvailable{next(), {60}}); }
  void cycle() {
    enqueue();
    const TaskLeaseView lease = assign();
    apply(StartTask{next(), lease});
    apply(CompleteTask{next(), lease});
  }
  [[nodiscard]] Fenced next() const { return {revision_, {1}}; }
  [[nodiscard]] std::uint64_t enqueued() const { return enqueued_; }

 private:
  Coordinator coordinator_;
  Revision revision_;
  std::uint64_t enqueued_ = 0;
};

/** Four commands an iteration. */
void cycle(benchmark::State& state) {
  const auto workers = static_cast<std::uint32_t>(state.range(0));
  const auto backlog = static_cast<std::uint64_t>(state.range(1));
  std::optional<Host> host;
  const auto refill = [&] {
    host.emplace(workers);
    for (std::uint64_t i = 0; i < backlog; ++i) host->enqueue();
  };
  refill();
  for (auto _ : state) {
    if (host->enqueued() == kRecords) {
      state.PauseTiming();
      refill();
      state.ResumeTiming();
    }
    host->cycle();
  }
  state.SetItemsProcessed(state.iterations() * 4);
}
BENCHMARK(cycle)->ArgNames({"workers", "backlog"})->ArgsProduct({{8, 64, 256, 1024, 4096}, {1000, 16000}});

void recover_expired(benchmark::State& state) {
  const auto leases = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    Host host(8, 4096);
    for (std::uint64_t i = 0; i < leases; ++i) host.enqueue();
    for (std::uint64_t i = 0; i < leases; ++i) host.assign();
    RecoverExpiredLeases command{host.next()};
    command.now = {100};
    state.ResumeTiming();
    host.apply(command);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(leases));
}
BENCHMARK(recover_expired)->ArgName("leases")->Arg(10'000)->Unit(benchmark::kMicrosecond);

void recover_nothing(benchmark::State& state) {
  Host host(8);
  for (std::int64_t i = 0; i < state.range(0); ++i) host.cycle();
  for (auto _ : state) host.apply(RecoverExpiredLeases{host.next()});
}
BENCHMARK(recover_nothing)->ArgName("retained")->Arg(100)->Arg(60'000);

}  // namespace
