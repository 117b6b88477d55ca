// Whether a text is JSON: RFC 8259 in UTF-8 without a byte order mark. Nothing is parsed or kept.
#pragma once

#include <cstddef>
#include <string_view>

namespace leasegate {

/** Arrays and objects around one another. */
inline constexpr std::size_t kMaxJsonDepth = 10'000;

/**
 * True for exactly one JSON value with white space around it, nested at most kMaxJsonDepth deep.
 * Repeated names, numbers of any size and escaped lone surrogates are JSON. Does not recurse.
 */
[[nodiscard]] bool is_json(std::string_view text);

}  // namespace leasegate
