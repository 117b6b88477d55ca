// What workers and the client ask of hosts, and what hosts answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "coordination/records.hpp"
#include "sim/disk.hpp"

namespace leasegate::sim {

enum class Ask : std::uint8_t {
  hello,
  heartbeat,
  work,
  start,
  complete,
  fail,
  renew,
  give_up,
  store,
  enqueue,
  cancel
};
inline constexpr std::array<std::string_view, 11> kAskNames = {"hello",    "heartbeat", "work",  "start",
                                                               "complete", "fail",      "renew", "give_up",
                                                               "store",    "enqueue",   "cancel"};
[[nodiscard]] constexpr std::string_view name_of(Ask ask) { return kAskNames[static_cast<std::size_t>(ask)]; }

/** A worker by its number; the client comes after the last of them. */
using Peer = std::uint32_t;

struct Request {
  Ask ask = Ask::hello;
  Peer from = 0;
  std::uint32_t to_host = 0;
  /** By which the sender knows the reply. */
  std::uint64_t number = 0;
  std::uint64_t sent_at = 0;
  std::string worker_id{};
  WorkerGeneration generation{};
  std::uint32_t capacity = 0;
  WorkerObservation observation{};
  TaskLease lease{};
  std::optional<Seconds> delay{};
  CompletionReceipt receipt{};
  Bytes result{};
  TaskSpec spec{};
  QueuedTaskFence fence{};
};

struct Reply {
  Peer to = 0;
  std::uint32_t from_host = 0;
  Ask ask = Ask::hello;
  /** 0: a lease that the host hands out of its own accord. */
  std::uint64_t number = 0;
  /** "accepted", "not_serving", "too_late" or the code of an error. */
  std::string outcome{};
  WorkerGeneration generation{};
  std::optional<TaskLease> lease{};
  std::optional<CompletionReceipt> receipt{};
};

using Message = std::variant<Request, Reply>;

}  // namespace leasegate::sim
