// Messages on their way. Any of them may be the next to arrive, arrive twice or not at all; across a cut link
// none does.
#pragma once

#include <deque>
#include <set>
#include <utility>

#include "sim/messages.hpp"
#include "sim/random.hpp"

namespace leasegate::sim {

class Network {
 public:
  /** Beyond this many the oldest is lost, as in any network. */
  static constexpr std::size_t kMaxMessages = 200;

  void send(Message message) {
    if (messages_.size() == kMaxMessages) messages_.pop_front();
    messages_.push_back(std::move(message));
  }

  /** Takes the next message to arrive: the oldest, or with this chance in percent any. What its link does not
   * let through is gone. */
  [[nodiscard]] std::optional<Message> deliver(Random& random, std::uint64_t reorder) {
    if (messages_.empty()) return std::nullopt;
    Message message = take(random.percent(reorder) ? random.below(messages_.size()) : 0);
    if (cut_.contains(link_of(message))) return std::nullopt;
    return message;
  }

  bool lose(Random& random) {
    if (messages_.empty()) return false;
    (void)take(random.below(messages_.size()));
    return true;
  }
  bool repeat(Random& random) {
    if (messages_.empty()) return false;
    Message copy = random.pick(messages_);
    send(std::move(copy));
    return true;
  }

  void cut(Peer peer, std::uint32_t host) { cut_.insert({peer, host}); }
  void mend() { cut_.clear(); }
  [[nodiscard]] bool empty() const { return messages_.empty(); }

 private:
  using Link = std::pair<Peer, std::uint32_t>;
  static Link link_of(const Message& message) {
    if (const auto* request = std::get_if<Request>(&message)) return {request->from, request->to_host};
    const auto& reply = std::get<Reply>(message);
    return {reply.to, reply.from_host};
  }
  Message take(std::uint64_t at) {
    const auto found = messages_.begin() + static_cast<std::ptrdiff_t>(at);
    Message message = std::move(*found);
    messages_.erase(found);
    return message;
  }

  std::deque<Message> messages_;
  std::set<Link> cut_;
};

}  // namespace leasegate::sim
