// ResultAggregator for JavaScript. Result bytes and lists of ids come in through the payload buffer; stored
// bytes are copied out of their place.

#include <emscripten/bind.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "bindings/base/reply.hpp"
#include "bindings/journal/journaled.hpp"
#include "bindings/results/wire.gen.hpp"
#include "coordination/errors.gen.hpp"
#include "results/errors.gen.hpp"
#include "results/result_store.hpp"

namespace leasegate::bindings {
namespace {

ResultLimits read_limits() {
  FrameReader in;
  ResultLimits limits;
  in.u64(limits.max_results);
  in.u64(limits.max_result_bytes);
  in.u64(limits.max_total_bytes);
  in.u64(limits.max_aggregate_items);
  in.u64(limits.max_aggregate_bytes);
  return limits;
}

/** Each id in the payload is a 4-byte size and its bytes. False when there is no memory. */
bool read_ids(std::uint32_t count, Array<IdView>& ids) {
  if (!ids.try_reserve(count)) return false;
  const std::uint8_t* at = the_payload.data();
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t size = 0;
    std::memcpy(&size, at, sizeof size);
    ids.push_back(std::string_view(reinterpret_cast<const char*>(at) + sizeof size, size));
    at += sizeof size + size;
  }
  return true;
}

}  // namespace

class ResultAggregatorBinding {
 public:
  explicit ResultAggregatorBinding(ResultStore&& store) : journaled_(std::move(store)) {}

  static std::unique_ptr<ResultAggregatorBinding> create() {
    return bind<ResultAggregatorBinding>(ResultStore::create(read_limits()));
  }
  static std::unique_ptr<ResultAggregatorBinding> begin_replay() {
    return bindings::begin_replay<ResultAggregatorBinding, ResultStore, ResultLimits>();
  }
  static std::unique_ptr<ResultAggregatorBinding> from_snapshot() {
    return bindings::from_snapshot<ResultAggregatorBinding>(journal::import_results);
  }

  ReplyStatus journal(std::uint32_t op) { return journaled_.run(static_cast<JournalOp>(op)); }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<ResultsOp>(op)) {
      case ResultsOp::store_result: {
        FrameReader in;
        StoreResult command;
        read(in, command);
        return reply(journaled_.apply(command));
      }
      case ResultsOp::aggregate_begin:
        return aggregate_begin();
      case ResultsOp::aggregate_next:
        return aggregate_next();
      case ResultsOp::get_result:
        return get_result();
      case ResultsOp::result_stats: {
        FrameWriter out;
        out.u64(store().revision());
        out.u32(store().result_count());
        out.u64(store().total_bytes());
        return 0;
      }
      case ResultsOp::remove_results:
        return remove_results();
    }
    std::abort();  // Both sides take the numbers from one source.
  }

 private:
  [[nodiscard]] ResultStore& store() { return journaled_.machine(); }

  ReplyStatus aggregate_begin() {
    FrameReader in;
    std::uint32_t count = 0;
    in.u32(count);
    if (const Status allowed = store().check_aggregate_count(count); !allowed)
      return reply_error(allowed.error());
    Array<IdView> ids;
    if (!read_ids(count, ids)) return reply_error(errors::out_of_memory());
    next_ = 0;
    return reply(store().aggregate(ids.view(), listed_));
  }

  ReplyStatus remove_results() {
    FrameReader in;
    RemoveResults command;
    std::uint32_t count = 0;
    in.u64(command.expected_revision);
    in.u32(count);
    if (count > MAX_AGGREGATE_ITEMS) {
      return reply_error(errors::aggregate_item_limit_exceeded(count, MAX_AGGREGATE_ITEMS));
    }
    Array<IdView> ids;
    if (!read_ids(count, ids)) return reply_error(errors::out_of_memory());
    command.task_ids = ids.view();
    return reply(journaled_.apply(command));
  }

  ReplyStatus aggregate_next() {
    const TaskResultView result = store().result_at(listed_[next_++]);
    if (next_ == listed_.size()) listed_ = Array<std::uint32_t>{};
    FrameWriter out;
    out.place(result.bytes);
    return 0;
  }

  ReplyStatus get_result() {
    FrameReader in;
    IdView task_id;
    in.text(task_id);
    const auto found = store().get_result(task_id);
    if (!found) return reply_error(found.error());
    FrameWriter out;
    out.boolean(found->has_value());
    if (*found) out.place((*found)->bytes);
    return 0;
  }

  Journaled<ResultStore> journaled_;
  Array<std::uint32_t> listed_;
  std::size_t next_ = 0;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_results) {
  using leasegate::bindings::ResultAggregatorBinding;
  emscripten::class_<ResultAggregatorBinding>("ResultAggregator")
      .class_function("create", &ResultAggregatorBinding::create)
      .class_function("beginReplay", &ResultAggregatorBinding::begin_replay)
      .class_function("fromSnapshot", &ResultAggregatorBinding::from_snapshot)
      .function("journal", &ResultAggregatorBinding::journal)
      .function("run", &ResultAggregatorBinding::run);
}
