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
  const auto safe = [&](std::size_t at) -> unsigned { return kSafeBytes[static_cast<std::uint8_t>(id[at])]; };
  // Ids are safe as a rule: looking at several bytes before asking costs less than leaving early saves.
  unsigned all = 1;
  std::size_t at = 0;
  for (; at + 4 <= id.size(); at += 4) all &= safe(at) & safe(at + 1) & safe(at + 2) & safe(at + 3);
  for (; at < id.size(); ++at) all &= safe(at);
  return all != 0 ? IdentifierFault::none : IdentifierFault::unsafe;
}

}  // namespace leasegate
