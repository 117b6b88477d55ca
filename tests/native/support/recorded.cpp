#include "support/recorded.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <deque>
#include <filesystem>
#include <fstream>

namespace leasegate::test {
namespace {

constexpr std::uint64_t kMaxSafeInteger = (std::uint64_t{1} << 53U) - 1;

void compare(const std::string& path, const Json& expected, const Json& actual,
             std::vector<std::string>& found) {
  if (expected.is_object() && actual.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      const auto other = actual.find(key);
      if (other == actual.end()) {
        found.push_back(path + '.' + key + ": expected " + value.dump() +
                        ", but the answer has no such field");
      } else {
        compare(path + '.' + key, value, *other, found);
      }
    }
    for (const auto& [key, value] : actual.items()) {
      if (!expected.contains(key)) {
        found.push_back(path + '.' + key + ": not expected, but the answer has " + value.dump());
      }
    }
    return;
  }
  if (expected.is_array() && actual.is_array() && expected.size() == actual.size()) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      compare(path + '[' + std::to_string(i) + ']', expected[i], actual[i], found);
    }
    return;
  }
  if (expected != actual)
    found.push_back(path + ": expected " + expected.dump() + ", actual " + actual.dump());
}

class RunFile final : public Catch::ITestInvoker {
 public:
  RunFile(void (*run)(const std::string&), std::string file) : run_(run), file_(std::move(file)) {}
  void invoke() const override { run_(file_); }

 private:
  void (*run_)(const std::string&);
  std::string file_;
};

}  // namespace

std::vector<std::string> differences(const Json& expected, const Json& actual) {
  std::vector<std::string> found;
  compare("$", expected, actual, found);
  return found;
}

std::vector<RecordedStep> read_recorded(const std::string& file) {
  std::ifstream stream(std::filesystem::path(LEASEGATE_VECTORS_DIR) / file, std::ios::binary);
  INFO(file);
  REQUIRE(stream);
  std::vector<RecordedStep> steps;
  int number = 0;
  for (std::string line; std::getline(stream, line, '\n');) {
    ++number;
    if (line.empty()) continue;
    Json step = Json::parse(line);
    steps.push_back({number, std::move(step.at("cmd")), std::move(step.at("out"))});
  }
  REQUIRE_FALSE(steps.empty());
  return steps;
}

void replay_file(const std::string& file, Replay& replay) {
  for (const RecordedStep& step : read_recorded(file)) {
    const Json actual = replay.answer(step.cmd);
    const std::vector<std::string> found = differences(step.out, actual);
    if (found.empty()) continue;
    std::string report = file + ':' + std::to_string(step.line) + '\n' + step.cmd.dump();
    for (const std::string& difference : found) report += '\n' + difference;
    FAIL(report);
  }
  SUCCEED();
}

int register_recorded(const char* folder, void (*run)(const std::string& file)) {
  static std::deque<std::string> names;  // Catch2 keeps references.
  std::vector<std::string> files;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(LEASEGATE_VECTORS_DIR) / folder, missing)) {
    if (entry.path().extension() == ".jsonl")
      files.push_back(std::string(folder) + '/' + entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    const std::string& name = names.emplace_back("Recorded sequence " + file);
    const Catch::AutoReg registered(Catch::Detail::make_unique<RunFile>(run, file), CATCH_INTERNAL_LINEINFO,
                                    "", Catch::NameAndTags(name, "[recorded]"));
  }
  return static_cast<int>(files.size());
}

Json json_number(std::uint64_t value) {
  return value > kMaxSafeInteger ? Json(std::to_string(value)) : Json(value);
}

std::uint64_t number_of(const Json& value) {
  if (!value.is_string()) return value.get<std::uint64_t>();
  const auto& digits = value.get_ref<const std::string&>();
  std::uint64_t number = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  REQUIRE(end.ec == std::errc());
  REQUIRE(end.ptr == digits.data() + digits.size());
  return number;
}

}  // namespace leasegate::test
