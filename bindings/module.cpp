// What the Wasm module offers besides its classes: where the frames lie, and room for payloads.

#include <emscripten/bind.h>

#include "bindings/base/frame.hpp"
#include "bindings/base/payload.hpp"

namespace leasegate::bindings {
namespace {

std::uint32_t address(const void* memory) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory));
}
std::uint32_t frame_slots() { return address(the_frame.slots.data()); }
std::uint32_t frame_text() { return address(the_frame.text.data()); }
std::uint32_t answer_slots() { return address(the_answer.slots.data()); }
std::uint32_t answer_text() { return address(the_answer.text.data()); }
std::uint32_t reserve_payload(std::uint32_t size) { return address(the_payload.try_reserve(size)); }
void release_payload() { the_payload.release(); }

}  // namespace
}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_module) {
  emscripten::function("frameSlots", &leasegate::bindings::frame_slots);
  emscripten::function("frameText", &leasegate::bindings::frame_text);
  emscripten::function("answerSlots", &leasegate::bindings::answer_slots);
  emscripten::function("answerText", &leasegate::bindings::answer_text);
  emscripten::function("reservePayload", &leasegate::bindings::reserve_payload);
  emscripten::function("releasePayload", &leasegate::bindings::release_payload);
}
