// The comparison that all recorded sequences rest on.

#include "support/recorded.hpp"

#include <catch2/catch_test_macros.hpp>

namespace leasegate::test {
namespace {

using Found = std::vector<std::string>;

TEST_CASE("Equal answers have no differences") {
  CHECK(differences(Json::parse(R"({"ok":{"a":[1,{"b":null}]}})"),
                    Json::parse(R"({"ok":{"a":[1,{"b":null}]}})"))
            .empty());
}

TEST_CASE("A different value is told with its path") {
  CHECK(
      differences(Json::parse(R"({"ok":{"a":[1,{"b":"x"}]}})"), Json::parse(R"({"ok":{"a":[1,{"b":2}]}})")) ==
      Found{"$.ok.a[1].b: expected \"x\", actual 2"});
}

TEST_CASE("A missing field and a field too much are differences") {
  CHECK(
      differences(Json::parse(R"({"a":1,"b":2})"), Json::parse(R"({"a":1,"c":3})")) ==
      Found{"$.b: expected 2, but the answer has no such field", "$.c: not expected, but the answer has 3"});
}

TEST_CASE("A null is not an absent field") {
  CHECK(differences(Json::parse(R"({"a":null})"), Json::object()).size() == 1);
  CHECK(differences(Json::object(), Json::parse(R"({"a":null})")).size() == 1);
}

TEST_CASE("Arrays of different length differ as a whole") {
  CHECK(differences(Json::parse("[1,2]"), Json::parse("[1]")) == Found{"$: expected [1,2], actual [1]"});
}

TEST_CASE("Integers are numbers up to 2^53 - 1 and strings above") {
  CHECK(json_number(9'007'199'254'740'991).is_number());
  CHECK(json_number(9'007'199'254'740'992) == "9007199254740992");
  CHECK(number_of(json_number(18'446'744'073'709'551'615U)) == 18'446'744'073'709'551'615U);
}

}  // namespace
}  // namespace leasegate::test
