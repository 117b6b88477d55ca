#include "sim/storage.hpp"

#include <algorithm>
#include <charconv>

namespace leasegate::sim {

std::string Storage::name_of_file(JournalContract contract, JournalForm form, std::uint64_t generation) {
  // The generation first, so that it can be read off again.
  return std::to_string(generation) + '.' + std::string(name_of(contract)) + '.' + std::string(name_of(form));
}

Storage::Session Storage::take_over() {
  ++generation_;
  return {generation_, boot_};
}

std::optional<Storage::Session> Storage::renew(Session session) {
  if (!may_write(session)) return std::nullopt;
  return take_over();
}

Written Storage::append_to_both(const std::string& name, const Bytes& bytes) {
  if (bytes.size() > room()) return Written::no_room;
  for (Disk& disk : disks_) (void)disk.append(name, bytes);
  return Written::done;
}

Written Storage::create(Session session, JournalContract contract, JournalForm form, const Bytes& bytes) {
  if (!may_write(session)) return Written::fenced;
  const std::string name = name_of_file(contract, form, session.generation);
  for (Disk& disk : disks_) disk.remove(name);
  return append_to_both(name, bytes);
}

Written Storage::append(Session session, JournalContract contract, std::uint64_t first, std::uint64_t count,
                        const Bytes& records) {
  std::uint64_t& tail = tail_of(contract);
  if (!may_write(session) || (!unfenced && first != tail + 1)) return Written::fenced;
  const Written written =
      append_to_both(name_of_file(contract, JournalForm::journal, session.generation), records);
  if (written == Written::done) tail = first + count - 1;
  return written;
}

Synced Storage::sync(Session session, JournalContract contract, JournalForm form) {
  const std::string name = name_of_file(contract, form, session.generation);
  if (session.boot != boot_ || copies(contract, form, session.generation).empty()) return Synced::fenced;
  bool all = true;
  for (Disk& disk : disks_) all = disk.sync(name) && all;
  return all ? Synced::done : Synced::failed;
}

void Storage::forget_before(std::uint64_t generation) {
  for (const std::uint64_t old : generations()) {
    if (old >= generation) continue;
    for (Disk& disk : disks_) {
      for (const auto contract : {JournalContract::coordination, JournalContract::results}) {
        for (const auto form : {JournalForm::journal, JournalForm::snapshot}) {
          disk.remove(name_of_file(contract, form, old));
        }
      }
    }
  }
}

std::vector<Bytes> Storage::copies(JournalContract contract, JournalForm form,
                                   std::uint64_t generation) const {
  std::vector<Bytes> all;
  for (const Disk& disk : disks_) {
    if (auto bytes = disk.read(name_of_file(contract, form, generation))) all.push_back(std::move(*bytes));
  }
  return all;
}

std::set<std::uint64_t, std::greater<>> Storage::generations() const {
  std::set<std::uint64_t, std::greater<>> all;
  for (const Disk& disk : disks_) {
    for (const std::string& name : disk.names()) {
      std::uint64_t generation = 0;
      std::from_chars(name.data(), name.data() + name.size(), generation);
      all.insert(generation);
    }
  }
  return all;
}

std::uint64_t Storage::room() const { return std::min(disks_[0].room(), disks_[1].room()); }

void Storage::lose_power(Random& random) {
  ++boot_;
  for (Disk& disk : disks_) disk.lose_power(random);
}

bool Storage::rot(Random& random) {
  if (!rotten_) rotten_ = static_cast<std::size_t>(random.below(disks_.size()));
  return disks_[*rotten_].rot(random);
}

void Storage::empty() {
  for (Disk& disk : disks_) disk.full = false;
}

void Storage::mend() {
  for (Disk& disk : disks_) disk.full = disk.fails_next_sync = false;
}

void Storage::make_liars() {
  for (Disk& disk : disks_) disk.lies = true;
}

}  // namespace leasegate::sim
