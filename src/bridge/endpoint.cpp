#include "bridge/endpoint.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.hpp"

namespace leasegate {
namespace {

using Fault = std::optional<TransportFault>;
constexpr std::size_t npos = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_any_of(char c, std::string_view set) { return set.contains(c); }

/** -1 when `c` is no hex digit. */
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/** The byte that the escape at `at` stands for, -1 when it is none. */
int escaped_byte(std::string_view text, std::size_t at) {
  if (text.size() - at < 3) return -1;
  const int high = hex_value(text[at + 1]);
  const int low = hex_value(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

bool escapes_are_whole(std::string_view text) {
  for (std::size_t at = text.find('%'); at != npos; at = text.find('%', at + 1)) {
    if (escaped_byte(text, at) < 0) return false;
  }
  return true;
}

bool is_scheme(std::string_view scheme) {
  if (scheme.empty() || !is_letter(scheme.front())) return false;
  return std::all_of(scheme.begin(), scheme.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || is_any_of(c, "+.-"); });
}

bool is_userinfo(std::string_view userinfo) {
  for (const char c : userinfo) {
    if (!is_letter(c) && !is_digit(c) && !is_any_of(c, "-._~!$&'()*+,;=:@%")) return false;
  }
  return escapes_are_whole(userinfo);
}

/** Four decimal bytes without leading zeros. */
bool is_ipv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (text.empty() || text.front() != '.') return false;
      text.remove_prefix(1);
    }
    std::size_t size = 0;
    int value = 0;
    while (size < text.size() && size < 4 && is_digit(text[size])) value = value * 10 + (text[size++] - '0');
    if (size == 0 || value > 255 || (size > 1 && text.front() == '0')) return false;
    text.remove_prefix(size);
  }
  return text.empty();
}

/** Eight groups of one to four hex digits, the last two perhaps as IPv4; "::" once, for one or more of zeros.
 */
bool is_ipv6(std::string_view text) {
  int groups = 0;
  bool shortened = text.starts_with("::");
  if (shortened) text.remove_prefix(2);
  while (!text.empty()) {
    std::size_t size = 0;
    while (size < text.size() && size < 5 && hex_value(text[size]) >= 0) ++size;
    if (size < text.size() && text[size] == '.') {
      if (!is_ipv4(text)) return false;
      groups += 2;
      text = {};
      break;
    }
    if (size == 0 || size > 4) return false;
    ++groups;
    text.remove_prefix(size);
    if (text.empty()) break;
    if (text.front() != ':' || text.size() == 1) return false;
    if (text[1] != ':') {
      text.remove_prefix(1);
    } else if (shortened) {
      return false;
    } else {
      shortened = true;
      text.remove_prefix(2);
    }
  }
  return shortened ? groups <= 7 : groups == 8;
}

/** Characters that a name may have, and escapes that, decoded, leave it UTF-8. */
Fault name_fault(std::string_view name) {
  if (name.empty()) return TransportFault::endpoint_host;
  // A name is long in attacks only: what does not fit here is checked in pieces that end between characters.
  std::array<char, 512> decoded{};
  std::size_t size = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (is_any_of(name[at], ":\\^|<>[]{}`")) return TransportFault::endpoint_host;
    char c = name[at];
    if (c == '%') {
      const int byte = escaped_byte(name, at);
      if (byte < 0) return TransportFault::endpoint_escape;
      if (byte < 0x80) return TransportFault::endpoint_host;
      c = static_cast<char>(byte);
      at += 2;
    }
    const bool starts_character = (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80;
    if (starts_character && size + 4 > decoded.size()) {
      if (!is_utf8({decoded.data(), size})) return TransportFault::endpoint_host;
      size = 0;
    }
    if (size == decoded.size()) return TransportFault::endpoint_host;
    decoded[size++] = c;
  }
  if (!is_utf8({decoded.data(), size})) return TransportFault::endpoint_host;
  return std::nullopt;
}

/** A colon with a port, which may be missing; or nothing. */
Fault port_fault(std::string_view rest) {
  if (rest.empty()) return std::nullopt;
  if (rest.front() != ':') return TransportFault::endpoint_host;
  std::uint64_t port = 0;
  for (const char c : rest.substr(1)) {
    if (!is_digit(c)) return TransportFault::endpoint_port;
    port = port * 10 + static_cast<std::uint64_t>(c - '0');
    if (port > MAX_PORT) return TransportFault::endpoint_port;
  }
  return std::nullopt;
}

Fault authority_fault(std::string_view authority) {
  if (const std::size_t at = authority.rfind('@'); at != npos) {
    if (!is_userinfo(authority.substr(0, at))) return TransportFault::endpoint_userinfo;
    authority.remove_prefix(at + 1);
  }
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == npos || !is_ipv6(authority.substr(1, end - 1))) return TransportFault::endpoint_host;
    return port_fault(authority.substr(end + 1));
  }
  const std::size_t colon = std::min(authority.find(':'), authority.size());
  if (const Fault fault = name_fault(authority.substr(0, colon))) return fault;
  return port_fault(authority.substr(colon));
}

/** Escapes in the path and the fragment; a query is anything. */
bool rest_is_whole(std::string_view rest) {
  const std::size_t fragment = std::min(rest.find('#'), rest.size());
  const std::size_t path = std::min(rest.find('?'), fragment);
  return escapes_are_whole(rest.substr(0, path)) && escapes_are_whole(rest.substr(fragment));
}

}  // namespace

std::optional<TransportFault> endpoint_fault(std::string_view endpoint) {
  if (!is_utf8(endpoint)) return TransportFault::endpoint_not_utf8;
  for (const char c : endpoint) {
    if (static_cast<std::uint8_t>(c) <= 0x20 || c == '\x7F') return TransportFault::endpoint_character;
  }
  const std::size_t mark = endpoint.find("://");
  if (mark == npos || !is_scheme(endpoint.substr(0, mark))) return TransportFault::endpoint_scheme;
  const std::string_view after = endpoint.substr(mark + 3);
  const std::size_t end = std::min(after.find_first_of("/?#"), after.size());
  if (const Fault fault = authority_fault(after.substr(0, end))) return fault;
  if (!rest_is_whole(after.substr(end))) return TransportFault::endpoint_escape;
  return std::nullopt;
}

}  // namespace leasegate
