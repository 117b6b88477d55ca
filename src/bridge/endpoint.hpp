// Which endpoints a transport may be configured with (spec of the bridge, section 8).
#pragma once

#include <optional>
#include <string_view>

#include "bridge/schema.gen.hpp"

namespace leasegate {

/** The first fault of `endpoint`, named endpoint_...; none when it is accepted. */
[[nodiscard]] std::optional<TransportFault> endpoint_fault(std::string_view endpoint);

}  // namespace leasegate
