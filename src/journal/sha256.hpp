// SHA-256 (FIPS 180-4): what state digests are made with, so that anybody can check them with any tool.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace leasegate::journal {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  void update(std::span<const std::uint8_t> bytes);
  /** The digest of all that was given. Nothing may follow. */
  [[nodiscard]] Digest finish();

 private:
  void block(const std::uint8_t* bytes);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace leasegate::journal
