// A disk with a write cache: what was appended can be read at once, and is safe only after a sync. Assumed of
// it is what the journal's format asks for: appends reach the platter in their order, so that a power failure
// leaves a beginning of what was not synced, or a file that was made longer and holds zeros there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/random.hpp"

namespace leasegate::sim {

using Bytes = std::vector<std::uint8_t>;

class Disk {
 public:
  /** Makes the file when there is none. False, with nothing written, when the disk is full. */
  [[nodiscard]] bool append(const std::string& name, const Bytes& bytes);
  /** False when it failed: the cache then holds for clean what is not safe, as page caches do. */
  [[nodiscard]] bool sync(const std::string& name);
  /** As the cache has it. Nothing when there is no such file. */
  [[nodiscard]] std::optional<Bytes> read(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  void remove(const std::string& name) { files_.erase(name); }
  [[nodiscard]] std::uint64_t room() const { return full ? 0 : kCapacity - used(); }

  /** What was not safe is lost, but for as much of its beginning as chance leaves. */
  void lose_power(Random& random);
  /** Flips one bit of what is safe in one of the files. False when nothing is. */
  bool rot(Random& random);

  /** Nothing more fits: somebody else has filled it. */
  bool full = false;
  bool fails_next_sync = false;
  /** Says "synced" and does nothing. */
  bool lies = false;

 private:
  static constexpr std::uint64_t kCapacity = 1 << 20;

  enum class State : std::uint8_t { dirty, lost, safe };
  struct Piece {
    Bytes bytes;
    State state = State::dirty;
  };
  using File = std::vector<Piece>;

  [[nodiscard]] std::uint64_t used() const;
  static Bytes on_platter(const File& file, Random& random);

  std::map<std::string, File> files_;
};

}  // namespace leasegate::sim
