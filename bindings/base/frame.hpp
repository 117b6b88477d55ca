// The fixed block of memory through which arguments and answers travel, and its codec.
//
// A frame is a row of 8-byte slots and a row of text bytes; there is one for arguments and one for answers.
// Both sides know from src/schema which slot holds what: every number, name or flag takes one; a text takes
// one for its size (16 bits), where it begins among the text bytes (16 bits) and, for an id that comes out,
// the key of its text (high half). What is absent keeps its slots, so that no place depends on a value.
// js/boundary/frame.js is the other side.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "base/counter.hpp"
#include "base/text_policy.hpp"
#include "bindings/base/payload.hpp"

namespace leasegate::bindings {

struct Frame {
  static constexpr std::size_t kSlots = 128;
  static constexpr std::size_t kTextBytes = 16 * 1024;

  std::array<std::uint64_t, kSlots> slots;
  std::array<char, kTextBytes> text;
};
static_assert(Frame::kTextBytes <= 0x1'0000, "a slot has 16 bits for a size and for a beginning");

/** One an instance: JavaScript is single-threaded, and no call into the core is nested in another. */
extern constinit Frame the_frame;
extern constinit Frame the_answer;

class FrameReader {
 public:
  void u64(std::uint64_t& out) { out = the_frame.slots[slot_++]; }
  template <class Tag>
  void u64(Counter<Tag>& out) {
    u64(out.value);
  }
  template <class Tag>
  void optional_u64(std::optional<Counter<Tag>>& out) {
    bool given = false;
    boolean(given);
    Counter<Tag> value;
    u64(value);
    if (given) out = value;
  }
  void u32(std::uint32_t& out) { out = static_cast<std::uint32_t>(the_frame.slots[slot_++]); }
  void boolean(bool& out) {
    std::uint32_t value = 0;
    u32(value);
    out = value != 0;
  }
  template <class Enum>
  void enumeration(Enum& out) {
    std::uint32_t value = 0;
    u32(value);
    out = static_cast<Enum>(value);
  }
  template <class Set>
  void set(Set& out) {
    std::uint32_t value = 0;
    u32(value);
    out.bits = static_cast<decltype(out.bits)>(value);
  }
  void text(std::string_view& out) {
    std::uint32_t place = 0;
    u32(place);
    out = {the_frame.text.data() + (place >> 16U), place & 0xFFFFU};
  }
  void text(IdView& out) {
    std::string_view view;
    text(view);
    out = IdView(view);
  }
  void bytes(std::span<const std::uint8_t>& out) {
    std::string_view view;
    text(view);
    out = {reinterpret_cast<const std::uint8_t*>(view.data()), view.size()};
  }
  /** The bytes that JavaScript has put into the payload buffer; too many to be taken come as a size alone. */
  void payload(std::span<const std::uint8_t>& out) {
    std::uint32_t size = 0;
    u32(size);
    out = {the_payload.data(), size};
  }
  /** Bytes of any number: in the frame while they are few, else in the payload buffer. */
  void blob(std::span<const std::uint8_t>& out) {
    bool beside = false;
    boolean(beside);
    if (beside) {
      payload(out);
    } else {
      bytes(out);
    }
  }

 private:
  std::size_t slot_ = 0;
};

class FrameWriter {
 public:
  void u64(std::uint64_t value) {
    assert(slot_ < Frame::kSlots);
    the_answer.slots[slot_++] = value;
  }
  template <class Tag>
  void u64(Counter<Tag> value) {
    u64(value.value);
  }
  template <class T>
  void optional_u64(const std::optional<T>& value) {
    boolean(value.has_value());
    u64(value.value_or(T{}));
  }
  void u32(std::uint32_t value) { u64(std::uint64_t{value}); }
  void boolean(bool value) { u64(std::uint64_t{value}); }
  template <class Enum>
  void enumeration(Enum value) {
    u64(static_cast<std::uint64_t>(value));
  }
  template <class Set>
  void set(Set value) {
    u64(std::uint64_t{value.bits});
  }
  void text(std::string_view value) { keyed_text(value, kNoTextKey); }
  void id(const IdView& value) { keyed_text(value, value.key); }
  void optional_id(const std::optional<IdView>& value) {
    boolean(value.has_value());
    if (value) {
      id(*value);
    } else {
      skip(1);
    }
  }
  /** The slots of what is absent. */
  void skip(std::size_t slots) { slot_ += slots; }
  void bytes(std::span<const std::uint8_t> value) {
    text({reinterpret_cast<const char*>(value.data()), value.size()});
  }
  /** Bytes that stay where they are: JavaScript copies them out at once. */
  void place(std::span<const std::uint8_t> value) {
    u64(reinterpret_cast<std::uintptr_t>(value.data()));
    u64(std::uint64_t{value.size()});
  }
  void place(std::string_view value) {
    place(std::span(reinterpret_cast<const std::uint8_t*>(value.data()), value.size()));
  }

 private:
  void keyed_text(std::string_view value, std::uint32_t key) {
    assert(text_ + value.size() <= Frame::kTextBytes);
    u64((std::uint64_t{key} << 32U) | (std::uint64_t{text_} << 16U) | value.size());
    if (!value.empty()) std::memcpy(the_answer.text.data() + text_, value.data(), value.size());
    text_ += value.size();
  }

  std::size_t slot_ = 0;
  std::size_t text_ = 0;
};

}  // namespace leasegate::bindings
