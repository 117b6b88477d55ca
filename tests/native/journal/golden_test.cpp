// The format, pinned: these files were written once and have to be read for ever. LEASEGATE_WRITE_GOLDEN=1
// writes them anew, which is right only together with a new version of the format.

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "journal/journals.hpp"

namespace leasegate::test {
namespace {

Bytes golden(const std::string& name, const Bytes& current) {
  const std::string path = std::string(LEASEGATE_VECTORS_DIR) + "/../native/journal/golden/" + name;
  if (std::getenv("LEASEGATE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(current.data()), static_cast<std::streamsize>(current.size()));
  }
  std::ifstream file(path, std::ios::binary);
  INFO(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST_CASE("The journal of every command of the coordinator is what it always was") {
  const Journaled<Coordinator> j = every_command();
  const Bytes file = golden("coordination.journal", j.journal());
  CHECK(file == j.journal());
  const auto replayed = journal::replay_coordinator(file);
  REQUIRE(refusal(replayed) == "accepted");
  CHECK_FALSE(replayed->report.error);
  CHECK(replayed->report.applied == j.list->records.size());
  CHECK(digest_of(replayed->machine) == digest_of(j.machine));
  CHECK(digest_of(j.machine) == "dbbed3f197ebc441a3ee282884bf84ce91e98d30489f4570c4173b99374de942");
}

TEST_CASE("The snapshot of a coordinator is what it always was") {
  const Journaled<Coordinator> j = every_command();
  const Bytes file = golden("coordination.snapshot", snapshot_of(j.machine));
  CHECK(file == snapshot_of(j.machine));
  CHECK(digest_of(journal::import_coordinator(file).value()) == digest_of(j.machine));
}

TEST_CASE("The journal of every command of the results is what it always was") {
  const Journaled<ResultStore> j = every_result_command();
  const Bytes file = golden("results.journal", j.journal());
  CHECK(file == j.journal());
  const auto replayed = journal::replay_results(file);
  REQUIRE(refusal(replayed) == "accepted");
  CHECK_FALSE(replayed->report.error);
  CHECK(digest_of(replayed->machine) == digest_of(j.machine));
  CHECK(digest_of(j.machine) == "0c450034c0345ddec7b76286ecb4a4b559673242422126fe56632951878e9bc6");
}

TEST_CASE("The snapshot of a result store is what it always was") {
  const Journaled<ResultStore> j = every_result_command();
  const Bytes file = golden("results.snapshot", snapshot_of(j.machine));
  CHECK(file == snapshot_of(j.machine));
  CHECK(digest_of(journal::import_results(file).value()) == digest_of(j.machine));
}

TEST_CASE("Every kind of record is among the golden ones") {
  const Bytes journal = joined(every_command().list->from(0), every_result_command().list->from(0));
  std::vector<int> kinds;
  journal::FrameScanner scanner(journal);
  while (!scanner.done()) kinds.push_back(scanner.next(MAX_RECORD_BYTES).value().body[1]);
  for (int kind = 1; kind <= 18; ++kind) CHECK(std::count(kinds.begin(), kinds.end(), kind) > 0);
  for (const int kind : {64, 65}) CHECK(std::count(kinds.begin(), kinds.end(), kind) > 0);
}

}  // namespace
}  // namespace leasegate::test
