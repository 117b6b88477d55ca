#include "journal/snapshot.hpp"

#include <limits>

#include "coordination/errors.gen.hpp"
#include "journal/errors.gen.hpp"
#include "journal/framing.hpp"
#include "journal/preamble.hpp"

namespace leasegate::journal {
namespace {

class DigestSink final : public ByteSink {
 public:
  [[nodiscard]] bool take(std::span<const std::uint8_t> bytes) override {
    hash_.update(bytes);
    return true;
  }
  [[nodiscard]] Digest finish() { return hash_.finish(); }

 private:
  Sha256 hash_;
};

template <class State, class Machine>
Status write_framed(const Machine& machine, JournalContract contract, Array<std::uint8_t>& out) {
  ArraySink sink(out);
  ByteWriter writer(sink);
  std::size_t head = 0;
  if (!write_preamble(out, JournalForm::snapshot, contract) || !open_frame(out, head)) {
    return std::unexpected(errors::out_of_memory());
  }
  LEASEGATE_TRY(State::write(machine, writer));
  if (!writer.finish() || !close_frame(out, head)) return std::unexpected(errors::out_of_memory());
  return {};
}

template <class State, class Machine>
Status export_machine(const Machine& machine, JournalContract contract, Array<std::uint8_t>& out) {
  const std::size_t before = out.size();
  const Status written = write_framed<State>(machine, contract, out);
  while (!written && out.size() > before) out.pop_back();
  return written;
}

template <class State>
auto import_machine(std::span<const std::uint8_t> snapshot, JournalContract contract)
    -> decltype(State::read(std::declval<ByteReader&>())) {
  LEASEGATE_TRY(check_preamble(snapshot, JournalForm::snapshot, contract));
  FrameScanner scanner(snapshot.subspan(kPreambleSize), kPreambleSize);
  const auto framed = scanner.next(std::numeric_limits<std::uint32_t>::max());
  if (!framed) return std::unexpected(framed.error());
  if (!scanner.done()) {
    return std::unexpected(errors::journal_malformed(JournalFault::trailing_bytes, scanner.offset()));
  }
  ByteReader reader(framed->body, framed->body_offset());
  return State::read(reader);
}

template <class State, class Machine>
Result<Digest> digest(const Machine& machine) {
  DigestSink sink;
  ByteWriter writer(sink);
  LEASEGATE_TRY(State::write(machine, writer));
  (void)writer.finish();  // This sink takes everything.
  return sink.finish();
}

}  // namespace

Status export_snapshot(const Coordinator& coordinator, Array<std::uint8_t>& out) {
  return export_machine<CoordinatorState>(coordinator, JournalContract::coordination, out);
}
Status export_snapshot(const ResultStore& store, Array<std::uint8_t>& out) {
  return export_machine<ResultState>(store, JournalContract::results, out);
}

Result<Coordinator> import_coordinator(std::span<const std::uint8_t> snapshot) {
  return import_machine<CoordinatorState>(snapshot, JournalContract::coordination);
}
Result<ResultStore> import_results(std::span<const std::uint8_t> snapshot) {
  return import_machine<ResultState>(snapshot, JournalContract::results);
}

Result<Digest> state_digest(const Coordinator& coordinator) { return digest<CoordinatorState>(coordinator); }
Result<Digest> state_digest(const ResultStore& store) { return digest<ResultState>(store); }

}  // namespace leasegate::journal
