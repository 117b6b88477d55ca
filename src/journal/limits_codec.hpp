// The limits of a machine as bytes, in the order of the schema.
#pragma once

#include <optional>

#include "coordination/schema.gen.hpp"
#include "journal/byte_reader.hpp"
#include "journal/byte_writer.hpp"
#include "results/schema.gen.hpp"

namespace leasegate::journal {

void write(ByteWriter& out, const DistributedLimits& limits);
void read(ByteReader& in, DistributedLimits& limits);
void write(ByteWriter& out, const ResultLimits& limits);
void read(ByteReader& in, ResultLimits& limits);

/** The first limit in which the two differ. */
[[nodiscard]] std::optional<LimitName> first_difference(const DistributedLimits& a,
                                                        const DistributedLimits& b);
[[nodiscard]] std::optional<LimitName> first_difference(const ResultLimits& a, const ResultLimits& b);

}  // namespace leasegate::journal
