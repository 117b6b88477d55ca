// Between a host and its machine: applies commands, and hands the record of each accepted one to a sink.
#pragma once

#include "coordination/errors.gen.hpp"
#include "journal/record.hpp"
#include "journal/sink.hpp"

namespace leasegate::journal {

class JournalTap {
 public:
  /** From here on records go to `sink`, which outlives the attachment; null for nowhere. */
  void attach(JournalSink* sink) { sink_ = sink; }

  /**
   * What `machine` answers. The record is written beforehand and its room reserved: after the command nothing
   * can fail. Errors: those of the command; out_of_memory and what the sink's `reserve` answers, with nothing
   * changed.
   */
  template <class Machine, class Command>
  auto apply(Machine& machine, const Command& command) -> decltype(machine.apply(command)) {
    if (sink_ == nullptr) return machine.apply(command);
    const Revision before = machine.revision();
    record_.clear();
    // A command that names another revision is refused, so that it does not matter what its record would say.
    const Encoded encoded = encode_record(record_, command.expected_revision.after(), command);
    if (encoded == Encoded::no_memory) return std::unexpected(errors::out_of_memory());
    LEASEGATE_TRY(sink_->reserve(record_.size()));
    auto applied = machine.apply(command);
    if (applied && applied->revision != before) sink_->append(applied->revision, record_.view());
    return applied;
  }

 private:
  JournalSink* sink_ = nullptr;
  Array<std::uint8_t> record_;
};

}  // namespace leasegate::journal
