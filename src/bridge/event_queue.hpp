// Events in order, each in one block of memory: links and sizes (32 bytes, 20 in Wasm), then id, type and
// payload. In at the back, a whole queue in front, out anywhere: all in constant time.
#pragma once

#include <cstdint>
#include <memory>

#include "base/memory.hpp"
#include "bridge/outbound_event.hpp"

namespace leasegate {

/** Made by try_make only; the texts and the payload follow the header. */
class EventBlock {
 public:
  struct Release {
    void operator()(EventBlock* block) const { release_bytes(block); }
  };
  using Owner = std::unique_ptr<EventBlock, Release>;

  /** A copy of `event`, which must be valid. Null when there is no memory. */
  [[nodiscard]] static Owner try_make(const OutboundEventView& event);

  [[nodiscard]] OutboundEventView view() const;
  [[nodiscard]] std::size_t payload_size() const { return payload_size_; }

 private:
  friend class EventQueue;
  explicit EventBlock(const OutboundEventView& event);

  [[nodiscard]] const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }

  EventBlock* previous_ = nullptr;
  EventBlock* next_ = nullptr;
  std::size_t payload_size_;
  std::uint16_t id_size_;
  std::uint16_t type_size_;
};

class EventQueue {
 public:
  EventQueue() = default;
  EventQueue(EventQueue&& other) noexcept;
  EventQueue& operator=(EventQueue&& other) noexcept;
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;
  ~EventQueue() { clear(); }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /** Of the payloads. */
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /** Null at the end. */
  [[nodiscard]] EventBlock* first() { return first_; }
  [[nodiscard]] const EventBlock* first() const { return first_; }
  [[nodiscard]] static const EventBlock* after(const EventBlock* block) { return block->next_; }

  void append(EventBlock::Owner block);
  /** Puts all of `other` in front of what is here. */
  void prepend(EventQueue&& other);
  /** `block` must be in this queue. */
  EventBlock::Owner take(EventBlock* block);
  void clear();

 private:
  EventBlock* first_ = nullptr;
  EventBlock* last_ = nullptr;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace leasegate
