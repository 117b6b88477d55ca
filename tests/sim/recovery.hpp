// From what the storage still has to a machine: the newest snapshot that is whole, and the records behind it.
#pragma once

#include <memory>

#include "sim/surroundings.hpp"
#include "sim/watched.hpp"

namespace leasegate::sim {

/** Checks on its way that nothing acknowledged is missing and that what was not is there wholly or not at
 * all. */
[[nodiscard]] std::unique_ptr<Watched<Coordinator>> recover_tasks(Surroundings& s);
[[nodiscard]] std::unique_ptr<Watched<ResultStore>> recover_results(Surroundings& s);

}  // namespace leasegate::sim
