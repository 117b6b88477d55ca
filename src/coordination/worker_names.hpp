// The ids of workers, each once. A name stays for as long as a worker has it or the proof of a terminal task
// names it: a worker can be forgotten while what it did is still to be recognised.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/id_index.hpp"
#include "base/pool.hpp"
#include "base/text_block.hpp"
#include "base/text_policy.hpp"

namespace leasegate {

struct WorkerName {
  TextBlock text;
  /** By which a binding may remember the text. */
  std::uint32_t key = kNoTextKey;
  /** The worker that has this name now; kNoSlot when it was forgotten. */
  std::uint32_t worker = kNoSlot;
  /** Terminal tasks whose proof names it. */
  std::uint32_t proofs = 0;

  [[nodiscard]] IdView id() const { return {text.view(0, text.size()), key}; }
};

class WorkerNames {
 public:
  /** Names, those of forgotten workers included. */
  [[nodiscard]] std::uint32_t size() const { return names_.size(); }
  /** One past the last slot that a name has or had. */
  [[nodiscard]] std::uint32_t slots() const { return names_.slab().size(); }
  [[nodiscard]] const WorkerName& operator[](std::uint32_t name) const { return names_[name]; }
  [[nodiscard]] const IdIndex& index() const { return index_; }

  /** kNoSlot when there is none. */
  [[nodiscard]] std::uint32_t find(std::string_view id) const {
    return index_.find(id, [this](std::uint32_t name) { return names_[name].id(); });
  }

  /** Finds `id` or takes it in. A name taken in has no worker and no proof. False, with nothing changed,
   * without memory. */
  [[nodiscard]] bool try_intern(std::string_view id, std::uint32_t& name);

  void set_worker(std::uint32_t name, std::uint32_t worker) { names_[name].worker = worker; }
  void clear_worker(std::uint32_t name) {
    names_[name].worker = kNoSlot;
    drop_unused(name);
  }
  void add_proof(std::uint32_t name) { ++names_[name].proofs; }
  void remove_proof(std::uint32_t name) {
    --names_[name].proofs;
    drop_unused(name);
  }

 private:
  void drop_unused(std::uint32_t name);

  Pool<WorkerName> names_;
  IdIndex index_;
  TextKeys keys_;
};

}  // namespace leasegate
