#include "bridge/deduper.hpp"

#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <random>
#include <set>

#include "support/records.hpp"

namespace leasegate::test {
namespace {

bool seen(Deduper& deduper, std::string_view id) {
  const auto answer = deduper.seen_or_add(MessageId(id));
  REQUIRE(refusal(answer) == "accepted");
  return *answer;
}

TEST_CASE("A deduper needs a capacity and valid ids", "[bridge]") {
  CHECK(refusal(Deduper::create(0)) == "invalid_capacity");
  Deduper deduper = *Deduper::create(1);
  CHECK(refusal(deduper.seen_or_add(MessageId("\n"))) ==
        "invalid_identifier{kind: message_id, reason: control_character}");
  CHECK(deduper.size() == 0);
}

TEST_CASE("Being seen again makes an id no younger", "[bridge]") {
  Deduper deduper = *Deduper::create(2);
  CHECK_FALSE(seen(deduper, "a"));
  CHECK_FALSE(seen(deduper, "b"));
  CHECK(seen(deduper, "a"));
  CHECK_FALSE(seen(deduper, "c"));
  CHECK(deduper.size() == 2);
  CHECK_FALSE(seen(deduper, "a"));
  CHECK(seen(deduper, "c"));
}

TEST_CASE("A deduper agrees with a plain window over random ids", "[bridge]") {
  std::mt19937 random(7);
  for (const std::uint64_t capacity : {1U, 2U, 3U, 17U, 130U}) {
    Deduper deduper = *Deduper::create(capacity);
    std::deque<std::string> order;
    std::set<std::string> window;
    for (int i = 0; i < 5000; ++i) {
      const std::string id = "m" + std::to_string(random() % (capacity * 2 + 1));
      const bool expected = window.contains(id);
      REQUIRE(seen(deduper, id) == expected);
      if (!expected) {
        order.push_back(id);
        window.insert(id);
      }
      if (order.size() > capacity) {
        window.erase(order.front());
        order.pop_front();
      }
      REQUIRE(deduper.size() == order.size());
    }
  }
}

}  // namespace
}  // namespace leasegate::test
