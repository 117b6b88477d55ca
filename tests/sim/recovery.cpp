#include "sim/recovery.hpp"

namespace leasegate::sim {
namespace {

/** A journal that ends within a record was cut off there. Nothing acknowledged can have been behind that. */
template <class Machine>
void judge(const journal::BatchReport& report, Surroundings& s) {
  if (!report.error) return;
  s.count(report.torn() ? "torn journals" : "damaged journals");
  const std::uint64_t acknowledged = history_of<Machine>(s).acknowledged();
  require(!report.torn() || report.revision.value >= acknowledged, "damage_taken_for_cut", [&] {
    return "a journal ends after revision " + std::to_string(report.revision.value) + " of " +
           std::to_string(acknowledged);
  });
}

/** Of one generation; nothing when it has no whole snapshot. */
template <class Machine>
std::optional<Machine> read(std::uint64_t generation, Surroundings& s) {
  constexpr JournalContract kContract = Contract<Machine>::kContract;
  std::optional<Machine> best;
  Bytes snapshot;
  for (Bytes& copy : s.storage.copies(kContract, JournalForm::snapshot, generation)) {
    auto made = Contract<Machine>::import(copy);
    if (made) {
      best.emplace(std::move(*made));
      snapshot = std::move(copy);
    } else {
      s.count("bad snapshots");
    }
  }
  if (!best) return best;
  for (const Bytes& copy : s.storage.copies(kContract, JournalForm::journal, generation)) {
    auto replayed = Contract<Machine>::replay(copy, snapshot);
    if (!replayed) {
      s.count("bad journals");
      continue;
    }
    judge<Machine>(replayed->report, s);
    if (replayed->report.revision > best->revision()) best.emplace(std::move(replayed->machine));
  }
  return best;
}

template <class Machine>
std::unique_ptr<Watched<Machine>> recover(const typename Contract<Machine>::Lineage::Limits& limits,
                                          Surroundings& s) {
  std::optional<Machine> found;
  for (const std::uint64_t generation : s.storage.generations()) {
    found = read<Machine>(generation, s);
    if (found) break;
  }
  if (!found) found = Machine::create(limits).value();
  const std::uint64_t revision = found->revision().value;
  const History<Machine>& history = history_of<Machine>(s);
  require(revision >= history.acknowledged(), "acknowledged_lost", [&] {
    return "the storage leads to revision " + std::to_string(revision) + ", acknowledged is " +
           std::to_string(history.acknowledged());
  });
  Moment<Machine> moment = history.at(revision);
  s.promises.check(moment.lineage);
  // Equal digests: whole commands, the very ones, and nothing beside them.
  require(digest_of(*found) == digest_of(moment.machine), "recovered_differs",
          [&] { return "at revision " + std::to_string(revision); });
  return std::make_unique<Watched<Machine>>(std::move(*found), std::move(moment));
}

}  // namespace

std::unique_ptr<Watched<Coordinator>> recover_tasks(Surroundings& s) {
  return recover<Coordinator>(s.plan.limits, s);
}
std::unique_ptr<Watched<ResultStore>> recover_results(Surroundings& s) {
  return recover<ResultStore>(s.plan.result_limits, s);
}

}  // namespace leasegate::sim
