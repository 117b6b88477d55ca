#include "sim/client.hpp"

namespace leasegate::sim {

Request Client::enqueue(std::uint64_t number, Random& random) const {
  Request request{.ask = Ask::enqueue, .from = peer(), .number = number + 1, .sent_at = s_.time};
  request.spec.task_id = "t" + std::to_string(number);
  request.spec.scan_id = "scan";
  request.spec.target_ref = "ref:" + std::to_string(number);
  request.spec.phases.assign(static_cast<std::size_t>(random.below(4)), 7);
  request.spec.priority = static_cast<Priority>(random.below(4));
  return request;
}

void Client::send(Request request) {
  request.to_host = host_;
  s_.network.send(std::move(request));
}

void Client::act(Random& random) {
  // A host that does not answer may be gone.
  if (++turns_ % 8 == 0) host_ = (host_ + 1) % s_.plan.hosts;
  std::erase_if(open_, [&](const auto& entry) {
    return s_.time > entry.second.sent_at + s_.plan.message_life;  // Whether it was taken stays unknown.
  });
  if (!s_.calm && !taken_.empty() && random.percent(s_.plan.cancels)) {
    Request cancel{.ask = Ask::cancel, .from = peer(), .sent_at = s_.time};
    cancel.fence = {random.pick(taken_), {0}, {1}};
    return send(std::move(cancel));
  }
  if (!s_.calm && next_task_ < s_.plan.tasks && open_.size() < s_.plan.outstanding) {
    const Request request = enqueue(next_task_++, random);
    open_[request.number] = request;
    return send(request);
  }
  if (open_.empty()) return;
  send(std::next(open_.begin(), static_cast<std::ptrdiff_t>(random.below(open_.size())))->second);
}

void Client::hear(const Reply& reply, Random& random) {
  if (reply.outcome == "not_serving") {
    host_ = static_cast<std::uint32_t>(random.below(s_.plan.hosts));
    return;
  }
  host_ = reply.from_host;
  const auto found = open_.find(reply.number);
  if (found == open_.end() || reply.ask != Ask::enqueue) return;
  const bool taken = reply.outcome == "accepted" || reply.outcome == "task_already_exists";
  if (taken) taken_.push_back(found->second.spec.task_id);
  if (taken || reply.outcome == "too_late") open_.erase(found);
}

}  // namespace leasegate::sim
