// Which kinds of transports can be built, and whether a configuration may be. The factories themselves live
// with the host: it asks check() before it calls one, and check_built() about what came back.
#pragma once

#include <optional>

#include "bridge/identity.hpp"

namespace leasegate {

/** Borrows its texts. The kind is what the configuration says, known or not. */
struct TransportConfigView {
  std::string_view kind;
  bool included = false;
  bool enabled = false;
  std::string_view endpoint;
};

[[nodiscard]] std::optional<TransportKind> transport_kind(std::string_view name);

class TransportRegistry {
 public:
  /** Errors: unknown_transport_kind, transport_already_registered. */
  Result<TransportKind> add(std::string_view kind);

  /** The kind whose factory is to be called. Errors: transport_unavailable. */
  [[nodiscard]] Result<TransportKind> check(const TransportConfigView& config) const;

  /**
   * Judges what the factory of `kind` made: `built` is the kind that the transport says it has, nothing when
   * there is none. A transport of another kind is to be closed first. Errors: transport_construct_failed.
   */
  [[nodiscard]] static Status check_built(TransportKind kind, std::optional<std::string_view> built);

 private:
  [[nodiscard]] bool has_factory(TransportKind kind) const {
    return (factories_ >> static_cast<unsigned>(kind) & 1U) != 0;
  }

  /** A bit a kind. */
  std::uint32_t factories_ = 0;
};

}  // namespace leasegate
