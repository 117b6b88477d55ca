#include "sim/world.hpp"

#include <algorithm>
#include <numeric>

namespace leasegate::sim {
namespace {

std::int64_t skew(std::uint64_t most, Random& random) {
  return static_cast<std::int64_t>(random.below(2 * most + 1)) - static_cast<std::int64_t>(most);
}

}  // namespace

/** Mostly one that serves. */
Host& World::any_host(Random& random) {
  Host& chosen = hosts_[static_cast<std::size_t>(random.below(hosts_.size()))];
  if (chosen.serving() || random.percent(25)) return chosen;
  const auto serves = std::find_if(hosts_.begin(), hosts_.end(), [](const Host& h) { return h.serving(); });
  return serves == hosts_.end() ? chosen : *serves;
}

World::World(std::uint64_t seed, Plant plant) : s(plan_of(seed), plant), seed_(seed), client_(s) {
  Random random = random_of(seed, UINT64_MAX);
  for (std::uint32_t i = 0; i < s.plan.hosts; ++i) hosts_.emplace_back(i, skew(s.plan.host_skew, random), s);
  for (std::uint32_t i = 0; i < s.plan.workers; ++i) {
    workers_.emplace_back(i, skew(s.plan.worker_skew, random),
                          static_cast<std::uint32_t>(random.between(1, 4)), s);
  }
  s.storage.unfenced = plant == Plant::no_fence;
  if (plant == Plant::lying_sync) s.storage.make_liars();
}

void World::step(std::uint64_t number) {
  s.trace.step = number;
  Random random = random_of(seed_, number + 1);
  const Action action = choose(random);
  if (action >= Action::message_lost) {
    perform_fault(action, random);
  } else {
    perform(action, random);
  }
  check();
}

Action World::choose(Random& random) const {
  const auto& weights = s.plan.weights;
  std::uint64_t left = random.below(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
  std::size_t action = 0;
  while (left >= weights[action]) left -= weights[action++];
  return static_cast<Action>(action);
}

void World::perform(Action action, Random& random) {
  Host& host = any_host(random);
  switch (action) {
    case Action::tick:
      s.time += random.between(1, s.plan.longest_tick);
      s.trace.note([&] { return "it is " + std::to_string(s.time); });
      return;
    case Action::deliver:
      return deliver(random);
    case Action::worker_acts:
      return any_worker(random).act(random);
    case Action::client_acts:
      return client_.act(random);
    case Action::host_tends:
      if (!host.paused()) host.tend(random);
      return;
    case Action::host_flushes:
      if (!host.paused()) host.flush();
      return;
    case Action::host_syncs:
      if (!host.paused()) host.sync();
      return;
    case Action::host_checkpoints:
      if (!host.paused()) host.checkpoint();
      return;
    default:
      return;
  }
}

void World::perform_fault(Action action, Random& random) {
  Host& host = any_host(random);
  Worker& worker = any_worker(random);
  const auto note = [&](const char* what) {
    s.count(what);
    s.trace.note([&] { return std::string("fault: ") + what; });
  };
  switch (action) {
    case Action::message_lost:
      if (s.network.lose(random)) note("a message is lost");
      return;
    case Action::message_repeated:
      if (s.network.repeat(random)) note("a message is repeated");
      return;
    case Action::link_cut:
      s.network.cut(static_cast<Peer>(random.below(s.plan.workers + 1)),
                    static_cast<std::uint32_t>(random.below(s.plan.hosts)));
      return note("a link is cut");
    case Action::links_mended:
      return s.network.mend();
    case Action::worker_crashes:
      worker.crash();
      return note("a worker crashes");
    case Action::worker_pauses:
      worker.pause(s.time + random.between(1, 3 * s.plan.lease_ttl));
      return note("a worker stops for a while");
    case Action::worker_clock_jumps:
      worker.jump(skew(s.plan.lease_ttl, random));
      return note("a worker's clock jumps");
    case Action::host_crashes:
      host.crash("it crashes");
      return note("a host crashes");
    case Action::host_takes_over:
      // Mostly when nobody seems to be there; a host that is replaced does not know it.
      if (std::none_of(hosts_.begin(), hosts_.end(),
                       [](const Host& h) { return !h.down() && !h.paused(); }) ||
          random.percent(4)) {
        host.take_over();
      }
      return;
    case Action::host_pauses:
      host.pause(s.time + random.between(1, 30));
      return note("a host stops for a while");
    case Action::power_fails:
      s.storage.lose_power(random);
      return note("the storage loses its power");
    case Action::sync_fails:
      s.storage.fail_next_sync(random);
      return note("the next sync will fail");
    case Action::disk_fills:
      s.storage.fill(random);
      return note("a disk is full");
    case Action::disk_empties:
      return s.storage.empty();
    case Action::bit_rots:
      if (s.storage.rot(random)) note("a bit rots");
      return;
    default:
      return;
  }
}

void World::deliver(Random& random) {
  const auto message = s.network.deliver(random, s.plan.reorder);
  if (message) take(*message, random);
}

void World::take(const Message& message, Random& random) {
  if (const auto* request = std::get_if<Request>(&message)) {
    Host& host = hosts_[request->to_host];
    if (!host.paused()) host.handle(*request, random);
    return;
  }
  const auto& reply = std::get<Reply>(message);
  if (reply.outcome != "not_serving")
    s.trace.note([&] {
      const std::string to = reply.to == client_.peer() ? "the client" : "w" + std::to_string(reply.to);
      return to + " hears of " + std::string(name_of(reply.ask)) + ": " + reply.outcome;
    });
  if (reply.to == client_.peer()) {
    client_.hear(reply, random);
  } else {
    workers_[reply.to].hear(reply, random);
  }
}

void World::check() {
  for (Host& host : hosts_) host.check();
}

// --- The end of a run

void World::calm_down() {
  Random random = random_of(seed_, UINT64_MAX - 1);
  s.calm = true;
  s.trace.note([] { return "calm: faults are over"; });
  s.network.mend();
  for (Host& host : hosts_) {
    host.crash("for a calm end");
    host.be_on_time();
    host.pause(0);
  }
  s.storage.lose_power(random);
  s.storage.mend();
  for (Worker& worker : workers_) worker.be_on_time();
  hosts_.front().take_over();
  // Nothing has to wait for longer than this.
  const std::uint64_t patience = 100 + s.plan.lease_ttl + s.plan.limits.heartbeat_timeout_secs +
                                 s.plan.longest_delay + s.plan.message_life;
  std::uint64_t last = 0;
  for (std::uint64_t waited = 0; waited < patience; ++waited) {
    if (settled()) return check_the_end();
    calm_round(random);
    if (const std::uint64_t now = progress(); now != last) {
      last = now;
      waited = 0;
    }
  }
  throw Violation("not_live", "after the faults " +
                                  std::to_string(hosts_.front().tasks().machine.snapshot().active_tasks) +
                                  " tasks stay active, " +
                                  std::to_string(hosts_.front().results().machine.result_count()) +
                                  " results stay");
}

/** Changes with every lease, every end of a task and every result; each task has a bounded number of them. */
std::uint64_t World::progress() const {
  const Host& host = hosts_.front();
  if (host.down()) return 0;
  const test::Model& tasks = host.tasks().lineage.model;
  return tasks.last_lease_id + tasks.ends + host.results().machine.revision().value;
}

void World::calm_round(Random& random) {
  ++s.time;
  Host& host = hosts_.front();
  host.tend_everything();
  host.flush();
  host.sync();
  check();
  for (Worker& worker : workers_) worker.act(random);
  client_.act(random);
  for (int i = 0; i < 100 && !s.network.empty(); ++i) deliver(random);
  host.flush();
  host.sync();
  for (int i = 0; i < 100 && !s.network.empty(); ++i) deliver(random);
}

bool World::settled() const {
  return hosts_.front().done() && client_.done() &&
         std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.idle(); });
}

void World::check_the_end() {
  const Host& host = hosts_.front();
  s.promises.check(host.tasks().lineage);
  s.promises.check(host.results().lineage);
  const Coordinator& tasks = host.tasks().machine;
  const ResultStore& results = host.results().machine;
  require(digest_of(s.tasks.from_the_start(tasks.revision().value)) == digest_of(tasks), "replay_differs",
          [] { return "the whole journal of tasks leads to another state"; });
  require(digest_of(s.results.from_the_start(results.revision().value)) == digest_of(results),
          "replay_differs", [] { return "the whole journal of results leads to another state"; });
}

}  // namespace leasegate::sim
