#pragma once

#include "coordination/coordinator.hpp"

namespace leasegate {

/** What a recovery will do, found before anything changes. */
struct Coordinator::RecoveryPlan {
  std::uint32_t requeues = 0;
  std::uint32_t failures = 0;
};

}  // namespace leasegate
