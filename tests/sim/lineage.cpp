#include "sim/lineage.hpp"

#include <algorithm>

#include "coordination/owned_records.hpp"
#include "support/records.hpp"

namespace leasegate::sim {
namespace {

template <class Record>
std::string differ(const Record& machine, const Record& model) {
  return "the machine has " + test::text_of(machine) + ", the model " + test::text_of(model);
}

/** One by one, both in the order of their ids. */
template <class Record, class Views, class Expected, class ToRecord>
std::string differ_in(const Views& slots, const Expected& expected, ToRecord to_record) {
  if (slots.size() != expected.size()) {
    return std::to_string(slots.size()) + " records instead of " + std::to_string(expected.size());
  }
  auto entry = expected.begin();
  for (const std::uint32_t slot : slots) {
    Record record;
    const Record& wanted = to_record(record, slot, entry->second);
    if (!(record == wanted)) return differ(record, wanted);
    ++entry;
  }
  return {};
}

}  // namespace

test::Answer<Transition<std::uint32_t>> ResultLineage::apply(const RemoveResults& command) {
  if (command.expected_revision.value != model.revision) return std::unexpected("revision_conflict");
  std::set<std::string> wanted(command.task_ids.begin(), command.task_ids.end());
  if (wanted.size() != command.task_ids.size()) return std::unexpected("duplicate_aggregate_task");
  for (const std::string& task : wanted) {
    if (!model.results.contains(task)) return std::unexpected("missing_result");
  }
  for (const std::string& task : wanted) model.results.erase(task);
  return Transition<std::uint32_t>{{++model.revision}, static_cast<std::uint32_t>(wanted.size())};
}

std::string difference(const Coordinator& machine, const TaskLineage& lineage) {
  if (machine.snapshot() != lineage.model.snapshot()) {
    return differ(machine.snapshot(), lineage.model.snapshot());
  }
  Array<std::uint32_t> slots;
  if (!machine.list_tasks(slots)) return "no memory for the list of tasks";
  std::string found = differ_in<ScanTask>(
      slots, lineage.model.tasks,
      [&](ScanTask& record, std::uint32_t slot, const test::Model::Task& wanted) -> const ScanTask& {
        assign(record, machine.task_at(slot));
        return wanted.record;
      });
  if (!found.empty() || !machine.list_workers(slots)) return found;
  return differ_in<WorkerNode>(
      slots, lineage.model.workers,
      [&](WorkerNode& record, std::uint32_t slot, const WorkerNode& wanted) -> const WorkerNode& {
        assign(record, machine.worker_at(slot));
        return wanted;
      });
}

std::string difference(const ResultStore& machine, const ResultLineage& lineage) {
  const test::ResultModel& model = lineage.model;
  if (machine.result_count() != model.results.size() || machine.total_bytes() != model.total_bytes()) {
    return std::to_string(machine.result_count()) + " results of " + std::to_string(machine.total_bytes()) +
           " bytes instead of " + std::to_string(model.results.size()) + " of " +
           std::to_string(model.total_bytes());
  }
  for (const auto& [task, stored] : model.results) {
    const auto found = machine.get_result(task);
    if (!found || !*found ||
        !std::equal((*found)->bytes.begin(), (*found)->bytes.end(), stored.bytes.begin(),
                    stored.bytes.end())) {
      return "the result of " + task + " is not what was stored";
    }
  }
  return {};
}

}  // namespace leasegate::sim
