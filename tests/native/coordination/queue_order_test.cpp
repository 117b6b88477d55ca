// Which task is next.

#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Scene {
  Scene() { must(host.register_worker("w", 100)); }
  Host host;
};

TEST_CASE("The highest priority comes first, then who came first") {
  Scene scene;
  must(scene.host.enqueue("low1", Priority::low));
  must(scene.host.enqueue("normal1", Priority::normal));
  must(scene.host.enqueue("critical1", Priority::critical));
  must(scene.host.enqueue("high1", Priority::high));
  must(scene.host.enqueue("critical2", Priority::critical));
  must(scene.host.enqueue("low2", Priority::low));
  must(scene.host.enqueue("high2", Priority::high));
  must(scene.host.enqueue("normal2", Priority::normal));
  CHECK(scene.host.hand_out_all("w") == "critical1 critical2 high1 high2 normal1 normal2 low1 low2");
}

TEST_CASE("Ids do not order the queue") {
  Scene scene;
  for (const char* id : {"c", "a", "b"}) must(scene.host.enqueue(id));
  CHECK(scene.host.hand_out_all("w") == "c a b");
}

TEST_CASE("A requeued task goes to the back of its priority") {
  Scene scene;
  for (const char* id : {"1", "2", "3"}) must(scene.host.enqueue(id, Priority::high));
  must(scene.host.enqueue("4", Priority::normal));
  must(scene.host.fail(scene.host.running("1", "w")));
  CHECK(scene.host.hand_out_all("w") == "2 3 1 4");
}

TEST_CASE("Tasks leave the queue from anywhere without disturbing it") {
  Scene scene;
  for (const char* id : {"1", "2", "3", "4", "5"}) must(scene.host.enqueue(id));
  must(scene.host.assign("3", "w"));
  must(scene.host.cancel(fence_of(scene.host.task("1"))));
  must(scene.host.assign("5", "w"));
  must(scene.host.enqueue("6"));
  CHECK(scene.host.hand_out_all("w") == "2 4 6");
}

TEST_CASE("peek_next shows what assign_next takes, and takes nothing") {
  Scene scene;
  CHECK(scene.host.machine().peek_next().value() == std::nullopt);
  must(scene.host.enqueue("a"));
  must(scene.host.enqueue("b", Priority::high));
  const std::string before = scene.host.state();
  CHECK(scene.host.machine().peek_next().value() == scene.host.task("b"));
  CHECK(scene.host.machine().peek_next().value() == scene.host.task("b"));
  CHECK(scene.host.state() == before);
  CHECK(must(scene.host.assign_next("w")).task_id == "b");
  CHECK(scene.host.machine().peek_next().value() == scene.host.task("a"));
}

}  // namespace
}  // namespace leasegate::test
