// From a journal back to the state, whole or cut, sound or not.

#include "coordination/worker_pool.hpp"
#include "journal/journals.hpp"

namespace leasegate::test {
namespace {

std::string stop_of(const journal::BatchReport& report) {
  return report.error ? text_of(*report.error) : "none";
}

TEST_CASE("A journal leads to the state of each of its revisions") {
  Journaled<Coordinator> source = every_command();
  const Bytes journal = source.journal();
  Coordinator step = Coordinator::create(journal::CoordinatorState::limits(source.machine)).value();
  for (std::uint64_t revision = 0; revision <= source.list->records.size(); ++revision) {
    const auto replayed = journal::replay_coordinator(journal, {.until = {revision}});
    REQUIRE(replayed);
    CHECK(stop_of(replayed->report) == "none");
    CHECK(replayed->report.revision.value == revision);
    CHECK(digest_of(replayed->machine) == digest_of(step));
    if (revision < source.list->records.size()) {
      CHECK(journal::apply_records(step, source.list->records[revision]).applied == 1);
    }
  }
}

TEST_CASE("A snapshot and the later records are the whole journal, wherever the snapshot was taken") {
  Journaled<Coordinator> source = every_command();
  const Bytes journal = source.journal();
  for (std::uint64_t revision = 0; revision <= source.list->records.size(); ++revision) {
    const Coordinator middle =
        std::move(journal::replay_coordinator(journal, {.until = {revision}})->machine);
    const Bytes snapshot = snapshot_of(middle);
    const auto imported = journal::import_coordinator(snapshot);
    REQUIRE(refusal(imported) == "accepted");
    CHECK(snapshot_of(*imported) == snapshot);
    const auto whole = journal::replay_coordinator(journal, {}, snapshot);
    REQUIRE(refusal(whole) == "accepted");
    CHECK(stop_of(whole->report) == "none");
    CHECK(whole->report.applied == source.list->records.size() - revision);
    CHECK(digest_of(whole->machine) == digest_of(source.machine));
    // A journal that begins where the snapshot was taken.
    const Bytes tail = joined(header_of(middle), source.list->from(revision));
    const auto rest = journal::replay_coordinator(tail, {}, snapshot);
    REQUIRE(refusal(rest) == "accepted");
    CHECK(digest_of(rest->machine) == digest_of(source.machine));
    if (revision == 0) continue;
    CHECK(refusal(journal::replay_coordinator(tail)) ==
          "journal_snapshot_required{revision: " + std::to_string(revision) + "}");
  }
}

TEST_CASE("A journal that was cut anywhere gives everything before the cut, and says what is lost") {
  Journaled<Coordinator> source = every_command();
  const Bytes journal = source.journal();
  std::size_t whole = source.header.size();
  std::size_t next = 0;
  for (std::size_t size = source.header.size(); size < journal.size(); ++size) {
    if (size == whole + source.list->records[next].size()) whole += source.list->records[next++].size();
    const auto replayed = journal::replay_coordinator(std::span(journal).first(size));
    REQUIRE(replayed);
    const journal::BatchReport& report = replayed->report;
    REQUIRE(report.applied == next);
    REQUIRE(report.torn() == (size > whole));
    if (!report.torn()) continue;
    REQUIRE(stop_of(report) == "journal_truncated{offset: " + std::to_string(whole) +
                                   ", bytes: " + std::to_string(size - whole) + "}");
  }
}

TEST_CASE("A header that was cut is told from one that is none") {
  Journaled<Coordinator> source = every_command();
  for (std::size_t size = 0; size < source.header.size(); ++size) {
    const auto replayed = journal::replay_coordinator(std::span(source.header).first(size));
    REQUIRE_FALSE(replayed);
    CHECK(replayed.error().code == ErrorCode::journal_truncated);
  }
  CHECK(refusal(journal::replay_coordinator(Bytes{'x'})) == "journal_bad_magic{expected: journal}");
  CHECK(refusal(journal::replay_coordinator(snapshot_of(source.machine))) ==
        "journal_bad_magic{expected: journal}");
  CHECK(refusal(journal::import_coordinator(source.journal())) == "journal_bad_magic{expected: snapshot}");
  CHECK(refusal(journal::replay_results(source.journal())) ==
        "journal_wrong_contract{expected: results, actual: coordination}");
  Bytes other = source.journal();
  other[4] = 9;
  CHECK(refusal(journal::replay_coordinator(other)) == "journal_unknown_version{version: 9, supported: 1}");
  other[4] = 1;
  other[5] = 3;
  CHECK(refusal(journal::replay_coordinator(other)) == "journal_malformed{reason: unknown_name, offset: 5}");
}

TEST_CASE("Zeros at the end are a file that had been made longer; anything else there is damage") {
  Journaled<Coordinator> source = every_command();
  const Bytes journal = source.journal();
  const auto zeros = journal::replay_coordinator(joined(journal, Bytes(4'096, 0)));
  REQUIRE(zeros);
  CHECK(zeros->report.torn());
  CHECK(zeros->report.offset == journal.size());
  CHECK(zeros->report.applied == source.list->records.size());
  const auto ones = journal::replay_coordinator(joined(journal, Bytes(4'096, 1)));
  REQUIRE(ones);
  CHECK(stop_of(ones->report) == "journal_checksum_mismatch{offset: " + std::to_string(journal.size()) + "}");
}

TEST_CASE("A journal of a header alone is whole, and what comes next begins behind it") {
  const Bytes header = header_of(Coordinator::create({}).value());
  const auto replayed = journal::replay_coordinator(header);
  REQUIRE(replayed);
  CHECK_FALSE(replayed->report.error);
  CHECK(replayed->report.offset == header.size());
}

TEST_CASE("Damage in the middle is not taken for a cut, not even in a length") {
  Journaled<Coordinator> source = every_command();
  const Bytes journal = source.journal();
  for (std::size_t at = source.header.size(); at < journal.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      Bytes damaged = journal;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ flip);
      const auto replayed = journal::replay_coordinator(damaged);
      REQUIRE(replayed);
      REQUIRE(replayed->report.error);
      REQUIRE(replayed->report.error->code == ErrorCode::journal_checksum_mismatch);
      REQUIRE(replayed->report.offset <= at);
    }
  }
}

TEST_CASE("Records that are missing, repeated or out of order are a gap") {
  Journaled<Coordinator> source = every_command();
  const std::vector<Bytes>& records = source.list->records;
  DistributedLimits limits;
  limits.max_retries = 1;
  const auto run = [&](const Bytes& bytes) {
    WorkerPool pool = WorkerPool::create(limits).value();
    return stop_of(pool.apply_batch(bytes));
  };
  CHECK(run(records[1]) == "journal_revision_gap{expected: 1, actual: 2}");
  CHECK(run(joined(records[0], records[0])) == "journal_revision_gap{expected: 2, actual: 1}");
  CHECK(run(joined(records[0], records[2])) == "journal_revision_gap{expected: 2, actual: 3}");
}

TEST_CASE("Of the records that a snapshot holds already none may be missing either") {
  Journaled<Coordinator> source = every_command();
  const Bytes snapshot = snapshot_of(source.machine);
  const auto without = [&](std::size_t left_out) {
    Bytes journal = source.header;
    for (std::size_t i = 0; i < source.list->records.size(); ++i) {
      if (i != left_out) journal = joined(journal, source.list->records[i]);
    }
    const auto replayed = journal::replay_coordinator(journal, {}, snapshot);
    REQUIRE(replayed);
    return stop_of(replayed->report);
  };
  CHECK(without(source.list->records.size()) == "none");
  CHECK(without(0) == "journal_revision_gap{expected: 1, actual: 2}");
  CHECK(without(4) == "journal_revision_gap{expected: 5, actual: 6}");
}

TEST_CASE("A record whose command was done before changes nothing, and that is an error") {
  Journaled<Coordinator> j(Coordinator::create({}).value());
  const auto next = [&] { return Fenced{j.machine.revision(), {1}}; };
  j.must(RegisterWorker{next(), {.worker_id = "w", .capacity = 1}});
  j.must(Enqueue{next(), {.task_id = "t", .scan_id = "s", .target_ref = "r"}});
  const TaskLeaseView lease = j.must(AssignNext{next(), "w", {60}});
  j.must(StartTask{next(), lease});
  Array<std::uint8_t> forged;
  REQUIRE(journal::encode_record(forged, {5}, StartTask{next(), lease}) == journal::Encoded::written);
  const journal::BatchReport report = journal::apply_records(j.machine, forged.view());
  CHECK(stop_of(report) == "journal_no_effect{revision: 5}");
  CHECK(report.index == 0);
  CHECK(report.revision.value == 4);
}

TEST_CASE("A snapshot of other limits, or later than what is asked for, does not fit a journal") {
  Journaled<Coordinator> source = every_command();
  const Bytes journal = source.journal();
  CHECK(refusal(journal::replay_coordinator(journal, {}, snapshot_of(Coordinator::create({}).value()))) ==
        "journal_limits_differ{name: max_retries}");
  const std::string last = std::to_string(source.machine.revision().value);
  CHECK(refusal(journal::replay_coordinator(journal, {.until = {3}}, snapshot_of(source.machine))) ==
        "journal_revision_gap{expected: 3, actual: " + last + "}");
}

TEST_CASE("A pool is made from a snapshot and goes on as the other would have") {
  Journaled<Coordinator> source = every_command();
  WorkerPool pool = WorkerPool::from_snapshot(snapshot_of(source.machine)).value();
  CHECK(pool.check_invariants());
  const Fenced next{pool.revision(), {1'700'000'200}};
  const auto here = pool.update_worker({next, "w", {1}, {}});
  const auto there = source.apply(UpdateWorker{next, "w", {1}, {}});
  REQUIRE(refusal(here) == refusal(there));
  CHECK(hex_of(pool.state_digest().value()) == digest_of(source.machine));
}

}  // namespace
}  // namespace leasegate::test
