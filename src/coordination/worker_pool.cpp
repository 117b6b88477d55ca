#include "coordination/worker_pool.hpp"

#include <mutex>

#include "base/memory.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/owned_records.hpp"
#include "journal/tap.hpp"

namespace leasegate {

struct detail::SharedCoordinator {
  explicit SharedCoordinator(Coordinator&& made) : coordinator(std::move(made)) {}

  std::mutex mutex;
  Coordinator coordinator;
  std::shared_ptr<journal::JournalSink> sink;
  journal::JournalTap tap;
};

namespace {

using detail::SharedCoordinator;

std::unexpected<Error> no_memory() { return std::unexpected(errors::out_of_memory()); }

/** Applies `command` and answers with texts of its own; the memory for them is set aside first. */
template <class Answer, class Command>
Result<Transition<Answer>> apply(SharedCoordinator& shared, const Command& command) {
  Transition<Answer> answer{};
  if (!allocates([&] { reserve(answer.value); })) return no_memory();
  const std::lock_guard lock(shared.mutex);
  auto applied = shared.tap.apply(shared.coordinator, command);
  if (!applied) return std::unexpected(applied.error());
  answer.revision = applied->revision;
  assign(answer.value, applied->value);
  return answer;
}

template <class Answer, class View>
Result<std::optional<Answer>> copy_of(const std::optional<View>& view) {
  std::optional<Answer> answer;
  if (view && !allocates([&] { assign(answer.emplace(), *view); })) return no_memory();
  return answer;
}

template <class Answer, class View>
Result<std::optional<Answer>> copy_of(const Result<std::optional<View>>& view) {
  if (!view) return std::unexpected(view.error());
  return copy_of<Answer>(*view);
}

/** All records in `slots`, through `view_at`. */
template <class Answer, class ViewAt>
Result<std::vector<Answer>> copies_of(const Array<std::uint32_t>& slots, ViewAt&& view_at) {
  std::vector<Answer> answers;
  const bool enough = allocates([&] {
    answers.reserve(slots.size());
    for (const std::uint32_t slot : slots) assign(answers.emplace_back(), view_at(slot));
  });
  if (!enough) return no_memory();
  return answers;
}

Result<std::shared_ptr<SharedCoordinator>> share(Result<Coordinator>&& made) {
  if (!made) return std::unexpected(made.error());
  std::shared_ptr<SharedCoordinator> shared;
  if (!allocates([&] { shared = std::make_shared<SharedCoordinator>(std::move(*made)); })) return no_memory();
  return shared;
}

}  // namespace

Result<WorkerPool> WorkerPool::create(const DistributedLimits& limits) {
  auto shared = share(Coordinator::create(limits));
  if (!shared) return std::unexpected(shared.error());
  return WorkerPool(std::move(*shared));
}

Result<WorkerPool> WorkerPool::from_snapshot(std::span<const std::uint8_t> snapshot) {
  auto shared = share(journal::import_coordinator(snapshot));
  if (!shared) return std::unexpected(shared.error());
  return WorkerPool(std::move(*shared));
}

Result<std::pair<WorkerPool, journal::BatchReport>> WorkerPool::replay(
    std::span<const std::uint8_t> bytes, const journal::ReplayOptions& options,
    std::span<const std::uint8_t> snapshot) {
  auto replayed = journal::replay_coordinator(bytes, options, snapshot);
  if (!replayed) return std::unexpected(replayed.error());
  auto shared = share(std::move(replayed->machine));
  if (!shared) return std::unexpected(shared.error());
  return std::pair(WorkerPool(std::move(*shared)), replayed->report);
}

TaskQueue WorkerPool::task_queue() const { return TaskQueue(shared_); }

Result<Transition<WorkerNode>> WorkerPool::register_worker(const RegisterWorker& command) {
  return apply<WorkerNode>(*shared_, command);
}
Result<Transition<WorkerNode>> WorkerPool::reactivate_worker(const ReactivateWorker& command) {
  return apply<WorkerNode>(*shared_, command);
}
Result<Transition<WorkerNode>> WorkerPool::update_worker(const UpdateWorker& command) {
  return apply<WorkerNode>(*shared_, command);
}
Result<Transition<RecoverySummary>> WorkerPool::deregister_worker(const DeregisterWorker& command) {
  return apply<RecoverySummary>(*shared_, command);
}
Result<Transition<RecoverySummary>> WorkerPool::prune_dead_workers(const PruneDeadWorkers& command) {
  return apply<RecoverySummary>(*shared_, command);
}
Result<Transition<TaskLease>> WorkerPool::assign_task(const AssignTask& command) {
  return apply<TaskLease>(*shared_, command);
}
Result<Transition<TaskLease>> WorkerPool::assign_next(const AssignNext& command) {
  return apply<TaskLease>(*shared_, command);
}
Result<Transition<TaskLease>> WorkerPool::assign_next_available(const AssignNextAvailable& command) {
  return apply<TaskLease>(*shared_, command);
}
Result<Transition<StartOutcome>> WorkerPool::start_task(const StartTask& command) {
  return apply<StartOutcome>(*shared_, command);
}
Result<Transition<CompletionOutcome>> WorkerPool::complete_task(const CompleteTask& command) {
  return apply<CompletionOutcome>(*shared_, command);
}
Result<Transition<FailureOutcome>> WorkerPool::fail_task(const FailTask& command) {
  return apply<FailureOutcome>(*shared_, command);
}
Result<Transition<CancellationOutcome>> WorkerPool::cancel_task(const CancelTask& command) {
  return apply<CancellationOutcome>(*shared_, command);
}
Result<Transition<RecoverySummary>> WorkerPool::recover_expired_leases(const RecoverExpiredLeases& command) {
  return apply<RecoverySummary>(*shared_, command);
}
Result<Transition<std::uint32_t>> WorkerPool::expire_old_tasks(const ExpireOldTasks& command) {
  return apply<std::uint32_t>(*shared_, command);
}
Result<Transition<TaskLease>> WorkerPool::renew_lease(const RenewLease& command) {
  return apply<TaskLease>(*shared_, command);
}
Result<Transition<std::uint32_t>> WorkerPool::retire_tasks(const RetireTasks& command) {
  return apply<std::uint32_t>(*shared_, command);
}
Result<Transition<std::uint32_t>> WorkerPool::forget_worker(const ForgetWorker& command) {
  return apply<std::uint32_t>(*shared_, command);
}

Result<std::optional<WorkerNode>> WorkerPool::get_available_worker(LogicalTime now) const {
  const std::lock_guard lock(shared_->mutex);
  return copy_of<WorkerNode>(shared_->coordinator.get_available_worker(now));
}

Result<std::optional<WorkerNode>> WorkerPool::get_worker(std::string_view worker_id) const {
  const std::lock_guard lock(shared_->mutex);
  return copy_of<WorkerNode>(shared_->coordinator.get_worker(worker_id));
}

Result<std::vector<WorkerNode>> WorkerPool::get_workers() const {
  const std::lock_guard lock(shared_->mutex);
  Array<std::uint32_t> slots;
  LEASEGATE_TRY(shared_->coordinator.list_workers(slots));
  return copies_of<WorkerNode>(slots,
                               [&](std::uint32_t slot) { return shared_->coordinator.worker_at(slot); });
}

StateSnapshot WorkerPool::snapshot() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->coordinator.snapshot();
}

Revision WorkerPool::revision() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->coordinator.revision();
}

Status WorkerPool::check_invariants() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->coordinator.check_invariants();
}

void WorkerPool::attach_journal(std::shared_ptr<journal::JournalSink> sink) {
  const std::lock_guard lock(shared_->mutex);
  shared_->tap.attach(sink.get());
  std::swap(shared_->sink, sink);
}

Status WorkerPool::journal_header(Array<std::uint8_t>& out) const {
  const std::lock_guard lock(shared_->mutex);
  return journal::write_header(out, shared_->coordinator);
}

journal::BatchReport WorkerPool::apply_batch(std::span<const std::uint8_t> records) {
  const std::lock_guard lock(shared_->mutex);
  return journal::apply_records(shared_->coordinator, records, {}, &shared_->tap);
}

Result<journal::Digest> WorkerPool::state_digest() const {
  const std::lock_guard lock(shared_->mutex);
  return journal::state_digest(shared_->coordinator);
}

Status WorkerPool::export_snapshot(Array<std::uint8_t>& out) const {
  const std::lock_guard lock(shared_->mutex);
  return journal::export_snapshot(shared_->coordinator, out);
}

Result<TaskQueue> TaskQueue::create(const DistributedLimits& limits) {
  auto shared = share(Coordinator::create(limits));
  if (!shared) return std::unexpected(shared.error());
  return TaskQueue(std::move(*shared));
}

Result<Transition<ScanTask>> TaskQueue::enqueue(const Enqueue& command) {
  return apply<ScanTask>(*shared_, command);
}

Result<std::optional<ScanTask>> TaskQueue::peek_next() const {
  const std::lock_guard lock(shared_->mutex);
  return copy_of<ScanTask>(shared_->coordinator.peek_next());
}

Result<std::optional<ScanTask>> TaskQueue::get_task(std::string_view task_id) const {
  const std::lock_guard lock(shared_->mutex);
  return copy_of<ScanTask>(shared_->coordinator.get_task(task_id));
}

Result<std::vector<ScanTask>> TaskQueue::tasks() const {
  const std::lock_guard lock(shared_->mutex);
  Array<std::uint32_t> slots;
  LEASEGATE_TRY(shared_->coordinator.list_tasks(slots));
  return copies_of<ScanTask>(slots, [&](std::uint32_t slot) { return shared_->coordinator.task_at(slot); });
}

StateSnapshot TaskQueue::snapshot() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->coordinator.snapshot();
}

}  // namespace leasegate
