#include "support/failing_allocator.hpp"

#include <cstdlib>
#include <new>

namespace {

// Plain values: they have to be there before anything is constructed.
thread_local int allocations_until_failure = 0;
thread_local bool allocation_failed = false;
thread_local unsigned long allocation_count = 0;
thread_local unsigned long deallocation_count = 0;

// Not inlined: g++ would take the pairs of malloc and delete for mistakes.
[[gnu::noinline]] void* allocate(std::size_t size) noexcept {
  ++allocation_count;
  if (allocations_until_failure > 0 && --allocations_until_failure == 0) {
    allocation_failed = true;
    return nullptr;
  }
  return std::malloc(size > 0 ? size : 1);
}

[[gnu::noinline]] void release(void* memory) noexcept {
  if (memory != nullptr) ++deallocation_count;
  std::free(memory);
}

void* allocate_or_throw(std::size_t size) {
  void* memory = allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// All forms but the aligned ones, which leasegate does not use: sanitizers check that pairs match.
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }

namespace leasegate::test {

FailingAllocation::FailingAllocation(int nth) {
  allocation_failed = false;
  allocations_until_failure = nth;
}

FailingAllocation::~FailingAllocation() { allocations_until_failure = 0; }

bool FailingAllocation::failed() const { return allocation_failed; }

unsigned long allocations() { return allocation_count; }

unsigned long allocations_alive() { return allocation_count - deallocation_count; }

}  // namespace leasegate::test
