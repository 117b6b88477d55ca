#pragma once

#include "coordination/records.hpp"
#include "results/schema.gen.hpp"

namespace leasegate {

struct StoreOutcome {
  StoreKind kind = StoreKind::stored;
};

/** Stores `bytes` as the result of the completion that `receipt` proves. Borrows all it names. */
struct StoreResult {
  Revision expected_revision;
  CompletionReceiptView receipt;
  /** Read only when its size can be stored: a size alone is enough to be refused. */
  std::span<const std::uint8_t> bytes;
};

/** Removes the results of these tasks, all or none. Borrows all it names. */
struct RemoveResults {
  Revision expected_revision;
  std::span<const IdView> task_ids;
};

/** One result: the task's id and the stored bytes. */
template <class Policy>
struct BasicTaskResult {
  typename Policy::Id task_id;
  typename Policy::Bytes bytes;
};
using TaskResult = BasicTaskResult<Owned>;
using TaskResultView = BasicTaskResult<Borrowed>;

}  // namespace leasegate
