// Every task that was enqueued and not retired, the queue, and the orders of age and of ending. Knows nothing
// of workers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/id_index.hpp"
#include "base/intrusive_list.hpp"
#include "base/pool.hpp"
#include "base/text_block.hpp"
#include "coordination/records.hpp"
#include "coordination/task_heap.hpp"

namespace leasegate {

/** What a terminal task keeps, to recognise a command that is sent again. */
enum class Proof : std::uint8_t { none, completion, failure, cancelled_fence, cancelled_lease };

/** Whether a proof is the last lease, and so names its worker. */
[[nodiscard]] constexpr bool names_worker(Proof proof) {
  return proof != Proof::none && proof != Proof::cancelled_fence;
}

struct TaskRecord {
  TextBlock text;
  std::uint16_t task_id_size = 0;
  std::uint16_t scan_id_size = 0;
  std::uint16_t target_ref_size = 0;
  std::uint16_t phases_size = 0;

  TaskStatus status = TaskStatus::queued;
  Priority priority = Priority::normal;
  Proof proof = Proof::none;
  bool started = false;
  bool ended = false;
  /** Queued, but not to be assigned before `not_before`. */
  bool waiting = false;
  /** By which a binding may remember the id. */
  std::uint32_t key = kNoTextKey;
  std::uint32_t retry_count = 0;
  std::uint32_t attempt = 0;
  LogicalTime created_at;
  LogicalTime started_at;
  LogicalTime completed_at;
  LogicalTime not_before;
  TaskGeneration generation;
  RecordVersion version;
  EnqueueOrdinal ordinal;

  // The lease, current or last; its generation and attempt are the task's.
  /** While leased. */
  std::uint32_t worker = kNoSlot;
  /** While leased, and for as long as a proof names it. */
  std::uint32_t worker_name = kNoSlot;
  WorkerGeneration worker_generation;
  LeaseId lease_id;
  LogicalTime acquired_at;
  LogicalTime expires_at;

  /** Among the deadlines while leased, among the waiting of its priority while it waits. */
  std::uint32_t deadline_position = kNoSlot;
  /**
   * In the queue of its priority while queued and not waiting, in its worker's leases while leased or
   * running, among the terminal tasks from then on.
   */
  Links place;
  /** Among the active tasks, oldest first. */
  Links age;

  /**
   * Whether the numbers of hand-outs and requeues fit the status: every hand-out ended in a requeue, but for
   * the one that holds the task or has ended it.
   */
  [[nodiscard]] bool attempts_fit() const;
  /** Whether its start and end lie within the lease that they were made under. */
  [[nodiscard]] bool times_fit() const;

  /** Whether the slot holds a task. */
  [[nodiscard]] bool known() const { return task_id_size > 0; }
  [[nodiscard]] IdView task_id() const { return {text.view(0, task_id_size), key}; }
  [[nodiscard]] std::string_view scan_id() const { return text.view(task_id_size, scan_id_size); }
  [[nodiscard]] std::string_view target_ref() const {
    return text.view(std::size_t{task_id_size} + scan_id_size, target_ref_size);
  }
  [[nodiscard]] std::span<const std::uint8_t> phases() const;

  [[nodiscard]] bool leased() const { return status == TaskStatus::leased || status == TaskStatus::running; }
  [[nodiscard]] bool active() const { return status == TaskStatus::queued || leased(); }
};

/** The order in which waiting tasks join the queue of their priority. */
struct Due {
  LogicalTime not_before;
  EnqueueOrdinal ordinal;

  friend constexpr auto operator<=>(const Due&, const Due&) = default;
};

class TaskTable {
 public:
  using Queue = ListOf<&TaskRecord::place>;
  using Age = ListOf<&TaskRecord::age>;
  using Waiting = TaskHeap<Due, TaskRecord>;

  TaskRecord& operator[](std::uint32_t slot) { return records_[slot]; }
  const TaskRecord& operator[](std::uint32_t slot) const { return records_[slot]; }
  Slab<TaskRecord>& records() { return records_.slab(); }
  [[nodiscard]] const Slab<TaskRecord>& records() const { return records_.slab(); }

  [[nodiscard]] std::uint32_t size() const { return records_.size(); }
  [[nodiscard]] std::uint32_t active() const { return age_.count; }
  [[nodiscard]] std::uint32_t terminal() const { return ended_.count; }
  /** Waiting tasks included. */
  [[nodiscard]] std::uint32_t queued() const;
  [[nodiscard]] std::uint32_t waiting() const { return waiting_count_; }
  [[nodiscard]] const IntrusiveList& by_age() const { return age_; }
  /** The terminal tasks, in the order in which they became so. */
  [[nodiscard]] const IntrusiveList& by_end() const { return ended_; }
  [[nodiscard]] const IntrusiveList& queue(Priority priority) const {
    return queues_[static_cast<std::size_t>(priority)];
  }
  [[nodiscard]] const Waiting& waiting(Priority priority) const {
    return waiting_[static_cast<std::size_t>(priority)];
  }
  [[nodiscard]] const IdIndex& index() const { return index_; }

  /** The id of a known task, with its place. */
  [[nodiscard]] IdView id_of(std::uint32_t slot) const {
    IdView id = records_[slot].task_id();
    id.place = slot;
    return id;
  }
  /** kNoSlot when there is none. */
  [[nodiscard]] std::uint32_t find(IdView id) const {
    // The table's own text needs no search.
    if (id.place < records().size()) {
      const std::string_view known = records_[id.place].task_id();
      if (known.data() == id.data() && known.size() == id.size() && !id.empty()) return id.place;
    }
    return find(id, hash_of(id));
  }
  /** For who asks by one hash more than once. */
  [[nodiscard]] std::uint32_t find(std::string_view id, std::uint32_t hash) const {
    return index_.find_hashed(hash, [&](std::uint32_t slot) { return records_[slot].task_id() == id; });
  }
  /**
   * The task to be assigned next at `now`: highest priority, then longest in the queue, waiting tasks that
   * are due after all others. kNoSlot when none is queued and due.
   */
  [[nodiscard]] std::uint32_t next(LogicalTime now) const;

  /** Takes a new task in, in no queue yet. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_add(const TaskSpecView& spec, LogicalTime now, std::uint32_t& slot) {
    return try_add(spec, hash_of(spec.task_id), now, slot);
  }
  [[nodiscard]] bool try_add(const TaskSpecView& spec, std::uint32_t hash, LogicalTime now,
                             std::uint32_t& slot);

  /** To the back of the queue of its priority. */
  void push_queue(std::uint32_t slot, EnqueueOrdinal ordinal);
  void leave_queue(std::uint32_t slot);
  void leave_active(std::uint32_t slot) { Age::remove(age_, records(), slot); }
  void join_terminal(std::uint32_t slot) { Queue::append(ended_, records(), slot); }

  /** Room for one more waiting task of this priority. False, with nothing changed, when there is no memory.
   */
  [[nodiscard]] bool try_reserve_waiting(Priority priority) {
    return waiting_[static_cast<std::size_t>(priority)].try_reserve_one();
  }
  /** Queued, but waiting until then; the room must have been reserved. */
  void push_waiting(std::uint32_t slot, Due due);
  /** Every task that is due at `now` joins the back of its queue, each with the ordinal after `last`. */
  void release_due(LogicalTime now, EnqueueOrdinal& last);

  /** Forgets a terminal task. */
  void retire(std::uint32_t slot);

 private:
  IntrusiveList& queue_of(std::uint32_t slot) {
    return queues_[static_cast<std::size_t>(records_[slot].priority)];
  }

  Waiting& waiting_of(std::uint32_t slot) {
    return waiting_[static_cast<std::size_t>(records_[slot].priority)];
  }

  Pool<TaskRecord> records_;
  IdIndex index_;
  TextKeys keys_;
  std::array<IntrusiveList, kPriorityNames.size()> queues_;
  std::array<Waiting, kPriorityNames.size()> waiting_;
  std::uint32_t waiting_count_ = 0;
  IntrusiveList age_;
  IntrusiveList ended_;
};

}  // namespace leasegate
