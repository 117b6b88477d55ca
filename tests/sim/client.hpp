// Who has tasks done: sends each until it is told that it was taken, or until it is too late to ask.
#pragma once

#include "sim/surroundings.hpp"

namespace leasegate::sim {

class Client {
 public:
  explicit Client(Surroundings& s) : s_(s) {}

  void act(Random& random);
  void hear(const Reply& reply, Random& random);
  [[nodiscard]] bool done() const { return open_.empty() && (s_.calm || next_task_ == s_.plan.tasks); }
  [[nodiscard]] Peer peer() const { return s_.plan.workers; }

 private:
  void send(Request request);
  [[nodiscard]] Request enqueue(std::uint64_t number, Random& random) const;

  Surroundings& s_;
  std::uint64_t next_task_ = 0;
  std::uint32_t host_ = 0;
  std::uint64_t turns_ = 0;
  /** Asked and not answered, by the number of the request; repeated word for word. */
  std::map<std::uint64_t, Request> open_;
  std::vector<std::string> taken_;
};

}  // namespace leasegate::sim
