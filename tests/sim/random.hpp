// The simulator's only source of chance: a sequence of numbers that a seed decides, the same on every
// platform.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leasegate::sim {

/** SplitMix64: small, and every seed gives a sequence that looks like no other's. */
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EB;
    return z ^ (z >> 31U);
  }
  /** 0 to `bound` - 1; `bound` is not 0. */
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /** Both ends included. */
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }
  bool percent(std::uint64_t chance) { return below(100) < chance; }
  template <class Container>
  const auto& pick(const Container& from) {
    return from[static_cast<std::size_t>(below(from.size()))];
  }

 private:
  std::uint64_t state_;
};

/**
 * The numbers of one step of a seed. They depend on nothing that other steps do: a step that is left out
 * leaves the chances of the others as they were, which is what makes a failing run shrinkable.
 */
inline Random random_of(std::uint64_t seed, std::uint64_t step) {
  Random mixer(seed);
  return Random(mixer.next() ^ (step * 0xD6E8'FEB8'6659'FD93));
}

}  // namespace leasegate::sim
