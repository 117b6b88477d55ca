#include "journal/journals.hpp"

#include "coordination/owned_records.hpp"

namespace leasegate::test {

Bytes framed(std::span<const std::uint8_t> body) {
  Array<std::uint8_t> out;
  std::size_t head = 0;
  REQUIRE(journal::open_frame(out, head));
  REQUIRE(out.try_reserve(out.size() + body.size()));
  out.append(body);
  REQUIRE(journal::close_frame(out, head));
  return bytes_of(out);
}

std::string hex_of(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : bytes) (hex += kDigits[byte >> 4U]) += kDigits[byte & 15U];
  return hex;
}

Journaled<Coordinator> every_command() {
  DistributedLimits limits;
  limits.max_retries = 1;
  Journaled<Coordinator> j(Coordinator::create(limits).value());
  LogicalTime now{1'700'000'000};
  const auto next = [&] { return Fenced{j.machine.revision(), now}; };
  WorkerTags tags;
  tags.add(WorkerTag::linux);
  tags.add(WorkerTag::gpu);
  const auto register_worker = [&](std::string_view id) {
    j.must(RegisterWorker{next(), {.worker_id = id, .capacity = 8, .cpu_basis_points = 2'500, .tags = tags}});
  };
  const auto enqueue = [&](std::string_view id, Priority priority = Priority::normal) {
    static constexpr std::array<std::uint8_t, 3> kPhases = {1, 2, 255};
    j.must(Enqueue{next(),
                   {.task_id = id,
                    .scan_id = "scan-1",
                    .target_ref = "https://example.test/\xC3\xBC",
                    .phases = kPhases,
                    .priority = priority}});
  };
  // Owned: a view is good until the next command only.
  const auto assign = [&](std::string_view task) {
    TaskLease lease;
    leasegate::assign(lease, j.must(AssignTask{next(), task, "w", {600}}));
    return lease;
  };
  const auto start = [&](const TaskLease& lease) { j.must(StartTask{next(), view_of(lease)}); };

  for (const char* id : {"w", "pruned", "gone", "left"}) register_worker(id);
  for (const char* id :
       {"done", "failed", "retried", "delayed", "cancelled", "leased", "old", "next", "best"}) {
    enqueue(id);
  }
  enqueue("urgent", Priority::critical);
  const TaskLease done = assign("done");
  start(done);
  j.must(CompleteTask{next(), view_of(done)});
  for (int i = 0; i < 2; ++i) {
    const TaskLease failed = assign("failed");
    start(failed);
    j.must(FailTask{next(), view_of(failed)});
  }
  const TaskLease retried = assign("retried");
  start(retried);
  j.must(FailTask{next(), view_of(retried), Seconds{5}});
  now = {now.value + 5};
  const TaskLease cancelled = assign("cancelled");
  j.must(CancelTask{next(), view_of(cancelled)});
  j.must(CancelTask{next(),
                    QueuedTaskFenceView{.task_id = "old", .task_generation = {0}, .record_version = {1}}});
  const TaskLease leased = assign("leased");
  j.must(RenewLease{next(), view_of(leased), {900}});
  const TaskLease delayed = assign("delayed");
  start(delayed);
  j.must(FailTask{next(), view_of(delayed), Seconds{86'400}});
  j.must(DeregisterWorker{next(), "gone", {1}});
  j.must(ForgetWorker{next(), "gone", {2}});
  j.must(DeregisterWorker{next(), "left", {1}});
  j.must(ReactivateWorker{next(), {2}, {.worker_id = "left", .capacity = 3}});
  j.must(DeregisterWorker{next(), "left", {3}});
  now = {now.value + 56};
  j.must(UpdateWorker{next(), "w", {1}, {WorkerStatus::healthy, 1, 2, 3}});
  j.must(PruneDeadWorkers{next()});
  j.must(AssignNextAvailable{next(), {10}});
  j.must(AssignNext{next(), "w", {20}});
  now = {now.value + 15};
  j.must(RecoverExpiredLeases{next()});
  j.must(RetireTasks{next(), now, 1});
  j.must(ExpireOldTasks{next(), {80'000}});
  return j;
}

Journaled<ResultStore> every_result_command() {
  Journaled<ResultStore> j(ResultStore::create({}).value());
  for (const char* id : {"b", "a", "c"}) {
    const CompletionReceiptView receipt{.task_id = id,
                                        .task_generation = {1},
                                        .attempt = 2,
                                        .lease_id = {3},
                                        .worker_id = "w",
                                        .worker_generation = {4},
                                        .record_version = {5}};
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(300 * (id[0] - 'a')),
                                          static_cast<std::uint8_t>(id[0]));
    j.must(StoreResult{j.machine.revision(), receipt, bytes});
  }
  const std::vector<IdView> ids = {"c"};
  j.must(RemoveResults{j.machine.revision(), ids});
  return j;
}

}  // namespace leasegate::test
