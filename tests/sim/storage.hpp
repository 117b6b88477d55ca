// The storage that all hosts share: two disks with the same files, and a fence. Whoever takes over begins a
// generation, and from then on only its session can write; a session also ends with the storage's power.
#pragma once

#include <array>
#include <set>

#include "journal/schema.gen.hpp"
#include "sim/disk.hpp"

namespace leasegate::sim {

enum class Written : std::uint8_t { done, fenced, no_room };
enum class Synced : std::uint8_t { done, failed, fenced };

class Storage {
 public:
  struct Session {
    std::uint64_t generation = 0;
    /** Power failures before it began. */
    std::uint64_t boot = 0;
  };

  /** A generation begins: all earlier sessions are fenced off. */
  [[nodiscard]] Session take_over();
  /** The same, but only for who has not been replaced: its state is no newer than its session. */
  [[nodiscard]] std::optional<Session> renew(Session session);

  /** A whole new file of the session's generation. */
  [[nodiscard]] Written create(Session session, JournalContract contract, JournalForm form,
                               const Bytes& bytes);
  /** The journal that the session has created can be appended to, from the revision after `tail` on. */
  void open(JournalContract contract, std::uint64_t tail) { tail_of(contract) = tail; }
  /** Records from the revision `first` on: taken only when that is the one that comes next. */
  [[nodiscard]] Written append(Session session, JournalContract contract, std::uint64_t first,
                               std::uint64_t count, const Bytes& records);
  /** Both disks. What was appended before a generation ended may still be synced after. */
  [[nodiscard]] Synced sync(Session session, JournalContract contract, JournalForm form);
  /** The files of earlier generations are not needed any more. */
  void forget_before(std::uint64_t generation);

  /** The file as each disk has it. */
  [[nodiscard]] std::vector<Bytes> copies(JournalContract contract, JournalForm form,
                                          std::uint64_t generation) const;
  /** That have any file, the newest first. */
  [[nodiscard]] std::set<std::uint64_t, std::greater<>> generations() const;
  /** Bytes that fit on both disks. */
  [[nodiscard]] std::uint64_t room() const;

  void lose_power(Random& random);
  /** Always on the same disk: a mirror helps against one bad copy. */
  bool rot(Random& random);
  void fail_next_sync(Random& random) { disks_[random.below(disks_.size())].fails_next_sync = true; }
  void fill(Random& random) { disks_[random.below(disks_.size())].full = true; }
  void empty();
  /** No disk is full or about to fail. */
  void mend();
  void make_liars();

  /** Lets everybody write. */
  bool unfenced = false;

 private:
  static std::string name_of_file(JournalContract contract, JournalForm form, std::uint64_t generation);
  std::uint64_t& tail_of(JournalContract contract) { return tails_[static_cast<std::size_t>(contract)]; }
  [[nodiscard]] bool may_write(Session session) const {
    return session.boot == boot_ && (unfenced || session.generation == generation_);
  }
  [[nodiscard]] Written append_to_both(const std::string& name, const Bytes& bytes);

  std::array<Disk, 2> disks_;
  std::uint64_t generation_ = 0;
  std::uint64_t boot_ = 0;
  std::array<std::uint64_t, 2> tails_{};
  std::optional<std::size_t> rotten_;
};

}  // namespace leasegate::sim
