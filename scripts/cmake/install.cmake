# For C++ users: find_package(leasegate), target leasegate::leasegate, #include "coordination/...".
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/leasegate)
install(TARGETS leasegate EXPORT leasegateTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/leasegate FILES_MATCHING PATTERN "*.hpp")
install(EXPORT leasegateTargets NAMESPACE leasegate:: DESTINATION ${package_dir})

file(WRITE ${PROJECT_BINARY_DIR}/leasegateConfig.cmake
"include(CMakeFindDependencyMacro)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_dependency(Threads)
include(\"\${CMAKE_CURRENT_LIST_DIR}/leasegateTargets.cmake\")
")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/leasegateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/leasegateConfig.cmake ${PROJECT_BINARY_DIR}/leasegateConfigVersion.cmake
        DESTINATION ${package_dir})
