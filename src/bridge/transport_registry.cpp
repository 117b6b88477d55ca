#include "bridge/transport_registry.hpp"

#include "bridge/endpoint.hpp"
#include "bridge/errors.gen.hpp"

namespace leasegate {

std::optional<TransportKind> transport_kind(std::string_view name) {
  for (std::size_t i = 0; i < kTransportKindNames.size(); ++i) {
    if (kTransportKindNames[i] == name) return static_cast<TransportKind>(i);
  }
  return std::nullopt;
}

Result<TransportKind> TransportRegistry::add(std::string_view kind) {
  const auto known = transport_kind(kind);
  if (!known) return std::unexpected(errors::unknown_transport_kind());
  if (has_factory(*known)) return std::unexpected(errors::transport_already_registered(*known));
  factories_ |= 1U << static_cast<unsigned>(*known);
  return *known;
}

Result<TransportKind> TransportRegistry::check(const TransportConfigView& config) const {
  using enum TransportAvailability;
  const auto refuse = [&](TransportAvailability state, TransportFault reason) {
    return std::unexpected(errors::transport_unavailable(label_of(config.kind), state, reason));
  };
  const auto kind = transport_kind(config.kind);
  if (!kind) return refuse(malformed_configuration, TransportFault::unknown_kind);
  if (!config.included) return refuse(build_excluded, TransportFault::not_included);
  if (!config.enabled) return refuse(gate_disabled, TransportFault::not_enabled);
  if (config.endpoint.empty()) return refuse(unconfigured, TransportFault::no_endpoint);
  if (const auto fault = endpoint_fault(config.endpoint)) return refuse(malformed_configuration, *fault);
  if (!has_factory(*kind)) return refuse(implementation_unavailable, TransportFault::no_factory);
  return *kind;
}

Status TransportRegistry::check_built(TransportKind kind, std::optional<std::string_view> built) {
  if (!built) return std::unexpected(errors::transport_construct_failed(kind, ConstructFault::no_transport));
  if (*built != name_of(kind)) {
    return std::unexpected(errors::transport_construct_failed(kind, ConstructFault::wrong_kind));
  }
  return {};
}

}  // namespace leasegate
