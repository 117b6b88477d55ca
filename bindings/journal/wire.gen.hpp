// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include "bindings/base/frame.hpp"
#include "journal/record.hpp"

namespace leasegate::bindings {

enum class JournalOp : std::uint32_t {
  attach,
  take,
  taken,
  block,
  header,
  apply_batch,
  state_digest,
  export_snapshot,
  release,
};

}  // namespace leasegate::bindings
