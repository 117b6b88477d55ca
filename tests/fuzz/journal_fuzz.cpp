// Replaying journals: every journal ends in a sound machine and a report that is true of it, or in an error.

#include "fuzz/contracts.hpp"

namespace leasegate::fuzz {
namespace {

template <class Contract>
void replay(View bytes, const journal::ReplayOptions& options, View snapshot) {
  const auto replayed = Contract::replay(bytes, options, snapshot);
  if (!replayed) return;
  const auto& [machine, report] = *replayed;
  Contract::check(machine);
  require(report.revision == machine.revision() && report.applied <= report.index,
          "a report that is not true");
  require(report.offset <= bytes.size(), "an offset beyond the end");
  require(machine.revision() <= options.until, "further than was asked for");
  if (!report.error) return;
  // What lies before the place where it stopped is in order, and leads to the same state.
  const auto before =
      Contract::replay(bytes.first(static_cast<std::size_t>(report.offset)), options, snapshot);
  require(before.has_value() && !before->report.error, "the beginning is not in order");
  require(snapshot_of(before->machine) == snapshot_of(machine), "the beginning leads elsewhere");
}

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leasegate::fuzz;
  return for_either(data, size, []<class Contract>(Contract, Input& input) {
    const std::uint8_t way = input.byte();
    leasegate::journal::ReplayOptions options;
    if (way % 4 == 1) options.until = {input.byte()};
    Bytes snapshot;
    if (way % 8 >= 6) {
      snapshot = with_preamble(leasegate::JournalForm::snapshot, Contract::kContract, framed(input.piece()));
    }
    if (way >= 240) return replay<Contract>(input.rest(), options, snapshot);
    const std::size_t cut = way % 4 == 2 ? input.byte() : 0;
    Bytes frames = all_framed(input);
    frames.resize(frames.size() - std::min(frames.size(), cut));
    replay<Contract>(with_preamble(leasegate::JournalForm::journal, Contract::kContract, frames), options,
                     snapshot);
  });
}
