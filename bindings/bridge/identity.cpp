// What belongs to no object of the bridge: validations, and errors whose occasion only
// JavaScript sees.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/errors.gen.hpp"

namespace leasegate::bindings {
namespace {

ReplyStatus run_validation(std::uint32_t op) {
  switch (static_cast<BridgeOp>(op)) {
    case BridgeOp::validate_opaque_id: {
      const auto [kind, value] = read_command<ValidateOpaqueId>();
      return reply(validate_opaque_id(kind, value));
    }
    case BridgeOp::validate_path_identifier: {
      const auto [kind, value] = read_command<ValidatePathIdentifier>();
      return reply(validate_path_identifier(kind, value));
    }
    case BridgeOp::validate_identity:
      return reply(validate(read_command<ValidateIdentity>().tuple));
    case BridgeOp::validate_control_key:
      return reply(validate(read_command<ValidateControlKey>().key));
    case BridgeOp::send_not_accepted:
      return reply_error(errors::send_not_accepted());
    case BridgeOp::close_timeout:
      return reply_error(errors::close_timeout());
    default:
      std::abort();  // Both sides take the numbers from one source.
  }
}

}  // namespace
}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_identity) {
  emscripten::function("runValidation", &leasegate::bindings::run_validation);
}
