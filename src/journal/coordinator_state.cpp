
#include "base/sort_slots.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/validation.hpp"
#include "journal/errors.gen.hpp"
#include "journal/limits_codec.hpp"
#include "journal/state.hpp"

namespace leasegate::journal {
namespace {

std::unexpected<Error> no_memory() { return std::unexpected(errors::out_of_memory()); }

// --- Out

void write_worker(const WorkerTable& workers, std::uint32_t slot, ByteWriter& out) {
  const WorkerRecord& worker = workers[slot];
  out.text(workers.id_of(slot), MAX_IDENTIFIER_BYTES);
  out.integer(worker.generation);
  out.name(worker.status);
  out.integer(worker.capacity);
  out.integer(worker.cpu_basis_points);
  out.integer(worker.memory_basis_points);
  out.integer(worker.network_basis_points);
  out.integer(std::uint64_t{worker.tags.bits});
  out.integer(worker.completed_tasks);
  out.integer(worker.last_heartbeat);
}

/** What tasks of every status have. The generation is the number of retries. */
void write_task(const TaskRecord& task, ByteWriter& out) {
  out.text(task.task_id(), MAX_IDENTIFIER_BYTES);
  out.text(task.scan_id(), MAX_IDENTIFIER_BYTES);
  out.text(task.target_ref(), MAX_TARGET_REF_BYTES);
  out.bytes(task.phases(), MAX_TASK_PHASES);
  out.name(task.priority);
  out.integer(task.created_at);
  out.integer(task.retry_count);
  out.integer(task.attempt);
  out.integer(task.version);
  out.name(task.status);
}

void write_lease(const TaskRecord& task, ByteWriter& out) {
  out.integer(task.lease_id);
  out.integer(task.acquired_at);
  out.integer(task.expires_at);
}

/** In the order of their age; their ordinals and lease ids are the other orders. `number`: by worker slot. */
void write_active(const TaskTable& tasks, const Array<std::uint32_t>& number, ByteWriter& out) {
  out.integer(std::uint64_t{tasks.active()});
  for (std::uint32_t slot = tasks.by_age().first; slot != kNoSlot;
       slot = TaskTable::Age::next(tasks.records(), slot)) {
    const TaskRecord& task = tasks[slot];
    write_task(task, out);
    if (task.status == TaskStatus::queued) {
      out.integer(task.ordinal);
      out.optional(task.waiting ? std::optional(task.not_before) : std::nullopt);
      continue;
    }
    out.integer(std::uint64_t{number[task.worker]});
    write_lease(task, out);
    if (task.started) out.integer(task.started_at);
  }
}

/** In the order in which they ended. */
void write_terminal(const TaskTable& tasks, const WorkerNames& names, ByteWriter& out) {
  out.integer(std::uint64_t{tasks.terminal()});
  for (std::uint32_t slot = tasks.by_end().first; slot != kNoSlot;
       slot = TaskTable::Queue::next(tasks.records(), slot)) {
    const TaskRecord& task = tasks[slot];
    write_task(task, out);
    out.integer(task.completed_at);
    out.optional(task.started ? std::optional(task.started_at) : std::nullopt);
    out.name(task.proof);
    if (!names_worker(task.proof)) continue;
    out.text(names[task.worker_name].id(), MAX_IDENTIFIER_BYTES);
    out.integer(task.worker_generation);
    write_lease(task, out);
  }
}

}  // namespace

Status CoordinatorState::write(const Coordinator& c, ByteWriter& out) {
  Array<std::uint32_t> offline;
  Array<std::uint32_t> number;
  const std::uint32_t slots = c.workers_.records().size();
  if (!offline.try_reserve(slots) || !number.try_reserve(slots)) return no_memory();
  number.assign(slots, 0);
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (c.workers_[slot].known() && c.workers_[slot].offline()) offline.push_back(slot);
  }
  sort_slots(offline,
             [&](std::uint32_t a, std::uint32_t b) { return c.workers_.id_of(a) < c.workers_.id_of(b); });

  journal::write(out, c.limits_);
  out.integer(c.revision_);
  out.integer(c.logical_time_);
  out.integer(c.last_lease_id_);
  out.integer(c.last_ordinal_);

  // Workers in the order of their heartbeats, then those that are offline by id.
  out.integer(std::uint64_t{c.workers_.size()});
  std::uint32_t next = 0;
  for (std::uint32_t slot = c.workers_.by_heartbeat().first; slot != kNoSlot;
       slot = WorkerTable::Heartbeats::next(c.workers_.records(), slot)) {
    number[slot] = next++;
    write_worker(c.workers_, slot, out);
  }
  for (const std::uint32_t slot : offline) write_worker(c.workers_, slot, out);

  write_active(c.tasks_, number, out);
  write_terminal(c.tasks_, c.workers_.names(), out);
  return {};
}

// --- In

namespace {

/** A worker as it stands in the bytes. */
struct WorkerFields {
  WorkerSpecView spec;
  WorkerGeneration generation;
  WorkerStatus status = WorkerStatus::healthy;
  std::uint64_t completed_tasks = 0;
  LogicalTime last_heartbeat;
};

void read_worker(ByteReader& in, WorkerFields& worker) {
  in.text(worker.spec.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(worker.generation);
  in.name(worker.status, kWorkerStatusNames.size());
  in.integer(worker.spec.capacity);
  in.integer(worker.spec.cpu_basis_points);
  in.integer(worker.spec.memory_basis_points);
  in.integer(worker.spec.network_basis_points);
  in.set(worker.spec.tags, kWorkerTagNames.size());
  in.integer(worker.completed_tasks);
  in.integer(worker.last_heartbeat);
}

/** What tasks of every status have. */
struct TaskFields {
  TaskSpecView spec;
  LogicalTime created_at;
  std::uint32_t retry_count = 0;
  std::uint32_t attempt = 0;
  RecordVersion version;
  TaskStatus status = TaskStatus::queued;
};

void read_task(ByteReader& in, TaskFields& task) {
  in.text(task.spec.task_id, MAX_IDENTIFIER_BYTES);
  in.text(task.spec.scan_id, MAX_IDENTIFIER_BYTES);
  in.text(task.spec.target_ref, MAX_TARGET_REF_BYTES);
  in.bytes(task.spec.phases, MAX_TASK_PHASES);
  in.name(task.spec.priority, kPriorityNames.size());
  in.integer(task.created_at);
  in.integer(task.retry_count);
  in.integer(task.attempt);
  in.integer(task.version);
  in.name(task.status, kTaskStatusNames.size());
}

bool is_active(TaskStatus status) {
  return status == TaskStatus::queued || status == TaskStatus::leased || status == TaskStatus::running;
}

bool proof_fits(TaskStatus status, Proof proof) {
  switch (status) {
    case TaskStatus::completed:
      return proof == Proof::completion;
    case TaskStatus::failed:
      return proof == Proof::failure || proof == Proof::none;
    case TaskStatus::cancelled:
      return proof == Proof::cancelled_fence || proof == Proof::cancelled_lease;
    default:
      return proof == Proof::none;
  }
}

}  // namespace

/** Fills a coordinator that nobody has seen: whatever is wrong with the bytes, it is dropped as a whole. */
class CoordinatorState::Import {
 public:
  Import(ByteReader& in, Coordinator& c) : in_(in), c_(c) {}

  Status run() {
    in_.integer(c_.revision_);
    in_.integer(c_.logical_time_);
    in_.integer(c_.last_lease_id_);
    in_.integer(c_.last_ordinal_);
    LEASEGATE_TRY(workers());
    LEASEGATE_TRY(each(&Import::active_task));
    LEASEGATE_TRY(each(&Import::terminal_task));
    LEASEGATE_TRY(in_.finish());
    LEASEGATE_TRY(join_queues());
    LEASEGATE_TRY(join_workers());
    LEASEGATE_TRY(distinct_leases());
    const Status consistent = c_.check_invariants();
    if (!consistent) return invalid(SnapshotFault::invariant);
    return {};
  }

 private:
  [[nodiscard]] std::unexpected<Error> invalid(SnapshotFault fault) const {
    return std::unexpected(errors::journal_snapshot_invalid(fault, in_.offset()));
  }

  /** As many times as the count that comes first says; the bytes end before a count that lies does harm. */
  Status each(Status (Import::*step)()) {
    std::uint64_t count = 0;
    in_.integer(count);
    for (std::uint64_t i = 0; i < count && !in_.failed(); ++i) LEASEGATE_TRY((this->*step)());
    return in_.failed() ? in_.finish() : Status{};
  }

  Status workers() { return each(&Import::worker); }

  Status worker() {
    WorkerFields fields;
    read_worker(in_, fields);
    if (in_.failed()) return in_.finish();
    const bool offline = fields.status == WorkerStatus::offline;
    if (!check_spec(fields.spec) || fields.generation.value == 0 ||
        fields.last_heartbeat > c_.logical_time_ || c_.workers_.find(fields.spec.worker_id) != kNoSlot) {
      return invalid(SnapshotFault::worker);
    }
    if (c_.workers_.size() >= c_.limits_.max_workers) return invalid(SnapshotFault::bounds);
    const std::uint32_t before = c_.workers_.size();
    if (before > 0) {
      const WorkerRecord& last = c_.workers_[before - 1];
      const bool in_order = offline ? !last.offline() || c_.workers_.id_of(before - 1) < fields.spec.worker_id
                                    : !last.offline() && last.last_heartbeat <= fields.last_heartbeat;
      if (!in_order) return invalid(SnapshotFault::worker_order);
    }
    std::uint32_t slot = kNoSlot;
    if (!c_.ranking_.try_reserve(c_.workers_, before + 1) ||
        !c_.workers_.try_add(fields.spec.worker_id, slot)) {
      return no_memory();
    }
    WorkerRecord& record = c_.workers_[slot];
    record.generation = fields.generation;
    record.status = fields.status;
    record.tags = fields.spec.tags;
    record.capacity = fields.spec.capacity;
    record.cpu_basis_points = fields.spec.cpu_basis_points;
    record.memory_basis_points = fields.spec.memory_basis_points;
    record.network_basis_points = fields.spec.network_basis_points;
    record.completed_tasks = fields.completed_tasks;
    record.last_heartbeat = fields.last_heartbeat;
    if (offline) return {};
    c_.workers_.join_heartbeats(slot);
    c_.observe(slot, fields.last_heartbeat);
    return {};
  }

  /** A task of any status, active for now and in no queue. */
  Status task(std::uint32_t& slot) {
    TaskFields fields;
    read_task(in_, fields);
    if (in_.failed()) return in_.finish();
    if (!check_spec(fields.spec) || fields.created_at > c_.logical_time_ || fields.version.value == 0 ||
        fields.retry_count > c_.limits_.max_retries || fields.retry_count > fields.attempt ||
        c_.tasks_.find(fields.spec.task_id) != kNoSlot) {
      return invalid(SnapshotFault::task);
    }
    if (c_.tasks_.size() >= c_.limits_.max_task_records) return invalid(SnapshotFault::bounds);
    if (!slots_.try_reserve(std::size_t{c_.tasks_.size()} + 1)) return no_memory();
    if (!c_.tasks_.try_add(fields.spec, fields.created_at, slot)) return no_memory();
    slots_.push_back(slot);
    TaskRecord& record = c_.tasks_[slot];
    record.status = fields.status;
    record.retry_count = fields.retry_count;
    record.generation = {fields.retry_count};
    record.attempt = fields.attempt;
    record.version = fields.version;
    return {};
  }

  Status lease(TaskRecord& record) {
    in_.integer(record.lease_id);
    in_.integer(record.acquired_at);
    in_.integer(record.expires_at);
    if (in_.failed()) return in_.finish();
    if (record.lease_id.value == 0 || record.lease_id > c_.last_lease_id_ || record.attempt == 0 ||
        record.acquired_at > c_.logical_time_ || record.acquired_at < record.created_at ||
        record.expires_at <= record.acquired_at) {
      return invalid(SnapshotFault::lease);
    }
    return {};
  }

  Status active_task() {
    std::uint32_t slot = kNoSlot;
    LEASEGATE_TRY(task(slot));
    TaskRecord& record = c_.tasks_[slot];
    if (!is_active(record.status)) return invalid(SnapshotFault::task);
    if (record.status == TaskStatus::queued) {
      std::optional<LogicalTime> not_before;
      in_.integer(record.ordinal);
      in_.optional(not_before);
      if (in_.failed()) return in_.finish();
      record.waiting = not_before.has_value();
      record.not_before = not_before.value_or(LogicalTime{});
      // Who waits was given back once, until a time that is still to come.
      const bool waits_rightly = record.retry_count > 0 && record.not_before > c_.logical_time_;
      return record.attempts_fit() && (!record.waiting || waits_rightly) ? Status{}
                                                                         : invalid(SnapshotFault::task);
    }
    std::uint64_t number = 0;
    in_.integer(number);
    if (in_.failed()) return in_.finish();
    // Workers were taken in in their order: the number is the slot.
    if (number >= c_.workers_.size()) return invalid(SnapshotFault::lease);
    record.worker = static_cast<std::uint32_t>(number);
    const WorkerRecord& worker = c_.workers_[record.worker];
    if (worker.offline()) return invalid(SnapshotFault::lease);
    record.worker_name = worker.name;
    record.worker_generation = worker.generation;
    LEASEGATE_TRY(lease(record));
    record.started = record.status == TaskStatus::running;
    if (record.started) in_.integer(record.started_at);
    if (in_.failed()) return in_.finish();
    return started_fits(record, c_.logical_time_) && record.attempts_fit() && record.times_fit()
               ? Status{}
               : invalid(SnapshotFault::task);
  }

  /** A start lies between the making of the task and `end`. */
  static bool started_fits(const TaskRecord& record, LogicalTime end) {
    return !record.started ||
           (record.attempt > 0 && record.started_at >= record.created_at && record.started_at <= end);
  }

  Status terminal_task() {
    std::uint32_t slot = kNoSlot;
    LEASEGATE_TRY(task(slot));
    TaskRecord& record = c_.tasks_[slot];
    std::optional<LogicalTime> started_at;
    in_.integer(record.completed_at);
    in_.optional(started_at);
    in_.name(record.proof, static_cast<std::size_t>(Proof::cancelled_lease) + 1);
    if (in_.failed()) return in_.finish();
    record.ended = true;
    record.started = started_at.has_value();
    record.started_at = started_at.value_or(LogicalTime{});
    if (is_active(record.status) || !proof_fits(record.status, record.proof) ||
        record.completed_at < record.created_at || record.completed_at > c_.logical_time_ ||
        !started_fits(record, record.completed_at) ||
        (record.status == TaskStatus::completed && !record.started)) {
      return invalid(SnapshotFault::task);
    }
    if (names_worker(record.proof)) LEASEGATE_TRY(proof(record));
    if (!record.attempts_fit() || !record.times_fit()) return invalid(SnapshotFault::task);
    c_.tasks_.leave_active(slot);
    c_.tasks_.join_terminal(slot);
    return {};
  }

  Status proof(TaskRecord& record) {
    IdView worker_id;
    in_.text(worker_id, MAX_IDENTIFIER_BYTES);
    in_.integer(record.worker_generation);
    if (in_.failed()) return in_.finish();
    if (!check_worker_id(worker_id) || record.worker_generation.value == 0)
      return invalid(SnapshotFault::lease);
    LEASEGATE_TRY(lease(record));
    if (!c_.workers_.names().try_intern(worker_id, record.worker_name)) return no_memory();
    c_.workers_.names().add_proof(record.worker_name);
    return {};
  }

  template <class Key>
  void sort_by(Key&& key) {
    sort_slots(slots_, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  }

  /** Queued tasks by their ordinals, which no two share. */
  Status join_queues() {
    const auto ordinal = [this](std::uint32_t slot) {
      return c_.tasks_[slot].status == TaskStatus::queued ? c_.tasks_[slot].ordinal : EnqueueOrdinal{};
    };
    sort_by(ordinal);
    EnqueueOrdinal last;
    for (const std::uint32_t slot : slots_) {
      const TaskRecord& record = c_.tasks_[slot];
      if (record.status != TaskStatus::queued) continue;
      if (record.ordinal <= last) return invalid(SnapshotFault::task_order);
      last = record.ordinal;
      if (!record.waiting) {
        c_.tasks_.push_queue(slot, record.ordinal);
        continue;
      }
      if (!c_.tasks_.try_reserve_waiting(record.priority)) return no_memory();
      c_.tasks_.push_waiting(slot, {record.not_before, record.ordinal});
    }
    return {};
  }

  /** Leases by their ids, to their workers. */
  Status join_workers() {
    sort_by([this](std::uint32_t slot) { return c_.tasks_[slot].lease_id; });
    for (const std::uint32_t slot : slots_) {
      const TaskRecord& record = c_.tasks_[slot];
      if (!record.leased()) continue;
      if (!c_.deadlines_.try_reserve_one()) return no_memory();
      WorkerRecord& worker = c_.workers_[record.worker];
      if (worker.leases.count >= worker.capacity) return invalid(SnapshotFault::lease);
      TaskTable::Queue::append(worker.leases, c_.tasks_.records(), slot);
      c_.deadlines_.add(c_.tasks_, slot);
      c_.ranking_.refresh(c_.workers_, record.worker);
    }
    return {};
  }

  /** No two tasks were ever given the same lease. The slots stand in the order of their lease ids. */
  [[nodiscard]] Status distinct_leases() const {
    LeaseId last;
    for (const std::uint32_t slot : slots_) {
      const LeaseId id = c_.tasks_[slot].lease_id;
      if (id.value == 0) continue;
      if (id == last) return invalid(SnapshotFault::lease);
      last = id;
    }
    return {};
  }

  ByteReader& in_;
  Coordinator& c_;
  /** The tasks, in whatever order the step at hand needs. */
  Array<std::uint32_t> slots_;
};

Result<Coordinator> CoordinatorState::read(ByteReader& in) {
  DistributedLimits limits;
  journal::read(in, limits);
  if (in.failed()) return std::unexpected(in.finish().error());
  auto made = Coordinator::create(limits);
  if (!made) return std::unexpected(errors::journal_snapshot_invalid(SnapshotFault::limits, in.offset()));
  LEASEGATE_TRY(Import(in, *made).run());
  return made;
}

}  // namespace leasegate::journal
