
#include "base/sort_slots.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/validation.hpp"
#include "journal/commands.gen.hpp"
#include "journal/errors.gen.hpp"
#include "journal/limits_codec.hpp"
#include "journal/state.hpp"

namespace leasegate::journal {

Status ResultState::write(const ResultStore& store, ByteWriter& out) {
  Array<std::uint32_t> by_id;
  if (!by_id.try_reserve(store.records_.size())) return std::unexpected(errors::out_of_memory());
  for (std::uint32_t slot = 0; slot < store.records_.slab().size(); ++slot) {
    if (store.records_[slot].task_id_size > 0) by_id.push_back(slot);
  }
  sort_slots(by_id, [&](std::uint32_t a, std::uint32_t b) {
    return store.records_[a].task_id() < store.records_[b].task_id();
  });

  journal::write(out, store.limits_);
  out.integer(store.revision_);
  out.integer(std::uint64_t{by_id.size()});
  for (const std::uint32_t slot : by_id) {
    const ResultStore::Record& record = store.records_[slot];
    journal::write(out, CompletionReceiptView{.task_id = record.task_id(),
                                              .task_generation = record.task_generation,
                                              .attempt = record.attempt,
                                              .lease_id = record.lease_id,
                                              .worker_id = record.worker_id(),
                                              .worker_generation = record.worker_generation,
                                              .record_version = record.record_version});
    out.bytes(store.result_at(slot).bytes, MAX_RESULT_BYTES);
  }
  return {};
}

Result<ResultStore> ResultState::read(ByteReader& in) {
  const auto invalid = [&](SnapshotFault fault) {
    return std::unexpected(errors::journal_snapshot_invalid(fault, in.offset()));
  };
  ResultLimits limits;
  Revision revision;
  std::uint64_t count = 0;
  journal::read(in, limits);
  in.integer(revision);
  in.integer(count);
  if (in.failed()) return std::unexpected(in.finish().error());
  auto made = ResultStore::create(limits);
  if (!made) return invalid(SnapshotFault::limits);
  ResultStore& store = *made;
  // Every result took a command.
  if (count > revision.value) return invalid(SnapshotFault::counters);
  std::string_view last;
  for (std::uint64_t i = 0; i < count; ++i) {
    StoreResult command;
    journal::read(in, command);
    if (in.failed()) return std::unexpected(in.finish().error());
    if (command.receipt.task_id <= last) return invalid(SnapshotFault::result_order);
    last = command.receipt.task_id;
    // The command itself checks the ids, the bounds and the room.
    command.expected_revision = store.revision_;
    if (const auto stored = store.apply(command); !stored) {
      if (stored.error().code == ErrorCode::out_of_memory) return std::unexpected(stored.error());
      return invalid(SnapshotFault::result);
    }
  }
  LEASEGATE_TRY(in.finish());
  store.revision_ = revision;
  return made;
}

}  // namespace leasegate::journal
