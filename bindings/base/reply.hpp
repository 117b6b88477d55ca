// Answers: a status that the call returns, and in the frame the value or the error.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "bindings/base/frame.hpp"
#include "coordination/records.hpp"

namespace leasegate::bindings {

/** What a call returns: 0, 1 when the frame holds an error, or `kNotRecalled`. */
using ReplyStatus = std::uint32_t;
/** A lease that was given by its place is not held there any more: it has to be given in full. */
inline constexpr ReplyStatus kNotRecalled = 2;

/** The code's number, its fields in schema order, the message. */
void write(FrameWriter& out, const Error& error);
ReplyStatus reply_error(const Error& error);

inline void write(FrameWriter& out, std::uint32_t value) { out.u32(value); }

/** Presence, then the value. */
template <class T>
void write(FrameWriter& out, const std::optional<T>& value) {
  out.boolean(value.has_value());
  if (value) write(out, *value);
}

template <class T>
ReplyStatus reply_value(const T& value) {
  FrameWriter out;
  write(out, value);
  return 0;
}

/** The revision, then the value. */
template <class T>
ReplyStatus reply(const Result<Transition<T>>& result) {
  if (!result) return reply_error(result.error());
  FrameWriter out;
  out.u64(result->revision);
  write(out, result->value);
  return 0;
}

template <class T>
ReplyStatus reply(const Result<std::optional<T>>& result) {
  return result ? reply_value(*result) : reply_error(result.error());
}

inline ReplyStatus reply(const Status& status) { return status ? 0 : reply_error(status.error()); }

}  // namespace leasegate::bindings
