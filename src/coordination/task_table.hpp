// Every task ever enqueued, the queue and the order of age. Knows nothing of workers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/id_index.hpp"
#include "base/intrusive_list.hpp"
#include "base/text_block.hpp"
#include "coordination/records.hpp"

namespace leasegate {

/** What a terminal task keeps, to recognise a command that is sent again. */
enum class Proof : std::uint8_t { none, completion, failure, cancelled_fence, cancelled_lease };

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
  std::uint32_t retry_count = 0;
  std::uint32_t attempt = 0;
  LogicalTime created_at;
  LogicalTime started_at;
  LogicalTime completed_at;
  TaskGeneration generation;
  RecordVersion version;
  EnqueueOrdinal ordinal;

  // The lease, current or last; its generation and attempt are the task's.
  std::uint32_t worker = kNoSlot;
  std::uint32_t deadline_position = kNoSlot;
  WorkerGeneration worker_generation;
  LeaseId lease_id;
  LogicalTime acquired_at;
  LogicalTime expires_at;

  /** In the queue of its priority while queued, in its worker's leases while leased or running. */
  Links place;
  /** Among the active tasks, oldest first. */
  Links age;

  [[nodiscard]] IdView task_id(std::uint32_t slot) const { return {text.view(0, task_id_size), slot}; }
  [[nodiscard]] std::string_view task_id() const { return text.view(0, task_id_size); }
  [[nodiscard]] std::string_view scan_id() const { return text.view(task_id_size, scan_id_size); }
  [[nodiscard]] std::string_view target_ref() const {
    return text.view(std::size_t{task_id_size} + scan_id_size, target_ref_size);
  }
  [[nodiscard]] std::span<const std::uint8_t> phases() const;

  [[nodiscard]] bool leased() const { return status == TaskStatus::leased || status == TaskStatus::running; }
  [[nodiscard]] bool active() const { return status == TaskStatus::queued || leased(); }
};

class TaskTable {
 public:
  using Queue = ListOf<&TaskRecord::place>;
  using Age = ListOf<&TaskRecord::age>;

  TaskRecord& operator[](std::uint32_t slot) { return records_[slot]; }
  const TaskRecord& operator[](std::uint32_t slot) const { return records_[slot]; }
  Slab<TaskRecord>& records() { return records_; }
  [[nodiscard]] const Slab<TaskRecord>& records() const { return records_; }

  [[nodiscard]] std::uint32_t size() const { return records_.size(); }
  [[nodiscard]] std::uint32_t active() const { return age_.count; }
  [[nodiscard]] std::uint32_t terminal() const { return size() - active(); }
  [[nodiscard]] std::uint32_t queued() const;
  [[nodiscard]] const IntrusiveList& by_age() const { return age_; }
  [[nodiscard]] const IntrusiveList& queue(Priority priority) const {
    return queues_[static_cast<std::size_t>(priority)];
  }
  [[nodiscard]] const IdIndex& index() const { return index_; }

  /** kNoSlot when there is none. */
  [[nodiscard]] std::uint32_t find(std::string_view id) const;
  /** The task to be assigned next: highest priority, then longest in the queue. kNoSlot when none is queued.
   */
  [[nodiscard]] std::uint32_t next() const;

  /** Takes a new task in, queued. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_add(const TaskSpecView& spec, LogicalTime now, EnqueueOrdinal ordinal,
                             std::uint32_t& slot);

  /** To the back of the queue of its priority. */
  void push_queue(std::uint32_t slot, EnqueueOrdinal ordinal);
  void leave_queue(std::uint32_t slot);
  void leave_active(std::uint32_t slot) { Age::remove(age_, records_, slot); }

 private:
  IntrusiveList& queue_of(std::uint32_t slot) {
    return queues_[static_cast<std::size_t>(records_[slot].priority)];
  }

  Slab<TaskRecord> records_;
  IdIndex index_;
  std::array<IntrusiveList, kPriorityNames.size()> queues_;
  IntrusiveList age_;
};

}  // namespace leasegate
