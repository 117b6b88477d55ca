// A lease given by the place of its task, its id and its end, as a binding gives what it was answered.

#include <catch2/catch_test_macros.hpp>

#include "coordination/coordinator.hpp"

namespace leasegate::test {
namespace {

class Scene {
 public:
  template <class Command>
  auto apply(const Command& command) {
    auto result = coordinator.apply(command);
    REQUIRE(result);
    revision = result->revision;
    return result->value;
  }
  Scene() {
    apply(RegisterWorker{next(), {.worker_id = "w", .capacity = 4}});
    enqueue("t");
    assign();
  }

  [[nodiscard]] Fenced next() const { return {revision, now}; }
  void enqueue(const char* id) {
    apply(Enqueue{next(), {.task_id = id, .scan_id = "s", .target_ref = "target"}});
  }
  /** The first lease is the one that is asked about. */
  void assign() {
    const TaskLeaseView given = apply(AssignNextAvailable{next(), {10}});
    if (lease.lease_id == LeaseId{}) lease = given;
  }
  void start() { apply(StartTask{next(), lease}); }
  void complete() { apply(CompleteTask{next(), lease}); }

  /** Only what a binding gives back. */
  [[nodiscard]] TaskLeaseView hint(std::uint32_t place = 0) const {
    TaskLeaseView view;
    view.task_id.place = place;
    view.lease_id = lease.lease_id;
    view.expires_at = lease.expires_at;
    return view;
  }
  [[nodiscard]] bool recalls(TaskLeaseView view) const { return coordinator.recall(view); }

  Coordinator coordinator = *Coordinator::create({});
  Revision revision;
  LogicalTime now;
  TaskLeaseView lease;
};

TEST_CASE("A lease that holds its task is recalled in full, with its place") {
  Scene scene;
  CHECK(scene.lease.task_id.place == 0);
  TaskLeaseView view = scene.hint();
  REQUIRE(scene.coordinator.recall(view));
  CHECK(view == scene.lease);
  CHECK(view.task_id == "t");
  CHECK(view.worker_id == "w");
  CHECK(view.task_id.place == 0);
  scene.start();
  CHECK(scene.recalls(scene.hint()));
}

TEST_CASE("What differs is not recalled, and stays as it was") {
  const Scene scene;
  TaskLeaseView other_lease = scene.hint();
  other_lease.lease_id = other_lease.lease_id.after();
  TaskLeaseView other_end = scene.hint();
  other_end.expires_at = other_end.expires_at.after();
  CHECK_FALSE(scene.recalls(other_lease));
  CHECK_FALSE(scene.recalls(other_end));
  CHECK_FALSE(scene.recalls(scene.hint(kNoSlot)));
  TaskLeaseView unchanged = scene.hint(1);
  CHECK_FALSE(scene.coordinator.recall(unchanged));
  CHECK(unchanged.task_id.empty());
  CHECK(unchanged.task_id.place == 1);
}

TEST_CASE("A lease that was renewed, given back or has ended is not recalled") {
  Scene scene;
  SECTION("renewed") {
    scene.apply(RenewLease{scene.next(), scene.lease, {20}});
    CHECK_FALSE(scene.recalls(scene.hint()));
  }
  SECTION("requeued, and handed out again") {
    scene.start();
    scene.apply(FailTask{scene.next(), scene.lease, {}});
    CHECK_FALSE(scene.recalls(scene.hint()));
    scene.assign();
    CHECK_FALSE(scene.recalls(scene.hint()));
  }
  SECTION("completed, retired, and its place taken again") {
    scene.start();
    scene.complete();
    CHECK_FALSE(scene.recalls(scene.hint()));
    scene.now = {5};
    scene.apply(RetireTasks{scene.next(), {5}, {1}});
    CHECK_FALSE(scene.recalls(scene.hint()));
    scene.enqueue("u");
    scene.assign();
    CHECK_FALSE(scene.recalls(scene.hint()));
  }
}

TEST_CASE("The place beside an id is a hint only: another text is searched for") {
  Scene scene;
  scene.enqueue("u");
  TaskLeaseView moved = scene.lease;
  moved.task_id.place = 1;
  CHECK(scene.apply(StartTask{scene.next(), moved}).kind == StartKind::started);
  TaskLeaseView absent = scene.lease;
  absent.task_id = IdView("x");
  absent.task_id.place = 0;
  const auto refused = scene.coordinator.apply(CompleteTask{scene.next(), absent});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::task_not_found);
}

TEST_CASE("The beginning of a task's own text is another text") {
  Scene scene;
  scene.enqueue("u-long");
  const TaskLeaseView own = scene.apply(AssignNextAvailable{scene.next(), {10}});
  REQUIRE(own.task_id == "u-long");
  TaskLeaseView cut = own;
  cut.task_id.remove_suffix(5);
  REQUIRE(cut.task_id.place == own.task_id.place);
  const auto refused = scene.coordinator.apply(StartTask{scene.next(), cut});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::task_not_found);
}

}  // namespace
}  // namespace leasegate::test
