// Every record that reached the storage, and how many of them have been acknowledged: what a recovery is
// measured by. One history a contract, known to the simulator alone.
#pragma once

#include "journal/replay.hpp"
#include "journal/snapshot.hpp"
#include "sim/lineage.hpp"
#include "support/records.hpp"

namespace leasegate::sim {

using Bytes = std::vector<std::uint8_t>;

/** What the simulator has to know of a contract. */
template <class Machine>
struct Contract;
template <>
struct Contract<Coordinator> {
  using Lineage = TaskLineage;
  using Record = journal::CoordinatorRecord;
  static constexpr auto kContract = JournalContract::coordination;
  static auto import(const Bytes& snapshot) { return journal::import_coordinator(snapshot); }
  static auto replay(const Bytes& bytes, const Bytes& snapshot) {
    return journal::replay_coordinator(bytes, {}, snapshot);
  }
};
template <>
struct Contract<ResultStore> {
  using Lineage = ResultLineage;
  using Record = journal::ResultRecord;
  static constexpr auto kContract = JournalContract::results;
  static auto import(const Bytes& snapshot) { return journal::import_results(snapshot); }
  static auto replay(const Bytes& bytes, const Bytes& snapshot) {
    return journal::replay_results(bytes, {}, snapshot);
  }
};

template <class Machine>
Bytes snapshot_of(const Machine& machine) {
  Array<std::uint8_t> out;
  require(journal::export_snapshot(machine, out).has_value(), "export_failed", [] { return ""; });
  return {out.begin(), out.end()};
}

template <class Machine>
journal::Digest digest_of(const Machine& machine) {
  const auto digest = journal::state_digest(machine);
  require(digest.has_value(), "digest_failed", [] { return ""; });
  return *digest;
}

/** A machine and its judges at one revision. */
template <class Machine>
struct Moment {
  Machine machine;
  typename Contract<Machine>::Lineage lineage;
};

template <class Machine>
class History {
 public:
  using Lineage = typename Contract<Machine>::Lineage;

  explicit History(const typename Lineage::Limits& limits)
      : limits_(limits), base_(limits), base_snapshot_(snapshot_of(Machine::create(limits).value())) {}

  /** Records from the revision `first` on are in the storage. Unacknowledged ones may have been lost and
   * replaced. */
  void append(std::uint64_t first, const std::vector<Bytes>& records) {
    require(first > acknowledged_, "acknowledged_overwritten", [&] {
      return "revision " + std::to_string(first) + " was written again, " + std::to_string(acknowledged_) +
             " is acknowledged";
    });
    require(first <= records_.size() + 1, "gap_in_journal", [&] {
      return "revision " + std::to_string(first) + " after " + std::to_string(records_.size());
    });
    records_.resize(first - 1);
    records_.insert(records_.end(), records.begin(), records.end());
  }

  void acknowledge(std::uint64_t revision) {
    require(revision <= records_.size(), "acknowledged_unwritten",
            [&] { return "revision " + std::to_string(revision); });
    if (revision > acknowledged_) acknowledged_ = revision;
    if (acknowledged_ >= base_.revision() + kBaseDistance) advance_base();
  }
  [[nodiscard]] std::uint64_t acknowledged() const { return acknowledged_; }

  /** What the records up to `revision` make, by way of the core's batches and of the judges. */
  [[nodiscard]] Moment<Machine> at(std::uint64_t revision) const {
    require(revision >= base_.revision() && revision <= records_.size(), "recovered_unknown",
            [&] { return "revision " + std::to_string(revision); });
    Moment<Machine> moment{Contract<Machine>::import(base_snapshot_).value(), base_};
    Bytes batch;
    for (std::uint64_t i = base_.revision(); i < revision; ++i) {
      batch.insert(batch.end(), records_[i].begin(), records_[i].end());
      apply(records_[i], moment.lineage);
    }
    const journal::BatchReport report = journal::apply_records(moment.machine, batch);
    require(!report.error, "record_refused", [&] { return test::text_of(*report.error); });
    return moment;
  }

  /** From the first record on: the long way to a state. */
  [[nodiscard]] Machine from_the_start(std::uint64_t revision) const {
    Machine machine = Machine::create(limits_).value();
    for (std::uint64_t i = 0; i < revision; ++i) {
      const journal::BatchReport report = journal::apply_records(machine, records_[i]);
      require(!report.error, "record_refused", [&] { return test::text_of(*report.error); });
    }
    return machine;
  }

 private:
  static constexpr std::uint64_t kBaseDistance = 64;

  static void apply(const Bytes& bytes, Lineage& lineage) {
    typename Contract<Machine>::Record record;
    Array<IdView> ids;
    const auto framed = journal::FrameScanner(bytes).next(MAX_RECORD_BYTES);
    const bool sound = framed && journal::decode_record(*framed, ids, record);
    require(sound, "record_unreadable", [] { return ""; });
    std::visit(
        [&](const auto& command) {
          const auto answer = lineage.apply(command);
          require(answer.has_value(), "record_refused_by_model", [&] { return answer.error(); });
        },
        record.command);
  }

  void advance_base() {
    Moment<Machine> moment = at(acknowledged_);
    base_snapshot_ = snapshot_of(moment.machine);
    base_ = std::move(moment.lineage);
  }

  typename Lineage::Limits limits_;
  std::vector<Bytes> records_;
  std::uint64_t acknowledged_ = 0;
  /** A revision that no recovery can fall behind: from here on moments are made. */
  Lineage base_;
  Bytes base_snapshot_;
};

}  // namespace leasegate::sim
