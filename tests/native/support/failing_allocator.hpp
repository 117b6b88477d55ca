// Makes the n-th allocation of a piece of code fail, to see what is left behind.
#pragma once

namespace leasegate::test {

/**
 * While it lives, the `nth` allocation of this thread (1 is the first) through operator new fails, and only
 * that one.
 */
class FailingAllocation {
 public:
  explicit FailingAllocation(int nth);
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();

  /** True when the allocation that was to fail was asked for. */
  [[nodiscard]] bool failed() const;
};

/** The allocations of this thread through operator new so far. */
unsigned long allocations();

/** Allocations less deallocations of this thread. */
unsigned long allocations_alive();

}  // namespace leasegate::test
