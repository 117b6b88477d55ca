# The simulator (npm run sim), and the tests that it finds what is planted. Under a sanitizer only when asked for:
# the same code runs there in the native tests and the fuzz targets.
if(LEASEGATE_SANITIZE)
  option(LEASEGATE_SIM "Build the simulator" OFF)
else()
  option(LEASEGATE_SIM "Build the simulator" ON)
endif()
if(NOT LEASEGATE_SIM)
  return()
endif()

file(GLOB sim_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/sim/*.cpp)
set(sim_tests ${sim_sources})
list(FILTER sim_tests INCLUDE REGEX "_test\\.cpp$")
list(FILTER sim_sources EXCLUDE REGEX "(_test|/main)\\.cpp$")

add_library(leasegate_sim_world OBJECT ${sim_sources})
target_compile_options(leasegate_sim_world PRIVATE ${LEASEGATE_LONG_TEST_FLAGS})
target_link_libraries(leasegate_sim_world PUBLIC leasegate_judges)
# The headers cost more than the files: two pieces, for two cores.
set_target_properties(leasegate_sim_world PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 7)

add_executable(leasegate_sim ${PROJECT_SOURCE_DIR}/tests/sim/main.cpp)
target_link_libraries(leasegate_sim PRIVATE leasegate_sim_world leasegate_judges)

add_executable(leasegate_sim_tests ${sim_tests})
target_compile_options(leasegate_sim_tests PRIVATE ${LEASEGATE_TEST_FLAGS})
target_link_libraries(leasegate_sim_tests PRIVATE leasegate_sim_world leasegate_judges Catch2::Catch2WithMain)
catch_discover_tests(leasegate_sim_tests DISCOVERY_MODE PRE_TEST ADD_TAGS_AS_LABELS)
