// Both contracts of the journal under one set of names, for targets that treat them alike.
#pragma once

#include "fuzz/framed.hpp"
#include "journal/replay.hpp"
#include "journal/snapshot.hpp"
#include "support/records.hpp"

namespace leasegate::fuzz {

struct Tasks {
  using Machine = Coordinator;
  using Record = journal::CoordinatorRecord;
  static constexpr JournalContract kContract = JournalContract::coordination;
  static auto import(View bytes) { return journal::import_coordinator(bytes); }
  static auto replay(View bytes, const journal::ReplayOptions& options, View snapshot) {
    return journal::replay_coordinator(bytes, options, snapshot);
  }
  static void check(const Machine& machine) {
    const Status sound = machine.check_invariants();
    require(sound.has_value(), [&] { return test::text_of(sound.error()); });
  }
  /** What any host may do next: whatever is out is taken back, and the rest grows old. */
  static void play_on(Machine& machine) {
    constexpr std::uint64_t kLater = std::uint64_t{1} << 40U;
    const auto at = [&](std::uint64_t later) {
      return Fenced{machine.revision(), {machine.snapshot().logical_time.value + later}};
    };
    (void)machine.apply(RecoverExpiredLeases{at(0)});
    check(machine);
    if (machine.snapshot().logical_time.value > kLater) return;  // Too late to wait for anything.
    (void)machine.apply(RecoverExpiredLeases{at(kLater)});
    check(machine);
    (void)machine.apply(PruneDeadWorkers{at(kLater)});
    check(machine);
    (void)machine.apply(ExpireOldTasks{at(kLater), {1}});
    check(machine);
    (void)machine.apply(RetireTasks{at(1), {~std::uint64_t{0}}, 1});
    check(machine);
  }
};

struct Results {
  using Machine = ResultStore;
  using Record = journal::ResultRecord;
  static constexpr JournalContract kContract = JournalContract::results;
  static auto import(View bytes) { return journal::import_results(bytes); }
  static auto replay(View bytes, const journal::ReplayOptions& options, View snapshot) {
    return journal::replay_results(bytes, options, snapshot);
  }
  static void check(const Machine&) {}
  static void play_on(Machine&) {}
};

template <class Machine>
Bytes snapshot_of(const Machine& machine) {
  Array<std::uint8_t> out;
  require(journal::export_snapshot(machine, out).has_value(), "export failed");
  return bytes_of(out);
}

/** The first byte of an input says which contract it is about. */
template <class Target>
int for_either(const std::uint8_t* data, std::size_t size, const Target& target) {
  Input input(data, size);
  if (input.byte() % 2 == 0) {
    target(Tasks{}, input);
  } else {
    target(Results{}, input);
  }
  return 0;
}

}  // namespace leasegate::fuzz
