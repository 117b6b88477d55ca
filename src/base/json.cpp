#include "base/json.hpp"

#include <bitset>

#include "base/utf8.hpp"

namespace leasegate {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

class Validator {
 public:
  explicit Validator(std::string_view text) : text_(text) {}

  bool run() {
    // Each round takes one value or the start of a container, then every end that follows it.
    while (true) {
      skip_space();
      switch (value()) {
        case Found::nothing:
          return false;
        case Found::opened:
          continue;
        case Found::whole:
          break;
      }
      switch (after_value()) {
        case Next::wrong:
          return false;
        case Next::value:
          continue;
        case Next::end:
          return at_ == text_.size();
      }
    }
  }

 private:
  enum class Found { nothing, opened, whole };
  enum class Next { wrong, value, end };

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
      ++at_;
    }
  }

  Found whole(bool found) { return found ? Found::whole : Found::nothing; }

  Found value() {
    switch (peek()) {
      case '{':
        return open(true);
      case '[':
        return open(false);
      case '"':
        return whole(string());
      case 't':
        return whole(take("true"));
      case 'f':
        return whole(take("false"));
      case 'n':
        return whole(take("null"));
      default:
        return whole(number());
    }
  }

  Found open(bool object) {
    ++at_;
    skip_space();
    if (take(object ? '}' : ']')) return whole(depth_ < kMaxJsonDepth);
    if (depth_ == kMaxJsonDepth) return Found::nothing;
    objects_[depth_++] = object;
    return !object || name() ? Found::opened : Found::nothing;
  }

  /** What a value is followed by: ends of containers, then a comma or the end of the text. */
  Next after_value() {
    while (true) {
      skip_space();
      if (depth_ == 0) return Next::end;
      const bool object = objects_[depth_ - 1];
      if (take(object ? '}' : ']')) {
        --depth_;
        continue;
      }
      if (!take(',')) return Next::wrong;
      if (!object) return Next::value;
      skip_space();
      return name() ? Next::value : Next::wrong;
    }
  }

  bool name() {
    if (peek() != '"' || !string()) return false;
    skip_space();
    return take(':');
  }

  bool string() {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\' && !escape()) return false;
    }
    return false;
  }

  bool escape() {
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    if (c != 'u') return std::string_view("\"\\/bfnrt").contains(c);
    for (int i = 0; i < 4; ++i) {
      if (at_ == text_.size() || !is_hex_digit(text_[at_])) return false;
      ++at_;
    }
    return true;
  }

  bool digits() {
    if (!is_digit(peek())) return false;
    while (is_digit(peek())) ++at_;
    return true;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return digits();
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  /** Which of the open containers are objects, outermost first. */
  std::bitset<kMaxJsonDepth> objects_;
};

}  // namespace

bool is_json(std::string_view text) { return is_utf8(text) && Validator(text).run(); }

}  // namespace leasegate
