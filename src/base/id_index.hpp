// Finds a record's slot by its id: open addressing over (hash, slot) pairs, linear probing.
// Its order depends on the hash and therefore never reaches an output.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/array.hpp"
#include "base/slab.hpp"

namespace leasegate {

/** Mixes eight bytes a step; the same on every platform that leasegate runs on (little-endian). */
[[nodiscard]] inline std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;
  std::uint64_t hash = text.size() * kOdd;
  const char* bytes = text.data();
  std::size_t left = text.size();
  auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  };
  for (; left >= 8; left -= 8, bytes += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    mix(word);
  }
  if (left > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, left);
    mix(word);
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 29));
}

class IdIndex {
 public:
  /** `id_at(slot)` gives the id of a record. kNoSlot when none has `id`. */
  template <class IdAt>
  [[nodiscard]] std::uint32_t find(std::string_view id, IdAt&& id_at) const {
    if (entries_.empty()) return kNoSlot;
    const std::uint32_t hash = hash_of(id);
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      const Entry& entry = entries_[at];
      if (entry.slot == kNoSlot) return kNoSlot;
      if (entry.hash == hash && id_at(entry.slot) == id) return entry.slot;
    }
  }

  /** Room for one more id. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve_one() {
    if ((count_ + 1) * 4 <= entries_.size() * 3) return true;
    const std::size_t size = entries_.empty() ? 16 : entries_.size() * 2;
    Array<Entry> grown;
    if (!grown.try_reserve(size)) return false;
    grown.assign(size, Entry{});
    std::swap(entries_, grown);
    for (const Entry& entry : grown) {
      if (entry.slot != kNoSlot) place(entry);
    }
    return true;
  }

  /** The id must be new and the room reserved. */
  void insert(std::string_view id, std::uint32_t slot) {
    place({hash_of(id), slot});
    ++count_;
  }

  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t slot = kNoSlot;
  };

  [[nodiscard]] std::size_t mask() const { return entries_.size() - 1; }

  void place(const Entry& entry) {
    std::size_t at = entry.hash & mask();
    while (entries_[at].slot != kNoSlot) at = (at + 1) & mask();
    entries_[at] = entry;
  }

  Array<Entry> entries_;
  std::size_t count_ = 0;
};

}  // namespace leasegate
