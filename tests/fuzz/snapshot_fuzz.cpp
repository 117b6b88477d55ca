// Importing snapshots: what is taken is sound, is exported again as the same bytes, and stays sound whatever
// follows.

#include "fuzz/contracts.hpp"

namespace leasegate::fuzz {
namespace {

template <class Contract>
void import(View bytes) {
  auto machine = Contract::import(bytes);
  if (!machine) return;
  Contract::check(*machine);
  const Bytes again = snapshot_of(*machine);
  require(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()),
          "exported otherwise than imported");
  Contract::play_on(*machine);
  require(Contract::import(snapshot_of(*machine)).has_value(), "cannot be imported again");
}

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leasegate::fuzz;
  return for_either(data, size, []<class Contract>(Contract, Input& input) {
    if (input.one_in(16)) return import<Contract>(input.rest());
    import <Contract>(
        with_preamble(leasegate::JournalForm::snapshot, Contract::kContract, framed(input.rest())));
  });
}
