// Deduper for JavaScript.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/bridge/machine.hpp"
#include "bridge/deduper.hpp"

namespace leasegate::bindings {

class DeduperBinding {
 public:
  explicit DeduperBinding(Deduper&& machine) : deduper_(std::move(machine)) {}

  static std::unique_ptr<DeduperBinding> create() {
    return bind<DeduperBinding>(Deduper::create(read_number<std::uint64_t>()));
  }

  ReplyStatus run(std::uint32_t op) {
    switch (static_cast<BridgeOp>(op)) {
      case BridgeOp::deduper_seen_or_add:
        return reply_result(deduper_.seen_or_add(MessageId(read_text())));
      case BridgeOp::deduper_size:
        return reply_value(deduper_.size());
      default:
        std::abort();  // Both sides take the numbers from one source.
    }
  }

 private:
  Deduper deduper_;
};

}  // namespace leasegate::bindings

EMSCRIPTEN_BINDINGS(leasegate_deduper) {
  using leasegate::bindings::DeduperBinding;
  emscripten::class_<DeduperBinding>("Deduper")
      .class_function("create", &DeduperBinding::create)
      .function("run", &DeduperBinding::run);
}
