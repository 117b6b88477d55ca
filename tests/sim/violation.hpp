#pragma once

#include <string>
#include <utility>

namespace leasegate::sim {

/** Thrown where a promise of the system does not hold. The rule is a short name that stays the same while a
 * failing run is shrunk; the detail says what was seen. */
struct Violation {
  Violation(std::string broken_rule, std::string what)
      : rule(std::move(broken_rule)), detail(std::move(what)) {}

  std::string rule;
  std::string detail;
};

/** Requires what must hold. `detail` is called only when it does not. */
template <class Detail>
void require(bool holds, const char* rule, const Detail& detail) {
  if (!holds) throw Violation(rule, detail());
}

}  // namespace leasegate::sim
