// Every worker ever registered, and the order of heartbeats among those that are not offline.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/id_index.hpp"
#include "base/intrusive_list.hpp"
#include "base/text_block.hpp"
#include "coordination/records.hpp"

namespace leasegate {

struct WorkerRecord {
  TextBlock text;
  WorkerGeneration generation;
  WorkerStatus status = WorkerStatus::healthy;
  WorkerTags tags;
  std::uint32_t capacity = 0;
  std::uint32_t cpu_basis_points = 0;
  std::uint32_t memory_basis_points = 0;
  std::uint32_t network_basis_points = 0;
  std::uint64_t completed_tasks = 0;
  LogicalTime last_heartbeat;

  /** Kept from the last change of status, capacity or utilization: ranking reads it often. */
  std::uint32_t effective_capacity = 0;
  /** Where WorkerRanking holds it; kNoSlot while offline. */
  std::uint32_t rank_position = kNoSlot;
  /** The last sweep (by the revision it made) that counted this worker. */
  Revision counted_by;

  /** Tasks through TaskRecord::place, in lease order. Its count is `current_tasks`. */
  IntrusiveList leases;
  /** Among the workers that are not offline, oldest heartbeat first. */
  Links heartbeat;

  [[nodiscard]] std::string_view id() const { return text.view(0, text.size()); }
  [[nodiscard]] bool offline() const { return status == WorkerStatus::offline; }
  [[nodiscard]] std::uint32_t available_slots() const {
    return effective_capacity > leases.count ? effective_capacity - leases.count : 0;
  }
};

class WorkerTable {
 public:
  using Heartbeats = ListOf<&WorkerRecord::heartbeat>;

  WorkerRecord& operator[](std::uint32_t slot) { return records_[slot]; }
  const WorkerRecord& operator[](std::uint32_t slot) const { return records_[slot]; }
  [[nodiscard]] const Slab<WorkerRecord>& records() const { return records_; }
  [[nodiscard]] std::uint32_t size() const { return records_.size(); }
  [[nodiscard]] const IntrusiveList& by_heartbeat() const { return heartbeats_; }
  [[nodiscard]] const IdIndex& index() const { return index_; }

  /** kNoSlot when there is none. */
  [[nodiscard]] std::uint32_t find(std::string_view id) const;

  /** Takes a new worker in, at the end of the heartbeat order. False, with nothing changed, without memory.
   */
  [[nodiscard]] bool try_add(std::string_view id, std::uint32_t& slot);

  void join_heartbeats(std::uint32_t slot) { Heartbeats::append(heartbeats_, records_, slot); }
  void leave_heartbeats(std::uint32_t slot) { Heartbeats::remove(heartbeats_, records_, slot); }

  [[nodiscard]] WorkerNodeView view(std::uint32_t slot) const;

 private:
  Slab<WorkerRecord> records_;
  IdIndex index_;
  IntrusiveList heartbeats_;
};

}  // namespace leasegate
