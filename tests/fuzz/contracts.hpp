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
