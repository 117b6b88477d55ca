// One line of accepted commands as the judges see it: the plain model of the contract, and the ledger of its
// promises. Made from commands alone, and copied freely.
#pragma once

#include "coordination/coordinator.hpp"
#include "results/result_store.hpp"
#include "sim/ledger.hpp"

namespace leasegate::sim {

class TaskLineage {
 public:
  using Limits = DistributedLimits;
  explicit TaskLineage(const DistributedLimits& limits) : model(limits) {}

  template <class Command>
  auto apply(const Command& command) {
    const std::uint64_t before = model.revision;
    auto answer = model.apply(command);
    if (answer && model.revision != before) {
      ledger.observe(command, answer->value, model);
    } else if constexpr (std::is_same_v<Command, CompleteTask>) {
      if (answer) ledger.observe_repeated(command);
    }
    return answer;
  }
  [[nodiscard]] std::uint64_t revision() const { return model.revision; }

  test::Model model;
  TaskLedger ledger;
};

class ResultLineage {
 public:
  using Limits = ResultLimits;
  explicit ResultLineage(const ResultLimits& limits) : model(limits) {}

  auto apply(const StoreResult& command) {
    auto answer = model.apply(command);
    if (answer) ledger.stored(std::string(command.receipt.task_id));
    return answer;
  }
  /** The model leaves removal to its reader. */
  test::Answer<Transition<std::uint32_t>> apply(const RemoveResults& command);
  [[nodiscard]] std::uint64_t revision() const { return model.revision; }

  test::ResultModel model;
  ResultLedger ledger;
};

/** What differs between the machine's state and the model's; empty when nothing does. */
[[nodiscard]] std::string difference(const Coordinator& machine, const TaskLineage& lineage);
[[nodiscard]] std::string difference(const ResultStore& machine, const ResultLineage& lineage);

}  // namespace leasegate::sim
