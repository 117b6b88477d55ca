// What a host answers, and when: only after both journals are safe up to the state that the answer speaks of.
#include "sim/host_apply.hpp"

namespace leasegate::sim {

LogicalTime Host::now() const {
  const std::uint64_t reached = tasks_->machine.snapshot().logical_time.value;
  return {std::max(reached, s_.clock(skew_))};
}

Fenced Host::next() {
  Fenced fenced{tasks_->machine.revision(), now()};
  // What a host does that mixes its own answers up.
  if (careless_ == 1) ++fenced.expected_revision.value;
  if (careless_ == 2 && fenced.expected_revision.value > 0) --fenced.expected_revision.value;
  if (careless_ == 3) {
    const std::uint64_t reached = tasks_->machine.snapshot().logical_time.value;
    fenced.now = {reached - std::min<std::uint64_t>(reached, 1)};
  }
  careless_ = 0;
  return fenced;
}

void Host::handle(const Request& request, Random& random) {
  Reply reply{.to = request.from, .from_host = number_, .ask = request.ask, .number = request.number};
  if (!serving()) {
    reply.outcome = "not_serving";
    s_.network.send(std::move(reply));
    return;
  }
  if (!s_.calm && random.percent(s_.plan.careless)) careless_ = 1 + random.below(3);
  answer(request, reply);
  careless_ = 0;
  hold(std::move(reply));
}

void Host::hold(Reply reply) {
  held_.push_back({std::move(reply), tasks_->machine.revision().value, results_->machine.revision().value});
  if (s_.plant == Plant::early_answer) safe_tasks_ = safe_results_ = UINT64_MAX;
  release();
}

void Host::release() {
  std::erase_if(held_, [&](Held& held) {
    if (held.tasks > safe_tasks_ || held.results > safe_results_) return false;
    promise(held.reply);
    s_.network.send(std::move(held.reply));
    return true;
  });
}

/** From here on the outside may count on it. */
void Host::promise(const Reply& reply) {
  if (reply.outcome != "accepted" && reply.outcome != "task_already_exists") return;
  if (reply.ask == Ask::complete && reply.receipt) {
    s_.promises.completed[reply.receipt->task_id] = reply.receipt->lease_id.value;
  }
  if (reply.ask == Ask::store && reply.receipt) s_.promises.stored.insert(reply.receipt->task_id);
  if (reply.ask == Ask::enqueue && reply.receipt) s_.promises.enqueued.insert(reply.receipt->task_id);
}

void Host::answer(const Request& request, Reply& reply) {
  const auto say = [&](const auto& answer) {
    reply.outcome = answer ? "accepted" : std::string(name_of(answer.error().code));
    return answer.has_value();
  };
  switch (request.ask) {
    case Ask::hello:
      return greet(request, reply);
    case Ask::heartbeat:
      say(apply(UpdateWorker{next(), request.worker_id, request.generation, request.observation}));
      return;
    case Ask::work: {
      const auto answer = apply(AssignNext{next(), request.worker_id, {s_.plan.lease_ttl}});
      if (say(answer)) reply.lease = answer->value;
      return;
    }
    case Ask::start:
      if (say(apply(StartTask{next(), test::view_of(request.lease)}))) must_be_on_time(request.lease);
      return;
    case Ask::complete:
      return complete(request, reply);
    case Ask::fail:
      say(apply(FailTask{next(), test::view_of(request.lease), request.delay}));
      return;
    case Ask::renew: {
      const auto answer = apply(RenewLease{next(), test::view_of(request.lease), {s_.plan.lease_ttl}});
      if (say(answer)) reply.lease = answer->value;
      return;
    }
    case Ask::give_up:
      say(apply(CancelTask{next(), test::view_of(request.lease)}));
      return;
    case Ask::store:
      return store(request, reply);
    case Ask::enqueue:
      return enqueue(request, reply);
    case Ask::cancel:
      say(apply(CancelTask{next(), test::view_of(request.fence)}));
      return;
  }
}

/** A worker that begins anew: whatever the host still believes of it is over. */
void Host::greet(const Request& request, Reply& reply) {
  const WorkerSpecView spec{.worker_id = request.worker_id, .capacity = request.capacity};
  const auto known = tasks_->machine.get_worker(request.worker_id);
  std::optional<WorkerGeneration> offline;
  if (known && *known) {
    offline = (*known)->generation;
    if ((*known)->status != WorkerStatus::offline) {
      const auto left = apply(DeregisterWorker{next(), request.worker_id, *offline});
      if (!left) {
        reply.outcome = name_of(left.error().code);
        return;
      }
      ++offline->value;
    }
  }
  const auto answer =
      offline ? apply(ReactivateWorker{next(), *offline, spec}) : apply(RegisterWorker{next(), spec});
  reply.outcome = answer ? "accepted" : std::string(name_of(answer.error().code));
  if (answer) reply.generation = answer->value.generation;
}

void Host::enqueue(const Request& request, Reply& reply) {
  // A message that is too old may be about a task that has come, gone and been retired.
  if (now().value > request.sent_at + s_.plan.message_life) {
    reply.outcome = "too_late";
    return;
  }
  const auto answer = apply(Enqueue{next(), test::view_of(request.spec)});
  reply.outcome = answer ? "accepted" : std::string(name_of(answer.error().code));
  reply.receipt.emplace().task_id = request.spec.task_id;
}

void Host::complete(const Request& request, Reply& reply) {
  TaskLease lease = request.lease;
  Fenced at = next();
  if (s_.plant == Plant::mended_lease) {
    const auto task = tasks_->machine.get_task(lease.task_id);
    if (task && *task && (*task)->lease) assign(lease, *(*task)->lease);
  }
  if (s_.plant == Plant::stopped_clock && at.now >= lease.expires_at) {
    const LogicalTime reached = tasks_->machine.snapshot().logical_time;
    at.now = {std::max(reached.value, lease.expires_at.value - 1)};
  }
  const auto answer = apply(CompleteTask{at, test::view_of(lease)});
  reply.outcome = answer ? "accepted" : std::string(name_of(answer.error().code));
  if (!answer) return;
  reply.receipt = answer->value.receipt;
  if (answer->value.kind == CompletionKind::completed) must_be_on_time(lease);
  require(answer->value.receipt.lease_id == request.lease.lease_id, "foreign_receipt", [&] {
    return "asked under " + test::text_of(request.lease) + ", answered " +
           test::text_of(answer->value.receipt);
  });
}

void Host::store(const Request& request, Reply& reply) {
  const auto answer =
      apply(StoreResult{results_->machine.revision(), test::view_of(request.receipt), request.result});
  reply.outcome = answer ? "accepted" : std::string(name_of(answer.error().code));
  reply.receipt = request.receipt;
}

/** Whatever the host told the core: by its clock the lease was good. */
void Host::must_be_on_time(const TaskLease& lease) const {
  require(s_.clock(skew_) < lease.expires_at.value, "late_act", [&] {
    return "at " + std::to_string(s_.clock(skew_)) + " an act was accepted under " + test::text_of(lease);
  });
}

}  // namespace leasegate::sim
