#include "bridge/identity.hpp"

#include <optional>

#include "base/utf8.hpp"
#include "bridge/errors.gen.hpp"

namespace leasegate {
namespace {

std::optional<IdentifierReason> opaque_fault(std::string_view value) {
  if (value.empty()) return IdentifierReason::empty;
  if (value.size() > MAX_OPAQUE_ID_BYTES) return IdentifierReason::too_long;
  if (is_printable_ascii(value)) return std::nullopt;  // as ids are
  if (!is_utf8(value)) return IdentifierReason::not_utf8;
  if (has_control_character(value)) return IdentifierReason::control_character;
  return std::nullopt;
}

bool is_path_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::optional<IdentifierReason> path_fault(std::string_view value) {
  if (const auto fault = opaque_fault(value)) return fault;
  for (const char c : value) {
    if (!is_path_safe(c)) return IdentifierReason::unsafe_path;
  }
  return std::nullopt;
}

Status refused_as(std::string_view kind, std::optional<IdentifierReason> fault) {
  if (!fault) return {};
  return std::unexpected(errors::invalid_labelled_identifier(label_of(kind), *fault));
}

}  // namespace

Status check_opaque_id(IdentifierKind kind, std::string_view value) {
  if (const auto fault = opaque_fault(value))
    return std::unexpected(errors::invalid_identifier(kind, *fault));
  return {};
}

bool is_opaque_id(std::string_view value) { return !opaque_fault(value); }

std::string_view label_of(std::string_view word) {
  return is_utf8(word) ? utf8_prefix(word, MAX_OPAQUE_ID_BYTES) : std::string_view();
}

Status validate_opaque_id(std::string_view kind, std::string_view value) {
  return refused_as(kind, opaque_fault(value));
}

Status validate_path_identifier(std::string_view kind, std::string_view value) {
  return refused_as(kind, path_fault(value));
}

Status validate(const IdentityTupleView& identity) {
  LEASEGATE_TRY(check(identity.session));
  if (identity.epoch.value == 0) return std::unexpected(errors::invalid_epoch());
  if (identity.generation.value == 0) return std::unexpected(errors::invalid_generation());
  LEASEGATE_TRY(check_if_given(identity.bridge_instance));
  LEASEGATE_TRY(check_if_given(identity.environment));
  return check_if_given(identity.work);
}

Status check_text(TextField field, std::string_view text) {
  if (!is_utf8(text)) return std::unexpected(errors::invalid_text(field, TextReason::not_utf8));
  if (text.size() > MAX_TEXT_BYTES) return std::unexpected(errors::invalid_text(field, TextReason::too_long));
  return {};
}

}  // namespace leasegate
