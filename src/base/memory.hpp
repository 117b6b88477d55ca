// Allocation that answers instead of throwing. Everything the state machines own comes from here, so that
// a command can reserve all it needs before it changes anything.
#pragma once

#include <cstddef>
#include <new>

namespace leasegate {

/** Null when there is no memory. Freed with `release_bytes`. */
[[nodiscard]] inline void* try_allocate_bytes(std::size_t size) { return ::operator new(size, std::nothrow); }

inline void release_bytes(void* memory) { ::operator delete(memory); }

/**
 * Runs `work`, which allocates through the standard library, and says whether it had the memory.
 * Without exceptions (Wasm) a failing allocation stops the instance instead.
 */
template <class Work>
[[nodiscard]] bool allocates(Work&& work) {
#if defined(__cpp_exceptions)
  try {
    work();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
#else
  work();
  return true;
#endif
}

}  // namespace leasegate
