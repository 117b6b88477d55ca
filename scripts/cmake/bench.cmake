# Benchmarks (Google Benchmark), one file a concept.
find_package(benchmark QUIET)
if(NOT benchmark_FOUND)
  message(STATUS "Google Benchmark was not found: no benchmarks")
else()
  file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/bench/*.cpp)
  add_executable(leasegate_bench ${bench_sources})
  target_link_libraries(leasegate_bench PRIVATE leasegate leasegate_warnings benchmark::benchmark_main)
endif()

# Fixed work, to count its instructions.
add_executable(leasegate_workloads ${PROJECT_SOURCE_DIR}/tests/bench/guard/workloads.cpp)
target_link_libraries(leasegate_workloads PRIVATE leasegate leasegate_warnings)
