// One accepted command as bytes. The body of a record: version, kind, the revision that the command made, and
// the command's fields in the order of the schema, the expected revision left out: it is the one before.
#pragma once

#include "journal/commands.gen.hpp"
#include "journal/framing.hpp"

namespace leasegate::journal {

/** A command and the revision that it made. */
template <class Command>
struct Record {
  Revision revision;
  Command command;
};
using CoordinatorRecord = Record<CoordinatorCommand>;
using ResultRecord = Record<ResultCommand>;

/** How an attempt to write a command went. */
enum class Encoded : std::uint8_t { written, no_memory, unfit };

/** Writes version, kind and revision. */
void begin_record(ByteWriter& out, CommandKind kind, Revision made);

/**
 * Appends the record of one command. `unfit` when a text of it is longer than any machine accepts: its bytes
 * are not looked at. Unless it is `written`, `out` is as before.
 */
template <class Command>
[[nodiscard]] Encoded encode_record(Array<std::uint8_t>& out, Revision made, const Command& command) {
  const std::size_t before = out.size();
  ArraySink sink(out);
  ByteWriter writer(sink);
  std::size_t head = 0;
  bool enough = open_frame(out, head);
  if (enough) {
    begin_record(writer, kind_of(command), made);
    write(writer, command);
    enough = writer.finish() && close_frame(out, head);
  }
  if (enough && writer.fit()) return Encoded::written;
  while (out.size() > before) out.pop_back();
  return enough ? Encoded::unfit : Encoded::no_memory;
}

/**
 * Reads the body of a record. The command's texts borrow from it, its list of ids from `ids`.
 * Errors: journal_unknown_version, journal_unknown_kind, journal_malformed, out_of_memory.
 */
[[nodiscard]] Status decode_record(const Framed& framed, Array<IdView>& ids, CoordinatorRecord& out);
[[nodiscard]] Status decode_record(const Framed& framed, Array<IdView>& ids, ResultRecord& out);

}  // namespace leasegate::journal
