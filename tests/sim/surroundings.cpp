#include "sim/surroundings.hpp"

namespace leasegate::sim {

void Promises::check(const TaskLineage& lineage) const {
  for (const auto& [task, lease] : completed) {
    require(lineage.ledger.completed_under(task) == lease, "acknowledged_lost", [&] {
      return "a worker was told that it completed " + task + " under lease " + std::to_string(lease);
    });
  }
  for (const std::string& task : enqueued) {
    require(lineage.ledger.was_enqueued(task), "acknowledged_lost",
            [&] { return "the client was told that " + task + " was enqueued"; });
  }
}

void Promises::check(const ResultLineage& lineage) const {
  for (const std::string& task : stored) {
    require(lineage.ledger.was_stored(task), "acknowledged_lost",
            [&] { return "a worker was told that the result of " + task + " was stored"; });
  }
}

}  // namespace leasegate::sim
