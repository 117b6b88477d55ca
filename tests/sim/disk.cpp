#include "sim/disk.hpp"

namespace leasegate::sim {

std::uint64_t Disk::used() const {
  std::uint64_t total = 0;
  for (const auto& [name, file] : files_) {
    for (const Piece& piece : file) total += piece.bytes.size();
  }
  return total;
}

bool Disk::append(const std::string& name, const Bytes& bytes) {
  if (bytes.size() > room()) return false;
  files_[name].push_back({bytes, State::dirty});
  return true;
}

bool Disk::sync(const std::string& name) {
  const auto found = files_.find(name);
  if (found == files_.end()) return false;
  const bool fails = fails_next_sync;
  fails_next_sync = false;
  if (!fails && lies) return true;
  for (Piece& piece : found->second) {
    if (piece.state == State::dirty) piece.state = fails ? State::lost : State::safe;
  }
  return !fails;
}

std::optional<Bytes> Disk::read(const std::string& name) const {
  const auto found = files_.find(name);
  if (found == files_.end()) return std::nullopt;
  Bytes all;
  for (const Piece& piece : found->second) all.insert(all.end(), piece.bytes.begin(), piece.bytes.end());
  return all;
}

std::vector<std::string> Disk::names() const {
  std::vector<std::string> all;
  for (const auto& [name, file] : files_) all.push_back(name);
  return all;
}

Bytes Disk::on_platter(const File& file, Random& random) {
  Bytes left;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Piece& piece = file[i];
    if (piece.state == State::safe) {
      left.insert(left.end(), piece.bytes.begin(), piece.bytes.end());
      continue;
    }
    // A later sync kept what lies behind: then there is a hole.
    bool hole = false;
    for (std::size_t j = i + 1; j < file.size(); ++j) hole = hole || file[j].state == State::safe;
    if (hole) {
      left.resize(left.size() + piece.bytes.size());
      continue;
    }
    if (random.percent(30)) {  // whole, and perhaps more
      left.insert(left.end(), piece.bytes.begin(), piece.bytes.end());
      continue;
    }
    const std::size_t kept = static_cast<std::size_t>(random.below(piece.bytes.size() + 1));
    if (random.percent(30)) {
      left.resize(left.size() + kept);  // made longer, not written
    } else {
      left.insert(left.end(), piece.bytes.begin(), piece.bytes.begin() + static_cast<std::ptrdiff_t>(kept));
    }
    break;
  }
  return left;
}

void Disk::lose_power(Random& random) {
  fails_next_sync = false;
  for (auto& [name, file] : files_) file = {{on_platter(file, random), State::safe}};
}

bool Disk::rot(Random& random) {
  std::vector<Bytes*> safe;
  for (auto& [name, file] : files_) {
    for (Piece& piece : file) {
      if (piece.state == State::safe && !piece.bytes.empty()) safe.push_back(&piece.bytes);
    }
  }
  if (safe.empty()) return false;
  Bytes& bytes = *random.pick(safe);
  std::uint8_t& byte = bytes[static_cast<std::size_t>(random.below(bytes.size()))];
  byte = static_cast<std::uint8_t>(byte ^ (1U << random.below(8)));
  return true;
}

}  // namespace leasegate::sim
