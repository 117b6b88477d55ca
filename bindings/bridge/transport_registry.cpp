// TransportRegistry for JavaScript, which holds the factories. Endpoints, being of any length, come in
// through the payload buffer.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/errors.gen.hpp"
#include "bridge/transport_registry.hpp"

namespace leasegate::bindings {

class TransportRegistryBinding {
 public:
  explicit TransportRegistryBinding(TransportRegistry&& machine) : registry_(std::move(machine)) {}

  static std::unique_ptr<TransportRegistryBinding> create() {
    return bind<TransportRegistryBinding>(Result<TransportRegistry>(TransportRegistry()));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::transport_register: {
        const auto kind = registry_.add(read_text());
        return kind ? reply_number(static_cast<std::uint64_t>(*kind)) : reply_error(kind.error());
      }
      case BridgeOp::transport_check: {
        const auto [kind, included, enabled, endpoint] = read_command<TransportCheck>();
        const std::string_view text(reinterpret_cast<const char*>(endpoint.data()), endpoint.size());
        const auto allowed =
            registry_.check({.kind = kind, .included = included, .enabled = enabled, .endpoint = text});
        return allowed ? reply_number(static_cast<std::uint64_t>(*allowed)) : reply_error(allowed.error());
      }
      case BridgeOp::transport_check_built: {
        const auto [kind, present, built] = read_command<TransportCheckBuilt>();
        return reply(TransportRegistry::check_built(kind, present ? std::optional(built) : std::nullopt));
      }
      case BridgeOp::transport_factory_failed:
        return reply_error(
            errors::transport_construct_failed(read_name<TransportKind>(), ConstructFault::factory_failed));
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  TransportRegistry registry_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_transport_registry) {
  using leasegate::bindings::TransportRegistryBinding;
  emscripten::class_<TransportRegistryBinding>("TransportRegistry")
      .class_function("create", &TransportRegistryBinding::create)
      .function("run", &TransportRegistryBinding::run);
}
