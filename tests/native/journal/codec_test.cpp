// Records: what is written is what is read, and only what is written is read.

#include "journal/journals.hpp"

namespace leasegate::test {
namespace {

using journal::ArraySink;
using journal::ByteReader;
using journal::ByteWriter;

std::string decoded(const Bytes& body) {
  Array<IdView> ids;
  journal::CoordinatorRecord record;
  const Bytes frame = framed(body);
  journal::FrameScanner scanner(frame);
  const auto next = scanner.next(MAX_RECORD_BYTES);
  REQUIRE(next);
  return refusal(journal::decode_record(*next, ids, record));
}

std::string decoded_result(const Bytes& body) {
  Array<IdView> ids;
  journal::ResultRecord record;
  const Bytes frame = framed(body);
  journal::FrameScanner scanner(frame);
  return refusal(journal::decode_record(scanner.next(MAX_RECORD_BYTES).value(), ids, record));
}

TEST_CASE("Integers have one spelling, and all of them come back") {
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{16'383},
        std::uint64_t{16'384}, std::uint64_t{1} << 32U, std::uint64_t{1} << 63U, UINT64_MAX}) {
    Array<std::uint8_t> out;
    ArraySink sink(out);
    ByteWriter writer(sink);
    writer.integer(value);
    REQUIRE(writer.finish());
    ByteReader reader(out.view(), 0);
    std::uint64_t back = 0;
    reader.integer(back);
    CHECK(refusal(reader.finish()) == "accepted");
    CHECK(back == value);
  }
}

TEST_CASE("Integers that are not canonical, too large or cut off are refused") {
  const auto read = [](const Bytes& bytes) {
    ByteReader reader(bytes, 100);
    std::uint64_t value = 7;
    reader.integer(value);
    CHECK(value == 0);
    return refusal(reader.finish());
  };
  CHECK(read({0x80, 0x00}) == "journal_malformed{reason: integer_not_canonical, offset: 100}");
  CHECK(read({0xFF, 0x80, 0x00}) == "journal_malformed{reason: integer_not_canonical, offset: 100}");
  Bytes large(9, 0xFF);
  large.push_back(0x02);
  CHECK(read(large) == "journal_malformed{reason: integer_out_of_range, offset: 100}");
  large.back() = 0x81;
  CHECK(read(large) == "journal_malformed{reason: integer_out_of_range, offset: 100}");
  CHECK(read({0x80}) == "journal_malformed{reason: ends_early, offset: 101}");
  CHECK(read({}) == "journal_malformed{reason: ends_early, offset: 100}");
}

TEST_CASE("A long text goes through in pieces and comes back whole") {
  for (const std::size_t size : {0, 1, 254, 255, 256, 257, 1'000}) {
    const std::string text(size, 'x');
    Array<std::uint8_t> out;
    ArraySink sink(out);
    ByteWriter writer(sink);
    writer.text(text, 1'000);
    writer.text("end", 3);
    REQUIRE(writer.finish());
    ByteReader reader(out.view(), 0);
    std::string_view first;
    std::string_view second;
    reader.text(first, 1'000);
    reader.text(second, 3);
    CHECK(refusal(reader.finish()) == "accepted");
    CHECK(first == text);
    CHECK(second == "end");
  }
}

TEST_CASE("Versions and kinds that are not known are refused by name") {
  CHECK(decoded({2, 5, 1, 1}) == "journal_unknown_version{version: 2, supported: 1}");
  CHECK(decoded({1, 5, 1, 1}) == "accepted");
  CHECK(decoded({1, 19, 1, 1}) == "journal_unknown_kind{kind: 19, offset: 9}");
  CHECK(decoded({1, 0, 1, 1}) == "journal_unknown_kind{kind: 0, offset: 9}");
  CHECK(decoded({1, 64, 1, 1}) == "journal_unknown_kind{kind: 64, offset: 9}");
  CHECK(decoded_result({1, 5, 1, 1}) == "journal_unknown_kind{kind: 5, offset: 9}");
}

TEST_CASE("Each fault of a record has its name and place") {
  const auto malformed = [](const char* reason, int offset) {
    return std::string("journal_malformed{reason: ") + reason + ", offset: " + std::to_string(offset) + "}";
  };
  CHECK(decoded({}) == malformed("ends_early", 8));
  CHECK(decoded({1, 5, 0, 1}) == malformed("integer_out_of_range", 10));
  CHECK(decoded({1, 5, 1, 1, 9}) == malformed("trailing_bytes", 12));
  CHECK(decoded({1, 5, 1}) == malformed("ends_early", 11));
  // assign_next: now, worker_id, lease_ttl_secs.
  CHECK(decoded({1, 8, 1, 1, 1, 'w', 9}) == "accepted");
  CHECK(decoded({1, 8, 1, 1, 0x81, 0x02, 'w', 9}) == malformed("text_too_long", 12));
  CHECK(decoded({1, 8, 1, 1, 4, 'w', 9}) == malformed("ends_early", 15));
  // update_worker: now, worker_id, generation, status, three basis points.
  CHECK(decoded({1, 3, 1, 1, 1, 'w', 1, 3, 0, 0, 0}) == "accepted");
  CHECK(decoded({1, 3, 1, 1, 1, 'w', 1, 4, 0, 0, 0}) == malformed("unknown_name", 15));
  CHECK(decoded({1, 3, 1, 1, 1, 'w', 1, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0}) ==
        malformed("integer_out_of_range", 16));
  // register_worker ends with a set of five tags.
  CHECK(decoded({1, 1, 1, 1, 1, 'w', 1, 0, 0, 0, 31}) == "accepted");
  CHECK(decoded({1, 1, 1, 1, 1, 'w', 1, 0, 0, 0, 32}) == malformed("unknown_name", 18));
  // remove_results: a list of ids.
  CHECK(decoded_result({1, 65, 1, 2, 1, 'a', 1, 'b'}) == "accepted");
  CHECK(decoded_result({1, 65, 1, 9, 1, 'a', 1, 'b'}) == malformed("ends_early", 16));
  CHECK(decoded_result({1, 65, 1, 0x81, 0x80, 0x04}) == malformed("list_too_long", 11));
}

TEST_CASE(
    "A command that holds a text longer than any machine accepts has no record, and its bytes are not read") {
  Array<std::uint8_t> out;
  const char* nowhere = reinterpret_cast<const char*>(8);
  const AssignNext command{{}, std::string_view(nowhere, 257), {1}};
  CHECK(journal::encode_record(out, {1}, command) == journal::Encoded::unfit);
  CHECK(out.empty());
  StoreResult result;
  result.receipt.task_id = IdView("a");
  result.receipt.worker_id = IdView("w");
  result.bytes = {reinterpret_cast<const std::uint8_t*>(nowhere), MAX_RESULT_BYTES + 1};
  CHECK(journal::encode_record(out, {1}, result) == journal::Encoded::unfit);
}

TEST_CASE("A record too long to be one") {
  Array<std::uint8_t> out;
  const Bytes frame = framed(Bytes(20, 1));
  journal::FrameScanner scanner(frame, 50);
  CHECK(refusal(scanner.next(19)) == "journal_malformed{reason: record_too_long, offset: 50}");
  CHECK(refusal(scanner.next(20)) == "accepted");
  CHECK(scanner.done());
}

}  // namespace
}  // namespace leasegate::test
