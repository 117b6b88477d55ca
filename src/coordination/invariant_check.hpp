#pragma once

#include "coordination/coordinator.hpp"

namespace leasegate {

/** One function a family of invariants; each answers state_invariant{reason} or nothing. */
struct Coordinator::InvariantCheck {
  const Coordinator& c;

  [[nodiscard]] Status indexes() const;
  [[nodiscard]] Status task_lifecycles() const;
  [[nodiscard]] Status age_order() const;
  [[nodiscard]] Status terminal_order() const;
  [[nodiscard]] Status queue_order() const;
  [[nodiscard]] Status waiting_order() const;
  [[nodiscard]] Status leases() const;
  [[nodiscard]] Status worker_leases() const;
  [[nodiscard]] Status worker_order() const;
  [[nodiscard]] Status worker_names() const;
  [[nodiscard]] Status bounds() const;
};

}  // namespace leasegate
