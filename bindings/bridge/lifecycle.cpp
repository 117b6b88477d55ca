// Lifecycle for JavaScript.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/lifecycle.hpp"

namespace leasegate::bindings {

class LifecycleBinding {
 public:
  explicit LifecycleBinding(Lifecycle&& machine) : lifecycle_(std::move(machine)) {}

  static std::unique_ptr<LifecycleBinding> create() {
    return bind<LifecycleBinding>(Lifecycle::create(read_number<std::uint64_t>()));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::lifecycle_change: {
        const auto [to, reason, now] = read_command<LifecycleChange>();
        return reply(lifecycle_.transition(to, reason, now));
      }
      case BridgeOp::lifecycle_state:
        return reply_value(lifecycle_.state());
      case BridgeOp::lifecycle_history: {
        FrameWriter out;
        out.u32(lifecycle_.history_size());
        out.u64(lifecycle_.dropped_history());
        return 0;
      }
      case BridgeOp::lifecycle_entry: {
        FrameReader in;
        std::uint32_t index = 0;
        in.u32(index);
        return reply_value(lifecycle_.history_at(index));
      }
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  Lifecycle lifecycle_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_lifecycle) {
  using leasegate::bindings::LifecycleBinding;
  emscripten::class_<LifecycleBinding>("Lifecycle")
      .class_function("create", &LifecycleBinding::create)
      .function("run", &LifecycleBinding::run);
}
