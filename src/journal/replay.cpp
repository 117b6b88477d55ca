#include "journal/replay.hpp"

#include "coordination/errors.gen.hpp"
#include "journal/errors.gen.hpp"
#include "journal/limits_codec.hpp"
#include "journal/preamble.hpp"
#include "journal/snapshot.hpp"

namespace leasegate::journal {
namespace {

/** What replay needs to know of a contract. */
template <class Machine>
struct ContractOf;

template <>
struct ContractOf<Coordinator> {
  using State = CoordinatorState;
  using Limits = DistributedLimits;
  using AnyRecord = CoordinatorRecord;
  static constexpr JournalContract kContract = JournalContract::coordination;
  static Result<Coordinator> import(std::span<const std::uint8_t> snapshot) {
    return import_coordinator(snapshot);
  }
};

template <>
struct ContractOf<ResultStore> {
  using State = ResultState;
  using Limits = ResultLimits;
  using AnyRecord = ResultRecord;
  static constexpr JournalContract kContract = JournalContract::results;
  static Result<ResultStore> import(std::span<const std::uint8_t> snapshot) {
    return import_results(snapshot);
  }
};

template <class Machine>
class Run {
 public:
  Run(Machine& machine, const ReplayOptions& options, JournalTap* tap)
      : machine_(machine), options_(options), tap_(tap) {
    report_.passed = options.passed;
  }

  BatchReport all(std::span<const std::uint8_t> records, std::uint64_t base) {
    FrameScanner scanner(records, base);
    report_.offset = base;
    while (!scanner.done() && machine_.revision() < options_.until) {
      report_.offset = scanner.offset();
      const auto framed = scanner.next(MAX_RECORD_BYTES);
      const Status status = framed ? one(*framed) : std::unexpected(framed.error());
      if (!status) {
        report_.error = status.error();
        break;
      }
      ++report_.index;
      report_.offset = scanner.offset();
    }
    report_.revision = machine_.revision();
    return report_;
  }

 private:
  Status one(const Framed& framed) {
    typename ContractOf<Machine>::AnyRecord record;
    LEASEGATE_TRY(decode_record(framed, ids_, record));
    if (record.revision <= options_.known) return pass_over(record.revision);
    if (report_.passed && *report_.passed < options_.known) return missing(*report_.passed, record.revision);
    const Revision before = machine_.revision();
    if (record.revision != before.after()) {
      return std::unexpected(errors::journal_revision_gap(before.after().value, record.revision.value));
    }
    LEASEGATE_TRY(std::visit([this](const auto& command) { return this->apply(command); }, record.command));
    if (machine_.revision() == before)
      return std::unexpected(errors::journal_no_effect(record.revision.value));
    ++report_.applied;
    return {};
  }

  /** A record that is in the state already. */
  Status pass_over(Revision made) {
    if (report_.passed && made != report_.passed->after()) return missing(*report_.passed, made);
    report_.passed = made;
    return {};
  }

  /** Of the records that are passed over the next one is not there. */
  static Status missing(Revision passed, Revision made) {
    return std::unexpected(errors::journal_revision_gap(passed.after().value, made.value));
  }

  template <class Command>
  Status apply(const Command& command) {
    const auto applied = tap_ != nullptr ? tap_->apply(machine_, command) : machine_.apply(command);
    return applied ? Status{} : std::unexpected(applied.error());
  }

  Machine& machine_;
  const ReplayOptions& options_;
  JournalTap* tap_;
  Array<IdView> ids_;
  BatchReport report_;
};

template <class Machine>
Status write_any_header(Array<std::uint8_t>& out, const Machine& machine) {
  using Contract = ContractOf<Machine>;
  const std::size_t before = out.size();
  ArraySink sink(out);
  ByteWriter writer(sink);
  std::size_t head = 0;
  bool enough = write_preamble(out, JournalForm::journal, Contract::kContract) && open_frame(out, head);
  if (enough) {
    write(writer, Contract::State::limits(machine));
    writer.integer(machine.revision());
    enough = writer.finish() && close_frame(out, head);
  }
  if (enough) return {};
  while (out.size() > before) out.pop_back();
  return std::unexpected(errors::out_of_memory());
}

/** Longer than the body of any header is. */
constexpr std::uint64_t kMaxHeaderBody = 1024;
static_assert(kPreambleSize + kFrameHead + kMaxHeaderBody + kFrameTail <= MAX_HEADER_BYTES);

template <class Limits>
Status read_any_header(std::span<const std::uint8_t> bytes, JournalContract contract,
                       JournalHeader<Limits>& out) {
  LEASEGATE_TRY(check_preamble(bytes, JournalForm::journal, contract));
  FrameScanner scanner(bytes.subspan(kPreambleSize), kPreambleSize);
  const auto framed = scanner.next(kMaxHeaderBody);
  if (!framed) return std::unexpected(framed.error());
  ByteReader in(framed->body, framed->body_offset());
  read(in, out.limits);
  in.integer(out.base);
  out.records = scanner.offset();
  return in.finish();
}

template <class Machine>
Result<Machine> begin(const JournalHeader<typename ContractOf<Machine>::Limits>& header,
                      std::span<const std::uint8_t> snapshot, Revision until) {
  using Contract = ContractOf<Machine>;
  const auto required = [&] { return std::unexpected(errors::journal_snapshot_required(header.base.value)); };
  if (snapshot.empty()) {
    if (header.base.value > 0) return required();
    return Machine::create(header.limits);
  }
  auto made = Contract::import(snapshot);
  if (!made) return made;
  if (made->revision() < header.base) return required();
  if (made->revision() > until) {
    return std::unexpected(errors::journal_revision_gap(until.value, made->revision().value));
  }
  if (const auto name = first_difference(header.limits, Contract::State::limits(*made))) {
    return std::unexpected(errors::journal_limits_differ(*name));
  }
  return made;
}

template <class Machine>
Result<Replayed<Machine>> replay(std::span<const std::uint8_t> bytes, const ReplayOptions& options,
                                 std::span<const std::uint8_t> snapshot) {
  JournalHeader<typename ContractOf<Machine>::Limits> header;
  LEASEGATE_TRY(read_header(bytes, header));
  auto machine = begin<Machine>(header, snapshot, options.until);
  if (!machine) return std::unexpected(machine.error());
  const ReplayOptions later{.until = options.until, .known = machine->revision(), .passed = header.base};
  const BatchReport report =
      Run<Machine>(*machine, later, nullptr)
          .all(bytes.subspan(static_cast<std::size_t>(header.records)), header.records);
  return Replayed<Machine>{std::move(*machine), report};
}

}  // namespace

BatchReport apply_records(Coordinator& coordinator, std::span<const std::uint8_t> records,
                          const ReplayOptions& options, JournalTap* tap, std::uint64_t base) {
  return Run<Coordinator>(coordinator, options, tap).all(records, base);
}
BatchReport apply_records(ResultStore& store, std::span<const std::uint8_t> records,
                          const ReplayOptions& options, JournalTap* tap, std::uint64_t base) {
  return Run<ResultStore>(store, options, tap).all(records, base);
}

Status write_header(Array<std::uint8_t>& out, const Coordinator& coordinator) {
  return write_any_header(out, coordinator);
}
Status write_header(Array<std::uint8_t>& out, const ResultStore& store) {
  return write_any_header(out, store);
}

Status read_header(std::span<const std::uint8_t> journal, JournalHeader<DistributedLimits>& out) {
  return read_any_header(journal, JournalContract::coordination, out);
}
Status read_header(std::span<const std::uint8_t> journal, JournalHeader<ResultLimits>& out) {
  return read_any_header(journal, JournalContract::results, out);
}

Result<Coordinator> begin_replay(const JournalHeader<DistributedLimits>& header,
                                 std::span<const std::uint8_t> snapshot, Revision until) {
  return begin<Coordinator>(header, snapshot, until);
}
Result<ResultStore> begin_replay(const JournalHeader<ResultLimits>& header,
                                 std::span<const std::uint8_t> snapshot, Revision until) {
  return begin<ResultStore>(header, snapshot, until);
}

Result<Replayed<Coordinator>> replay_coordinator(std::span<const std::uint8_t> journal,
                                                 const ReplayOptions& options,
                                                 std::span<const std::uint8_t> snapshot) {
  return replay<Coordinator>(journal, options, snapshot);
}
Result<Replayed<ResultStore>> replay_results(std::span<const std::uint8_t> journal,
                                             const ReplayOptions& options,
                                             std::span<const std::uint8_t> snapshot) {
  return replay<ResultStore>(journal, options, snapshot);
}

}  // namespace leasegate::journal
