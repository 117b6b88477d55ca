// Bytes that nobody wrote: each ends in a typed error, or in a state that is sound.

#include "journal/journals.hpp"
#include "support/failing_allocator.hpp"
#include "support/random_commands.hpp"

namespace leasegate::test {
namespace {

/** The same bytes in memory of their own size, so that a sanitizer sees every step past their end. */
struct Exact {
  explicit Exact(std::span<const std::uint8_t> from) : bytes(from.begin(), from.end()) {
    bytes.shrink_to_fit();
  }
  [[nodiscard]] std::span<const std::uint8_t> view() const { return bytes; }
  Bytes bytes;
};

/** Whatever is taken in is sound, and is written back as it came. */
void check_snapshot(std::span<const std::uint8_t> bytes) {
  const Exact exact(bytes);
  const auto imported = journal::import_coordinator(exact.view());
  if (!imported) return;
  REQUIRE(refusal(imported->check_invariants()) == "accepted");
  REQUIRE(snapshot_of(*imported) == exact.bytes);
}

std::span<const std::uint8_t> body_of(const Bytes& snapshot) {
  return std::span(snapshot).subspan(14, snapshot.size() - 18);
}

TEST_CASE("Every truncation and every flipped byte of a snapshot is refused") {
  const Bytes snapshot = snapshot_of(every_command().machine);
  for (std::size_t size = 0; size < snapshot.size(); ++size) {
    REQUIRE_FALSE(journal::import_coordinator(Exact(std::span(snapshot).first(size)).view()));
  }
  for (std::size_t at = 0; at < snapshot.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes damaged = snapshot;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1U << bit));
      REQUIRE_FALSE(journal::import_coordinator(damaged));
    }
  }
  CHECK(refusal(journal::import_coordinator(joined(snapshot, {0}))) ==
        "journal_malformed{reason: trailing_bytes, offset: " + std::to_string(snapshot.size()) + "}");
}

TEST_CASE("A snapshot with a body of one changed byte and checksums that fit is refused or sound") {
  const Bytes snapshot = snapshot_of(every_command().machine);
  const Bytes preamble(snapshot.begin(), snapshot.begin() + 6);
  const Bytes body(body_of(snapshot).begin(), body_of(snapshot).end());
  for (std::size_t at = 0; at < body.size(); ++at) {
    for (const int value : {0, 1, 2, 3, 0x7F, 0x80, 0xFF, body[at] + 1, body[at] - 1}) {
      Bytes changed = body;
      changed[at] = static_cast<std::uint8_t>(value);
      check_snapshot(joined(preamble, framed(changed)));
    }
  }
  for (std::size_t size = 0; size < body.size(); ++size) {
    REQUIRE_FALSE(journal::import_coordinator(joined(preamble, framed(std::span(body).first(size)))));
  }
}

TEST_CASE(
    "A record with a body of one changed byte and checksums that fit is refused or applied as it says") {
  const Journaled<Coordinator> source = every_command();
  const Coordinator empty = Coordinator::create({}).value();
  for (const Bytes& record : source.list->records) {
    const Bytes body(record.begin() + 8, record.end() - 4);
    for (std::size_t at = 0; at < body.size(); ++at) {
      for (const int value : {0, 1, 0x7F, 0x80, 0xFF, body[at] + 1}) {
        Bytes changed = body;
        changed[at] = static_cast<std::uint8_t>(value);
        const Exact exact(framed(changed));
        Array<IdView> ids;
        journal::CoordinatorRecord decoded;
        const auto next = journal::FrameScanner(exact.view()).next(MAX_RECORD_BYTES);
        REQUIRE(next);
        if (!journal::decode_record(*next, ids, decoded)) continue;
        // What was read is canonical: written again it is the same.
        Array<std::uint8_t> again;
        const auto encoded = std::visit(
            [&](const auto& command) { return journal::encode_record(again, decoded.revision, command); },
            decoded.command);
        REQUIRE(encoded == journal::Encoded::written);
        REQUIRE(bytes_of(again) == exact.bytes);
      }
    }
  }
}

TEST_CASE("Random bytes are refused wherever bytes are taken", "[random]") {
  Random random(11);
  const Bytes header = every_command().header;
  Coordinator coordinator = Coordinator::create({}).value();
  ResultStore store = ResultStore::create({}).value();
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes(random.below(120));
    for (std::uint8_t& byte : bytes)
      byte = static_cast<std::uint8_t>(random.below(random.chance(50) ? 256 : 4));
    const Exact exact(random.chance(50) ? bytes : framed(bytes));
    const Exact record(framed(joined({1, static_cast<std::uint8_t>(random.below(70))}, bytes)));
    REQUIRE_FALSE(journal::import_coordinator(exact.view()));
    REQUIRE_FALSE(journal::import_results(exact.view()));
    REQUIRE_FALSE(journal::replay_coordinator(exact.view()));
    (void)journal::apply_records(coordinator, exact.view());
    (void)journal::apply_records(coordinator, record.view());
    (void)journal::apply_records(store, record.view());
    check_snapshot(joined({0x89, 'L', 'G', 'S', 1, 1}, framed(bytes)));
    const auto replayed = journal::replay_coordinator(joined(header, bytes));
    REQUIRE(replayed);
    CHECK((bytes.empty() || replayed->report.error));
  }
  CHECK(refusal(coordinator.check_invariants()) == "accepted");
}

TEST_CASE("Counts that promise more than the bytes hold cost nothing") {
  // A snapshot of default limits that claims 2^60 workers.
  const Bytes whole = snapshot_of(Coordinator::create({}).value());
  Bytes body(body_of(whole).begin(), body_of(whole).end());
  body.resize(body.size() - 3);
  for (int i = 0; i < 8; ++i) body.push_back(0xFF);
  body.push_back(0x0F);
  const unsigned long before = allocations();
  const auto imported = journal::import_coordinator(joined({0x89, 'L', 'G', 'S', 1, 1}, framed(body)));
  REQUIRE_FALSE(imported);
  CHECK(imported.error().code == ErrorCode::journal_malformed);
  CHECK(allocations() - before < 40);
}

}  // namespace
}  // namespace leasegate::test
