#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "base/error.hpp"
#include "coordination/errors.gen.hpp"
#include "results/errors.gen.hpp"

namespace leasegate::test {
namespace {

std::string message(const Error& error) { return std::string(message_of(error).view()); }
bool says(const Error& error, std::string_view text) {
  return message(error).find(text) != std::string::npos;
}

TEST_CASE("A message fills in numbers, words and ids") {
  CHECK(says(errors::revision_conflict(3, 18'446'744'073'709'551'615U), "expected revision 3"));
  CHECK(says(errors::revision_conflict(3, 18'446'744'073'709'551'615U), "18446744073709551615"));
  CHECK(says(errors::task_not_queued("job:1", TaskStatus::running), "job:1"));
  CHECK(says(errors::task_not_queued("job:1", TaskStatus::running), "running"));
  CHECK(says(errors::counter_exhausted(CounterName::lease_id), "lease_id"));
  CHECK(says(errors::result_too_large(9, 8), "9"));
  CHECK(says(errors::result_too_large(9, 8), "8"));
}

TEST_CASE("A message holds the longest id whole") {
  const std::string id(256, 'x');
  CHECK(says(errors::task_not_found(id), id));
}

TEST_CASE("No placeholder is left and no field is forgotten in any message") {
  std::size_t codes = 0;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(ErrorCode::aggregate_bytes_exceeded); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    const ErrorShape& shape = shape_of(code);
    INFO(shape.code);
    Error error{code};
    error.numbers = {1'234'567, 7'654'321};
    error.words = {"first-word", "second-word", "third-word"};
    error.subject.assign("the-subject");
    const std::string text = message(error);
    CHECK(text.find('{') == std::string::npos);
    CHECK(text.find('}') == std::string::npos);
    CHECK(text.size() > 10);
    CHECK(text.back() == '.');
    for (std::size_t f = 0; f < shape.field_count; ++f) {
      const ErrorField& field = shape.fields[f];
      CHECK_FALSE(field.name.empty());
      switch (field.kind) {
        case ErrorField::Kind::number:
          CHECK(says(error, field.index == 0 ? "1234567" : "7654321"));
          break;
        case ErrorField::Kind::word:
          CHECK(text.find(error.words[field.index]) != std::string::npos);
          break;
        case ErrorField::Kind::subject:
          CHECK(says(error, "the-subject"));
          break;
      }
    }
    ++codes;
  }
  CHECK(codes >= 39);
}

TEST_CASE("Codes are spelled each in its own way") {
  std::set<std::string_view> names;
  const auto last = static_cast<std::size_t>(ErrorCode::aggregate_bytes_exceeded);
  for (std::size_t i = 0; i <= last; ++i) names.insert(name_of(static_cast<ErrorCode>(i)));
  CHECK(names.size() == last + 1);
  CHECK(names.contains("invalid_transition"));
}

TEST_CASE("Fixed text holds what fits and cuts the rest") {
  FixedText<4> text;
  CHECK(text.view().empty());
  text.assign("abc");
  CHECK(text.view() == "abc");
  text.assign("abcdef");
  CHECK(text.view() == "abcd");
  text.assign("");
  CHECK(text.view().empty());
}

}  // namespace
}  // namespace leasegate::test
