// Records in tests: when two are equal, and how they are printed. Only tests compare whole records, and only
// tests may print what a task carries.
#pragma once

#include <catch2/catch_tostring.hpp>
#include <concepts>
#include <string>

#include "base/result.hpp"
#include "coordination/records.hpp"
#include "results/commands.hpp"

namespace leasegate {

bool operator==(const ScanTask& a, const ScanTask& b);
bool operator==(const WorkerNode& a, const WorkerNode& b);
bool operator==(const StartOutcome& a, const StartOutcome& b);
bool operator==(const CompletionOutcome& a, const CompletionOutcome& b);
bool operator==(const FailureOutcome& a, const FailureOutcome& b);
bool operator==(const CancellationOutcome& a, const CancellationOutcome& b);
bool operator==(const StoreOutcome& a, const StoreOutcome& b);
bool operator==(const TaskResult& a, const TaskResult& b);

}  // namespace leasegate

namespace leasegate::test {

std::string text_of(const TaskLease& lease);
std::string text_of(const QueuedTaskFence& fence);
std::string text_of(const CompletionReceipt& receipt);
std::string text_of(const ScanTask& task);
std::string text_of(const WorkerNode& worker);
std::string text_of(const StateSnapshot& snapshot);
std::string text_of(const RecoverySummary& summary);
std::string text_of(const StartOutcome& outcome);
std::string text_of(const CompletionOutcome& outcome);
std::string text_of(const FailureOutcome& outcome);
std::string text_of(const CancellationOutcome& outcome);
std::string text_of(const StoreOutcome& outcome);
std::string text_of(const TaskResult& result);
/** `code{field: value, field: value}`, the fields in their order; the code alone when it has none. */
std::string text_of(const Error& error);

template <class Tag>
std::string text_of(const Counter<Tag>& counter) {
  return std::to_string(counter.value);
}

/** The error as text, or "accepted": refusals are compared whole, fields included. */
template <class T>
std::string refusal(const Result<T>& result) {
  return result ? "accepted" : text_of(result.error());
}

TaskLeaseView view_of(const TaskLease& lease);
QueuedTaskFenceView view_of(const QueuedTaskFence& fence);
CompletionReceiptView view_of(const CompletionReceipt& receipt);
TaskOwnershipView view_of(const TaskOwnership& ownership);
TaskSpecView view_of(const TaskSpec& spec);
WorkerSpecView view_of(const WorkerSpec& spec);

QueuedTaskFence fence_of(const ScanTask& task);

}  // namespace leasegate::test

template <class T>
  requires requires(const T& value) {
    { leasegate::test::text_of(value) } -> std::same_as<std::string>;
  }
struct Catch::StringMaker<T> {
  static std::string convert(const T& value) { return leasegate::test::text_of(value); }
};
