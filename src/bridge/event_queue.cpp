#include "bridge/event_queue.hpp"

#include <cstring>
#include <utility>

namespace leasegate {

EventBlock::EventBlock(const OutboundEventView& event)
    : payload_size_(event.payload.size()),
      id_size_(static_cast<std::uint16_t>(event.message_id.text.size())),
      type_size_(static_cast<std::uint16_t>(event.type.size())) {
  char* end = reinterpret_cast<char*>(this + 1);
  std::memcpy(end, event.message_id.text.data(), id_size_);
  std::memcpy(end + id_size_, event.type.data(), type_size_);
  if (payload_size_ > 0) std::memcpy(end + id_size_ + type_size_, event.payload.data(), payload_size_);
}

EventBlock::Owner EventBlock::try_make(const OutboundEventView& event) {
  const std::size_t size = event.message_id.text.size() + event.type.size() + event.payload.size();
  void* memory = try_allocate_bytes(sizeof(EventBlock) + size);  // NOLINT(misc-const-correctness): built into
  if (memory == nullptr) return nullptr;
  return Owner(::new (memory) EventBlock(event));
}

OutboundEventView EventBlock::view() const {
  const char* type = bytes() + id_size_;
  return {
      .message_id = MessageId(std::string_view(bytes(), id_size_)),
      .type = {type, type_size_},
      .payload = {reinterpret_cast<const std::uint8_t*>(type + type_size_), payload_size_},
  };
}

EventQueue::EventQueue(EventQueue&& other) noexcept
    : first_(std::exchange(other.first_, nullptr)),
      last_(std::exchange(other.last_, nullptr)),
      count_(std::exchange(other.count_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

EventQueue& EventQueue::operator=(EventQueue&& other) noexcept {
  std::swap(first_, other.first_);
  std::swap(last_, other.last_);
  std::swap(count_, other.count_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void EventQueue::append(EventBlock::Owner block) {
  EventBlock* added = block.release();
  added->previous_ = last_;
  added->next_ = nullptr;
  (last_ == nullptr ? first_ : last_->next_) = added;
  last_ = added;
  ++count_;
  bytes_ += added->payload_size_;
}

void EventQueue::prepend(EventQueue&& other) {
  if (other.empty()) return;
  EventQueue back = std::exchange(*this, std::move(other));
  if (back.empty()) return;
  last_->next_ = back.first_;
  back.first_->previous_ = last_;
  last_ = back.last_;
  count_ += std::exchange(back.count_, 0);
  bytes_ += std::exchange(back.bytes_, 0);
  back.first_ = back.last_ = nullptr;
}

EventBlock::Owner EventQueue::take(EventBlock* block) {
  (block->previous_ == nullptr ? first_ : block->previous_->next_) = block->next_;
  (block->next_ == nullptr ? last_ : block->next_->previous_) = block->previous_;
  --count_;
  bytes_ -= block->payload_size_;
  return EventBlock::Owner(block);
}

void EventQueue::clear() {
  while (first_ != nullptr) {
    EventBlock* next = first_->next_;
    EventBlock::Release()(first_);
    first_ = next;
  }
  last_ = nullptr;
  count_ = 0;
  bytes_ = 0;
}

}  // namespace leasegate
