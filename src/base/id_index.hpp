// Finds a record's slot by its id: open addressing over (hash, slot) pairs, linear probing.
// Its order depends on the hash and therefore never reaches an output.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/array.hpp"
#include "base/slab.hpp"
#include "base/text_words.hpp"

namespace leasegate {

/** A word a step, then mixed until every bit depends on every byte. The same on every little-endian platform.
 */
[[nodiscard]] inline std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;
  std::uint64_t hash = text.size() * kOdd;
  for_each_word(text, [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 29;
  });
  // Products carry upwards only: the last steps bring the high bits down.
  hash ^= hash >> 32;
  hash *= 0xD6E8'FEB8'6659'FD93;
  hash ^= hash >> 32;
  return static_cast<std::uint32_t>(hash);
}

class IdIndex {
 public:
  /** `id_at(slot)` gives the id of a record. kNoSlot when none has `id`. */
  template <class IdAt>
  [[nodiscard]] std::uint32_t find(std::string_view id, IdAt&& id_at) const {
    return find_hashed(hash_of(id), [&](std::uint32_t slot) { return id_at(slot) == id; });
  }

  /** For keys of several parts: `matches(slot)` says whether a record has the key that was hashed. */
  template <class Matches>
  [[nodiscard]] std::uint32_t find_hashed(std::uint32_t hash, Matches&& matches) const {
    if (entries_.empty()) return kNoSlot;
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      const Entry& entry = entries_[at];
      if (entry.slot == kNoSlot) return kNoSlot;
      if (entry.hash == hash && matches(entry.slot)) return entry.slot;
    }
  }

  /** Room for one more id. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve_one() { return try_reserve(1); }

  /** Room for `count` more ids, a few at most. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve(std::size_t count) {
    if ((count_ + count) * 4 <= entries_.size() * 3) return true;
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
  void insert(std::string_view id, std::uint32_t slot) { insert_hashed(hash_of(id), slot); }
  void insert_hashed(std::uint32_t hash, std::uint32_t slot) {
    place({hash, slot});
    ++count_;
  }

  /** Must be there. */
  void erase(std::string_view id, std::uint32_t slot) { erase_hashed(hash_of(id), slot); }
  void erase_hashed(std::uint32_t hash, std::uint32_t slot) {
    std::size_t hole = hash & mask();
    while (entries_[hole].slot != slot) hole = (hole + 1) & mask();
    // No tombstones: whatever probing would no longer reach past the hole moves into it.
    for (std::size_t at = (hole + 1) & mask(); entries_[at].slot != kNoSlot; at = (at + 1) & mask()) {
      const std::size_t from_home = (at - entries_[at].hash) & mask();
      if (from_home < ((at - hole) & mask())) continue;
      entries_[hole] = entries_[at];
      hole = at;
    }
    entries_[hole] = Entry{};
    --count_;
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
