// The bridge's 64-bit quantities. Remote sides choose epochs, generations and sequences: they use the full
// range.
#pragma once

#include "base/counter.hpp"

namespace leasegate {

/** Fences the worker side of a remote session: only the current epoch may act. Never 0. */
using Epoch = Counter<struct EpochTag>;
/** Generation of a surface. Never 0. */
using Generation = Counter<struct GenerationTag>;
/** Position of an event in its session; 0 stands for none. */
using Sequence = Counter<struct SequenceTag>;
/** The host's clock: milliseconds since the Unix epoch. */
using UnixMillis = Counter<struct UnixMillisTag>;

}  // namespace leasegate
