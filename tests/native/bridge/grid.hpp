// Walks every pair of states of a machine. The expectation is written in the test, apart from the schema.
#pragma once

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "support/records.hpp"

namespace leasegate::test {

/** from -> the states that it may become, separated by blanks; a state that is missing is terminal. */
using Grid = std::map<std::string, std::string>;

inline bool allows(const Grid& grid, std::string_view from, std::string_view to) {
  const auto row = grid.find(std::string(from));
  return row != grid.end() &&
         (' ' + row->second + ' ').find(' ' + std::string(to) + ' ') != std::string::npos;
}

/** The generated table says what `grid` says, for every pair and about every terminal state. */
template <class State, std::size_t N>
void check_table(const std::array<std::string_view, N>& names, const Grid& grid) {
  for (std::size_t from = 0; from < N; ++from) {
    INFO(names[from]);
    CHECK(is_terminal(static_cast<State>(from)) == !grid.contains(std::string(names[from])));
    for (std::size_t to = 0; to < N; ++to) {
      INFO("to " << names[to]);
      CHECK(can_become(static_cast<State>(from), static_cast<State>(to)) ==
            allows(grid, names[from], names[to]));
    }
  }
}

inline std::string no_transition(std::string_view from, std::string_view to) {
  return "invalid_transition{from: " + std::string(from) + ", to: " + std::string(to) + "}";
}

}  // namespace leasegate::test
