#include "bridge/outbound_event.hpp"

#include "bridge/errors.gen.hpp"

namespace leasegate {

Status validate(const OutboundEventView& event) {
  LEASEGATE_TRY(check(event.message_id));
  if (event.type.empty()) return std::unexpected(errors::invalid_event());
  return check_text(TextField::type, event.type);
}

}  // namespace leasegate
