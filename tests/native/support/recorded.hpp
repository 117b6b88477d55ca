// Recorded sequences: reading them, registering one test case a file, and telling where an answer differs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace leasegate::test {

using Json = nlohmann::json;

struct RecordedStep {
  int line;
  Json cmd;
  Json out;
};

/** The steps of a file of tests/vectors. Fails the test when it cannot be read. */
std::vector<RecordedStep> read_recorded(const std::string& file);

/** Answers one step; the answer has the form of the recording's `out`. */
class Replay {
 public:
  virtual ~Replay() = default;
  virtual Json answer(const Json& cmd) = 0;
};

/**
 * Replays `file` and fails at the first step whose answer differs, with file, line, command and, for each
 * field that differs, its path, the expected and the actual value. Fields must be the same on both sides: one
 * that is missing and one that is too much are differences too.
 */
void replay_file(const std::string& file, Replay& replay);

/** Where `actual` is not `expected`, a line each; empty when they are equal. */
std::vector<std::string> differences(const Json& expected, const Json& actual);

/** Registers `run(file)` as a test case for each .jsonl file in a folder of tests/vectors. */
int register_recorded(const char* folder, void (*run)(const std::string& file));

/** As recordings write them: above 2^53 - 1 as a decimal string. */
Json json_number(std::uint64_t value);
std::uint64_t number_of(const Json& value);

}  // namespace leasegate::test
