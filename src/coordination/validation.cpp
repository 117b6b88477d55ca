#include "coordination/validation.hpp"

#include <algorithm>

#include "base/identifiers.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {
namespace {

std::unexpected<Error> refuse(InvalidTask reason) { return std::unexpected(errors::invalid_task(reason)); }
std::unexpected<Error> refuse(InvalidWorker reason) {
  return std::unexpected(errors::invalid_worker(reason));
}

Status check_spec_id(std::string_view id, InvalidTask empty, InvalidTask too_long, InvalidTask unsafe) {
  switch (identifier_fault(id, MAX_IDENTIFIER_BYTES)) {
    case IdentifierFault::none:
      return {};
    case IdentifierFault::empty:
      return refuse(empty);
    case IdentifierFault::too_long:
      return refuse(too_long);
    case IdentifierFault::unsafe:
      break;
  }
  return refuse(unsafe);
}

template <class Utilized>
Status check_utilization(const Utilized& worker) {
  if (std::max({worker.cpu_basis_points, worker.memory_basis_points, worker.network_basis_points}) >
      UTILIZATION_BASIS_POINTS) {
    return refuse(InvalidWorker::utilization_exceeds_maximum);
  }
  return {};
}

}  // namespace

Status check_task_id(IdView task_id) {
  if (identifier_fault(task_id, MAX_IDENTIFIER_BYTES) != IdentifierFault::none) {
    return refuse(InvalidTask::task_command_id_invalid);
  }
  return {};
}

Status check_worker_id(IdView worker_id) {
  if (identifier_fault(worker_id, MAX_IDENTIFIER_BYTES) != IdentifierFault::none) {
    return refuse(InvalidWorker::worker_command_id_invalid);
  }
  return {};
}

Status check_spec(const TaskSpecView& spec) {
  using enum InvalidTask;
  LEASEGATE_TRY(check_spec_id(spec.task_id, task_id_empty, task_id_too_long, task_id_unsafe));
  LEASEGATE_TRY(check_spec_id(spec.scan_id, scan_id_empty, scan_id_too_long, scan_id_unsafe));
  if (spec.target_ref.empty()) return refuse(target_ref_empty);
  if (spec.target_ref.size() > MAX_TARGET_REF_BYTES) return refuse(target_ref_too_long);
  if (spec.phases.size() > MAX_TASK_PHASES) return refuse(too_many_phases);
  return {};
}

Status check_spec(const WorkerSpecView& spec) {
  using enum InvalidWorker;
  if (identifier_fault(spec.worker_id, MAX_IDENTIFIER_BYTES) != IdentifierFault::none) {
    return refuse(worker_id_invalid);
  }
  if (spec.capacity == 0) return refuse(capacity_zero);
  if (spec.capacity > MAX_WORKER_CAPACITY) return refuse(capacity_exceeds_maximum);
  return check_utilization(spec);
}

Status check_observation(const WorkerObservation& observation) {
  if (observation.status == WorkerStatus::offline) {
    return refuse(InvalidWorker::offline_requires_deregister_or_prune);
  }
  return check_utilization(observation);
}

}  // namespace leasegate
