// DeliveryTracker for JavaScript.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/delivery_tracker.hpp"

namespace leasegate::bindings {

class DeliveryTrackerBinding {
 public:
  explicit DeliveryTrackerBinding(DeliveryTracker&& machine) : tracker_(std::move(machine)) {}

  static std::unique_ptr<DeliveryTrackerBinding> create() {
    return bind<DeliveryTrackerBinding>(DeliveryTracker::create(read_number<std::uint64_t>()));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::delivery_observe: {
        const auto [id, message, sequence, now] = read_command<DeliveryObserve>();
        return reply(tracker_.observe(id, message, sequence, now));
      }
      case BridgeOp::delivery_transition: {
        const auto [id, state, failure, now] = read_command<DeliveryTransition>();
        return reply(tracker_.transition(id, state, failure, now));
      }
      case BridgeOp::delivery_acknowledge: {
        const auto [id, ack, now] = read_command<DeliveryAcknowledge>();
        return reply(tracker_.acknowledge(id, ack, now));
      }
      case BridgeOp::delivery_get:
        return reply_value(tracker_.get(DeliveryId(read_text())));
      case BridgeOp::delivery_forget:
        return reply(tracker_.forget(DeliveryId(read_text())));
      case BridgeOp::delivery_size:
        return reply_value(tracker_.size());
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  DeliveryTracker tracker_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_delivery_tracker) {
  using leasegate::bindings::DeliveryTrackerBinding;
  emscripten::class_<DeliveryTrackerBinding>("DeliveryTracker")
      .class_function("create", &DeliveryTrackerBinding::create)
      .function("run", &DeliveryTrackerBinding::run);
}
