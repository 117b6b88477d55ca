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

/** Writes the fields of a command, whose type only the writer knows. */
using FieldWriter = void (*)(ByteWriter& out, const void* command);

/** `encode_record`, once for all commands. */
[[nodiscard]] Encoded encode_fields(Array<std::uint8_t>& out, Revision made, CommandKind kind,
                                    FieldWriter write_fields, const void* command);

/**
 * Appends the record of one command. `unfit` when a text of it is longer than any machine accepts: its bytes
 * are not looked at. Unless it is `written`, `out` is as before.
 */
template <class Command>
[[nodiscard]] Encoded encode_record(Array<std::uint8_t>& out, Revision made, const Command& command) {
  return encode_fields(
      out, made, kind_of(command),
      [](ByteWriter& writer, const void* given) { write(writer, *static_cast<const Command*>(given)); },
      &command);
}

/**
 * Reads the body of a record. The command's texts borrow from it, its list of ids from `ids`.
 * Errors: journal_unknown_version, journal_unknown_kind, journal_malformed, out_of_memory.
 */
[[nodiscard]] Status decode_record(const Framed& framed, Array<IdView>& ids, CoordinatorRecord& out);
[[nodiscard]] Status decode_record(const Framed& framed, Array<IdView>& ids, ResultRecord& out);

}  // namespace leasegate::journal
