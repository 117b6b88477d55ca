// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace leasegate {

/** Ceiling of max_results. */
inline constexpr std::uint64_t MAX_RESULTS = 65536;
/** Ceiling of max_result_bytes, in bytes (16 MiB). */
inline constexpr std::uint64_t MAX_RESULT_BYTES = 16777216;
/** Ceiling of max_total_bytes and max_aggregate_bytes, in bytes (256 MiB). */
inline constexpr std::uint64_t MAX_TOTAL_RESULT_BYTES = 268435456;
/** Ceiling of max_aggregate_items. */
inline constexpr std::uint64_t MAX_AGGREGATE_ITEMS = 65536;

enum class StoreKind : std::uint8_t {
  stored,
  already_stored,
};
inline constexpr std::array<std::string_view, 2> kStoreKindNames = {
    "stored",
    "already_stored",
};
[[nodiscard]] constexpr std::string_view name_of(StoreKind value) {
  return kStoreKindNames[static_cast<std::size_t>(value)];
}

struct ResultLimits {
  /** Stored results. 1 to MAX_RESULTS. */
  std::uint64_t max_results = 1024;
  /** Bytes of one result. 1 to MAX_RESULT_BYTES. */
  std::uint64_t max_result_bytes = 1048576;
  /** Bytes of all stored results. 1 to MAX_TOTAL_RESULT_BYTES. */
  std::uint64_t max_total_bytes = 16777216;
  /** Results of one aggregate. 1 to MAX_AGGREGATE_ITEMS. */
  std::uint64_t max_aggregate_items = 1024;
  /** Bytes of one aggregate. 1 to MAX_TOTAL_RESULT_BYTES. */
  std::uint64_t max_aggregate_bytes = 16777216;
};

}  // namespace leasegate
