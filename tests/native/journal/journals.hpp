// What the journal's tests share: bytes, a machine whose commands are recorded, and corpora.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "journal/replay.hpp"
#include "journal/snapshot.hpp"
#include "support/records.hpp"

namespace leasegate::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(const Array<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }
inline Bytes joined(const Bytes& a, const Bytes& b) {
  Bytes all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

/** A frame whose checksums fit, whatever is in it. */
Bytes framed(std::span<const std::uint8_t> body);

std::string hex_of(std::span<const std::uint8_t> bytes);

/** Of any machine; all of these must succeed. */
template <class Machine>
Bytes snapshot_of(const Machine& machine) {
  Array<std::uint8_t> out;
  REQUIRE(journal::export_snapshot(machine, out));
  return bytes_of(out);
}
template <class Machine>
Bytes header_of(const Machine& machine) {
  Array<std::uint8_t> out;
  REQUIRE(journal::write_header(out, machine));
  return bytes_of(out);
}
template <class Machine>
std::string digest_of(const Machine& machine) {
  const auto digest = journal::state_digest(machine);
  REQUIRE(digest);
  return hex_of(*digest);
}

/** Keeps each record by itself. */
class RecordList final : public journal::JournalSink {
 public:
  [[nodiscard]] Status reserve(std::size_t) override { return {}; }
  void append(Revision made, std::span<const std::uint8_t> record) override {
    records.emplace_back(record.begin(), record.end());
    revisions.push_back(made);
  }
  /** The records from the `first` on, one after the other. */
  [[nodiscard]] Bytes from(std::size_t first) const {
    Bytes all;
    for (std::size_t i = first; i < records.size(); ++i) all = joined(all, records[i]);
    return all;
  }

  std::vector<Bytes> records;
  std::vector<Revision> revisions;
};

/** A machine with a journal attached from its first command on. */
template <class Machine>
struct Journaled {
  explicit Journaled(Machine&& made) : machine(std::move(made)), header(header_of(machine)) {
    tap.attach(list.get());
  }

  template <class Command>
  auto apply(const Command& command) {
    return tap.apply(machine, command);
  }
  template <class Command>
  auto must(const Command& command) {
    auto applied = apply(command);
    REQUIRE(refusal(applied) == "accepted");
    return std::move(*applied).value;
  }
  [[nodiscard]] Bytes journal() const { return joined(header, list->from(0)); }

  Machine machine;
  Bytes header;
  /** In a place of its own: the tap knows it by its address. */
  std::unique_ptr<RecordList> list = std::make_unique<RecordList>();
  journal::JournalTap tap;
};

/** A coordinator that has accepted at least one command of every kind, states of every kind left in it. */
Journaled<Coordinator> every_command();
/** The same of a result store. */
Journaled<ResultStore> every_result_command();

}  // namespace leasegate::test
