#include "support/records.hpp"

#include <tuple>
#include <type_traits>

namespace leasegate {
namespace {

auto parts(const ScanTask& t) {
  return std::tie(t.task_id, t.scan_id, t.target_ref, t.phases, t.status, t.priority, t.created_at,
                  t.started_at, t.completed_at, t.retry_count, t.attempt, t.task_generation, t.record_version,
                  t.assigned_to, t.lease, t.not_before);
}
auto parts(const WorkerNode& w) {
  return std::tie(w.worker_id, w.generation, w.status, w.capacity, w.current_tasks, w.completed_tasks,
                  w.last_heartbeat, w.cpu_basis_points, w.memory_basis_points, w.network_basis_points,
                  w.tags);
}
auto parts(const StartOutcome& o) { return std::tie(o.kind, o.record_version); }
auto parts(const CompletionOutcome& o) { return std::tie(o.kind, o.receipt); }
auto parts(const FailureOutcome& o) {
  return std::tie(o.kind, o.task_generation, o.retry_count, o.record_version);
}
auto parts(const CancellationOutcome& o) { return std::tie(o.kind, o.record_version); }
auto parts(const StoreOutcome& o) { return std::tie(o.kind); }
auto parts(const TaskResult& r) { return std::tie(r.task_id, r.bytes); }

}  // namespace

bool operator==(const ScanTask& a, const ScanTask& b) { return parts(a) == parts(b); }
bool operator==(const WorkerNode& a, const WorkerNode& b) { return parts(a) == parts(b); }
bool operator==(const StartOutcome& a, const StartOutcome& b) { return parts(a) == parts(b); }
bool operator==(const CompletionOutcome& a, const CompletionOutcome& b) { return parts(a) == parts(b); }
bool operator==(const FailureOutcome& a, const FailureOutcome& b) { return parts(a) == parts(b); }
bool operator==(const CancellationOutcome& a, const CancellationOutcome& b) { return parts(a) == parts(b); }
bool operator==(const StoreOutcome& a, const StoreOutcome& b) { return parts(a) == parts(b); }
bool operator==(const TaskResult& a, const TaskResult& b) { return parts(a) == parts(b); }

}  // namespace leasegate

namespace leasegate::test {
namespace {

/** Writes `kind{name: value, ...}`. */
class Writer {
 public:
  explicit Writer(std::string_view kind) : text_(kind) {}

  template <class T>
  Writer& add(std::string_view name, const T& value) {
    text_ += separator_;
    separator_ = ", ";
    text_ += name;
    text_ += ": ";
    append(value);
    return *this;
  }
  [[nodiscard]] std::string done() const { return separator_ == "{" ? text_ : text_ + "}"; }

 private:
  void append(const std::string& value) { text_ += value; }
  void append(std::string_view value) { text_ += value; }
  void append(const std::vector<std::uint8_t>& bytes) {
    text_ += '[';
    for (const std::uint8_t byte : bytes) text_ += std::to_string(byte) + ' ';
    text_ += ']';
  }
  template <class T>
  void append(const std::optional<T>& value) {
    if (value) {
      append(*value);
    } else {
      text_ += "none";
    }
  }
  template <class T>
  void append(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      text_ += name_of(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      text_ += std::to_string(value);
    } else {
      text_ += text_of(value);
    }
  }

  std::string text_;
  std::string_view separator_ = "{";
};

std::string tag_list(WorkerTags tags) {
  std::string text;
  for (std::size_t i = 0; i < kWorkerTagNames.size(); ++i) {
    if (tags.has(static_cast<WorkerTag>(i))) (text += kWorkerTagNames[i]) += ' ';
  }
  return text;
}

}  // namespace

std::string text_of(const TaskLease& l) {
  return Writer("lease")
      .add("task_id", l.task_id)
      .add("worker_id", l.worker_id)
      .add("worker_generation", l.worker_generation)
      .add("task_generation", l.task_generation)
      .add("attempt", l.attempt)
      .add("lease_id", l.lease_id)
      .add("acquired_at", l.acquired_at)
      .add("expires_at", l.expires_at)
      .done();
}

std::string text_of(const QueuedTaskFence& f) {
  return Writer("fence")
      .add("task_id", f.task_id)
      .add("task_generation", f.task_generation)
      .add("record_version", f.record_version)
      .done();
}

std::string text_of(const CompletionReceipt& r) {
  return Writer("receipt")
      .add("task_id", r.task_id)
      .add("task_generation", r.task_generation)
      .add("attempt", r.attempt)
      .add("lease_id", r.lease_id)
      .add("worker_id", r.worker_id)
      .add("worker_generation", r.worker_generation)
      .add("record_version", r.record_version)
      .done();
}

std::string text_of(const ScanTask& t) {
  return Writer("task")
      .add("task_id", t.task_id)
      .add("scan_id", t.scan_id)
      .add("target_ref", t.target_ref)
      .add("phases", t.phases)
      .add("status", t.status)
      .add("priority", t.priority)
      .add("created_at", t.created_at)
      .add("started_at", t.started_at)
      .add("completed_at", t.completed_at)
      .add("retry_count", t.retry_count)
      .add("attempt", t.attempt)
      .add("task_generation", t.task_generation)
      .add("record_version", t.record_version)
      .add("assigned_to", t.assigned_to)
      .add("not_before", t.not_before)
      .add("lease", t.lease)
      .done();
}

std::string text_of(const WorkerNode& w) {
  return Writer("worker")
      .add("worker_id", w.worker_id)
      .add("generation", w.generation)
      .add("status", w.status)
      .add("capacity", w.capacity)
      .add("current_tasks", w.current_tasks)
      .add("completed_tasks", w.completed_tasks)
      .add("last_heartbeat", w.last_heartbeat)
      .add("cpu_basis_points", w.cpu_basis_points)
      .add("memory_basis_points", w.memory_basis_points)
      .add("network_basis_points", w.network_basis_points)
      .add("tags", tag_list(w.tags))
      .done();
}

std::string text_of(const StateSnapshot& s) {
  return Writer("snapshot")
      .add("revision", s.revision)
      .add("logical_time", s.logical_time)
      .add("task_records", s.task_records)
      .add("active_tasks", s.active_tasks)
      .add("queued_tasks", s.queued_tasks)
      .add("terminal_tasks", s.terminal_tasks)
      .add("workers", s.workers)
      .done();
}

std::string text_of(const RecoverySummary& s) {
  return Writer("summary")
      .add("workers_affected", s.workers_affected)
      .add("tasks_requeued", s.tasks_requeued)
      .add("tasks_failed", s.tasks_failed)
      .done();
}

std::string text_of(const StartOutcome& o) {
  return Writer(name_of(o.kind)).add("record_version", o.record_version).done();
}

std::string text_of(const CompletionOutcome& o) {
  return Writer(name_of(o.kind)).add("receipt", o.receipt).done();
}

std::string text_of(const FailureOutcome& o) {
  return Writer(name_of(o.kind))
      .add("task_generation", o.task_generation)
      .add("retry_count", o.retry_count)
      .add("record_version", o.record_version)
      .done();
}

std::string text_of(const CancellationOutcome& o) {
  return Writer(name_of(o.kind)).add("record_version", o.record_version).done();
}

std::string text_of(const StoreOutcome& o) { return std::string(name_of(o.kind)); }

std::string text_of(const TaskResult& r) {
  return Writer("result").add("task_id", r.task_id).add("bytes", r.bytes).done();
}

std::string text_of(const Error& error) {
  const ErrorShape& shape = shape_of(error.code);
  Writer writer(shape.code);
  for (std::size_t i = 0; i < shape.field_count; ++i) {
    const ErrorField& field = shape.fields[i];
    switch (field.kind) {
      case ErrorField::Kind::number:
        writer.add(field.name, error.numbers[field.index]);
        break;
      case ErrorField::Kind::word:
        writer.add(field.name, error.words[field.index]);
        break;
      case ErrorField::Kind::subject:
        writer.add(field.name, error.subject.view());
        break;
    }
  }
  return writer.done();
}

TaskLeaseView view_of(const TaskLease& l) {
  return {l.task_id, l.worker_id, l.worker_generation, l.task_generation,
          l.attempt, l.lease_id,  l.acquired_at,       l.expires_at};
}

QueuedTaskFenceView view_of(const QueuedTaskFence& f) {
  return {f.task_id, f.task_generation, f.record_version};
}

CompletionReceiptView view_of(const CompletionReceipt& r) {
  return {r.task_id,   r.task_generation,   r.attempt,       r.lease_id,
          r.worker_id, r.worker_generation, r.record_version};
}

TaskOwnershipView view_of(const TaskOwnership& ownership) {
  return std::visit([](const auto& token) -> TaskOwnershipView { return view_of(token); }, ownership);
}

TaskSpecView view_of(const TaskSpec& s) { return {s.task_id, s.scan_id, s.target_ref, s.phases, s.priority}; }

WorkerSpecView view_of(const WorkerSpec& s) {
  return {s.worker_id, s.capacity, s.cpu_basis_points, s.memory_basis_points, s.network_basis_points, s.tags};
}

QueuedTaskFence fence_of(const ScanTask& task) {
  return {task.task_id, task.task_generation, task.record_version};
}

}  // namespace leasegate::test
