// The checksums and the fingerprint, against published values.

#include "journal/crc32c.hpp"
#include "journal/journals.hpp"

namespace leasegate::test {
namespace {

std::span<const std::uint8_t> bytes_in(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string sha256(std::string_view text) {
  journal::Sha256 hash;
  hash.update(bytes_in(text));
  return hex_of(hash.finish());
}

TEST_CASE("CRC-32C has its published values (RFC 3720, B.4)") {
  CHECK(journal::crc32c({}) == 0);
  CHECK(journal::crc32c(bytes_in("123456789")) == 0xE306'9283);
  CHECK(journal::crc32c(Bytes(32, 0)) == 0x8A91'36AA);
  CHECK(journal::crc32c(Bytes(32, 0xFF)) == 0x62A8'AB43);
}

TEST_CASE("SHA-256 has its published values (FIPS 180-4)") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not care how its input is cut") {
  const std::string text(300, 'x');
  for (const std::size_t size : {1, 63, 64, 65, 150}) {
    journal::Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += size)
      hash.update(bytes_in(std::string_view(text).substr(at, size)));
    CHECK(hex_of(hash.finish()) == sha256(text));
  }
}

TEST_CASE("A state's digest is the SHA-256 of the body of its snapshot") {
  const Journaled<Coordinator> j = every_command();
  const Bytes snapshot = snapshot_of(j.machine);
  const std::span<const std::uint8_t> all(snapshot);
  journal::Sha256 hash;
  hash.update(all.subspan(6 + 8, all.size() - 6 - 8 - 4));
  CHECK(digest_of(j.machine) == hex_of(hash.finish()));
}

TEST_CASE("Where records lie in memory is no part of the digest") {
  // The same state twice: once with slots that were used before, in another order.
  const auto run = [](Coordinator c, bool detour) {
    Revision revision;
    const auto apply = [&](const auto& command) {
      auto applied = c.apply(command);
      REQUIRE(refusal(applied) == "accepted");
      revision = applied->revision;
    };
    const auto enqueue = [&](const char* id) {
      apply(Enqueue{{revision, {1}}, {.task_id = id, .scan_id = "s", .target_ref = "r"}});
    };
    const auto cancel = [&](const char* id) {
      apply(CancelTask{{revision, {1}},
                       QueuedTaskFenceView{.task_id = id, .task_generation = {}, .record_version = {1}}});
    };
    enqueue("x");
    enqueue("y");
    cancel(detour ? "x" : "y");
    cancel(detour ? "y" : "x");
    apply(RetireTasks{{revision, {1}}, {2}, 2});
    enqueue("a");
    enqueue("b");
    return digest_of(c);
  };
  CHECK(run(Coordinator::create({}).value(), true) == run(Coordinator::create({}).value(), false));
}

TEST_CASE("The checksum of every length is what its polynomial says, bit by bit") {
  Bytes bytes;
  for (std::size_t size = 0; size < 70; ++size) {
    std::uint32_t expected = 0xFFFF'FFFF;
    for (const std::uint8_t byte : bytes) {
      expected ^= byte;
      for (int bit = 0; bit < 8; ++bit) {
        expected = (expected >> 1U) ^ ((expected & 1U) != 0 ? 0x82F6'3B78U : 0U);
      }
    }
    REQUIRE(journal::crc32c(bytes) == ~expected);
    bytes.push_back(static_cast<std::uint8_t>(size * 37 + 11));
  }
}

}  // namespace
}  // namespace leasegate::test
