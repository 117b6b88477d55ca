// Looking into journals without a machine: headers and records, as they stand in the payload buffer.

#include <emscripten/bind.h>

#include "bindings/base/reply.hpp"
#include "bindings/journal/journaled.hpp"
#include "bindings/journal/recorded.gen.hpp"
#include "journal/errors.gen.hpp"
#include "journal/preamble.hpp"

namespace leasegate::bindings {

void write(FrameWriter& out, const TaskOwnershipView& value) {
  const auto* lease = std::get_if<TaskLeaseView>(&value);
  out.enumeration(lease != nullptr ? OwnershipKind::lease : OwnershipKind::fence);
  if (lease != nullptr) {
    write(out, *lease);
  } else {
    write(out, std::get<QueuedTaskFenceView>(value));
  }
}

namespace {

/** Ids on their way out, one after the other, a 4-byte size before each. */
Array<std::uint8_t> packed_ids;
Array<IdView> read_ids;

bool pack(std::span<const IdView> ids) {
  std::size_t size = 0;
  for (const IdView& id : ids) size += sizeof(std::uint32_t) + id.size();
  packed_ids.clear();
  if (!packed_ids.try_reserve(size)) return false;
  for (const IdView& id : ids) {
    const auto length = static_cast<std::uint32_t>(id.size());
    packed_ids.append({reinterpret_cast<const std::uint8_t*>(&length), sizeof length});
    packed_ids.append({reinterpret_cast<const std::uint8_t*>(id.data()), id.size()});
  }
  return true;
}

}  // namespace

void write(FrameWriter& out, std::span<const IdView> ids) {
  out.u32(static_cast<std::uint32_t>(ids.size()));
  out.place(packed_ids.view());  // pack_lists has been there
}

namespace {

void write(FrameWriter& out, const DistributedLimits& limits) {
  out.u64(limits.max_task_records);
  out.u64(limits.max_active_tasks);
  out.u64(limits.max_queued_tasks);
  out.u64(limits.max_terminal_tasks);
  out.u64(limits.max_workers);
  out.u64(limits.max_retries);
  out.u64(limits.max_lease_ttl_secs);
  out.u64(limits.max_task_ttl_secs);
  out.u64(limits.heartbeat_timeout_secs);
}
void write(FrameWriter& out, const ResultLimits& limits) {
  out.u64(limits.max_results);
  out.u64(limits.max_result_bytes);
  out.u64(limits.max_total_bytes);
  out.u64(limits.max_aggregate_items);
  out.u64(limits.max_aggregate_bytes);
}

template <class Limits>
ReplyStatus read_header_of(JournalContract contract, std::span<const std::uint8_t> bytes) {
  journal::JournalHeader<Limits> header;
  if (const Status read = journal::read_header(bytes, header); !read) return reply_error(read.error());
  FrameWriter out;
  out.enumeration(contract);
  out.u64(header.base);
  out.u64(header.records);
  write(out, header.limits);
  return 0;
}

/** The first bytes of a journal, whoever's it is. */
ReplyStatus read_journal_header() {
  FrameReader in;
  const auto bytes = read_payload(in);
  const auto contract = journal::read_preamble(bytes, JournalForm::journal);
  if (!contract) return reply_error(contract.error());
  return *contract == JournalContract::coordination ? read_header_of<DistributedLimits>(*contract, bytes)
                                                    : read_header_of<ResultLimits>(*contract, bytes);
}

/** Makes ready what does not fit into the frame. False when there is no memory. */
bool pack_lists(const journal::CoordinatorCommand&) { return true; }
bool pack_lists(const journal::ResultCommand& command) {
  const auto* remove = std::get_if<RemoveResults>(&command);
  return remove == nullptr || pack(remove->task_ids);
}

template <class AnyRecord>
ReplyStatus reply_record(const journal::Framed& framed, std::uint64_t next) {
  AnyRecord record;
  if (const Status read = journal::decode_record(framed, read_ids, record); !read) {
    return reply_error(read.error());
  }
  if (!pack_lists(record.command)) return reply_error(errors::out_of_memory());
  FrameWriter out;
  out.u64(next);
  out.u64(record.revision);
  std::visit(
      [&out](const auto& command) {
        out.enumeration(journal::kind_of(command));
        write(out, command);
      },
      record.command);
  return 0;
}

/** The first record in the payload, whoever's it is. In the frame: where it begins in the whole. */
ReplyStatus read_record() {
  FrameReader in;
  std::uint64_t base = 0;
  in.u64(base);
  journal::FrameScanner scanner(read_payload(in), base);
  const auto framed = scanner.next(MAX_RECORD_BYTES);
  if (!framed) return reply_error(framed.error());
  constexpr std::size_t kKindAt = 1;
  const bool of_results =
      framed->body.size() > kKindAt &&
      framed->body[kKindAt] >= static_cast<std::uint8_t>(journal::CommandKind::store_result);
  return of_results ? reply_record<journal::ResultRecord>(*framed, scanner.offset())
                    : reply_record<journal::CoordinatorRecord>(*framed, scanner.offset());
}

}  // namespace
}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_journal) {
  emscripten::function("readJournalHeader", &leasegate::bindings::read_journal_header);
  emscripten::function("readRecord", &leasegate::bindings::read_record);
}
