#include "bridge/transport_registry.hpp"

#include <catch2/catch_test_macros.hpp>

#include "bridge/endpoint.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

std::string unavailable(std::string_view kind, std::string_view state, std::string_view reason) {
  return "transport_unavailable{kind: " + std::string(kind) + ", state: " + std::string(state) +
         ", reason: " + std::string(reason) + "}";
}

TEST_CASE("A kind is registered once, and only if it is known", "[bridge]") {
  TransportRegistry registry;
  for (const std::string_view kind : {"hybrid", "ccr_sse", "websocket", "direct_connect", "ssh"}) {
    CHECK(refusal(registry.add(kind)) == "accepted");
    CHECK(refusal(registry.add(kind)) == "transport_already_registered{kind: " + std::string(kind) + "}");
  }
  CHECK(refusal(registry.add("SSH")) == "unknown_transport_kind");
  CHECK(refusal(registry.add("")) == "unknown_transport_kind");
}

TEST_CASE("A configuration is checked kind first, factory last", "[bridge]") {
  TransportRegistry registry;
  TransportConfigView config{.kind = "Ssh", .included = false, .enabled = false, .endpoint = ""};
  const auto checked = [&] { return refusal(registry.check(config)); };
  CHECK(checked() == unavailable("Ssh", "malformed_configuration", "unknown_kind"));
  config.kind = "ssh";
  CHECK(checked() == unavailable("ssh", "build_excluded", "not_included"));
  config.included = true;
  CHECK(checked() == unavailable("ssh", "gate_disabled", "not_enabled"));
  config.enabled = true;
  CHECK(checked() == unavailable("ssh", "unconfigured", "no_endpoint"));
  config.endpoint = "host:22";
  CHECK(checked() == unavailable("ssh", "malformed_configuration", "endpoint_scheme"));
  config.endpoint = "ssh://host:22";
  CHECK(checked() == unavailable("ssh", "implementation_unavailable", "no_factory"));
  REQUIRE(registry.add("ssh"));
  CHECK(registry.check(config) == TransportKind::ssh);
}

TEST_CASE("What a factory made is judged by the kind that it says", "[bridge]") {
  const auto built = [](std::optional<std::string_view> kind) {
    return refusal(TransportRegistry::check_built(TransportKind::ssh, kind));
  };
  CHECK(built("ssh") == "accepted");
  CHECK(built("websocket") == "transport_construct_failed{kind: ssh, reason: wrong_kind}");
  CHECK(built("") == "transport_construct_failed{kind: ssh, reason: wrong_kind}");
  CHECK(built(std::nullopt) == "transport_construct_failed{kind: ssh, reason: no_transport}");
}

TEST_CASE("An endpoint's fault is named", "[bridge]") {
  const auto fault = [](std::string_view endpoint) {
    const auto found = endpoint_fault(endpoint);
    return found ? name_of(*found) : "accepted";
  };
  CHECK(fault("http://h") == "accepted");
  CHECK(fault("http://h\xFF") == "endpoint_not_utf8");
  CHECK(fault("http://h ") == "endpoint_character");
  CHECK(fault("http://h\x7F") == "endpoint_character");
  CHECK(fault("1http://h") == "endpoint_scheme");
  CHECK(fault("a/b://h") == "endpoint_scheme");
  CHECK(fault("http://\xC3\xA9@h") == "endpoint_userinfo");
  CHECK(fault("http://u%zz@h") == "endpoint_userinfo");
  CHECK(fault("http://") == "endpoint_host");
  CHECK(fault("http://h%2fx") == "endpoint_host");
  CHECK(fault("http://h%zz") == "endpoint_escape");
  CHECK(fault("http://h:65535") == "accepted");
  CHECK(fault("http://h:65536") == "endpoint_port");
  CHECK(fault("http://h:00000000000000000000080") == "accepted");
  CHECK(fault("http://h:99999999999999999999999999") == "endpoint_port");
  CHECK(fault("http://h/%4") == "endpoint_escape");
  CHECK(fault("http://h?%4") == "accepted");
  CHECK(fault("http://h?%4#%4") == "endpoint_escape");
  CHECK(fault("http://h#?%4") == "endpoint_escape");
}

TEST_CASE("An IPv6 host is one in every form and nothing else", "[bridge]") {
  const auto accepted = [](std::string_view address) {
    return !endpoint_fault("http://[" + std::string(address) + "]/").has_value();
  };
  for (const std::string_view address :
       {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "1::8",
        "ABCD:ef01::", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1::255.255.255.255", "::0.0.0.0"}) {
    INFO(address);
    CHECK(accepted(address));
  }
  for (const std::string_view address : {"",
                                         ":",
                                         ":::",
                                         "1",
                                         "1:",
                                         ":1",
                                         "1:2:3:4:5:6:7",
                                         "1:2:3:4:5:6:7:8:9",
                                         "1:2:3:4:5:6:7:8::",
                                         "::1::",
                                         "1::2::3",
                                         "12345::",
                                         "g::",
                                         "1:2:3:4:5:6:7:1.2.3.4",
                                         "1.2.3.4",
                                         "::1.2.3",
                                         "::1.2.3.4.5",
                                         "::1.2.3.256",
                                         "::01.2.3.4",
                                         "::1.2.3.4:5",
                                         "::1%eth0",
                                         "::1%25eth0",
                                         "1:::2",
                                         "::.1.2.3",
                                         "::1..2.3"}) {
    INFO(address);
    CHECK_FALSE(accepted(address));
  }
}

TEST_CASE("A host's escapes decode to UTF-8, however long it is", "[bridge]") {
  std::string host;
  for (int i = 0; i < 1000; ++i) host += "%F0%9F%98%80\xC3\xA9";
  CHECK_FALSE(endpoint_fault("x://" + host).has_value());
  CHECK(endpoint_fault("x://" + host + "%F0%9F%98") == TransportFault::endpoint_host);
  CHECK(endpoint_fault("x://" + host + "%80") == TransportFault::endpoint_host);
  CHECK(endpoint_fault("x://%C3"
                       "a") == TransportFault::endpoint_host);
  std::string continuations;
  for (int i = 0; i < 1000; ++i) continuations += "%80";
  CHECK(endpoint_fault("x://" + continuations) == TransportFault::endpoint_host);
}

}  // namespace
}  // namespace leasegate::test
