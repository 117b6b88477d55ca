#include "bridge/identity.hpp"

#include <catch2/catch_test_macros.hpp>
#include <type_traits>

#include "support/records.hpp"

namespace leasegate::test {
namespace {

std::string opaque(std::string_view value) {
  return refusal(check_opaque_id(IdentifierKind::work_id, value));
}

std::string fault(std::string_view reason) {
  return "invalid_identifier{kind: work_id, reason: " + std::string(reason) + "}";
}

TEST_CASE("Ids of different kinds never convert into one another", "[bridge]") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<MessageId, DeliveryId>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<MessageId, DeliveryId>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::string_view, MessageId>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Epoch, Generation>);
}

TEST_CASE("An opaque id is checked in the order of the contract", "[bridge]") {
  const std::string long_text(257, 'a');
  CHECK(opaque("a") == "accepted");
  CHECK(opaque(std::string(256, 'a')) == "accepted");
  CHECK(opaque("n:1 \xF0\x9F\x98\x80") == "accepted");
  CHECK(opaque("") == fault("empty"));
  CHECK(opaque(long_text) == fault("too_long"));
  CHECK(opaque(long_text + "\xFF\n") == fault("too_long"));
  CHECK(opaque("a\xFF\n") == fault("not_utf8"));
  CHECK(opaque("a\n") == fault("control_character"));
}

TEST_CASE("P5: no control character gets into an id, whatever it would corrupt", "[bridge][cases]") {
  CHECK(opaque("a\ndata:x") == fault("control_character"));
  CHECK(opaque(std::string_view("a\0b", 3)) == fault("control_character"));
  CHECK(opaque("a\x7F") == fault("control_character"));
  CHECK(opaque("a\xC2\x80") == fault("control_character"));
  CHECK(opaque("a\xC2\x9F") == fault("control_character"));
  CHECK(opaque("a\xC2\xA0") == "accepted");
  CHECK(opaque("a\xED\xA0\x80") == fault("not_utf8"));  // a lone surrogate
  CHECK(opaque("n:1") == "accepted");
}

TEST_CASE("The validate functions echo the kind they are given, and never the value", "[bridge]") {
  const auto refused = validate_opaque_id("any kind", "a\n");
  CHECK(refusal(refused) == "invalid_identifier{kind: any kind, reason: control_character}");
  CHECK(message_of(refused.error()).view().find("a\n") == std::string_view::npos);
  CHECK(refusal(validate_opaque_id("", "")) == "invalid_identifier{kind: , reason: empty}");
  CHECK(refusal(validate_opaque_id("k", "\xC3\xA9")) == "accepted");
  // A kind that would not fit is cut between characters, and one that is not UTF-8 is not repeated.
  const std::string wide = std::string(255, 'k') + "\xC3\xA9";
  CHECK(validate_opaque_id(wide, "").error().subject.view() == std::string(255, 'k'));
  CHECK(validate_opaque_id("k\xFF", "").error().subject.view().empty());
}

TEST_CASE("A path identifier is an opaque one of safe characters alone", "[bridge]") {
  CHECK(refusal(validate_path_identifier("p", "aZ09_-")) == "accepted");
  for (const std::string_view unsafe : {"a/b", "..", "a.b", "a b", "\xC3\xA9", "a:b", "a\\b"}) {
    CHECK(refusal(validate_path_identifier("p", unsafe)) ==
          "invalid_identifier{kind: p, reason: unsafe_path}");
  }
  CHECK(refusal(validate_path_identifier("p", "/\n")) ==
        "invalid_identifier{kind: p, reason: control_character}");
}

TEST_CASE("An identity tuple is checked session first, optional ids last and only when present", "[bridge]") {
  IdentityTupleView identity{.session = RemoteSessionId("s"), .epoch = {1}, .generation = {1}};
  CHECK(refusal(validate(identity)) == "accepted");
  identity.work = WorkId("\n");
  identity.environment = EnvironmentId("\n");
  identity.bridge_instance = BridgeInstanceId("\n");
  identity.generation = {0};
  identity.epoch = {0};
  identity.session = RemoteSessionId("");
  CHECK(refusal(validate(identity)) == "invalid_identifier{kind: remote_session_id, reason: empty}");
  identity.session = RemoteSessionId("s");
  CHECK(refusal(validate(identity)) == "invalid_epoch");
  identity.epoch = {UINT64_MAX};
  CHECK(refusal(validate(identity)) == "invalid_generation");
  identity.generation = {UINT64_MAX};
  CHECK(refusal(validate(identity)) ==
        "invalid_identifier{kind: bridge_instance_id, reason: control_character}");
  identity.bridge_instance = {};
  CHECK(refusal(validate(identity)) == "invalid_identifier{kind: environment_id, reason: control_character}");
  identity.environment = {};
  CHECK(refusal(validate(identity)) == "invalid_identifier{kind: work_id, reason: control_character}");
}

TEST_CASE("A free text is UTF-8 of at most 4,096 bytes", "[bridge]") {
  CHECK(refusal(check_text(TextField::reason, "")) == "accepted");
  CHECK(refusal(check_text(TextField::reason, std::string(4096, 'a'))) == "accepted");
  CHECK(refusal(check_text(TextField::reason, std::string(4097, 'a'))) ==
        "invalid_text{field: reason, reason: too_long}");
  CHECK(refusal(check_text(TextField::type, std::string(4097, '\xFF'))) ==
        "invalid_text{field: type, reason: not_utf8}");
  CHECK(refusal(check_text(TextField::type, "line\nline")) == "accepted");
}

}  // namespace
}  // namespace leasegate::test
