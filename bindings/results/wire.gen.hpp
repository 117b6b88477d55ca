// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include "bindings/coordination/wire.gen.hpp"
#include "bindings/base/frame.hpp"
#include "results/commands.hpp"

namespace leasegate::bindings {

enum class ResultsOp : std::uint32_t {
  store_result,
  aggregate_begin,
  aggregate_next,
  get_result,
  result_stats,
  remove_results,
};

inline void write(FrameWriter& out, const StoreOutcome& value) {
  out.enumeration(value.kind);
  switch (value.kind) {
    case StoreKind::stored:
      break;
    case StoreKind::already_stored:
      break;
  }
}

inline void read(FrameReader& in, StoreResult& value) {
  in.u64(value.expected_revision);
  read(in, value.receipt);
  in.payload(value.bytes);
}

}  // namespace leasegate::bindings
