// A host's machine with everybody who watches it: the journal it writes, a replica that is fed with nothing
// but the bytes of that journal, and the judges. Each command goes to all of them.
#pragma once

#include "coordination/owned_records.hpp"
#include "journal/errors.gen.hpp"
#include "sim/history.hpp"

namespace leasegate::sim {

/** Records that were written and are not in the storage yet. */
class WriteBuffer final : public journal::JournalSink {
 public:
  /** What the storage has room for, asked before each command. */
  std::uint64_t room = 0;

  [[nodiscard]] Status reserve(std::size_t bytes) override {
    if (bytes_ + bytes <= room) return {};
    return std::unexpected(errors::journal_full(room));
  }
  void append(Revision made, std::span<const std::uint8_t> record) override {
    if (records_.empty()) first_ = made.value;
    records_.emplace_back(record.begin(), record.end());
    bytes_ += record.size();
  }

  [[nodiscard]] bool empty() const { return records_.empty(); }
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] const std::vector<Bytes>& records() const { return records_; }
  [[nodiscard]] Bytes joined() const {
    Bytes all;
    for (const Bytes& record : records_) all.insert(all.end(), record.begin(), record.end());
    return all;
  }
  void clear() {
    records_.clear();
    bytes_ = 0;
  }
  void forget_last() { records_.pop_back(); }

 private:
  std::vector<Bytes> records_;
  std::uint64_t first_ = 0;
  std::uint64_t bytes_ = 0;
};

template <class Machine>
class Watched {
 public:
  using Lineage = typename Contract<Machine>::Lineage;

  /** `moment` is where the history says that `machine` is. */
  Watched(Machine recovered, Moment<Machine> moment)
      : machine(std::move(recovered)),
        lineage(std::move(moment.lineage)),
        replica_(std::move(moment.machine)) {
    tap_.attach(&buffer);
    check();
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() = default;

  /** What the command came to; all who watch must say the same. */
  template <class Command>
  auto apply(const Command& command) {
    using Expected = decltype(lineage.apply(command));
    using Value = decltype(Expected::value_type::value);
    const std::size_t before = buffer.records().size();
    const auto applied = tap_.apply(machine, command);
    Result<Transition<Value>> answer = std::unexpected(errors::journal_full(0));
    if (applied) {
      answer.emplace(applied->revision, Value{});
      assign(answer->value, applied->value);
    } else {
      answer = std::unexpected(applied.error());
      if (applied.error().code == ErrorCode::journal_full) return answer;
    }
    judge(answer, lineage.apply(command));
    if (buffer.records().size() > before) feed(buffer.records().back());
    changed_ = true;
    return answer;
  }

  /** Whether everything still fits together. */
  void check() {
    if (!changed_) return;
    changed_ = false;
    if constexpr (requires { machine.check_invariants(); }) {
      const Status sound = machine.check_invariants();
      require(sound.has_value(), "invariants", [&] { return test::text_of(sound.error()); });
    }
    require(digest_of(machine) == digest_of(replica_), "replica_differs", [&] {
      return "at revision " + std::to_string(machine.revision().value) + " the replica is at " +
             std::to_string(replica_.revision().value);
    });
    const std::string found = difference(machine, lineage);
    require(found.empty(), "model_differs", [&] { return found; });
  }

  Machine machine;
  Lineage lineage;
  WriteBuffer buffer;

 private:
  template <class Value>
  static void judge(const Result<Transition<Value>>& answer,
                    const test::Answer<Transition<Value>>& expected) {
    const std::string said = answer ? "accepted" : test::text_of(answer.error());
    const std::string wanted = expected ? "accepted" : expected.error();
    // A judge that names no fields looks at the code alone.
    const bool same = said == wanted || (!wanted.contains('{') && said.starts_with(wanted + "{"));
    require(same, "model_disagrees", [&] { return "the machine says " + said + ", the model " + wanted; });
    if (!answer) return;
    require(answer->revision == expected->revision && answer->value == expected->value, "model_disagrees",
            [&] { return "both accept, with different answers"; });
  }

  void feed(const Bytes& record) {
    const journal::BatchReport report = journal::apply_records(replica_, record);
    require(!report.error, "replica_refuses", [&] { return test::text_of(*report.error); });
  }

  Machine replica_;
  journal::JournalTap tap_;
  bool changed_ = true;
};

}  // namespace leasegate::sim
