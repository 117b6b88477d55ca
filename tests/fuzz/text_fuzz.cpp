// The validators of texts that come from outside, against plainer ones: identifiers, UTF-8, JSON, endpoints,
// the keys of control requests.

#include "base/identifiers.hpp"
#include "base/json.hpp"
#include "base/utf8.hpp"
#include "bridge/control_registry.hpp"
#include "bridge/endpoint.hpp"
#include "bridge/outbound_event.hpp"
#include "fuzz/input.hpp"
#include "fuzz/plain_json.hpp"

namespace leasegate::fuzz {
namespace {

/** The code points of `text`; nothing when it is no UTF-8. By arithmetic, not by tables of lead bytes. */
std::optional<std::vector<std::uint32_t>> code_points(std::string_view text) {
  std::vector<std::uint32_t> points;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[at]);
    std::size_t size = 1;
    if (lead >= 0xF0) {
      size = 4;
    } else if (lead >= 0xE0) {
      size = 3;
    } else if (lead >= 0xC0) {
      size = 2;
    } else if (lead >= 0x80) {
      return std::nullopt;
    }
    if (lead >= 0xF8 || text.size() - at < size) return std::nullopt;
    std::uint32_t point = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
      const auto byte = static_cast<std::uint8_t>(text[at + i]);
      if (byte < 0x80 || byte > 0xBF) return std::nullopt;
      point = point << 6U | (byte & 0x3FU);
    }
    static constexpr std::uint32_t kFirst[] = {0, 0, 0x80, 0x800, 0x1'0000};
    if (point < kFirst[size] || point > 0x10'FFFF || (point >= 0xD800 && point < 0xE000)) return std::nullopt;
    points.push_back(point);
    at += size;
  }
  return points;
}

bool is_control(std::uint32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

void check_utf8(std::string_view text) {
  const auto points = code_points(text);
  require(is_utf8(text) == points.has_value(), "is_utf8");
  if (!points) return;
  require(has_control_character(text) == std::any_of(points->begin(), points->end(), is_control),
          "has_control_character");
  for (std::size_t most = 0; most <= text.size() && most < 12; ++most) {
    const std::string_view prefix = utf8_prefix(text, most);
    require(prefix.size() <= most && text.starts_with(prefix) && is_utf8(prefix), "utf8_prefix");
    require(most - prefix.size() < 4, "utf8_prefix cuts too much");
  }
}

void check_identifiers(std::string_view text) {
  const bool safe = std::all_of(text.begin(), text.end(), [](char c) {
    return std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-").contains(c);
  });
  const bool accepted = identifier_fault(text, 256) == IdentifierFault::none;
  require(accepted == (!text.empty() && text.size() <= 256 && safe), "identifier_fault");
  const auto points = code_points(text);
  const bool opaque = !text.empty() && text.size() <= MAX_OPAQUE_ID_BYTES && points &&
                      std::none_of(points->begin(), points->end(), is_control);
  require(is_opaque_id(text) == opaque, "is_opaque_id");
  require(!validate_path_identifier("kind", text) || opaque, "a path identifier that is no opaque id");
}

void check_endpoint(std::string_view text) {
  if (endpoint_fault(text)) return;
  require(is_utf8(text) && text.contains("://"), "an endpoint without a scheme");
  for (const char c : text) require(static_cast<std::uint8_t>(c) > 0x20, "an endpoint with a space");
}

void check_bridge(std::string_view text, Input& input) {
  ControlKeyView key;
  key.request.text = text;
  key.session.text = text_of_bytes(input.piece());
  key.generation = {1};
  key.epoch = {1};
  require(validate(key).has_value() == (is_opaque_id(key.request.text) && is_opaque_id(key.session.text)),
          "validate(ControlKeyView)");
  const OutboundEventView event{MessageId(key.session.text), text, {}};
  if (validate(event))
    require(is_opaque_id(key.session.text) && is_utf8(text), "validate(OutboundEventView)");
}

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leasegate::fuzz;
  Input input(data, size);
  const std::string_view text = text_of_bytes(input.piece());
  check_utf8(text);
  check_identifiers(text);
  check_endpoint(text);
  leasegate::fuzz::require(leasegate::is_json(text) == (leasegate::is_utf8(text) && is_plain_json(text)),
                           "is_json");
  check_bridge(text, input);
  return 0;
}
