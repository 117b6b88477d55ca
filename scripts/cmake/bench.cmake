# Benchmarks (Google Benchmark), one file a concept.
find_package(benchmark REQUIRED)
file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/bench/*.cpp)
if(bench_sources)
  add_executable(leasegate_bench ${bench_sources})
  target_link_libraries(leasegate_bench PRIVATE leasegate leasegate_warnings benchmark::benchmark_main)
endif()

# Fixed work, to count its instructions.
add_executable(leasegate_workloads ${PROJECT_SOURCE_DIR}/tests/bench/guard/workloads.cpp)
target_link_libraries(leasegate_workloads PRIVATE leasegate leasegate_warnings)
