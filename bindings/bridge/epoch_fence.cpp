// EpochFence for JavaScript.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/epoch_fence.hpp"

namespace leasegate::bindings {

class EpochFenceBinding {
 public:
  explicit EpochFenceBinding(EpochFence&& machine) : fence_(std::move(machine)) {}

  static std::unique_ptr<EpochFenceBinding> create() {
    return bind<EpochFenceBinding>(EpochFence::create(read_number<Epoch>()));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::fence_current:
        return reply_number(fence_.current());
      case BridgeOp::fence_check:
        return reply(fence_.check(read_number<Epoch>()));
      case BridgeOp::fence_advance:
        return reply(fence_.advance(read_number<Epoch>()));
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  EpochFence fence_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_epoch_fence) {
  using leasegate::bindings::EpochFenceBinding;
  emscripten::class_<EpochFenceBinding>("EpochFence")
      .class_function("create", &EpochFenceBinding::create)
      .function("run", &EpochFenceBinding::run);
}
