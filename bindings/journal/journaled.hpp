// A machine together with its journal: what the classes of machines that can be recorded have in common.
#pragma once

#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "bindings/base/reply.hpp"
#include "bindings/journal/wire.gen.hpp"
#include "coordination/errors.gen.hpp"
#include "journal/replay.hpp"
#include "journal/sink.hpp"
#include "journal/snapshot.hpp"
#include "journal/tap.hpp"

namespace leasegate::bindings {

/** The bytes in the payload buffer, whose number is the frame's next slot. */
inline std::span<const std::uint8_t> read_payload(FrameReader& in) {
  std::span<const std::uint8_t> bytes;
  in.payload(bytes);
  return bytes;
}

template <class Machine>
class Journaled {
 public:
  explicit Journaled(Machine&& machine) : machine_(std::move(machine)) {}

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }

  template <class Command>
  auto apply(const Command& command) {
    return tap_.apply(machine_, command);
  }

  ReplyStatus run(JournalOp op) {
    using enum JournalOp;
    switch (op) {
      case attach:
        return attach_buffer();
      case take:
        return take_records();
      case taken:
        if (buffer_) buffer_->clear();
        return 0;
      case block:
        return block_commands();
      case header:
        return reply_bytes(journal::write_header(bytes_, machine_));
      case apply_batch:
        return apply_records();
      case state_digest:
        return reply_digest(journal::state_digest(machine_));
      case export_snapshot:
        return reply_bytes(journal::export_snapshot(machine_, bytes_));
      case release:
        bytes_ = Array<std::uint8_t>{};
        return 0;
    }
    std::abort();  // Both sides take the numbers from one source.
  }

 private:
  /** From here on records are kept, up to the number of bytes in the frame. */
  ReplyStatus attach_buffer() {
    FrameReader in;
    std::uint64_t max_bytes = 0;
    in.u64(max_bytes);
    tap_.attach(&buffer_.emplace(max_bytes));
    return 0;
  }

  /** Where the records lie and the revision of the last; they stay until `taken`. */
  ReplyStatus take_records() {
    FrameWriter out;
    out.place(buffer_ ? buffer_->bytes() : std::span<const std::uint8_t>{});
    out.u64(buffer_ ? buffer_->last() : Revision{});
    return 0;
  }

  ReplyStatus block_commands() {
    FrameReader in;
    Revision revision;
    in.u64(revision);
    if (buffer_) buffer_->block(revision);
    return 0;
  }

  /** Bytes made for the occasion: they lie where they are until `release`. */
  ReplyStatus reply_bytes(const Status& status) {
    if (!status) return reply_error(status.error());
    FrameWriter out;
    out.place(bytes_.view());
    return 0;
  }

  static ReplyStatus reply_digest(const Result<journal::Digest>& digest) {
    if (!digest) return reply_error(digest.error());
    FrameWriter out;
    out.bytes(*digest);
    return 0;
  }

  /** A part of the records, with where it begins in the whole. Refusals are part of the answer. */
  ReplyStatus apply_records() {
    FrameReader in;
    journal::ReplayOptions options;
    std::uint64_t base = 0;
    in.u64(options.until);
    in.u64(options.known);
    in.optional_u64(options.passed);
    in.u64(base);
    const journal::BatchReport report =
        journal::apply_records(machine_, read_payload(in), options, &tap_, base);
    FrameWriter out;
    out.u64(report.applied);
    out.u64(report.index);
    out.u64(report.offset);
    out.u64(report.revision);
    out.optional_u64(report.passed);
    out.boolean(report.error.has_value());
    if (report.error) write(out, *report.error);
    return 0;
  }

  Machine machine_;
  journal::JournalTap tap_;
  std::optional<journal::JournalBuffer> buffer_;
  Array<std::uint8_t> bytes_;
};

/** A binding around what was made, or null, with the error in the frame. */
template <class Binding, class Machine>
std::unique_ptr<Binding> bind(Result<Machine>&& made) {
  std::unique_ptr<Binding> binding;
  if (made) binding.reset(new (std::nothrow) Binding(std::move(*made)));
  if (!binding) reply_error(made ? errors::out_of_memory() : made.error());
  return binding;
}

/**
 * What a journal's records are to be applied to. In the frame: the revision to stop at, the size of the
 * snapshot (0: none), the size of both; in the payload: the snapshot, the first bytes of the journal.
 * Answers where the records begin, the revision before the first, and up to which they are known.
 */
template <class Binding, class Machine, class Limits>
std::unique_ptr<Binding> begin_replay() {
  FrameReader in;
  Revision until;
  std::uint32_t snapshot_size = 0;
  in.u64(until);
  in.u32(snapshot_size);
  const auto bytes = read_payload(in);
  const auto snapshot = bytes.first(snapshot_size);
  journal::JournalHeader<Limits> header;
  if (const Status read = journal::read_header(bytes.subspan(snapshot_size), header); !read) {
    reply_error(read.error());
    return nullptr;
  }
  Result<Machine> made = journal::begin_replay(header, snapshot, until);
  const Revision known = made ? made->revision() : Revision{};
  std::unique_ptr<Binding> binding = bind<Binding>(std::move(made));
  if (!binding) return binding;
  FrameWriter out;
  out.u64(header.records);
  out.u64(header.base);
  out.u64(known);
  return binding;
}

/** A machine with the state of the snapshot in the payload. */
template <class Binding, class Machine>
std::unique_ptr<Binding> from_snapshot(Result<Machine> (*import)(std::span<const std::uint8_t>)) {
  FrameReader in;
  return bind<Binding>(import(read_payload(in)));
}

}  // namespace leasegate::bindings
