// Sequences of commands for the coordinator: core, model and a replica that is fed with the journal say the
// same of each. Four bytes or so make a command; small choices make it about something that exists.

#include <deque>
#include <limits>

#include "coordination/owned_records.hpp"
#include "fuzz/contracts.hpp"
#include "support/model.hpp"
#include "support/random_commands.hpp"

namespace leasegate::fuzz {
namespace {

DistributedLimits limits_of(Input& input) {
  DistributedLimits limits;
  limits.max_active_tasks = 1 + input.below(8);
  limits.max_queued_tasks = 1 + input.below(limits.max_active_tasks);
  limits.max_terminal_tasks = limits.max_active_tasks + input.below(6);
  limits.max_task_records = limits.max_terminal_tasks + input.below(6);
  limits.max_workers = 1 + input.below(4);
  limits.max_retries = input.below(3);
  limits.max_lease_ttl_secs = 20;
  limits.max_task_ttl_secs = 60;
  limits.heartbeat_timeout_secs = 10;
  return limits;
}

/** Commands out of bytes. Their texts live as long as this object. */
class Commands {
 public:
  Commands(Input& input, const test::Model& model) : input_(input), model_(model) {}

  test::AnyCommand next() {
    switch (input_.below(20)) {
      case 0:
        return RegisterWorker{fenced(), worker_spec()};
      case 1: {
        const WorkerSpecView spec = worker_spec();
        return ReactivateWorker{fenced(), {generation_of(spec.worker_id)}, spec};
      }
      case 2: {
        const IdView id = worker();
        return UpdateWorker{fenced(), id, {generation_of(id)}, observation()};
      }
      case 3: {
        const IdView id = worker();
        return DeregisterWorker{fenced(), id, {generation_of(id)}};
      }
      case 4:
        return PruneDeadWorkers{fenced()};
      case 5:
        return AssignTask{fenced(), task(), worker(), ttl()};
      case 6:
        return AssignNext{fenced(), worker(), ttl()};
      case 7:
      case 8:
        return AssignNextAvailable{fenced(), ttl()};
      case 9:
        return StartTask{fenced(), lease()};
      case 10:
        return CompleteTask{fenced(), lease()};
      case 11:
        return FailTask{fenced(), lease(), delay()};
      case 12:
        return CancelTask{fenced(), ownership()};
      case 13:
        return RecoverExpiredLeases{fenced()};
      case 14:
        return ExpireOldTasks{fenced(), {input_.below(70)}};
      case 15:
        return RenewLease{fenced(), lease(), ttl()};
      case 16:
        return RetireTasks{
            fenced(), {model_.time + 1 - std::min(model_.time + 1, input_.below(20))}, input_.below(5)};
      case 17: {
        const IdView id = worker();
        return ForgetWorker{fenced(), id, {generation_of(id)}};
      }
      default:
        return Enqueue{fenced(), task_spec()};
    }
  }

  void remember(const TaskLease& lease) { leases_.push_back(lease); }

 private:
  Fenced fenced() {
    const std::uint8_t how = input_.byte();
    std::uint64_t revision = model_.revision;
    if (how % 32 == 31) ++revision;
    std::uint64_t now = model_.time + (how / 32) * (how / 32) / 2;
    if (how == 30) now = model_.time - std::min<std::uint64_t>(model_.time, 1);
    if (how == 62) now = std::numeric_limits<std::uint64_t>::max() - 30;
    return {{revision}, {now}};
  }
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  IdView worker() {
    const std::uint64_t number = input_.below(6);
    return number == 5 ? keep(std::string(1, static_cast<char>(input_.byte())))
                       : keep("w" + std::to_string(number));
  }
  IdView task() {
    const std::uint64_t number = input_.below(14);
    return number == 13 ? keep(std::string(1, static_cast<char>(input_.byte())))
                        : keep("t" + std::to_string(number));
  }
  std::uint64_t generation_of(std::string_view id) {
    const auto found = model_.workers.find(std::string(id));
    const std::uint64_t known = found == model_.workers.end() ? 1 : found->second.generation.value;
    return input_.one_in(16) ? known + 1 : known;
  }
  WorkerSpecView worker_spec() {
    WorkerSpecView spec;
    spec.worker_id = worker();
    spec.capacity = static_cast<std::uint32_t>(input_.below(5));
    spec.cpu_basis_points = load();
    spec.tags.bits = static_cast<std::uint8_t>(input_.below(32));
    return spec;
  }
  std::uint32_t load() { return static_cast<std::uint32_t>(input_.below(6) * 2'500); }
  WorkerObservation observation() { return {static_cast<WorkerStatus>(input_.below(4)), load(), load(), 0}; }
  TaskSpecView task_spec() {
    TaskSpecView spec{.task_id = task(), .scan_id = "s", .target_ref = "r"};
    spec.priority = static_cast<Priority>(input_.below(4));
    return spec;
  }
  Seconds ttl() { return {input_.below(22)}; }
  std::optional<Seconds> delay() {
    const std::uint64_t seconds = input_.below(16);
    return seconds == 0 ? std::nullopt : std::optional(Seconds{seconds == 15 ? 61 : seconds});
  }
  TaskLeaseView lease() {
    const std::uint8_t which = input_.byte();
    if (leases_.empty()) leases_.push_back(kept_leases_.emplace_back());
    // The latest are the ones that matter.
    TaskLease chosen = leases_[leases_.size() - 1 - which % std::min<std::size_t>(leases_.size(), 8)];
    if (which >= 248) ++chosen.expires_at.value;
    if (which >= 240 && which < 248) ++chosen.lease_id.value;
    return test::view_of(kept_leases_.emplace_back(std::move(chosen)));
  }
  TaskOwnershipView ownership() {
    if (input_.one_in(2)) return lease();
    const IdView id = task();
    const auto found = model_.tasks.find(std::string(id));
    if (found == model_.tasks.end()) return QueuedTaskFenceView{id, {0}, {1}};
    return QueuedTaskFenceView{id, found->second.record.task_generation, found->second.record.record_version};
  }

  Input& input_;
  const test::Model& model_;
  std::deque<std::string> texts_;
  std::deque<TaskLease> leases_;
  std::deque<TaskLease> kept_leases_;
};

class Comparison {
 public:
  explicit Comparison(Input& input)
      : limits_(limits_of(input)),
        machine_(Coordinator::create(limits_).value()),
        replica_(Coordinator::create(limits_).value()),
        model_(limits_),
        commands_(input, model_) {
    tap_.attach(&buffer_);
  }

  void step() {
    const test::AnyCommand command = commands_.next();
    std::visit([&](const auto& c) { compare(c, command); }, command);
    const Status sound = machine_.check_invariants();
    require(sound.has_value(),
            [&] { return test::text_of(sound.error()) + " after " + test::text_of(command); });
    require(machine_.snapshot() == model_.snapshot(),
            [&] { return "counts differ after " + test::text_of(command); });
  }

  /** The whole state at the end, in every way that there is to it. */
  void finish() const {
    const Bytes snapshot = snapshot_of(machine_);
    require(snapshot_of(replica_) == snapshot, "the replica differs");
    require(snapshot_of(journal::import_coordinator(snapshot).value()) == snapshot, "the snapshot differs");
    for (const auto& [id, wanted] : model_.tasks) {
      const auto found = machine_.get_task(id);
      ScanTask task;
      if (found && *found) assign(task, **found);
      require(task == wanted.record,
              [&] { return test::text_of(task) + " is " + test::text_of(wanted.record); });
    }
    for (const auto& [id, wanted] : model_.workers) {
      const auto found = machine_.get_worker(id);
      WorkerNode worker;
      if (found && *found) assign(worker, **found);
      require(worker == wanted, [&] { return test::text_of(worker) + " is " + test::text_of(wanted); });
    }
  }

 private:
  template <class Command>
  void compare(const Command& c, const test::AnyCommand& command) {
    const auto actual = tap_.apply(machine_, c);
    auto answer = own(actual, c);
    const auto expected = model_.apply(c);
    const std::string said = actual ? "accepted" : test::text_of(actual.error());
    require(said == (expected ? "accepted" : expected.error()), [&] {
      return test::text_of(command) + ": the core says " + said + ", the model " +
             (expected ? "accepted" : expected.error());
    });
    if (!expected) return;
    require(answer.revision == expected->revision && answer.value == expected->value,
            [&] { return test::text_of(command) + ": other answers"; });
    if constexpr (requires { answer.value.expires_at; }) commands_.remember(answer.value);
    const auto report = journal::apply_records(replica_, buffer_.bytes());
    require(!report.error, [&] { return test::text_of(command) + ": the replica refuses its record"; });
    buffer_.clear();
  }

  template <class Applied, class Command>
  auto own(const Applied& applied, const Command& c) {
    typename decltype(model_.apply(c))::value_type answer{};
    if (!applied) return answer;
    answer.revision = applied->revision;
    assign(answer.value, applied->value);
    return answer;
  }

  DistributedLimits limits_;
  Coordinator machine_;
  Coordinator replica_;
  test::Model model_;
  Commands commands_;
  journal::JournalBuffer buffer_{1 << 20};
  journal::JournalTap tap_;
};

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return leasegate::fuzz::step_through<leasegate::fuzz::Comparison>(data, size);
}
