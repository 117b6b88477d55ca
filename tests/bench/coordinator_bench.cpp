// The native cycle: enqueue, assign_next_available, start, complete, with W workers and N retained tasks.

#include <benchmark/benchmark.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <optional>
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
    TaskLeaseView lease = assign();
    lease.task_id.place = kNoSlot;  // as from a host that has kept the lease's fields
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

/** What there is when the first cycle begins. */
struct Load {
  std::int64_t workers = 8;
  std::int64_t backlog = 1'000;
  std::int64_t retained = 0;
  std::int64_t leases = 0;
};

void fill(std::optional<Host>& host, const Load& load) {
  const auto capacity = std::min<std::int64_t>(4'096, 4 + (load.leases / load.workers) + 1);
  host.emplace(static_cast<std::uint32_t>(load.workers), static_cast<std::uint32_t>(capacity));
  for (std::int64_t i = 0; i < load.retained; ++i) host->cycle();
  for (std::int64_t i = 0; i < load.leases; ++i) host->enqueue();
  for (std::int64_t i = 0; i < load.leases; ++i) host->assign();
  for (std::int64_t i = 0; i < load.backlog; ++i) host->enqueue();
}

/** Four commands an iteration. */
void cycle(benchmark::State& state) {
  const Load load{state.range(0), state.range(1), state.range(2), state.range(3)};
  std::optional<Host> host;
  fill(host, load);
  for (auto _ : state) {
    if (host->enqueued() == kRecords) {
      state.PauseTiming();
      fill(host, load);
      state.ResumeTiming();
    }
    host->cycle();
  }
  state.SetItemsProcessed(state.iterations() * 4);
}

/** One thing grows, the rest stays. */
void curves(benchmark::internal::Benchmark* benchmark) {
  const auto add = [&](const Load& load) {
    benchmark->Args({load.workers, load.backlog, load.retained, load.leases});
  };
  for (const std::int64_t workers : {8, 64, 256, 1'024, 4'096}) add({.workers = workers});
  for (const std::int64_t backlog : {1, 100, 4'000, 16'000}) add({.backlog = backlog});
  for (const std::int64_t retained : {100, 1'000, 10'000, 30'000, 52'000}) add({.retained = retained});
  for (const std::int64_t leases : {1, 100, 1'000, 10'000}) add({.leases = leases});
}
BENCHMARK(cycle)->ArgNames({"workers", "backlog", "retained", "leases"})->Apply(curves);

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

/** Bytes that a retained task and a worker take, text included. Linux only: it asks the allocator. */
void memory(benchmark::State& state) {
#if defined(__GLIBC__)
  const auto used = [] { return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd); };
  constexpr std::int64_t kTasks = 60'000;
  for (auto _ : state) {
    task_ids();
    const double before = used();
    std::optional<Host> host;
    fill(host, {.workers = MAX_WORKERS, .backlog = 0});
    const double workers = used() - before;
    for (std::int64_t i = 0; i < kTasks; ++i) host->cycle();
    state.counters["bytes_a_worker"] = workers / static_cast<double>(MAX_WORKERS);
    state.counters["bytes_a_task"] = (used() - before - workers) / static_cast<double>(kTasks);
  }
#else
  state.SkipWithError("only glibc says what is allocated");
#endif
}
BENCHMARK(memory)->Iterations(1);

}  // namespace
