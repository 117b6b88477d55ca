// Each allocation of each step of the journal fails once: out_of_memory, and nothing has changed.

#include "journal/journals.hpp"
#include "support/failing_allocator.hpp"

namespace leasegate::test {
namespace {

/** Runs `step` with each of its allocations failing in turn, then without; `untouched` after every failure.
 */
template <class Step, class Untouched>
int fail_each_allocation(Step&& step, Untouched&& untouched) {
  for (int nth = 1;; ++nth) {
    std::string answer;
    bool failed = false;
    {
      const FailingAllocation failing(nth);
      auto result = step();
      failed = failing.failed();
      answer = result ? "accepted" : std::string(name_of(result.error().code));
    }
    INFO("allocation " << nth);
    REQUIRE(answer == (failed ? "out_of_memory" : "accepted"));
    if (!failed) return nth - 1;
    untouched();
  }
}

TEST_CASE("Exports, imports and digests survive the failure of any of their allocations") {
  const Coordinator machine = std::move(every_command().machine);
  const Bytes snapshot = snapshot_of(machine);
  CHECK(fail_each_allocation([&] { return journal::state_digest(machine); }, [] {}) >= 1);
  CHECK(fail_each_allocation([&] { return journal::import_coordinator(snapshot); }, [] {}) > 20);
  Array<std::uint8_t> out;
  CHECK(fail_each_allocation([&] { return journal::export_snapshot(machine, out); },
                             [&] { CHECK(out.empty()); }) > 2);
  CHECK(bytes_of(out) == snapshot);
  const ResultStore store = std::move(every_result_command().machine);
  const Bytes results = snapshot_of(store);
  CHECK(fail_each_allocation([&] { return journal::import_results(results); }, [] {}) > 3);
  CHECK(fail_each_allocation([&] { return journal::state_digest(store); }, [] {}) >= 1);
}

TEST_CASE("A command that is recorded survives the failure of any of its allocations") {
  Coordinator machine = Coordinator::create({}).value();
  journal::JournalBuffer buffer(1'000'000);
  journal::JournalTap tap;
  tap.attach(&buffer);
  const std::string target(500, 'r');
  const Enqueue command{{{0}, {1}}, {.task_id = "t", .scan_id = "s", .target_ref = target}};
  CHECK(fail_each_allocation([&] { return tap.apply(machine, command); },
                             [&] {
                               CHECK(machine.revision().value == 0);
                               CHECK(buffer.bytes().empty());
                             }) >= 5);
  CHECK(buffer.last().value == 1);
}

TEST_CASE("A replay that runs out of memory says at which record") {
  const Journaled<Coordinator> source = every_command();
  const Bytes journal = source.journal();
  int stopped = 0;
  for (int nth = 1;; ++nth) {
    bool failed = false;
    std::optional<Error> error;
    std::uint64_t applied = 0;
    {
      const FailingAllocation failing(nth);
      const auto replayed = journal::replay_coordinator(journal);
      failed = failing.failed();
      REQUIRE(replayed);
      error = replayed->report.error;
      applied = replayed->report.applied;
    }
    if (!failed) break;
    ++stopped;
    REQUIRE(error);
    REQUIRE(error->code == ErrorCode::out_of_memory);
    REQUIRE(applied < source.list->records.size());
  }
  CHECK(stopped > 20);
}

}  // namespace
}  // namespace leasegate::test
