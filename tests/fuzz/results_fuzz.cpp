// Sequences of commands for the result store, compared with the model and a replica.

#include "fuzz/contracts.hpp"
#include "support/model.hpp"

namespace leasegate::fuzz {
namespace {

ResultLimits limits_of(Input& input) {
  return {.max_results = 1 + input.below(6),
          .max_result_bytes = 1 + input.below(12),
          .max_total_bytes = 12 + input.below(30),
          .max_aggregate_items = 1 + input.below(4),
          .max_aggregate_bytes = 1 + input.below(30)};
}

class Comparison {
 public:
  explicit Comparison(Input& input)
      : input_(input),
        limits_(limits_of(input)),
        store_(ResultStore::create(limits_).value()),
        replica_(ResultStore::create(limits_).value()),
        model_(limits_) {
    tap_.attach(&buffer_);
  }

  void step() {
    switch (input_.below(4)) {
      case 0:
        aggregate();
        break;
      case 1:
        remove();
        break;
      default:
        store();
        break;
    }
    require(store_.result_count() == model_.results.size() && store_.total_bytes() == model_.total_bytes(),
            "the counts differ");
    require(!journal::apply_records(replica_, buffer_.bytes()).error, "the replica refuses a record");
    buffer_.clear();
  }

  void finish() const {
    const Bytes snapshot = snapshot_of(store_);
    require(snapshot_of(replica_) == snapshot, "the replica differs");
    require(snapshot_of(journal::import_results(snapshot).value()) == snapshot, "the snapshot differs");
    for (const auto& [id, wanted] : model_.results) {
      const auto found = store_.get_result(id);
      require(found && *found &&
                  std::equal((*found)->bytes.begin(), (*found)->bytes.end(), wanted.bytes.begin(),
                             wanted.bytes.end()),
              "a result differs");
    }
  }

 private:
  Revision revision() { return {input_.one_in(16) ? store_.revision().value + 1 : store_.revision().value}; }

  std::vector<std::string> ids() {
    std::vector<std::string> names;
    for (std::uint64_t i = input_.below(5); i > 0; --i)
      names.push_back("t" + std::to_string(input_.below(8)));
    return names;
  }

  void store() {
    const std::string id = "t" + std::to_string(input_.below(8));
    CompletionReceiptView receipt;
    receipt.task_id = id;
    receipt.worker_id = "w";
    receipt.attempt = static_cast<std::uint32_t>(input_.below(2));
    const Bytes bytes(static_cast<std::size_t>(input_.below(14)), static_cast<std::uint8_t>(input_.below(2)));
    const StoreResult command{revision(), receipt, bytes};
    const auto actual = tap_.apply(store_, command);
    const auto expected = model_.apply(command);
    const std::string said =
        actual ? std::string(name_of(actual->value.kind)) : test::text_of(actual.error());
    require(said == (expected ? std::string(name_of(expected->value.kind)) : expected.error()), said);
  }

  void remove() {
    const std::vector<std::string> names = ids();
    const std::vector<IdView> views(names.begin(), names.end());
    const RemoveResults command{revision(), views};
    const bool current = command.expected_revision == store_.revision();
    const auto actual = tap_.apply(store_, command);
    bool known = current;
    for (std::size_t i = 0; i < names.size(); ++i) {
      known = known && model_.results.contains(names[i]) &&
              std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) ==
                  names.begin() + static_cast<std::ptrdiff_t>(i);
    }
    require(actual.has_value() == known, "a removal");
    if (!actual) return;
    for (const std::string& id : names) model_.results.erase(id);
    model_.revision = actual->revision.value;
    require(actual->value == names.size(), "another number was removed");
  }

  void aggregate() {
    const std::vector<std::string> names = ids();
    const std::vector<IdView> views(names.begin(), names.end());
    Array<std::uint32_t> slots;
    const Status actual = store_.aggregate(views, slots);
    const auto expected = model_.aggregate(names);
    require(
        (actual ? "accepted" : test::text_of(actual.error())) == (expected ? "accepted" : expected.error()),
        "an aggregate");
    for (std::size_t i = 0; expected && i < names.size(); ++i) {
      require(store_.result_at(slots[i]).task_id == names[i], "another order");
    }
  }

  Input& input_;
  ResultLimits limits_;
  ResultStore store_;
  ResultStore replica_;
  test::ResultModel model_;
  journal::JournalBuffer buffer_{1 << 20};
  journal::JournalTap tap_;
};

}  // namespace
}  // namespace leasegate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return leasegate::fuzz::step_through<leasegate::fuzz::Comparison>(data, size);
}
