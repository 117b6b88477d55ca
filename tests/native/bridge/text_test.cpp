// UTF-8 and JSON, as the bridge relies on them.

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/json.hpp"
#include "base/utf8.hpp"

namespace leasegate::test {
namespace {

std::string encoded(std::uint32_t code) {
  std::string out;
  const auto byte = [&](std::uint32_t value) { out.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
  return out;
}

TEST_CASE("Printable ASCII is told at every place of every length") {
  CHECK(is_printable_ascii(""));
  std::size_t wrong = 0;
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, '~');
        text[at] = static_cast<char>(byte);
        wrong += is_printable_ascii(text) != (byte >= 0x20 && byte < 0x7F);
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("Every code point but the surrogates is UTF-8, with Cc told apart", "[base]") {
  std::uint32_t wrong = 0;
  for (std::uint32_t code = 0; code < 0x120000; ++code) {
    const std::string text = encoded(code);
    const bool valid = (code < 0xD800 || code > 0xDFFF) && code < 0x110000;
    wrong += is_utf8(text) != valid;
    // Eight ASCII bytes in front take the fast path, and what follows it.
    wrong += is_utf8("12345678" + text + "1") != valid;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    if (valid) wrong += has_control_character(text) != control;
    for (std::size_t size = 1; size < text.size(); ++size) wrong += is_utf8(text.substr(0, size));
  }
  CHECK(wrong == 0);
}

TEST_CASE("No longer form, stray continuation or lead is UTF-8", "[base]") {
  for (const std::string_view text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF", "\xC3\x28",
        "\xE2\x82\x28", "\xF0\x9F\x98\x28"}) {
    CHECK_FALSE(is_utf8(text));
  }
  CHECK(is_utf8(""));
}

TEST_CASE("A prefix cuts no character", "[base]") {
  CHECK(utf8_prefix("abc", 3) == "abc");
  CHECK(utf8_prefix("ab\xC3\xA9", 3) == "ab");
  CHECK(utf8_prefix("ab\xC3\xA9"
                    "c",
                    4) == "ab\xC3\xA9");
  CHECK(utf8_prefix("\xF0\x9F\x98\x80", 3).empty());
}

std::string nested(std::size_t depth, std::string_view open, std::string_view inside,
                   std::string_view close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += inside;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST_CASE("JSON is what RFC 8259 says", "[base]") {
  for (const std::string_view text :
       {"null", "true", "false", "0", "-0", "1E+400", "-1.5e-10", "18446744073709551616", "\"\"",
        "\"\\u0000\\/\"", "\"\\udc00\\ud800\"", "\"\x7F\xC2\x85\xE2\x80\xA8\"", "[]", "{}",
        " [ 1 , [ ] , { } ] ", "{\"a\":1,\"a\":[2]}", "\t\r\n0", "{\"\":{\"\":{}}}", "[[],[[]]]"}) {
    INFO(text);
    CHECK(is_json(text));
  }
  for (const std::string_view text : {"",
                                      " ",
                                      "nul",
                                      "nulll",
                                      "NaN",
                                      "+1",
                                      "01",
                                      ".5",
                                      "1.",
                                      "1e",
                                      "1e+",
                                      "0x10",
                                      "-",
                                      "--1",
                                      "'a'",
                                      "\"",
                                      "\"a\nb\"",
                                      "\"\\x\"",
                                      "\"\\u12g4\"",
                                      "\"\\u123",
                                      "\"\\",
                                      "[",
                                      "]",
                                      "[,]",
                                      "[1,]",
                                      "[1 2]",
                                      "{",
                                      "}",
                                      "{,}",
                                      "{1:2}",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{\"a\":1 \"b\":2}",
                                      "{a:1}",
                                      "[1}",
                                      "{\"a\":1]",
                                      "{}{}",
                                      "1 1",
                                      "\xEF\xBB\xBF{}",
                                      "\v1",
                                      "\xC2\xA0"
                                      "1",
                                      "/**/1",
                                      "\"\xFF\"",
                                      "[\"\xED\xA0\x80\"]"}) {
    INFO(text);
    CHECK_FALSE(is_json(text));
  }
  CHECK_FALSE(is_json(std::string_view("1\0", 2)));
  CHECK_FALSE(is_json(std::string_view("\0", 1)));
}

TEST_CASE("JSON nests ten thousand deep and no deeper", "[base]") {
  CHECK(is_json(nested(10'000, "[", "", "]")));
  CHECK_FALSE(is_json(nested(10'001, "[", "", "]")));
  CHECK(is_json(nested(10'000, "[", "1", "]")));
  CHECK_FALSE(is_json(nested(10'001, "[", "1", "]")));
  CHECK(is_json(nested(10'000, "{\"a\":", "1", "}")));
  CHECK_FALSE(is_json(nested(10'001, "{\"a\":", "1", "}")));
  CHECK(is_json(nested(5'000, "[{\"a\":", "[]", "}]").insert(0, "\n")) == false);  // 10,001
  CHECK(is_json(nested(5'000, "[{\"a\":", "0", "}]")));
  CHECK_FALSE(is_json(nested(1'000'000, "[", "", "")));
}

}  // namespace
}  // namespace leasegate::test
