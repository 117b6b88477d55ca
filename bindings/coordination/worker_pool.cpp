// WorkerPool and TaskQueue for JavaScript: one class, one method that takes the number of a command or read.
// Arguments and answers are in the frame. There are no threads here, so the coordinator is held without a
// lock.

#include <emscripten/bind.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "bindings/base/reply.hpp"
#include "bindings/coordination/wire.gen.hpp"
#include "bindings/journal/journaled.hpp"
#include "coordination/coordinator.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate::bindings {

void read(FrameReader& in, TaskOwnershipView& value) {
  OwnershipKind kind{};
  in.enumeration(kind);
  if (kind == OwnershipKind::lease) {
    read(in, value.emplace<TaskLeaseView>());
  } else {
    read(in, value.emplace<QueuedTaskFenceView>());
  }
}

namespace {

DistributedLimits read_limits() {
  FrameReader in;
  DistributedLimits limits;
  in.u64(limits.max_task_records);
  in.u64(limits.max_active_tasks);
  in.u64(limits.max_queued_tasks);
  in.u64(limits.max_terminal_tasks);
  in.u64(limits.max_workers);
  in.u64(limits.max_retries);
  in.u64(limits.max_lease_ttl_secs);
  in.u64(limits.max_task_ttl_secs);
  in.u64(limits.heartbeat_timeout_secs);
  return limits;
}

IdView read_id() {
  FrameReader in;
  IdView id;
  in.text(id);
  return id;
}

}  // namespace

class WorkerPoolBinding {
 public:
  explicit WorkerPoolBinding(Coordinator&& coordinator) : journaled_(std::move(coordinator)) {}

  /** Limits in the frame. Null when they are refused: the frame then holds the error. */
  static std::unique_ptr<WorkerPoolBinding> create() {
    return bind<WorkerPoolBinding>(Coordinator::create(read_limits()));
  }
  static std::unique_ptr<WorkerPoolBinding> begin_replay() {
    return bindings::begin_replay<WorkerPoolBinding, Coordinator, DistributedLimits>();
  }
  static std::unique_ptr<WorkerPoolBinding> from_snapshot() {
    return bindings::from_snapshot<WorkerPoolBinding>(journal::import_coordinator);
  }

  ReplyStatus journal(std::uint32_t op) { return journaled_.run(static_cast<JournalOp>(op)); }

  ReplyStatus run(std::uint32_t op) {
    using enum CoordinationOp;
    switch (static_cast<CoordinationOp>(op)) {
      case register_worker:
        return command<RegisterWorker>();
      case reactivate_worker:
        return command<ReactivateWorker>();
      case update_worker:
        return command<UpdateWorker>();
      case deregister_worker:
        return command<DeregisterWorker>();
      case prune_dead_workers:
        return command<PruneDeadWorkers>();
      case enqueue:
        return command<Enqueue>();
      case assign_task:
        return command<AssignTask>();
      case assign_next:
        return command<AssignNext>();
      case assign_next_available:
        return command<AssignNextAvailable>();
      case start_task:
        return command<StartTask>();
      case complete_task:
        return command<CompleteTask>();
      case fail_task:
        return command<FailTask>();
      case cancel_task:
        return command<CancelTask>();
      case recover_expired_leases:
        return command<RecoverExpiredLeases>();
      case expire_old_tasks:
        return command<ExpireOldTasks>();
      case renew_lease:
        return command<RenewLease>();
      case retire_tasks:
        return command<RetireTasks>();
      case forget_worker:
        return command<ForgetWorker>();
      default:
        return query(static_cast<CoordinationOp>(op));
    }
  }

 private:
  template <class Command>
  ReplyStatus command() {
    FrameReader in;
    Command value;
    read(in, value);
    if constexpr (requires { value.lease; }) {
      if (value.lease.task_id.place != kNoSlot && !coordinator().recall(value.lease)) return kNotRecalled;
    }
    return reply(journaled_.apply(value));
  }

  ReplyStatus query(CoordinationOp op) {
    using enum CoordinationOp;
    switch (op) {
      case peek_next:
        return reply_value(coordinator().peek_next());
      case get_task:
        return reply(coordinator().get_task(read_id()));
      case get_worker:
        return reply(coordinator().get_worker(read_id()));
      case get_available_worker: {
        FrameReader in;
        LogicalTime now;
        in.u64(now);
        return reply(coordinator().get_available_worker(now));
      }
      case snapshot:
        return reply_value(coordinator().snapshot());
      case revision: {
        FrameWriter out;
        out.u64(coordinator().revision());
        return 0;
      }
      case check_invariants:
        return reply(coordinator().check_invariants());
      case list_tasks:
        return begin_list(coordinator().list_tasks(listed_));
      case list_workers:
        return begin_list(coordinator().list_workers(listed_));
      case next_task:
        return reply_value(coordinator().task_at(next_listed()));
      case next_worker:
        return reply_value(coordinator().worker_at(next_listed()));
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

  [[nodiscard]] const Coordinator& coordinator() const { return journaled_.machine(); }

  /** JavaScript is told how many records there are and takes them one by one, with no command in between. */
  ReplyStatus begin_list(const Status& status) {
    if (!status) return reply_error(status.error());
    next_ = 0;
    return reply_value(static_cast<std::uint32_t>(listed_.size()));
  }

  std::uint32_t next_listed() {
    const std::uint32_t slot = listed_[next_++];
    if (next_ == listed_.size()) listed_ = Array<std::uint32_t>{};
    return slot;
  }

  Journaled<Coordinator> journaled_;
  Array<std::uint32_t> listed_;
  std::size_t next_ = 0;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_coordination) {
  using leasegate::bindings::WorkerPoolBinding;
  emscripten::class_<WorkerPoolBinding>("WorkerPool")
      .class_function("create", &WorkerPoolBinding::create)
      .class_function("beginReplay", &WorkerPoolBinding::begin_replay)
      .class_function("fromSnapshot", &WorkerPoolBinding::from_snapshot)
      .function("journal", &WorkerPoolBinding::journal)
      .function("run", &WorkerPoolBinding::run);
}
