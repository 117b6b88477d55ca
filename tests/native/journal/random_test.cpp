// Random command sequences, journaled: every state they pass is found again, from the records and from
// snapshots.

#include "coordination/worker_pool.hpp"
#include "journal/journals.hpp"
#include "support/model.hpp"
#include "support/random_commands.hpp"

namespace leasegate::test {
namespace {

TEST_CASE("Random sequences are found again by replay, and by a snapshot and its tail", "[random]") {
  const DistributedLimits limits = {.max_task_records = 120,
                                    .max_active_tasks = 40,
                                    .max_queued_tasks = 40,
                                    .max_terminal_tasks = 120,
                                    .max_workers = 8,
                                    .max_retries = 2,
                                    .max_lease_ttl_secs = 20,
                                    .max_task_ttl_secs = 200,
                                    .heartbeat_timeout_secs = 15};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    Journaled<Coordinator> j(Coordinator::create(limits).value());
    Model model(limits);
    RandomCommands commands(seed, model, 10, 160);
    Bytes snapshot;
    std::size_t snapshot_at = 0;
    for (int step = 0; step < 500; ++step) {
      const AnyCommand command = commands.next();
      std::visit(
          [&](const auto& c) {
            const std::size_t before = j.list->records.size();
            const Revision revision = j.machine.revision();
            const auto applied = j.apply(c);
            const auto expected = model.apply(c);
            REQUIRE(applied.has_value() == expected.has_value());
            REQUIRE(j.list->records.size() - before == j.machine.revision().value - revision.value);
            if constexpr (requires { expected->value.expires_at; }) {
              if (expected) commands.remember(expected->value);
            }
          },
          command);
      if (step % 100 != 99) continue;
      const std::string digest = digest_of(j.machine);
      const auto replayed = journal::replay_coordinator(j.journal());
      REQUIRE(refusal(replayed) == "accepted");
      REQUIRE_FALSE(replayed->report.error);
      CHECK(digest_of(replayed->machine) == digest);
      if (!snapshot.empty()) {
        const auto tail = journal::replay_coordinator(j.journal(), {}, snapshot);
        REQUIRE(refusal(tail) == "accepted");
        REQUIRE_FALSE(tail->report.error);
        CHECK(tail->report.applied == j.list->records.size() - snapshot_at);
        CHECK(digest_of(tail->machine) == digest);
        CHECK(refusal(tail->machine.check_invariants()) == "accepted");
      }
      snapshot = snapshot_of(j.machine);
      snapshot_at = j.list->records.size();
      CHECK(snapshot_of(journal::import_coordinator(snapshot).value()) == snapshot);
    }
  }
}

}  // namespace
}  // namespace leasegate::test
