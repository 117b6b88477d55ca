// From records back to state. A journal is a header and records; a batch is records alone.
#pragma once

#include <limits>
#include <optional>

#include "coordination/coordinator.hpp"
#include "journal/tap.hpp"
#include "results/result_store.hpp"

namespace leasegate::journal {

struct ReplayOptions {
  /** The revision to stop at. */
  Revision until{std::numeric_limits<std::uint64_t>::max()};
  /** Records up to this one are in the state already, through a snapshot: they are passed over. */
  Revision known{};
  /** The revision before the first record, when that is known: of what is passed over nothing may be missing.
   */
  std::optional<Revision> passed = std::nullopt;
};

/** How far a run of records came. What was applied stays applied. */
struct BatchReport {
  /** Records that were applied. */
  std::uint64_t applied = 0;
  /** The index of the record at which it stopped, counted from 0; the number of records when none stopped it.
   */
  std::uint64_t index = 0;
  /** Where that record begins, or where the bytes were left. */
  std::uint64_t offset = 0;
  /** The machine's revision now. */
  Revision revision;
  /** The revision of the last record that was passed over, or `passed` as it was given. */
  std::optional<Revision> passed;
  /**
   * Why it stopped: an error of the bytes, journal_revision_gap, journal_no_effect, or what the command was
   * refused with. Nothing when all was applied that was asked for.
   */
  std::optional<Error> error;

  /** The bytes end within a record, as a crash while writing leaves them: everything before it was applied.
   */
  [[nodiscard]] bool torn() const { return error && error->code == ErrorCode::journal_truncated; }
};

/**
 * Applies `records` one after the other, through `tap` if there is one. A record must make the revision that
 * comes next. `base` is where `records` begin in the whole that offsets speak of.
 */
[[nodiscard]] BatchReport apply_records(Coordinator& coordinator, std::span<const std::uint8_t> records,
                                        const ReplayOptions& options = {}, JournalTap* tap = nullptr,
                                        std::uint64_t base = 0);
[[nodiscard]] BatchReport apply_records(ResultStore& store, std::span<const std::uint8_t> records,
                                        const ReplayOptions& options = {}, JournalTap* tap = nullptr,
                                        std::uint64_t base = 0);

/** Appends the header of a journal that begins with the machine's next command. Errors: out_of_memory. */
Status write_header(Array<std::uint8_t>& out, const Coordinator& coordinator);
Status write_header(Array<std::uint8_t>& out, const ResultStore& store);

template <class Limits>
struct JournalHeader {
  Limits limits;
  /** The revision after which the journal begins. */
  Revision base;
  /** Where its records begin. */
  std::uint64_t records = 0;
};

/**
 * Errors: journal_bad_magic, journal_truncated, journal_unknown_version, journal_wrong_contract,
 * journal_checksum_mismatch, journal_malformed.
 */
[[nodiscard]] Status read_header(std::span<const std::uint8_t> journal,
                                 JournalHeader<DistributedLimits>& out);
[[nodiscard]] Status read_header(std::span<const std::uint8_t> journal, JournalHeader<ResultLimits>& out);

/**
 * The machine that the records of a journal are to be applied to: a new one, or that of a snapshot. For
 * journals that are read piece by piece; the records of a snapshot's state have to be named as `known`.
 * Errors: those of importing, journal_snapshot_required, journal_limits_differ, and journal_revision_gap when
 * the snapshot is later than `until`.
 */
[[nodiscard]] Result<Coordinator> begin_replay(const JournalHeader<DistributedLimits>& header,
                                               std::span<const std::uint8_t> snapshot, Revision until);
[[nodiscard]] Result<ResultStore> begin_replay(const JournalHeader<ResultLimits>& header,
                                               std::span<const std::uint8_t> snapshot, Revision until);

template <class Machine>
struct Replayed {
  Machine machine;
  BatchReport report;
};

/**
 * The machine that a journal leads to: from its beginning, or from a snapshot, whose later records alone are
 * applied. Where the records end early or one of them does not apply, the report says so and the machine is
 * as it was before. Errors: those of read_header and of importing, journal_snapshot_required,
 * journal_limits_differ, and journal_revision_gap when the snapshot is later than the revision asked for.
 */
[[nodiscard]] Result<Replayed<Coordinator>> replay_coordinator(std::span<const std::uint8_t> journal,
                                                               const ReplayOptions& options = {},
                                                               std::span<const std::uint8_t> snapshot = {});
[[nodiscard]] Result<Replayed<ResultStore>> replay_results(std::span<const std::uint8_t> journal,
                                                           const ReplayOptions& options = {},
                                                           std::span<const std::uint8_t> snapshot = {});

}  // namespace leasegate::journal
