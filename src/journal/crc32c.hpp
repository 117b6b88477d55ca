// CRC-32C (Castagnoli), the checksum of records and snapshots: finds every single flipped byte.
#pragma once

#include <cstdint>
#include <span>

namespace leasegate::journal {

[[nodiscard]] std::uint32_t crc32c(std::span<const std::uint8_t> bytes);

}  // namespace leasegate::journal
