// ControlRegistry for JavaScript. Values come in through the payload buffer, and are copied out of their
// place.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/control_registry.hpp"

namespace leasegate::bindings {

class ControlRegistryBinding {
 public:
  explicit ControlRegistryBinding(ControlRegistry&& machine) : registry_(std::move(machine)) {}

  static std::unique_ptr<ControlRegistryBinding> create() {
    return bind<ControlRegistryBinding>(ControlRegistry::create(read_number<std::uint64_t>()));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::control_accept: {
        const auto [key, subtype, tool_use, now] = read_command<ControlAccept>();
        return reply(registry_.accept(key, subtype, tool_use, now));
      }
      case BridgeOp::control_advance: {
        const auto [key, state, now] = read_command<ControlAdvance>();
        return reply(registry_.advance(key, state, now));
      }
      case BridgeOp::control_resolve: {
        const auto [key, state, value, message, now] = read_command<ControlResolve>();
        const std::string_view json(reinterpret_cast<const char*>(value.data()), value.size());
        return reply(registry_.resolve(key, {.state = state, .value = json, .message = message}, now));
      }
      case BridgeOp::control_cancel: {
        const auto [key, reason, now] = read_command<ControlCancel>();
        return reply(registry_.cancel(key, reason, now));
      }
      case BridgeOp::control_cancel_all:
        return cancel_all();
      case BridgeOp::control_next:
        return reply_value(registry_.record_at(next_cancelled()));
      case BridgeOp::control_get:
        return reply_value(registry_.get(read_command<ControlGet>().key));
      case BridgeOp::control_forget:
        return reply(registry_.forget(read_command<ControlForget>().key));
      case BridgeOp::control_size:
        return reply_value(registry_.size());
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  /** JavaScript is told how many records there are and takes them one by one, with no command in between. */
  ReplyStatus cancel_all() {
    const auto [reason, now] = read_command<ControlCancelAll>();
    if (const Status status = registry_.cancel_all(reason, now, cancelled_); !status)
      return reply_error(status.error());
    next_ = 0;
    return reply_value(static_cast<std::uint32_t>(cancelled_.size()));
  }

  std::uint32_t next_cancelled() {
    const std::uint32_t slot = cancelled_[next_++];
    if (next_ == cancelled_.size()) cancelled_ = Array<std::uint32_t>{};
    return slot;
  }

  ControlRegistry registry_;
  Array<std::uint32_t> cancelled_;
  std::size_t next_ = 0;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_control_registry) {
  using leasegate::bindings::ControlRegistryBinding;
  emscripten::class_<ControlRegistryBinding>("ControlRegistry")
      .class_function("create", &ControlRegistryBinding::create)
      .function("run", &ControlRegistryBinding::run);
}
