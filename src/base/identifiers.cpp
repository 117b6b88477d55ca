#include "base/identifiers.hpp"

#include <array>
#include <cstdint>

namespace leasegate {
namespace {

constexpr std::array<bool, 256> make_safe_bytes() {
  std::array<bool, 256> safe{};
  for (const char c :
       std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-")) {
    safe[static_cast<std::uint8_t>(c)] = true;
  }
  return safe;
}

constexpr std::array<bool, 256> kSafeBytes = make_safe_bytes();

}  // namespace

IdentifierFault identifier_fault(std::string_view id, std::size_t max_bytes) {
  if (id.empty()) return IdentifierFault::empty;
  if (id.size() > max_bytes) return IdentifierFault::too_long;
  for (const char c : id) {
    if (!kSafeBytes[static_cast<std::uint8_t>(c)]) return IdentifierFault::unsafe;
  }
  return IdentifierFault::none;
}

}  // namespace leasegate
