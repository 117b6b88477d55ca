# The plain model of the contract and what compares it with the core: the native tests, the simulator and the fuzz
# targets share its objects. And how all of them are compiled.
if(NOT MSVC)
  # Test code is compiled more often than it runs for long: unoptimized, with lines but no locals, it takes a third of
  # the time to compile, under the sanitizers as well. (A precompiled header with json in it is slower than none.)
  set(LEASEGATE_TEST_FLAGS -O0 -g1 CACHE STRING "Compiler flags of the tests, after those of the build type")
  # What runs for long is worth some optimization.
  set(LEASEGATE_LONG_TEST_FLAGS -O1 -g1 CACHE STRING "The same, of the model and of what lives by it")
endif()

set(judge_sources ${PROJECT_SOURCE_DIR}/tests/native/support/model.cpp
  ${PROJECT_SOURCE_DIR}/tests/native/support/records.cpp
  ${PROJECT_SOURCE_DIR}/tests/native/support/random_commands.cpp)
add_library(leasegate_judges OBJECT ${judge_sources})
target_include_directories(leasegate_judges PUBLIC ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/native)
target_link_libraries(leasegate_judges PUBLIC leasegate leasegate_warnings Catch2::Catch2)
target_compile_options(leasegate_judges
  PRIVATE ${LEASEGATE_LONG_TEST_FLAGS}
  # Catch2's macros use __COUNTER__, which clang 22 calls an extension; g++ 12 sees empty optionals being read.
  PUBLIC $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-unknown-warning-option -Wno-c2y-extensions>
         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
