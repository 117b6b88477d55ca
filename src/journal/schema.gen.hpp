// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace leasegate {

/** The one version of journals, records and snapshots that is written and read. */
inline constexpr std::uint64_t JOURNAL_VERSION = 1;
/** Bytes of the longest record, framing aside (32 MiB). */
inline constexpr std::uint64_t MAX_RECORD_BYTES = 33554432;
/** Ceiling of the bytes of records that wait to be taken (256 MiB). */
inline constexpr std::uint64_t MAX_JOURNAL_BYTES = 268435456;
/** Bytes of records that wait to be taken, unless told otherwise (16 MiB). */
inline constexpr std::uint64_t DEFAULT_JOURNAL_BYTES = 16777216;
/** What stands before a body: its length, and the checksum of these bytes. */
inline constexpr std::uint64_t FRAME_HEAD_BYTES = 8;
/** What stands behind a body: its checksum. */
inline constexpr std::uint64_t FRAME_TAIL_BYTES = 4;
/** No header of a journal is longer, with all that surrounds it. */
inline constexpr std::uint64_t MAX_HEADER_BYTES = 4096;

enum class JournalForm : std::uint8_t {
  journal,
  snapshot,
};
inline constexpr std::array<std::string_view, 2> kJournalFormNames = {
    "journal",
    "snapshot",
};
[[nodiscard]] constexpr std::string_view name_of(JournalForm value) {
  return kJournalFormNames[static_cast<std::size_t>(value)];
}

enum class JournalContract : std::uint8_t {
  coordination,
  results,
};
inline constexpr std::array<std::string_view, 2> kJournalContractNames = {
    "coordination",
    "results",
};
[[nodiscard]] constexpr std::string_view name_of(JournalContract value) {
  return kJournalContractNames[static_cast<std::size_t>(value)];
}

enum class JournalFault : std::uint8_t {
  ends_early,
  trailing_bytes,
  record_too_long,
  integer_not_canonical,
  integer_out_of_range,
  unknown_name,
  text_too_long,
  list_too_long,
};
inline constexpr std::array<std::string_view, 8> kJournalFaultNames = {
    "ends_early",
    "trailing_bytes",
    "record_too_long",
    "integer_not_canonical",
    "integer_out_of_range",
    "unknown_name",
    "text_too_long",
    "list_too_long",
};
[[nodiscard]] constexpr std::string_view name_of(JournalFault value) {
  return kJournalFaultNames[static_cast<std::size_t>(value)];
}

enum class SnapshotFault : std::uint8_t {
  limits,
  counters,
  worker,
  worker_order,
  task,
  task_order,
  lease,
  result,
  result_order,
  bounds,
  invariant,
};
inline constexpr std::array<std::string_view, 11> kSnapshotFaultNames = {
    "limits",
    "counters",
    "worker",
    "worker_order",
    "task",
    "task_order",
    "lease",
    "result",
    "result_order",
    "bounds",
    "invariant",
};
[[nodiscard]] constexpr std::string_view name_of(SnapshotFault value) {
  return kSnapshotFaultNames[static_cast<std::size_t>(value)];
}

}  // namespace leasegate
