// What surrounds every record and every snapshot:
//
//   length of the body, 4 bytes · its CRC-32C, 4 bytes · the body · its CRC-32C, 4 bytes     (little-endian)
//
// The length has a checksum of its own, so that a damaged one is not taken for a record that was cut off.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.hpp"
#include "base/result.hpp"
#include "journal/schema.gen.hpp"

namespace leasegate::journal {

inline constexpr std::size_t kFrameHead = FRAME_HEAD_BYTES;
inline constexpr std::size_t kFrameTail = FRAME_TAIL_BYTES;

/** Makes room for a frame's head at the end of `out` and says where it is. False when there is no memory. */
[[nodiscard]] bool open_frame(Array<std::uint8_t>& out, std::size_t& head);
/** All that follows the head is the body: fills the head in and adds the tail. False when there is no memory.
 */
[[nodiscard]] bool close_frame(Array<std::uint8_t>& out, std::size_t head);

struct Framed {
  /** Where the frame begins, in the whole that errors speak of. */
  std::uint64_t offset = 0;
  std::span<const std::uint8_t> body;

  [[nodiscard]] std::uint64_t body_offset() const { return offset + kFrameHead; }
};

/** Takes frames one after the other. */
class FrameScanner {
 public:
  /** `offset` is where `bytes` begin in the whole that errors speak of. */
  explicit FrameScanner(std::span<const std::uint8_t> bytes, std::uint64_t offset = 0)
      : bytes_(bytes), offset_(offset) {}

  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }
  /** Where the next frame begins. */
  [[nodiscard]] std::uint64_t offset() const { return offset_ + at_; }

  /**
   * The next frame, at most `max_bytes` long. After an error the scanner stands where it stood.
   * Errors: journal_truncated when the bytes end before the frame does, or only zeros are left (a file that
   * had been made longer before it was written to); journal_checksum_mismatch;
   * journal_malformed{record_too_long}.
   */
  [[nodiscard]] Result<Framed> next(std::uint64_t max_bytes);

 private:
  std::span<const std::uint8_t> bytes_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
};

}  // namespace leasegate::journal
