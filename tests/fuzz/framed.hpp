// Bytes with checksums that fit. No fuzzer guesses a CRC, so that most inputs are bodies, framed here.
#pragma once

#include "fuzz/input.hpp"
#include "journal/framing.hpp"
#include "journal/preamble.hpp"

namespace leasegate::fuzz {

inline Bytes framed(View body) {
  Array<std::uint8_t> out;
  std::size_t head = 0;
  const bool enough = journal::open_frame(out, head) && out.try_reserve(out.size() + body.size());
  require(enough, "no memory");
  out.append(body);
  require(journal::close_frame(out, head), "no memory");
  return bytes_of(out);
}

inline Bytes joined(const Bytes& a, const Bytes& b) {
  Bytes all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

inline Bytes with_preamble(JournalForm form, JournalContract contract, const Bytes& frames) {
  Array<std::uint8_t> out;
  require(journal::write_preamble(out, form, contract), "no memory");
  return joined(bytes_of(out), frames);
}

/** Bodies, each after two bytes with its length. */
inline Bytes all_framed(Input& input) {
  Bytes all;
  while (!input.done()) all = joined(all, framed(input.piece()));
  return all;
}

}  // namespace leasegate::fuzz
