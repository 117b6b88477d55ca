// Records found by a serial number of their own, and forgotten one by one.
#pragma once

#include "base/id_index.hpp"
#include "base/pool.hpp"

namespace leasegate {

/** `Record::serial` is a Counter; no two records of a table have the same. */
template <class Record>
class SerialTable {
 public:
  using Serial = decltype(Record::serial);

  [[nodiscard]] std::uint32_t size() const { return records_.size(); }
  Record& operator[](std::uint32_t slot) { return records_[slot]; }
  const Record& operator[](std::uint32_t slot) const { return records_[slot]; }
  /** For lists that thread through the records. */
  Slab<Record>& slab() { return records_.slab(); }

  [[nodiscard]] bool try_reserve(std::uint32_t count) {
    return records_.try_reserve(count) && index_.try_reserve(count);
  }

  /** The slot of a new record; the room must have been reserved. */
  std::uint32_t add(Serial serial) {
    const std::uint32_t slot = records_.take();
    records_[slot].serial = serial;
    index_.insert_hashed(hash_of_serial(serial), slot);
    return slot;
  }

  /** kNoSlot when there is none. */
  [[nodiscard]] std::uint32_t find(Serial serial) const {
    return index_.find_hashed(hash_of_serial(serial),
                              [&](std::uint32_t slot) { return records_[slot].serial == serial; });
  }

  void remove(std::uint32_t slot) {
    index_.erase_hashed(hash_of_serial(records_[slot].serial), slot);
    records_.release(slot);
  }

 private:
  static std::uint32_t hash_of_serial(Serial serial) {
    return static_cast<std::uint32_t>((serial.value * 0x9E37'79B9'7F4A'7C15) >> 32);
  }

  Pool<Record> records_;
  IdIndex index_;
};

}  // namespace leasegate
