// What journals and snapshots begin with: four bytes that tell which of the two it is, a byte with the
// version, a byte with the contract.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.hpp"
#include "base/result.hpp"
#include "journal/schema.gen.hpp"

namespace leasegate::journal {

inline constexpr std::size_t kPreambleSize = 6;

[[nodiscard]] bool write_preamble(Array<std::uint8_t>& out, JournalForm form, JournalContract contract);

/** Whose bytes these are. Errors: journal_bad_magic, journal_truncated, journal_unknown_version,
 * journal_malformed. */
[[nodiscard]] Result<JournalContract> read_preamble(std::span<const std::uint8_t> bytes, JournalForm form);

/** Errors: those of read_preamble, and journal_wrong_contract. */
[[nodiscard]] Status check_preamble(std::span<const std::uint8_t> bytes, JournalForm form,
                                    JournalContract contract);

}  // namespace leasegate::journal
