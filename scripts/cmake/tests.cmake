# The native tests: Catch2 3, and nlohmann/json for the recorded sequences. Both as the system has them, or else
# fetched, pinned to a commit.
include(FetchContent)

# fetch(NAME OPTION VERSION COMMIT REPOSITORY): find_package, unless OPTION (on when nothing is installed) says to fetch.
macro(leasegate_find_or_fetch name option version commit repository)
  find_package(${name} ${version} QUIET)
  if(${name}_FOUND)
    option(${option} "Fetch ${name} instead of using the installed one" OFF)
  else()
    option(${option} "Fetch ${name} instead of using an installed one" ON)
  endif()
  if(${option})
    message(STATUS "Fetching ${name} ${version} or newer from ${repository}")
    FetchContent_Declare(leasegate_${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit})
    FetchContent_MakeAvailable(leasegate_${name})
  endif()
endmacro()

leasegate_find_or_fetch(Catch2 LEASEGATE_FETCH_CATCH2 3
  fa43b77429ba76c462b1898d6cd2f2d7a9416b14 https://github.com/catchorg/Catch2.git)  # v3.7.1
if(LEASEGATE_FETCH_CATCH2)
  list(APPEND CMAKE_MODULE_PATH ${leasegate_catch2_SOURCE_DIR}/extras)
endif()
if(LEASEGATE_FUZZ)
  include(scripts/cmake/judges.cmake)
  include(scripts/cmake/fuzz.cmake)
  return()
endif()

leasegate_find_or_fetch(nlohmann_json LEASEGATE_FETCH_JSON 3
  9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03 https://github.com/nlohmann/json.git)  # v3.11.3

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/native/*.cpp)
if(NOT test_sources)
  message(STATUS "No native tests")
  return()
endif()
if(LEASEGATE_SANITIZE STREQUAL "thread")
  # What runs in one thread has no race to find: only the tests of the shared handles are worth their compile time.
  list(FILTER test_sources INCLUDE REGEX "/(support/[^/]*|race_test|sharing_test)\\.cpp$")
endif()
include(scripts/cmake/judges.cmake)
list(REMOVE_ITEM test_sources ${judge_sources})

add_executable(leasegate_tests ${test_sources})
target_compile_definitions(leasegate_tests PRIVATE LEASEGATE_VECTORS_DIR="${PROJECT_SOURCE_DIR}/tests/vectors")
target_link_libraries(leasegate_tests PRIVATE
  leasegate_judges Catch2::Catch2WithMain nlohmann_json::nlohmann_json)
target_compile_options(leasegate_tests PRIVATE ${LEASEGATE_TEST_FLAGS})
# What every test reads is read once: a fifth of the time that they take to compile.
target_precompile_headers(leasegate_tests PRIVATE <catch2/catch_test_macros.hpp> <algorithm> <array> <cstdint> <expected>
  <memory> <optional> <span> <string> <string_view> <tuple> <utility> <variant> <vector>)

include(Catch)
if(LEASEGATE_SANITIZE MATCHES "address")
  # Starting a process takes longer than most tests under this sanitizer: a few processes run them all.
  set(shards 8)
  math(EXPR last_shard "${shards} - 1")
  foreach(shard RANGE ${last_shard})
    add_test(NAME "Native tests, part ${shard} of ${shards}"
      COMMAND leasegate_tests --shard-count ${shards} --shard-index ${shard})
  endforeach()
else()
  # PRE_TEST: a test binary that cannot start fails ctest, not the build. The tags become labels: ctest -L race
  catch_discover_tests(leasegate_tests DISCOVERY_MODE PRE_TEST ADD_TAGS_AS_LABELS)
endif()

include(scripts/cmake/sim.cmake)
include(scripts/cmake/fuzz.cmake)
