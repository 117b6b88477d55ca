#include "sim/worker.hpp"

#include <algorithm>

#include "sim/result_bytes.hpp"

namespace leasegate::sim {
namespace {

constexpr std::uint64_t kPatience = 2;
constexpr std::uint32_t kUnansweredBeforeNextHost = 4;

/** Answers after which asking again is no use. */
bool is_final(std::string_view outcome) {
  static constexpr std::array<std::string_view, 8> kFinal = {
      "stale_ownership", "lease_expired",      "task_not_found",   "invalid_transition",
      "invalid_limit",   "conflicting_result", "result_too_large", "mismatched_result_receipt"};
  return std::find(kFinal.begin(), kFinal.end(), outcome) != kFinal.end();
}

}  // namespace

Request Worker::request(Ask ask) {
  return {.ask = ask,
          .from = number_,
          .to_host = host_,
          .number = ++last_number_,
          .sent_at = clock(),
          .worker_id = id_,
          .generation = generation_,
          .capacity = capacity_};
}

void Worker::send(Request request) {
  if (++unanswered_ >= kUnansweredBeforeNextHost) {
    unanswered_ = 0;
    host_ = (host_ + 1) % s_.plan.hosts;
  }
  request.to_host = host_;
  s_.network.send(std::move(request));
}

void Worker::act(Random& random) {
  if (s_.time < paused_until_) return;
  if (generation_.value == 0) {
    if (clock() >= next_hello_) {
      next_hello_ = clock() + kPatience;
      send(request(Ask::hello));
    }
  } else if (clock() >= next_heartbeat_) {
    next_heartbeat_ = clock() + std::max<std::uint64_t>(1, s_.plan.limits.heartbeat_timeout_secs / 3);
    Request heartbeat = request(Ask::heartbeat);
    if (!s_.calm && random.percent(20)) {
      heartbeat.observation.status = static_cast<WorkerStatus>(random.below(3));
      heartbeat.observation.cpu_basis_points = static_cast<std::uint32_t>(random.below(10'001));
    }
    send(std::move(heartbeat));
  }
  for (Job& job : jobs_) work_on(job, random);
  std::erase_if(jobs_, [&](const Job& job) {
    const bool late = clock() >= job.lease.expires_at.value && job.phase != Phase::storing;
    return late && (!job.zombie || s_.calm);
  });
  if (generation_.value == 0) return;
  const bool asks = s_.calm || random.percent(100 - s_.plan.pushes);
  if (asks && jobs_.size() < capacity_ && clock() >= next_wish_) {
    next_wish_ = clock() + 1;
    send(request(Ask::work));
  }
}

void Worker::work_on(Job& job, Random& random) {
  if (job.phase == Phase::running) {
    if (job.work_left > 0) --job.work_left;
    if (job.work_left == 0) {
      job.phase = job.will_fail ? Phase::failing : Phase::completing;
      job.next_ask = 0;
    } else if (clock() + 2 >= job.lease.expires_at.value && clock() >= job.next_ask) {
      Request renewal = request(Ask::renew);
      renewal.lease = job.lease;
      asked_[renewal.number] = job.lease.lease_id.value;
      job.next_ask = clock() + 1;
      return send(std::move(renewal));
    }
  }
  if (!s_.calm && random.percent(s_.plan.cancels) && job.phase == Phase::running) {
    Request given_up = request(Ask::give_up);
    given_up.lease = job.lease;
    asked_[given_up.number] = job.lease.lease_id.value;
    return send(std::move(given_up));
  }
  if (job.phase != Phase::running && clock() >= job.next_ask) ask_for(job);
}

void Worker::ask_for(Job& job) {
  static constexpr std::array<Ask, 5> kAsks = {Ask::start, Ask::renew, Ask::complete, Ask::fail, Ask::store};
  Request asked = request(kAsks[static_cast<std::size_t>(job.phase)]);
  asked.lease = job.lease;
  asked.delay = job.delay;
  if (job.phase == Phase::storing) {
    asked.receipt = *job.receipt;
    asked.result =
        result_bytes(job.lease.task_id, job.lease.lease_id.value, s_.plan.result_limits.max_result_bytes);
  }
  asked_[asked.number] = job.lease.lease_id.value;
  job.next_ask = clock() + kPatience;
  send(std::move(asked));
}

void Worker::hear(const Reply& reply, Random& random) {
  if (s_.time < paused_until_) return;
  if (reply.outcome == "not_serving") {
    host_ = static_cast<std::uint32_t>(random.below(s_.plan.hosts));
    return;
  }
  unanswered_ = 0;
  host_ = reply.from_host;
  switch (reply.ask) {
    case Ask::hello:
      if (reply.outcome == "accepted") generation_ = reply.generation;
      return;
    case Ask::heartbeat:
      if (reply.outcome == "worker_not_found" || reply.outcome == "worker_generation_conflict" ||
          reply.outcome == "worker_unavailable") {
        start_anew();
      }
      return;
    case Ask::work:
      if (reply.lease) take(*reply.lease, random);
      return;
    default:
      return hear_of_job(reply);
  }
}

/** The host has given it up: its leases are somebody else's. What is completed is still to be stored. */
void Worker::start_anew() {
  generation_ = {};
  std::erase_if(jobs_, [](const Job& job) { return !job.zombie && job.phase != Phase::storing; });
}

void Worker::take(const TaskLease& lease, Random& random) {
  if (lease.worker_id != id_ || !seen_.insert(lease.lease_id.value).second) return;
  Job job{.lease = lease};
  job.work_left = 1 + random.below(s_.plan.longest_work);
  job.will_fail = random.percent(s_.calm ? 0 : s_.plan.failing_work);
  job.zombie = random.percent(s_.plan.zombies);
  if (random.percent(50)) job.delay = Seconds{random.below(s_.plan.longest_delay + 1)};
  jobs_.push_back(std::move(job));
}

void Worker::hear_of_job(const Reply& reply) {
  const auto asked = asked_.find(reply.number);
  if (asked == asked_.end()) return;
  std::erase_if(jobs_,
                [&](Job& job) { return job.lease.lease_id.value == asked->second && !go_on(job, reply); });
}

bool Worker::go_on(Job& job, const Reply& reply) {
  const bool accepted = reply.outcome == "accepted";
  switch (reply.ask) {
    case Ask::start:
      if (accepted && job.phase == Phase::starting) job.phase = Phase::running;
      break;
    case Ask::complete:
      if (!accepted || job.phase == Phase::storing) break;
      job.receipt = reply.receipt;
      job.phase = Phase::storing;
      job.next_ask = 0;
      return true;
    case Ask::renew:
      // A shorter rest than the lease has is refused and no harm.
      if (accepted && reply.lease->expires_at > job.lease.expires_at) job.lease = *reply.lease;
      if (reply.outcome.starts_with("invalid_limit")) return true;
      break;
    case Ask::fail:
    case Ask::store:
    case Ask::give_up:
      if (accepted) return false;
      break;
    default:
      break;
  }
  // What was asked before the completion says nothing about the storing after it.
  if (job.phase == Phase::storing && reply.ask != Ask::store) return true;
  return !is_final(reply.outcome) || (job.zombie && !s_.calm);
}

void Worker::crash() {
  generation_ = {};
  jobs_.clear();
  seen_.clear();
  asked_.clear();
  unanswered_ = 0;
}

void Worker::be_on_time() {
  skew_ = 0;
  paused_until_ = next_hello_ = next_heartbeat_ = next_wish_ = 0;
  for (Job& job : jobs_) job.next_ask = 0;
}

void Worker::pause(std::uint64_t until) {
  skew_ -= static_cast<std::int64_t>(until - std::max(s_.time, paused_until_));
  paused_until_ = until;
}

}  // namespace leasegate::sim
