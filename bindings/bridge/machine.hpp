// What the bindings of the bridge share: making an object of the core, and answering with plain values.
#pragma once

#include <memory>
#include <new>
#include <utility>

#include "bindings/base/reply.hpp"
#include "bindings/bridge/wire.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate::bindings {

/** Null when the machine was refused or there is no memory: the frame then holds the error. */
template <class Binding, class Machine>
std::unique_ptr<Binding> bind(Result<Machine>&& made) {
  std::unique_ptr<Binding> binding;
  if (made) binding.reset(new (std::nothrow) Binding(std::move(*made)));
  if (!binding) reply_error(made ? errors::out_of_memory() : made.error());
  return binding;
}

template <class Command>
Command read_command() {
  FrameReader in;
  Command command;
  read(in, command);
  return command;
}

template <class Number>
Number read_number() {
  FrameReader in;
  Number number{};
  in.u64(number);
  return number;
}

inline std::string_view read_text() {
  FrameReader in;
  std::string_view text;
  in.text(text);
  return text;
}

template <class Enum>
Enum read_name() {
  FrameReader in;
  Enum name{};
  in.enumeration(name);
  return name;
}

template <class Number>
ReplyStatus reply_number(Number number) {
  FrameWriter out;
  out.u64(number);
  return 0;
}

template <class T>
ReplyStatus reply_result(const Result<T>& result) {
  return result ? reply_value(*result) : reply_error(result.error());
}

}  // namespace leasegate::bindings
