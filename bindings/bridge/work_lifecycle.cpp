// WorkLifecycle for JavaScript.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/work_lifecycle.hpp"

namespace leasegate::bindings {

class WorkLifecycleBinding {
 public:
  explicit WorkLifecycleBinding(WorkLifecycle&& machine) : work_(std::move(machine)) {}

  static std::unique_ptr<WorkLifecycleBinding> create() {
    return bind<WorkLifecycleBinding>(WorkLifecycle::create(WorkId(read_text())));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::work_state: {
        FrameWriter out;
        out.enumeration(work_.state());
        out.boolean(work_.owned());
        return 0;
      }
      case BridgeOp::work_transition:
        return reply(work_.transition(read_name<WorkState>()));
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  WorkLifecycle work_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_work_lifecycle) {
  using leasegate::bindings::WorkLifecycleBinding;
  emscripten::class_<WorkLifecycleBinding>("WorkLifecycle")
      .class_function("create", &WorkLifecycleBinding::create)
      .function("run", &WorkLifecycleBinding::run);
}
