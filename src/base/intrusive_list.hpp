// A doubly linked list whose links live in the records themselves: in and out in constant time, from the
// middle too, and never an allocation. A record can be in one list per pair of links.
#pragma once

#include <cstdint>

#include "base/slab.hpp"

namespace leasegate {

struct Links {
  std::uint32_t previous = kNoSlot;
  std::uint32_t next = kNoSlot;
};

struct IntrusiveList {
  std::uint32_t first = kNoSlot;
  std::uint32_t last = kNoSlot;
  std::uint32_t count = 0;
};

/** Works on the lists that thread through `Member` of the records of one slab. */
template <auto Member>
struct ListOf {
  template <class T>
  static void append(IntrusiveList& list, Slab<T>& slab, std::uint32_t slot) {
    Links& links = slab[slot].*Member;
    links = {list.last, kNoSlot};
    if (list.last == kNoSlot) {
      list.first = slot;
    } else {
      (slab[list.last].*Member).next = slot;
    }
    list.last = slot;
    ++list.count;
  }

  template <class T>
  static void remove(IntrusiveList& list, Slab<T>& slab, std::uint32_t slot) {
    Links& links = slab[slot].*Member;
    if (links.previous == kNoSlot) {
      list.first = links.next;
    } else {
      (slab[links.previous].*Member).next = links.next;
    }
    if (links.next == kNoSlot) {
      list.last = links.previous;
    } else {
      (slab[links.next].*Member).previous = links.previous;
    }
    links = {};
    --list.count;
  }

  template <class T>
  static std::uint32_t next(const Slab<T>& slab, std::uint32_t slot) {
    return (slab[slot].*Member).next;
  }
};

}  // namespace leasegate
