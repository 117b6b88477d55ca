#include "journal/record.hpp"

#include "journal/errors.gen.hpp"

namespace leasegate::journal {

void write(ByteWriter& out, const TaskOwnershipView& value) {
  const auto* lease = std::get_if<TaskLeaseView>(&value);
  out.flag(lease != nullptr);
  if (lease != nullptr) {
    write(out, *lease);
  } else {
    write(out, std::get<QueuedTaskFenceView>(value));
  }
}

void read(ByteReader& in, TaskOwnershipView& value) {
  bool is_lease = false;
  in.flag(is_lease);
  if (is_lease) {
    read(in, value.emplace<TaskLeaseView>());
  } else {
    read(in, value.emplace<QueuedTaskFenceView>());
  }
}

Encoded encode_fields(Array<std::uint8_t>& out, Revision made, CommandKind kind, FieldWriter write_fields,
                      const void* command) {
  const std::size_t before = out.size();
  ArraySink sink(out);
  ByteWriter writer(sink);
  std::size_t head = 0;
  bool enough = open_frame(out, head);
  if (enough) {
    writer.byte(static_cast<std::uint8_t>(JOURNAL_VERSION));
    writer.name(kind);
    writer.integer(made);
    write_fields(writer, command);
    enough = writer.finish() && close_frame(out, head);
  }
  if (enough && writer.fit()) return Encoded::written;
  while (out.size() > before) out.pop_back();
  return enough ? Encoded::unfit : Encoded::no_memory;
}

namespace {

/** The revision before `made`: what the command expected. */
template <class Command>
void expect(Command& command, Revision made) {
  std::visit([made](auto& value) { value.expected_revision = {made.value - 1}; }, command);
}

template <class Command>
Status decode(const Framed& framed, Array<IdView>& ids, Record<Command>& out) {
  ByteReader in(framed.body, framed.body_offset(), &ids);
  std::uint8_t version = 0;
  std::uint8_t kind = 0;
  in.byte(version);
  if (!in.failed() && version != JOURNAL_VERSION) {
    return std::unexpected(errors::journal_unknown_version(version, JOURNAL_VERSION));
  }
  const std::uint64_t kind_at = in.offset();
  in.byte(kind);
  const std::uint64_t revision_at = in.offset();
  in.integer(out.revision);
  if (in.failed()) return in.finish();
  if (!read_command(in, kind, out.command))
    return std::unexpected(errors::journal_unknown_kind(kind, kind_at));
  if (out.revision.value == 0) {
    return std::unexpected(errors::journal_malformed(JournalFault::integer_out_of_range, revision_at));
  }
  LEASEGATE_TRY(in.finish());
  expect(out.command, out.revision);
  return {};
}

}  // namespace

Status decode_record(const Framed& framed, Array<IdView>& ids, CoordinatorRecord& out) {
  return decode(framed, ids, out);
}
Status decode_record(const Framed& framed, Array<IdView>& ids, ResultRecord& out) {
  return decode(framed, ids, out);
}

}  // namespace leasegate::journal
