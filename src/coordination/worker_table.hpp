// Every worker that was registered and not forgotten, and the order of heartbeats among those that are not
// offline.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/intrusive_list.hpp"
#include "base/pool.hpp"
#include "coordination/records.hpp"
#include "coordination/worker_names.hpp"

namespace leasegate {

struct WorkerRecord {
  /** Its id, in WorkerNames; kNoSlot while the slot holds no worker. */
  std::uint32_t name = kNoSlot;
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

  [[nodiscard]] bool known() const { return name != kNoSlot; }
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
  [[nodiscard]] const Slab<WorkerRecord>& records() const { return records_.slab(); }
  [[nodiscard]] std::uint32_t size() const { return records_.size(); }
  [[nodiscard]] const IntrusiveList& by_heartbeat() const { return heartbeats_; }
  WorkerNames& names() { return names_; }
  [[nodiscard]] const WorkerNames& names() const { return names_; }
  [[nodiscard]] IdView id_of(std::uint32_t slot) const { return names_[records_[slot].name].id(); }

  /** kNoSlot when there is none. */
  [[nodiscard]] std::uint32_t find(std::string_view id) const;

  /** Takes a new worker in, in no list yet. False, with nothing changed, without memory. */
  [[nodiscard]] bool try_add(std::string_view id, std::uint32_t& slot);

  /** Lets go of a worker that is in no list. Its name stays while proofs name it. */
  void forget(std::uint32_t slot);

  void join_heartbeats(std::uint32_t slot) { Heartbeats::append(heartbeats_, records_.slab(), slot); }
  void leave_heartbeats(std::uint32_t slot) { Heartbeats::remove(heartbeats_, records_.slab(), slot); }

  [[nodiscard]] WorkerNodeView view(std::uint32_t slot) const;

 private:
  Pool<WorkerRecord> records_;
  WorkerNames names_;
  IntrusiveList heartbeats_;
};

}  // namespace leasegate
