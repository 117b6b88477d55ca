// A worker: it asks for tasks, works on them by its own clock, and repeats itself until somebody answers. Its
// clock may be wrong, it may stop for a while without noticing, and it may crash and know nothing any more.
#pragma once

#include <set>

#include "sim/surroundings.hpp"

namespace leasegate::sim {

class Worker {
 public:
  Worker(Peer number, std::int64_t skew, std::uint32_t capacity, Surroundings& s)
      : number_(number), skew_(skew), capacity_(capacity), s_(s), id_("w" + std::to_string(number)) {}

  void act(Random& random);
  void hear(const Reply& reply, Random& random);

  void crash();
  /** Does nothing until then; its own clock does not notice. */
  void pause(std::uint64_t until);
  void jump(std::int64_t seconds) { skew_ += seconds; }
  /** From here on its clock is right, and nothing that it had planned by the wrong one stays. */
  void be_on_time();
  [[nodiscard]] bool idle() const { return jobs_.empty(); }

 private:
  enum class Phase : std::uint8_t { starting, running, completing, failing, storing };
  struct Job {
    TaskLease lease;
    Phase phase = Phase::starting;
    std::uint64_t work_left = 0;
    /** By its own clock. */
    std::uint64_t next_ask = 0;
    bool will_fail = false;
    /** Goes on whatever its lease says. */
    bool zombie = false;
    std::optional<Seconds> delay{};
    std::optional<CompletionReceipt> receipt{};
  };

  [[nodiscard]] std::uint64_t clock() const { return s_.clock(skew_); }
  void work_on(Job& job, Random& random);
  void ask_for(Job& job);
  Request request(Ask ask);
  void send(Request request);
  void take(const TaskLease& lease, Random& random);
  void hear_of_job(const Reply& reply);
  /** False when the job is over. */
  bool go_on(Job& job, const Reply& reply);
  void start_anew();

  Peer number_;
  std::int64_t skew_;
  std::uint32_t capacity_;
  Surroundings& s_;
  std::string id_;
  WorkerGeneration generation_;
  std::uint32_t host_ = 0;
  std::uint32_t unanswered_ = 0;
  std::uint64_t last_number_ = 0;
  std::uint64_t next_hello_ = 0;
  std::uint64_t next_heartbeat_ = 0;
  std::uint64_t next_wish_ = 0;
  std::uint64_t paused_until_ = 0;
  std::vector<Job> jobs_;
  /** Leases that it has heard of, so that a repeated message is no second task. */
  std::set<std::uint64_t> seen_;
  /** The lease that each number asked about. */
  std::map<std::uint64_t, std::uint64_t> asked_;
};

}  // namespace leasegate::sim
