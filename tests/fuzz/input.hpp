// What the fuzz targets share: reading choices out of bytes, and failing loudly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/array.hpp"

/** What a target defines. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace leasegate::fuzz {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  std::abort();
}

/** Ends the process when `holds` is false; `what` is made only then. */
template <class What>
void require(bool holds, const What& what) {
  if (holds) return;
  if constexpr (requires { what(); }) {
    fail(what());
  } else {
    fail(what);
  }
}

inline Bytes bytes_of(const Array<std::uint8_t>& array) { return {array.begin(), array.end()}; }

/** Takes choices from the front; when the bytes are used up, every choice is 0. */
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  std::uint64_t below(std::uint64_t bound) { return byte() % bound; }
  /** True for one byte in `n`. */
  bool one_in(std::uint64_t n) { return byte() % n == n - 1; }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8U | byte();
    return value;
  }
  /** Two bytes of length, then so many as there are. */
  View piece() {
    const std::size_t low = byte();
    const std::size_t wanted = low | static_cast<std::size_t>(byte()) << 8U;
    const std::size_t size = std::min(rest_.size(), wanted);
    const View taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  View rest() {
    const View taken = rest_;
    rest_ = {};
    return taken;
  }

 private:
  View rest_;
};

inline std::string_view text_of_bytes(View bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/** Steps of a `Run` until its input is used up, then its `finish`. */
template <class Run>
int step_through(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  Run run(input);
  while (!input.done()) run.step();
  run.finish();
  return 0;
}

}  // namespace leasegate::fuzz
