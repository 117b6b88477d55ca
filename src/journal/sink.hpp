// Where records go as commands are accepted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/array.hpp"
#include "base/counter.hpp"
#include "base/result.hpp"

namespace leasegate::journal {

/**
 * What a host gives to be told of every accepted command, in order. Called while the pool is locked: it must
 * not call the pool.
 */
class JournalSink {
 public:
  JournalSink() = default;
  JournalSink(const JournalSink&) = delete;
  JournalSink& operator=(const JournalSink&) = delete;
  virtual ~JournalSink() = default;

  /** Before a command is applied: whether a record of this size could be taken. An error refuses the command.
   */
  [[nodiscard]] virtual Status reserve(std::size_t bytes) = 0;
  /** After it was applied: its record, and the revision that it made. Not called for refusals and replays. */
  virtual void append(Revision made, std::span<const std::uint8_t> record) = 0;
};

/** The pull form: keeps the records until the host takes them. */
class JournalBuffer final : public JournalSink {
 public:
  /** Holds at most `max_bytes`; commands are refused with journal_full when a record would not fit. */
  explicit JournalBuffer(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  /** Errors: journal_blocked, journal_full, out_of_memory. */
  [[nodiscard]] Status reserve(std::size_t bytes) override;
  void append(Revision made, std::span<const std::uint8_t> record) override;

  /** The records since the last `clear`, one after the other: what apply_batch takes. */
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_.view(); }
  /** The revision of the last of them; 0 when there is none. */
  [[nodiscard]] Revision last() const { return last_; }
  /** The host failed to take the record of `revision`: commands are refused with journal_blocked until
   * `clear`.
   */
  void block(Revision revision) { blocked_at_ = revision; }
  void clear();

 private:
  std::uint64_t max_bytes_;
  Array<std::uint8_t> bytes_;
  Revision last_;
  std::optional<Revision> blocked_at_;
};

}  // namespace leasegate::journal
