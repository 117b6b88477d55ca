// Fixed work whose instructions scripts/count-instructions.mjs counts under callgrind: the same on every
// machine, so that a command which has become dearer is seen where a clock would only shrug.
//
//   leasegate_workloads NAME     does it; what is counted is the function `measured`

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "coordination/coordinator.hpp"

/** What is counted. Its name is what callgrind is told to look for. */
extern "C" __attribute__((noipa)) void measured(const std::function<void()>& work) { work(); }

namespace {

using namespace leasegate;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kOperations = 2'000;

/** A host of one coordinator, which stops the program when a command is refused. */
class Host {
 public:
  template <class Command>
  auto apply(const Command& command) {
    auto result = coordinator_.apply(command);
    if (!result) std::abort();
    revision_ = result->revision;
    return result->value;
  }

  explicit Host(std::uint32_t workers)
      : coordinator_(*Coordinator::create({.max_task_records = MAX_TASK_RECORDS,
                                           .max_active_tasks = MAX_ACTIVE_TASKS,
                                           .max_queued_tasks = MAX_ACTIVE_TASKS,
                                           .max_terminal_tasks = MAX_TASK_RECORDS,
                                           .max_workers = MAX_WORKERS})) {
    for (std::uint32_t i = 0; i < workers; ++i) {
      apply(RegisterWorker{next(), {.worker_id = worker_id(i), .capacity = 4, .cpu_basis_points = i % 1000}});
    }
  }

  void enqueue() {
    const std::string id = "task-" + std::to_string(enqueued_++);
    apply(
        Enqueue{next(), {.task_id = id, .scan_id = "scan-1", .target_ref = "https://service.example.test/"}});
  }
  TaskLeaseView assign() { return apply(AssignNextAvailable{next(), {60}}); }
  void cycle() {
    enqueue();
    TaskLeaseView lease = assign();
    lease.task_id.place = kNoSlot;  // as from a host that has kept the lease's fields
    apply(StartTask{next(), lease});
    apply(CompleteTask{next(), lease});
  }
  void heartbeat(std::uint32_t worker) {
    apply(UpdateWorker{next(), worker_id(worker), {1}, {.cpu_basis_points = worker % 1000}});
  }
  [[nodiscard]] Fenced next() const { return {revision_, now_}; }
  void wait(std::uint64_t seconds) { now_ = now_.after(seconds); }

 private:
  static std::string_view worker_id(std::uint32_t index) {
    static thread_local std::string id;
    id = "worker-" + std::to_string(index);
    return id;
  }

  Coordinator coordinator_;
  Revision revision_;
  LogicalTime now_{1};
  std::uint64_t enqueued_ = 0;
};

void cycles(std::uint32_t workers, std::uint64_t backlog) {
  Host host(workers);
  for (std::uint64_t i = 0; i < backlog; ++i) host.enqueue();
  measured([&] {
    for (std::uint64_t i = 0; i < kOperations; ++i) host.cycle();
  });
}

void heartbeats(std::uint32_t workers) {
  Host host(workers);
  measured([&] {
    for (std::uint32_t i = 0; i < kOperations; ++i) host.heartbeat(i % workers);
  });
}

void recovery() {
  Host host(1'024);
  for (std::uint64_t i = 0; i < kOperations; ++i) host.enqueue();
  for (std::uint64_t i = 0; i < kOperations; ++i) host.assign();
  host.wait(60);
  measured([&] { host.apply(RecoverExpiredLeases{host.next()}); });
}

void empty_sweeps() {
  Host host(64);
  for (std::uint64_t i = 0; i < kOperations; ++i) host.cycle();
  measured([&] {
    for (std::uint64_t i = 0; i < kOperations; ++i) host.apply(RecoverExpiredLeases{host.next()});
  });
}

struct Workload {
  std::string_view name;
  std::function<void()> run;
};

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      {"cycle-8-workers", [] { cycles(8, 1'000); }},
      {"cycle-4096-workers", [] { cycles(4'096, 1'000); }},
      {"cycle-backlog-16000", [] { cycles(8, 14'000); }},
      {"heartbeat-4096-workers", [] { heartbeats(4'096); }},
      {"recover-leases", recovery},
      {"sweep-nothing", empty_sweeps},
  };
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view wanted = count > 1 ? arguments[1] : "";
  for (const Workload& workload : workloads()) {
    if (workload.name != wanted) continue;
    workload.run();
    return 0;
  }
  for (const Workload& workload : workloads()) std::printf("%s\n", std::string(workload.name).c_str());
  return wanted.empty() ? 0 : 2;
}
