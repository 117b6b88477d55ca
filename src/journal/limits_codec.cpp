#include "journal/limits_codec.hpp"

#include <array>

namespace leasegate::journal {
namespace {

template <class Limits>
struct NamedLimit {
  LimitName name;
  std::uint64_t Limits::* member;
};

constexpr std::array<NamedLimit<DistributedLimits>, 9> kDistributed = {{
    {LimitName::max_task_records, &DistributedLimits::max_task_records},
    {LimitName::max_active_tasks, &DistributedLimits::max_active_tasks},
    {LimitName::max_queued_tasks, &DistributedLimits::max_queued_tasks},
    {LimitName::max_terminal_tasks, &DistributedLimits::max_terminal_tasks},
    {LimitName::max_workers, &DistributedLimits::max_workers},
    {LimitName::max_retries, &DistributedLimits::max_retries},
    {LimitName::max_lease_ttl_secs, &DistributedLimits::max_lease_ttl_secs},
    {LimitName::max_task_ttl_secs, &DistributedLimits::max_task_ttl_secs},
    {LimitName::heartbeat_timeout_secs, &DistributedLimits::heartbeat_timeout_secs},
}};

constexpr std::array<NamedLimit<ResultLimits>, 5> kResults = {{
    {LimitName::max_results, &ResultLimits::max_results},
    {LimitName::max_result_bytes, &ResultLimits::max_result_bytes},
    {LimitName::max_total_bytes, &ResultLimits::max_total_bytes},
    {LimitName::max_aggregate_items, &ResultLimits::max_aggregate_items},
    {LimitName::max_aggregate_bytes, &ResultLimits::max_aggregate_bytes},
}};

template <class Table, class Limits>
void write_all(ByteWriter& out, const Table& table, const Limits& limits) {
  for (const auto& limit : table) out.integer(limits.*limit.member);
}

template <class Table, class Limits>
void read_all(ByteReader& in, const Table& table, Limits& limits) {
  for (const auto& limit : table) in.integer(limits.*limit.member);
}

template <class Table, class Limits>
std::optional<LimitName> difference(const Table& table, const Limits& a, const Limits& b) {
  for (const auto& limit : table) {
    if (a.*limit.member != b.*limit.member) return limit.name;
  }
  return std::nullopt;
}

}  // namespace

void write(ByteWriter& out, const DistributedLimits& limits) { write_all(out, kDistributed, limits); }
void read(ByteReader& in, DistributedLimits& limits) { read_all(in, kDistributed, limits); }
void write(ByteWriter& out, const ResultLimits& limits) { write_all(out, kResults, limits); }
void read(ByteReader& in, ResultLimits& limits) { read_all(in, kResults, limits); }

std::optional<LimitName> first_difference(const DistributedLimits& a, const DistributedLimits& b) {
  return difference(kDistributed, a, b);
}
std::optional<LimitName> first_difference(const ResultLimits& a, const ResultLimits& b) {
  return difference(kResults, a, b);
}

}  // namespace leasegate::journal
