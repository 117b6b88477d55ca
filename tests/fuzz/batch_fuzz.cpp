// Applying batches to a machine with a journal of its own: what was applied is what was recorded, whatever
// stopped it.

#include "fuzz/contracts.hpp"

namespace leasegate::fuzz {
namespace {

template <class Contract>
void apply(View batch) {
  using Machine = typename Contract::Machine;
  Machine machine = Machine::create({}).value();
  journal::JournalBuffer buffer(1 << 20);
  journal::JournalTap tap;
  tap.attach(&buffer);
  const journal::BatchReport report = journal::apply_records(machine, batch, {}, &tap);
  Contract::check(machine);
  require(report.offset <= batch.size() && report.applied == report.index, "a report that is not true");
  require(report.applied == machine.revision().value, "applied is not what changed");
  // Canonical: each record was recorded as it came.
  const View taken = batch.first(static_cast<std::size_t>(report.offset));
  const View recorded = buffer.bytes();
  require(std::equal(taken.begin(), taken.end(), recorded.begin(), recorded.end()), "recorded otherwise");
  Machine replica = Machine::create({}).value();
  require(!journal::apply_records(replica, recorded).error, "the recorded is refused");
  require(snapshot_of(replica) == snapshot_of(machine), "the replica differs");
}

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leasegate::fuzz;
  return for_either(data, size, []<class Contract>(Contract, Input& input) {
    if (input.one_in(16)) return apply<Contract>(input.rest());
    apply<Contract>(all_framed(input));
  });
}
