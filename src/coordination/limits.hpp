#pragma once

#include "base/result.hpp"
#include "coordination/schema.gen.hpp"

namespace leasegate {

/**
 * Checks every limit against 0, its ceiling and the others, in that order.
 * Errors: invalid_limit, count_limit_exceeds_maximum, time_limit_exceeds_maximum,
 * retry_limit_exceeds_maximum, invalid_limit_relationship.
 */
[[nodiscard]] Status validate(const DistributedLimits& limits);

}  // namespace leasegate
