// The life of one piece of work: from being seen to being released. Work that was only observed is not owned
// before its acknowledgement.
#pragma once

#include "base/text_block.hpp"
#include "bridge/identity.hpp"

namespace leasegate {

class WorkLifecycle {
 public:
  /** Errors: invalid_identifier, out_of_memory. */
  [[nodiscard]] static Result<WorkLifecycle> create(WorkId id);

  [[nodiscard]] WorkId id() const { return WorkId(id_.view()); }
  [[nodiscard]] WorkState state() const { return state_; }

  /** From the acknowledgement until the release. */
  [[nodiscard]] bool owned() const;

  /** Errors: invalid_transition. */
  Status transition(WorkState to);

 private:
  explicit WorkLifecycle(TextBlock&& id) : id_(std::move(id)) {}

  TextBlock id_;
  WorkState state_ = WorkState::observed;
};

}  // namespace leasegate
