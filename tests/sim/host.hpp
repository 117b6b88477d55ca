// A host of the coordinator: it serves workers and the client, writes its journals to the storage, answers
// only when what it answers is safe, and steps down as soon as the storage says that another has taken over.
#pragma once

#include <memory>

#include "sim/recovery.hpp"

namespace leasegate::sim {

class Host {
 public:
  Host(std::uint32_t number, std::int64_t skew, Surroundings& s) : number_(number), skew_(skew), s_(s) {}

  /** Reads what the storage has, and begins a generation. It serves after three calls of `progress`. */
  void take_over();
  void crash(const char* why);
  void pause(std::uint64_t until) { paused_until_ = until; }
  [[nodiscard]] bool down() const { return stage_ == Stage::down; }
  [[nodiscard]] bool serving() const { return stage_ == Stage::serving; }
  [[nodiscard]] bool paused() const { return s_.time < paused_until_; }

  void handle(const Request& request, Random& random);
  /** One of the things that a host does of its own accord; on its way to serving, the next step there. */
  void tend(Random& random);
  /** All of them: what a calm host does every second. */
  void tend_everything();
  void flush();
  void sync();
  /** A new generation of its own, whose snapshot makes the journal so far unnecessary. */
  void checkpoint();
  void check();

  void be_on_time() { skew_ = 0; }
  /** No task is active and no result waits to be taken. */
  [[nodiscard]] bool done() const;
  [[nodiscard]] const Watched<Coordinator>& tasks() const { return *tasks_; }
  [[nodiscard]] const Watched<ResultStore>& results() const { return *results_; }

 private:
  enum class Stage : std::uint8_t { down, recovered, snapshots_written, snapshots_safe, serving };

  /** An answer that waits until both journals are safe up to here. */
  struct Held {
    Reply reply;
    std::uint64_t tasks = 0;
    std::uint64_t results = 0;
  };

  // --- host_recovery.cpp
  void progress();
  bool write_snapshots();
  bool write_journals();
  bool accept(Written written);
  bool accept(Synced synced);
  bool sync_both(JournalForm form);
  template <class Machine>
  bool flush(Watched<Machine>& watched);

  // --- host_requests.cpp
  void answer(const Request& request, Reply& reply);
  void greet(const Request& request, Reply& reply);
  void enqueue(const Request& request, Reply& reply);
  void complete(const Request& request, Reply& reply);
  void store(const Request& request, Reply& reply);
  void hold(Reply reply);
  void release();
  void promise(const Reply& reply);
  void must_be_on_time(const TaskLease& lease) const;

  // --- host_care.cpp
  void hand_out(bool chosen);
  void recover_leases();
  void prune();
  void expire(std::uint64_t ttl);
  void retire(std::uint64_t most);
  void forget_workers();
  void take_results(std::uint64_t most);

  [[nodiscard]] LogicalTime now() const;
  [[nodiscard]] Fenced next();
  /** Lets all who watch see the command, and the trace as well. */
  template <class Command>
  auto apply(const Command& command);

  std::uint32_t number_;
  std::int64_t skew_;
  Surroundings& s_;
  Stage stage_ = Stage::down;
  std::uint64_t paused_until_ = 0;
  Storage::Session session_;
  std::unique_ptr<Watched<Coordinator>> tasks_;
  std::unique_ptr<Watched<ResultStore>> results_;
  std::vector<Held> held_;
  /** Handed to the storage, not synced yet. */
  std::uint64_t flushed_tasks_ = 0;
  std::uint64_t flushed_results_ = 0;
  std::uint64_t safe_tasks_ = 0;
  std::uint64_t safe_results_ = 0;
  /** How the next command is to be wrong; 0: not at all. */
  std::uint64_t careless_ = 0;
};

}  // namespace leasegate::sim
