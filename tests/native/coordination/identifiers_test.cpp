// Which ids are let in, where, and that a refused id is never repeated.

#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

const std::string kTooLong(257, 'x');
const std::string kNothing;

std::string bad_task(const char* reason) { return std::string("invalid_task{reason: ") + reason + "}"; }
std::string bad_worker(const char* reason) { return std::string("invalid_worker{reason: ") + reason + "}"; }
const std::string kBadTaskArgument = bad_task("task_command_id_invalid");
const std::string kBadWorkerArgument = bad_worker("worker_command_id_invalid");

bool in_alphabet(unsigned byte) {
  return std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-")
             .find(static_cast<char>(byte)) != std::string_view::npos;
}

TEST_CASE("Each byte of the alphabet makes an id, no other byte does") {
  for (unsigned byte = 0; byte < 256; ++byte) {
    INFO("byte " << byte);
    const std::string id(1, static_cast<char>(byte));
    const bool safe = in_alphabet(byte);
    Host host;
    REQUIRE(refusal(host.enqueue(id)) == (safe ? "accepted" : bad_task("task_id_unsafe")));
    REQUIRE(refusal(host.register_worker(id)) == (safe ? "accepted" : bad_worker("worker_id_invalid")));
    REQUIRE(refusal(host.machine().get_task(id)) == (safe ? "accepted" : kBadTaskArgument));
    REQUIRE(refusal(host.machine().get_worker(id)) == (safe ? "accepted" : kBadWorkerArgument));
    if (safe) {
      REQUIRE(host.task(id).task_id == id);
      REQUIRE(host.worker(id).worker_id == id);
    }
  }
}

TEST_CASE("The longest texts are accepted and come back byte for byte") {
  Host host;
  std::string target;
  for (int i = 0; i < 1'024; ++i) target += static_cast<char>(i % 256);
  const TaskSpec spec = {std::string(256, 't'), std::string(256, 's'), target,
                         std::vector<std::uint8_t>(256, 255), Priority::critical};
  must(host.enqueue(spec));
  const ScanTask task = host.task(spec.task_id);
  CHECK(task.task_id == spec.task_id);
  CHECK(task.scan_id == spec.scan_id);
  CHECK(task.target_ref == spec.target_ref);
  CHECK(task.phases == spec.phases);
  must(host.register_worker(std::string(256, 'w')));
  const TaskLease lease = must(host.assign(spec.task_id, std::string(256, 'w')));
  CHECK(lease.task_id == spec.task_id);
  CHECK(lease.worker_id == std::string(256, 'w'));
}

TEST_CASE("A task spec is checked field by field, in order") {
  // Each row mends what the one before it complained of; what comes later stays wrong.
  Host host;
  const std::vector<std::uint8_t> too_many_phases(257, 1);
  TaskSpec spec = {"", "", "", too_many_phases, Priority::low};
  const auto expect = [&](const char* reason) {
    const std::string before = host.state();
    // A stale revision is not even looked at.
    CHECK(refusal(host.expecting(99).enqueue(spec)) == bad_task(reason));
    CHECK(host.state() == before);
  };
  expect("task_id_empty");
  spec.task_id = kTooLong + " ";
  expect("task_id_too_long");
  spec.task_id = "a b";
  expect("task_id_unsafe");
  spec.task_id = "a";
  expect("scan_id_empty");
  spec.scan_id = kTooLong + " ";
  expect("scan_id_too_long");
  spec.scan_id = "a/b";
  expect("scan_id_unsafe");
  spec.scan_id = "b";
  expect("target_ref_empty");
  spec.target_ref.assign(1'025, 'r');
  expect("target_ref_too_long");
  spec.target_ref.assign(1'024, 'r');
  expect("too_many_phases");
  spec.phases.pop_back();
  CHECK(refusal(host.enqueue(spec)) == "accepted");
}

TEST_CASE("A worker spec is checked field by field, in order") {
  Host host;
  WorkerSpec spec = {"", 0, 10'001, 0, 0, {}};
  const auto expect = [&](const char* reason) {
    const std::string before = host.state();
    CHECK(refusal(host.expecting(99).register_worker(spec)) == bad_worker(reason));
    CHECK(refusal(host.expecting(99).reactivate(spec, 9)) == bad_worker(reason));
    CHECK(host.state() == before);
  };
  expect("worker_id_invalid");
  spec.worker_id = kTooLong;
  expect("worker_id_invalid");
  spec.worker_id = "a\nb";
  expect("worker_id_invalid");
  spec.worker_id = "w";
  expect("capacity_zero");
  spec.capacity = 4'097;
  expect("capacity_exceeds_maximum");
  spec.capacity = 4'096;
  expect("utilization_exceeds_maximum");
  spec.cpu_basis_points = 10'000;
  spec.memory_basis_points = 10'001;
  expect("utilization_exceeds_maximum");
  spec.memory_basis_points = 10'000;
  spec.network_basis_points = 4'294'967'295;
  expect("utilization_exceeds_maximum");
  spec.network_basis_points = 10'000;
  CHECK(refusal(host.register_worker(spec)) == "accepted");
}

TEST_CASE("Ids in commands are checked before the revision, the task's first") {
  Host host;
  for (const std::string& bad : {kNothing, kTooLong, std::string("a b"), std::string("a\0b", 3)}) {
    CHECK(refusal(host.expecting(9).assign(bad, bad)) == kBadTaskArgument);
    CHECK(refusal(host.expecting(9).assign("t", bad)) == kBadWorkerArgument);
    CHECK(refusal(host.expecting(9).assign_next(bad)) == kBadWorkerArgument);
    CHECK(refusal(host.expecting(9).update(bad, 1)) == kBadWorkerArgument);
    CHECK(refusal(host.expecting(9).deregister(bad, 1)) == kBadWorkerArgument);
    CHECK(refusal(host.expecting(9).cancel(QueuedTaskFence{bad, {0}, {1}})) == kBadTaskArgument);
    TaskLease lease = {bad, bad, {1}, {0}, 1, {1}, {1}, {11}};
    for (const std::string& expected : {kBadTaskArgument, kBadWorkerArgument}) {
      CHECK(refusal(host.expecting(9).start(lease)) == expected);
      CHECK(refusal(host.expecting(9).complete(lease)) == expected);
      CHECK(refusal(host.expecting(9).fail(lease)) == expected);
      CHECK(refusal(host.expecting(9).cancel(lease)) == expected);
      lease.task_id = "t";
    }
  }
}

TEST_CASE("Well-formed ids in commands get as far as the revision") {
  Host host;
  const std::string conflict = "revision_conflict{expected: 9, actual: 0}";
  const TaskLease lease = {"t", "w", {1}, {0}, 1, {1}, {1}, {11}};
  CHECK(refusal(host.expecting(9).assign("t", "w")) == conflict);
  CHECK(refusal(host.expecting(9).assign_next("w")) == conflict);
  CHECK(refusal(host.expecting(9).update("w", 1)) == conflict);
  CHECK(refusal(host.expecting(9).deregister("w", 1)) == conflict);
  CHECK(refusal(host.expecting(9).start(lease)) == conflict);
  CHECK(refusal(host.expecting(9).complete(lease)) == conflict);
  CHECK(refusal(host.expecting(9).fail(lease)) == conflict);
  CHECK(refusal(host.expecting(9).cancel(lease)) == conflict);
  CHECK(refusal(host.expecting(9).cancel(QueuedTaskFence{"t", {0}, {1}})) == conflict);
}

TEST_CASE("A message never repeats an id that was refused") {
  Host host;
  const std::string secret = "secret id";
  const auto enqueued = host.enqueue(secret);
  REQUIRE_FALSE(enqueued);
  CHECK(message_of(enqueued.error()).view().find("secret") == std::string::npos);
  CHECK(enqueued.error().subject.view().empty());
  const auto registered = host.register_worker(secret);
  REQUIRE_FALSE(registered);
  CHECK(message_of(registered.error()).view().find("secret") == std::string::npos);
  const auto named = host.assign(secret, secret);
  REQUIRE_FALSE(named);
  CHECK(message_of(named.error()).view().find("secret") == std::string::npos);
  // One that passed validation is named.
  CHECK(message_of(host.assign("open-id", "w").error()).view().find("open-id") != std::string::npos);
}

}  // namespace
}  // namespace leasegate::test
