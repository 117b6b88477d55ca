// Cursor for JavaScript.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/cursor.hpp"

namespace leasegate::bindings {

class CursorBinding {
 public:
  explicit CursorBinding(Cursor&& machine) : cursor_(std::move(machine)) {}

  static std::unique_ptr<CursorBinding> create() {
    return bind<CursorBinding>(Result<Cursor>(Cursor(read_number<Sequence>())));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::cursor_sequence:
        return reply_number(cursor_.sequence());
      case BridgeOp::cursor_observe:
        return reply_result(cursor_.observe(read_number<Sequence>()));
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  Cursor cursor_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_cursor) {
  using leasegate::bindings::CursorBinding;
  emscripten::class_<CursorBinding>("Cursor")
      .class_function("create", &CursorBinding::create)
      .function("run", &CursorBinding::run);
}
