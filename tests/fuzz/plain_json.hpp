// JSON by recursive descent, word for word from the grammar of RFC 8259: what base/json is compared with.
#pragma once

#include <algorithm>
#include <string_view>

namespace leasegate::fuzz {

class PlainJson {
 public:
  explicit PlainJson(std::string_view text) : rest_(text) {}

  bool whole() { return element() && rest_.empty(); }

 private:
  bool element() {
    space();
    if (!value()) return false;
    space();
    return true;
  }
  void space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size())); }
  bool next(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool one_of(std::string_view set) {
    if (rest_.empty() || !set.contains(rest_.front())) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool digits() {
    if (!one_of("0123456789")) return false;
    while (one_of("0123456789")) {
    }
    return true;
  }

  bool value() {
    if (next("{")) return members();
    if (next("[")) return elements();
    if (next("\"")) return characters();
    return next("true") || next("false") || next("null") || number();
  }
  bool members() {
    space();
    if (next("}")) return true;
    do {
      space();
      if (!next("\"") || !characters()) return false;
      space();
      if (!next(":") || !element()) return false;
    } while (next(","));
    return next("}");
  }
  bool elements() {
    space();
    if (next("]")) return true;
    do {
      if (!element()) return false;
    } while (next(","));
    return next("]");
  }
  bool characters() {
    while (!rest_.empty()) {
      if (next("\"")) return true;
      if (next("\\")) {
        if (one_of("\"\\/bfnrt")) continue;
        if (!next("u")) return false;
        for (int i = 0; i < 4; ++i) {
          if (!one_of("0123456789abcdefABCDEF")) return false;
        }
        continue;
      }
      if (static_cast<unsigned char>(rest_.front()) < 0x20) return false;
      rest_.remove_prefix(1);
    }
    return false;
  }
  bool number() {
    next("-");
    if (!next("0") && !digits()) return false;
    if (next(".") && !digits()) return false;
    if (!one_of("eE")) return true;
    one_of("+-");
    return digits();
  }

  std::string_view rest_;
};

/** Recurses: for texts of a fuzzer's size. */
inline bool is_plain_json(std::string_view text) { return PlainJson(text).whole(); }

}  // namespace leasegate::fuzz
