#include "base/error.hpp"

#include <charconv>

namespace leasegate {
namespace {

void append_field(ErrorMessage& out, const Error& error, const ErrorField& field) {
  switch (field.kind) {
    case ErrorField::Kind::number: {
      std::array<char, 20> digits{};
      const auto end =
          std::to_chars(digits.data(), digits.data() + digits.size(), error.numbers[field.index]);
      out.append({digits.data(), static_cast<std::size_t>(end.ptr - digits.data())});
      return;
    }
    case ErrorField::Kind::word:
      out.append(error.words[field.index]);
      return;
    case ErrorField::Kind::subject:
      // Absent when what was given was no valid id: such a text is repeated nowhere.
      out.append(error.subject.view().empty() ? "(not a valid id)" : error.subject.view());
      return;
  }
}

}  // namespace

ErrorMessage message_of(const Error& error) {
  const ErrorShape& shape = shape_of(error.code);
  ErrorMessage out;
  std::string_view rest = shape.message;
  while (!rest.empty()) {
    const std::size_t open = rest.find('{');
    out.append(rest.substr(0, open));
    if (open == std::string_view::npos) break;
    const std::size_t close = rest.find('}', open);
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    for (std::size_t i = 0; i < shape.field_count; ++i) {
      if (shape.fields[i].name == name) append_field(out, error, shape.fields[i]);
    }
    rest.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace leasegate
