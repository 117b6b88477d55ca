// Decoding records: what is taken has one spelling, so that it is encoded again as the same bytes.

#include "fuzz/contracts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leasegate::fuzz;
  namespace journal = leasegate::journal;
  return for_either(data, size, []<class Contract>(Contract, Input& input) {
    const Bytes frame = framed(input.rest());
    const auto next = journal::FrameScanner(frame).next(leasegate::MAX_RECORD_BYTES);
    require(next.has_value(), "a frame was refused");
    leasegate::Array<leasegate::IdView> ids;
    typename Contract::Record record;
    if (!journal::decode_record(*next, ids, record)) return;
    leasegate::Array<std::uint8_t> again;
    const journal::Encoded encoded = std::visit(
        [&](const auto& command) { return journal::encode_record(again, record.revision, command); },
        record.command);
    require(encoded == journal::Encoded::written, "decoded and not encoded");
    require(bytes_of(again) == frame, "encoded otherwise than decoded");
  });
}
