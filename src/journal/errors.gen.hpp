// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include <string_view>
#include "base/error.hpp"
#include "journal/schema.gen.hpp"
#include "coordination/schema.gen.hpp"

namespace leasegate::errors {

[[nodiscard]] inline Error journal_bad_magic(JournalForm expected) {
  Error error{ErrorCode::journal_bad_magic};
  error.words[0] = name_of(expected);
  return error;
}

[[nodiscard]] inline Error journal_unknown_version(std::uint64_t version, std::uint64_t supported) {
  Error error{ErrorCode::journal_unknown_version};
  error.numbers[0] = version;
  error.numbers[1] = supported;
  return error;
}

[[nodiscard]] inline Error journal_wrong_contract(JournalContract expected, JournalContract actual) {
  Error error{ErrorCode::journal_wrong_contract};
  error.words[0] = name_of(expected);
  error.words[1] = name_of(actual);
  return error;
}

[[nodiscard]] inline Error journal_truncated(std::uint64_t offset, std::uint64_t bytes) {
  Error error{ErrorCode::journal_truncated};
  error.numbers[0] = offset;
  error.numbers[1] = bytes;
  return error;
}

[[nodiscard]] inline Error journal_checksum_mismatch(std::uint64_t offset) {
  Error error{ErrorCode::journal_checksum_mismatch};
  error.numbers[0] = offset;
  return error;
}

[[nodiscard]] inline Error journal_malformed(JournalFault reason, std::uint64_t offset) {
  Error error{ErrorCode::journal_malformed};
  error.words[0] = name_of(reason);
  error.numbers[0] = offset;
  return error;
}

[[nodiscard]] inline Error journal_unknown_kind(std::uint64_t kind, std::uint64_t offset) {
  Error error{ErrorCode::journal_unknown_kind};
  error.numbers[0] = kind;
  error.numbers[1] = offset;
  return error;
}

[[nodiscard]] inline Error journal_revision_gap(std::uint64_t expected, std::uint64_t actual) {
  Error error{ErrorCode::journal_revision_gap};
  error.numbers[0] = expected;
  error.numbers[1] = actual;
  return error;
}

[[nodiscard]] inline Error journal_no_effect(std::uint64_t revision) {
  Error error{ErrorCode::journal_no_effect};
  error.numbers[0] = revision;
  return error;
}

[[nodiscard]] inline Error journal_snapshot_required(std::uint64_t revision) {
  Error error{ErrorCode::journal_snapshot_required};
  error.numbers[0] = revision;
  return error;
}

[[nodiscard]] inline Error journal_limits_differ(LimitName name) {
  Error error{ErrorCode::journal_limits_differ};
  error.words[0] = name_of(name);
  return error;
}

[[nodiscard]] inline Error journal_snapshot_invalid(SnapshotFault reason, std::uint64_t offset) {
  Error error{ErrorCode::journal_snapshot_invalid};
  error.words[0] = name_of(reason);
  error.numbers[0] = offset;
  return error;
}

[[nodiscard]] inline Error journal_full(std::uint64_t limit) {
  Error error{ErrorCode::journal_full};
  error.numbers[0] = limit;
  return error;
}

[[nodiscard]] inline Error journal_blocked(std::uint64_t revision) {
  Error error{ErrorCode::journal_blocked};
  error.numbers[0] = revision;
  return error;
}

}  // namespace leasegate::errors
