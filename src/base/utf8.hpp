// UTF-8 as RFC 3629 has it: no surrogates, nothing beyond U+10FFFF, no longer form than needed.
#pragma once

#include <cstddef>
#include <string_view>

namespace leasegate {

/** Whether `text` holds nothing but U+0020..007E. Looks at all of it, whatever it finds. */
[[nodiscard]] bool is_printable_ascii(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

/** Whether `text`, which must be UTF-8, has a character of category Cc: U+0000..001F or U+007F..009F. */
[[nodiscard]] bool has_control_character(std::string_view text);

/** The longest beginning of `text`, which must be UTF-8, that has at most `max_bytes` and cuts no character.
 */
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

}  // namespace leasegate
