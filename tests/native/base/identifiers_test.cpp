#include "base/identifiers.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace leasegate::test {
namespace {

TEST_CASE("An identifier has one to so many bytes") {
  CHECK(identifier_fault("", 4) == IdentifierFault::empty);
  CHECK(identifier_fault("a", 4) == IdentifierFault::none);
  CHECK(identifier_fault("abcd", 4) == IdentifierFault::none);
  CHECK(identifier_fault("abcde", 4) == IdentifierFault::too_long);
}

TEST_CASE("Too long is told before unsafe") {
  CHECK(identifier_fault("a b c", 4) == IdentifierFault::too_long);
  CHECK(identifier_fault("a b", 4) == IdentifierFault::unsafe);
}

TEST_CASE("An unsafe byte is found wherever it stands") {
  const std::string safe = "Az09._:-";
  CHECK(identifier_fault(safe, 256) == IdentifierFault::none);
  for (std::size_t i = 0; i < safe.size(); ++i) {
    for (const char bad : {' ', '/', '\n', '\0', '@', '[', '`', '{', '\x7F', '\x80', '\xFF', ',', ';'}) {
      std::string id = safe;
      id[i] = bad;
      REQUIRE(identifier_fault(id, 256) == IdentifierFault::unsafe);
    }
  }
}

TEST_CASE("Every byte at every place of every length is judged by the alphabet alone") {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-";
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string id(size, 'q');
        id[at] = static_cast<char>(byte);
        const bool safe = alphabet.find(id[at]) != std::string::npos;
        REQUIRE(identifier_fault(id, 256) == (safe ? IdentifierFault::none : IdentifierFault::unsafe));
      }
    }
  }
}

}  // namespace
}  // namespace leasegate::test
