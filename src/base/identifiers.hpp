// The alphabet and length of task, scan and worker ids.
#pragma once

#include <cstddef>
#include <string_view>

namespace leasegate {

enum class IdentifierFault { none, empty, too_long, unsafe };

/** The first fault of `id`, in this order: empty, longer than `max_bytes`, a byte outside A-Z a-z 0-9 . _ : -
 */
[[nodiscard]] IdentifierFault identifier_fault(std::string_view id, std::size_t max_bytes);

}  // namespace leasegate
