// A machine's state as one piece of bytes, and its fingerprint.
#pragma once

#include "journal/sha256.hpp"
#include "journal/state.hpp"

namespace leasegate::journal {

/** Appends a snapshot to `out`. Errors: out_of_memory, with `out` as before. Walks everything. */
Status export_snapshot(const Coordinator& coordinator, Array<std::uint8_t>& out);
Status export_snapshot(const ResultStore& store, Array<std::uint8_t>& out);

/**
 * A machine with exactly the state that was exported. Nothing is taken on trust.
 * Errors: journal_bad_magic, journal_truncated, journal_unknown_version, journal_wrong_contract,
 * journal_checksum_mismatch, journal_malformed, journal_snapshot_invalid, out_of_memory.
 */
[[nodiscard]] Result<Coordinator> import_coordinator(std::span<const std::uint8_t> snapshot);
[[nodiscard]] Result<ResultStore> import_results(std::span<const std::uint8_t> snapshot);

/**
 * The SHA-256 of the body of the machine's snapshot: equal for two machines exactly when all their answers
 * will be equal, on every platform. Errors: out_of_memory. Walks everything.
 */
[[nodiscard]] Result<Digest> state_digest(const Coordinator& coordinator);
[[nodiscard]] Result<Digest> state_digest(const ResultStore& store);

}  // namespace leasegate::journal
