#include "journal/preamble.hpp"

#include <algorithm>
#include <array>

#include "journal/errors.gen.hpp"

namespace leasegate::journal {
namespace {

/** The first byte is no text, so that what opens files by their look leaves them alone. */
std::array<std::uint8_t, 4> magic_of(JournalForm form) {
  return {0x89, 'L', 'G', static_cast<std::uint8_t>(form == JournalForm::journal ? 'J' : 'S')};
}

/** Contracts count from 1: zeros are never a preamble. */
std::uint8_t number_of(JournalContract contract) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(contract) + 1);
}

}  // namespace

bool write_preamble(Array<std::uint8_t>& out, JournalForm form, JournalContract contract) {
  if (!out.try_reserve(out.size() + kPreambleSize)) return false;
  out.append(magic_of(form));
  out.push_back(static_cast<std::uint8_t>(JOURNAL_VERSION));
  out.push_back(number_of(contract));
  return true;
}

Result<JournalContract> read_preamble(std::span<const std::uint8_t> bytes, JournalForm form) {
  const auto magic = magic_of(form);
  const std::size_t compared = std::min(magic.size(), bytes.size());
  if (!std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(compared), bytes.begin())) {
    return std::unexpected(errors::journal_bad_magic(form));
  }
  if (bytes.size() < kPreambleSize) return std::unexpected(errors::journal_truncated(0, bytes.size()));
  if (bytes[4] != JOURNAL_VERSION)
    return std::unexpected(errors::journal_unknown_version(bytes[4], JOURNAL_VERSION));
  if (bytes[5] == 0 || bytes[5] > kJournalContractNames.size()) {
    return std::unexpected(errors::journal_malformed(JournalFault::unknown_name, 5));
  }
  return static_cast<JournalContract>(bytes[5] - 1);
}

Status check_preamble(std::span<const std::uint8_t> bytes, JournalForm form, JournalContract contract) {
  const auto actual = read_preamble(bytes, form);
  if (!actual) return std::unexpected(actual.error());
  if (*actual != contract) return std::unexpected(errors::journal_wrong_contract(contract, *actual));
  return {};
}

}  // namespace leasegate::journal
