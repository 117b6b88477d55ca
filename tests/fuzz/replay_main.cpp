// Runs a target on every file of the folders and files given: how corpora are replayed by a compiler that has
// no libFuzzer.

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/input.hpp"

namespace {

int run(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // In memory of its own size, so that a sanitizer sees every step past its end.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  std::fprintf(stderr, "%s\n", path.filename().c_str());
  return LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int count, char** arguments) {
  int files = 0;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(arguments[i])) {
      run(arguments[i]);
      ++files;
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
      run(entry.path());
      ++files;
    }
  }
  if (files == 0) leasegate::fuzz::fail("no inputs");
  std::printf("%d inputs\n", files);
  return 0;
}
