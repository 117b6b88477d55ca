// How a host comes to serve and stops: taking over, checkpoints, and what follows when the storage refuses.
#include "sim/host.hpp"

namespace leasegate::sim {

void Host::crash(const char* why) {
  if (down()) return;
  s_.trace.note([&] { return "host " + std::to_string(number_) + " goes down: " + why; });
  stage_ = Stage::down;
  tasks_.reset();
  results_.reset();
  held_.clear();
}

void Host::take_over() {
  crash("to take over");
  s_.count("take-overs");
  paused_until_ = 0;
  session_ = s_.storage.take_over();
  tasks_ = recover_tasks(s_);
  results_ = recover_results(s_);
  stage_ = Stage::recovered;
  s_.trace.note([&] {
    return "host " + std::to_string(number_) + " takes over as generation " +
           std::to_string(session_.generation) + " at revisions " +
           std::to_string(tasks_->machine.revision().value) + " and " +
           std::to_string(results_->machine.revision().value);
  });
}

void Host::checkpoint() {
  if (!serving()) return;
  flush();
  sync();
  // Either may have found out that this host has been replaced.
  if (!serving() || !tasks_->buffer.empty() || !results_->buffer.empty()) return;
  const auto session = s_.storage.renew(session_);
  if (!session) return crash("fenced off");
  s_.count("checkpoints");
  session_ = *session;
  stage_ = Stage::recovered;
}

/** One step on the way from a machine in memory to a host that serves. */
void Host::progress() {
  switch (stage_) {
    case Stage::down:
    case Stage::serving:
      return;
    case Stage::recovered:
      if (write_snapshots()) stage_ = Stage::snapshots_written;
      return;
    case Stage::snapshots_written:
      if (sync_both(JournalForm::snapshot)) stage_ = Stage::snapshots_safe;
      return;
    case Stage::snapshots_safe:
      if (!write_journals() || !sync_both(JournalForm::journal)) return;
      s_.storage.forget_before(session_.generation);
      stage_ = Stage::serving;
      s_.trace.note([&] { return "host " + std::to_string(number_) + " serves"; });
      return;
  }
}

bool Host::write_snapshots() {
  return accept(s_.storage.create(session_, JournalContract::coordination, JournalForm::snapshot,
                                  snapshot_of(tasks_->machine))) &&
         accept(s_.storage.create(session_, JournalContract::results, JournalForm::snapshot,
                                  snapshot_of(results_->machine)));
}

bool Host::write_journals() {
  const auto header = [](const auto& machine) {
    Array<std::uint8_t> out;
    require(journal::write_header(out, machine).has_value(), "header_failed", [] { return ""; });
    return Bytes(out.begin(), out.end());
  };
  if (!accept(s_.storage.create(session_, JournalContract::coordination, JournalForm::journal,
                                header(tasks_->machine))) ||
      !accept(s_.storage.create(session_, JournalContract::results, JournalForm::journal,
                                header(results_->machine)))) {
    return false;
  }
  safe_tasks_ = flushed_tasks_ = tasks_->machine.revision().value;
  safe_results_ = flushed_results_ = results_->machine.revision().value;
  s_.storage.open(JournalContract::coordination, flushed_tasks_);
  s_.storage.open(JournalContract::results, flushed_results_);
  return true;
}

bool Host::accept(Written written) {
  switch (written) {
    case Written::done:
      return true;
    case Written::fenced:
      s_.count("fenced writes");
      crash("fenced off");
      return false;
    case Written::no_room:
      s_.count("full disks");
      // What a serving host has applied it must be able to write: it starts anew from what is written.
      if (serving()) crash("the disk is full");
      return false;
  }
  return false;
}

bool Host::accept(Synced synced) {
  switch (synced) {
    case Synced::done:
      return true;
    case Synced::fenced:
      s_.count("fenced syncs");
      crash("fenced off");
      return false;
    case Synced::failed:
      s_.count("failed syncs");
      if (s_.plant == Plant::retried_sync) return false;
      // After a failed sync nobody knows what is safe; another sync would say "done" of what is lost.
      crash("a sync failed");
      return false;
  }
  return false;
}

bool Host::sync_both(JournalForm form) {
  return accept(s_.storage.sync(session_, JournalContract::coordination, form)) &&
         accept(s_.storage.sync(session_, JournalContract::results, form));
}

template <class Machine>
bool Host::flush(Watched<Machine>& watched) {
  WriteBuffer& buffer = watched.buffer;
  if (buffer.empty()) return true;
  const auto written = s_.storage.append(session_, Contract<Machine>::kContract, buffer.first(),
                                         buffer.records().size(), buffer.joined());
  if (!accept(written)) return false;
  history_of<Machine>(s_).append(buffer.first(), buffer.records());
  buffer.clear();
  return true;
}

void Host::flush() {
  if (!serving() || !flush(*tasks_) || !flush(*results_)) return;
  flushed_tasks_ = tasks_->machine.revision().value;
  flushed_results_ = results_->machine.revision().value;
}

void Host::sync() {
  if (!serving() || !sync_both(JournalForm::journal)) return;
  safe_tasks_ = flushed_tasks_;
  safe_results_ = flushed_results_;
  s_.tasks.acknowledge(safe_tasks_);
  s_.results.acknowledge(safe_results_);
  release();
}

}  // namespace leasegate::sim
