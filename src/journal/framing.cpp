#include "journal/framing.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "journal/crc32c.hpp"
#include "journal/errors.gen.hpp"

namespace leasegate::journal {
namespace {

std::array<std::uint8_t, 4> bytes_of(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8U),
          static_cast<std::uint8_t>(value >> 16U), static_cast<std::uint8_t>(value >> 24U)};
}

std::uint32_t number_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} | std::uint32_t{bytes[at + 1]} << 8U | std::uint32_t{bytes[at + 2]} << 16U |
         std::uint32_t{bytes[at + 3]} << 24U;
}

}  // namespace

bool open_frame(Array<std::uint8_t>& out, std::size_t& head) {
  head = out.size();
  if (!out.try_reserve(head + kFrameHead)) return false;
  constexpr std::array<std::uint8_t, kFrameHead> kRoom{};
  out.append(kRoom);
  return true;
}

bool close_frame(Array<std::uint8_t>& out, std::size_t head) {
  const std::span<const std::uint8_t> body = out.view().subspan(head + kFrameHead);
  if (body.size() > std::numeric_limits<std::uint32_t>::max()) return false;
  if (!out.try_reserve(out.size() + kFrameTail)) return false;
  const auto length = bytes_of(static_cast<std::uint32_t>(body.size()));
  const auto check = bytes_of(crc32c(length));
  std::copy(length.begin(), length.end(), out.begin() + head);
  std::copy(check.begin(), check.end(), out.begin() + head + length.size());
  out.append(bytes_of(crc32c(out.view().subspan(head + kFrameHead))));
  return true;
}

Result<Framed> FrameScanner::next(std::uint64_t max_bytes) {
  const std::span<const std::uint8_t> rest = bytes_.subspan(at_);
  const auto cut_off = [&] { return std::unexpected(errors::journal_truncated(offset(), rest.size())); };
  const auto damaged = [&]() -> std::unexpected<Error> {
    if (std::all_of(rest.begin(), rest.end(), [](std::uint8_t byte) { return byte == 0; })) return cut_off();
    return std::unexpected(errors::journal_checksum_mismatch(offset()));
  };
  if (rest.size() < kFrameHead) return cut_off();
  const std::uint32_t length = number_at(rest, 0);
  if (crc32c(rest.first(4)) != number_at(rest, 4)) return damaged();
  if (length > max_bytes) {
    return std::unexpected(errors::journal_malformed(JournalFault::record_too_long, offset()));
  }
  if (rest.size() - kFrameHead < std::uint64_t{length} + kFrameTail) return cut_off();
  const Framed framed{offset(), rest.subspan(kFrameHead, length)};
  if (crc32c(framed.body) != number_at(rest, kFrameHead + length)) return damaged();
  at_ += kFrameHead + length + kFrameTail;
  return framed;
}

}  // namespace leasegate::journal
