// Which commands leave a record, and what happens when there is no room for it.

#include "coordination/worker_pool.hpp"
#include "journal/journals.hpp"
#include "results/result_aggregator.hpp"

namespace leasegate::test {
namespace {

TEST_CASE("An accepted command leaves its record with the revision that it made") {
  Journaled<Coordinator> j(Coordinator::create({}).value());
  j.must(RegisterWorker{{{0}, {5}}, {.worker_id = "w", .capacity = 1}});
  REQUIRE(j.list->records.size() == 1);
  CHECK(j.list->revisions[0].value == 1);
  Array<IdView> ids;
  journal::CoordinatorRecord record;
  const auto framed = journal::FrameScanner(j.list->records[0]).next(MAX_RECORD_BYTES);
  REQUIRE(framed);
  REQUIRE(journal::decode_record(*framed, ids, record));
  CHECK(record.revision.value == 1);
  const auto& command = std::get<RegisterWorker>(record.command);
  CHECK(command.expected_revision.value == 0);
  CHECK(command.now.value == 5);
  CHECK(command.spec.worker_id == "w");
  CHECK(command.spec.capacity == 1);
}

TEST_CASE("A refused command and a replay leave no record") {
  Journaled<Coordinator> j(Coordinator::create({}).value());
  const auto next = [&] { return Fenced{j.machine.revision(), {1}}; };
  j.must(RegisterWorker{next(), {.worker_id = "w", .capacity = 1}});
  CHECK(refusal(j.apply(RegisterWorker{next(), {.worker_id = "w", .capacity = 1}})) ==
        "worker_already_exists{worker_id: w}");
  CHECK(refusal(j.apply(PruneDeadWorkers{{{9}, {1}}})) == "revision_conflict{expected: 9, actual: 1}");
  CHECK(refusal(j.apply(AssignNext{next(), std::string(500, 'x'), {1}})) ==
        "invalid_worker{reason: worker_command_id_invalid}");
  j.must(Enqueue{next(), {.task_id = "t", .scan_id = "s", .target_ref = "r"}});
  const TaskLeaseView lease = j.must(AssignNext{next(), "w", {60}});
  j.must(StartTask{next(), lease});
  CHECK(j.must(StartTask{next(), lease}).kind == StartKind::already_running);
  CHECK(j.list->records.size() == 4);
}

TEST_CASE("The pull form keeps records until they are taken, and refuses what it has no room for") {
  WorkerPool pool = WorkerPool::create({}).value();
  const auto buffer = std::make_shared<journal::JournalBuffer>(60);
  pool.attach_journal(buffer);
  REQUIRE(pool.prune_dead_workers({{{0}, {1}}}));
  CHECK(buffer->last().value == 1);
  const std::size_t size = buffer->bytes().size();
  CHECK(size == 16);
  REQUIRE(pool.prune_dead_workers({{{1}, {1}}}));
  REQUIRE(pool.prune_dead_workers({{{2}, {1}}}));
  CHECK(refusal(pool.prune_dead_workers({{{3}, {1}}})) == "journal_full{limit: 60}");
  CHECK(pool.revision().value == 3);
  WorkerPool other = WorkerPool::create({}).value();
  CHECK(other.apply_batch(buffer->bytes()).applied == 3);
  buffer->clear();
  CHECK(buffer->last().value == 0);
  REQUIRE(pool.prune_dead_workers({{{3}, {1}}}));
  CHECK(buffer->bytes().size() == size);
  pool.attach_journal(nullptr);
  REQUIRE(pool.prune_dead_workers({{{4}, {1}}}));
  CHECK(buffer->bytes().size() == size);
}

TEST_CASE("A pool's task queue writes to the pool's journal") {
  WorkerPool pool = WorkerPool::create({}).value();
  const auto list = std::make_shared<RecordList>();
  pool.attach_journal(list);
  REQUIRE(pool.task_queue().enqueue({{{0}, {1}}, {.task_id = "t", .scan_id = "s", .target_ref = "r"}}));
  CHECK(list->records.size() == 1);
}

TEST_CASE("A batch is applied in one go, and the journal gets its records as they were") {
  const Journaled<Coordinator> source = every_command();
  DistributedLimits limits;
  limits.max_retries = 1;
  WorkerPool pool = WorkerPool::create(limits).value();
  const auto list = std::make_shared<RecordList>();
  pool.attach_journal(list);
  const journal::BatchReport report = pool.apply_batch(source.list->from(0));
  CHECK_FALSE(report.error);
  CHECK(report.applied == source.list->records.size());
  CHECK(report.index == report.applied);
  CHECK(report.revision == source.machine.revision());
  CHECK(list->records == source.list->records);
  CHECK(hex_of(pool.state_digest().value()) == digest_of(source.machine));
}

TEST_CASE("A batch stops at the first refusal and says where; what was applied stays") {
  const Journaled<Coordinator> source = every_command();
  // Other limits: the second registration is refused.
  DistributedLimits limits;
  limits.max_workers = 1;
  WorkerPool pool = WorkerPool::create(limits).value();
  const journal::BatchReport report = pool.apply_batch(source.list->from(0));
  REQUIRE(report.error);
  CHECK(text_of(*report.error) == "worker_capacity_reached{limit: 1}");
  CHECK(report.applied == 1);
  CHECK(report.index == 1);
  CHECK(report.offset == source.list->records[0].size());
  CHECK(report.revision.value == 1);
  CHECK(pool.snapshot().workers == 1);
}

TEST_CASE("Results have a journal, batches and snapshots as well") {
  const Journaled<ResultStore> source = every_result_command();
  ResultAggregator results = ResultAggregator::create().value();
  const auto list = std::make_shared<RecordList>();
  results.attach_journal(list);
  CHECK(results.apply_batch(source.list->from(0)).applied == 4);
  CHECK(list->records == source.list->records);
  Array<std::uint8_t> snapshot;
  REQUIRE(results.export_snapshot(snapshot));
  const ResultAggregator again = ResultAggregator::from_snapshot(snapshot.view()).value();
  CHECK(hex_of(again.state_digest().value()) == digest_of(source.machine));
}

}  // namespace
}  // namespace leasegate::test
