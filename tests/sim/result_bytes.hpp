#pragma once

#include <string_view>

#include "sim/disk.hpp"

namespace leasegate::sim {

/** The result of one completion, told by its task and lease. One in a while is longer than `limit`. */
inline Bytes result_bytes(std::string_view task, std::uint64_t lease, std::uint64_t limit) {
  Random random = random_of(lease, task.size());
  Bytes bytes(static_cast<std::size_t>(random.below(limit + 5)));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

}  // namespace leasegate::sim
