#include "bridge/work_lifecycle.hpp"

#include "bridge/errors.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {

Result<WorkLifecycle> WorkLifecycle::create(WorkId id) {
  LEASEGATE_TRY(check(id));
  TextBlock text;
  if (!text.try_assign({&id.text, 1})) return std::unexpected(errors::out_of_memory());
  return WorkLifecycle(std::move(text));
}

bool WorkLifecycle::owned() const {
  using enum WorkState;
  switch (state_) {
    case owned:
    case spawning:
    case running:
    case completing:
    case failing:
    case interrupting:
    case terminal_reported:
      return true;
    case observed:
    case secret_validated:
    case acknowledging:
    case released:
    case unowned:
      return false;
  }
  return false;
}

Status WorkLifecycle::transition(WorkState to) {
  if (!can_become(state_, to)) return std::unexpected(errors::invalid_state_transition(state_, to));
  state_ = to;
  return {};
}

}  // namespace leasegate
