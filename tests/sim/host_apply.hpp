// How a host's commands reach its machines. Apart from host.hpp, because it is a template that only hosts
// use.
#pragma once

#include <algorithm>

#include "sim/host.hpp"
#include "support/random_commands.hpp"

namespace leasegate::sim {

inline std::string line_of(const StoreResult& c) {
  return "store_result " + std::string(c.receipt.task_id) + ", " + std::to_string(c.bytes.size()) + " bytes";
}
inline std::string line_of(const RemoveResults& c) {
  return "remove_results, " + std::to_string(c.task_ids.size());
}
template <class Command>
std::string line_of(const Command& command) {
  return test::text_of(test::AnyCommand(command));
}

inline std::string_view name_of(journal::CommandKind kind) {
  using enum journal::CommandKind;
  switch (kind) {
    case register_worker:
      return "register_worker";
    case reactivate_worker:
      return "reactivate_worker";
    case update_worker:
      return "update_worker";
    case deregister_worker:
      return "deregister_worker";
    case prune_dead_workers:
      return "prune_dead_workers";
    case enqueue:
      return "enqueue";
    case assign_task:
      return "assign_task";
    case assign_next:
      return "assign_next";
    case assign_next_available:
      return "assign_next_available";
    case start_task:
      return "start_task";
    case complete_task:
      return "complete_task";
    case fail_task:
      return "fail_task";
    case cancel_task:
      return "cancel_task";
    case recover_expired_leases:
      return "recover_expired_leases";
    case expire_old_tasks:
      return "expire_old_tasks";
    case renew_lease:
      return "renew_lease";
    case retire_tasks:
      return "retire_tasks";
    case forget_worker:
      return "forget_worker";
    case store_result:
      return "store_result";
    case remove_results:
      return "remove_results";
  }
  return "";
}

template <class Command>
auto Host::apply(const Command& command) {
  constexpr bool kOfTasks = std::is_base_of_v<Fenced, Command>;
  auto& watched = [this]() -> auto& {
    if constexpr (kOfTasks) {
      return *tasks_;
    } else {
      return *results_;
    }
  }();
  watched.buffer.room = s_.storage.room();
  auto answer = watched.apply(command);
  if (s_.plant == Plant::missing_record && std::is_same_v<Command, CancelTask> && !watched.buffer.empty() &&
      answer && answer->revision == watched.machine.revision()) {
    watched.buffer.forget_last();
  }
  if (answer) {
    s_.count(name_of(journal::kind_of(command)));
  } else {
    s_.count(name_of(answer.error().code));
  }
  s_.trace.note([&] {
    return "host " + std::to_string(number_) + ": " + line_of(command) + " -> " +
           (answer ? "revision " + std::to_string(answer->revision.value) : test::text_of(answer.error()));
  });
  return answer;
}

}  // namespace leasegate::sim
