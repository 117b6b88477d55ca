# The Wasm module: dist/core/leasegate-core.js (embind's glue, an ES module) and dist/leasegate.wasm.
# The npm package is made of these two by scripts/build-package.mjs.

# Ahead of every target of this build: the library is optimized across the boundary too.
target_compile_options(leasegate PUBLIC -flto -fno-exceptions -fno-rtti)

# Speed is for commands. What is called once a batch, a snapshot or a session, or spends its time in JavaScript anyway,
# is made small: a third of the module otherwise.
set(core ${PROJECT_SOURCE_DIR}/src)
file(GLOB small_sources ${core}/journal/*.cpp ${core}/bridge/*.cpp)
list(FILTER small_sources EXCLUDE REGEX
  "/(byte_reader|crc32c|framing|record|control_registry|deduper|delivery_tracker)\\.cpp$")
list(APPEND small_sources ${core}/base/error.cpp ${core}/coordination/coordinator_invariants.cpp
  ${core}/coordination/coordinator_recovery.cpp ${core}/coordination/coordinator_retention.cpp
  ${core}/coordination/limits.cpp)
set_source_files_properties(${small_sources} TARGET_DIRECTORY leasegate PROPERTIES COMPILE_OPTIONS -Oz)

file(GLOB_RECURSE binding_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bindings/*.cpp)
add_executable(leasegate_wasm ${binding_sources})
set(bindings ${PROJECT_SOURCE_DIR}/bindings)
file(GLOB small_bindings ${bindings}/base/*.cpp ${bindings}/bridge/*.cpp ${bindings}/journal/*.cpp
  ${bindings}/results/*.cpp ${bindings}/module.cpp)
list(FILTER small_bindings EXCLUDE REGEX "/(control_registry|delivery_tracker)\\.cpp$")
set_source_files_properties(${small_bindings} PROPERTIES COMPILE_OPTIONS -Oz)
set_target_properties(leasegate_wasm PROPERTIES OUTPUT_NAME leasegate-core SUFFIX .js)
target_include_directories(leasegate_wasm PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(leasegate_wasm PRIVATE leasegate leasegate_warnings)
target_compile_definitions(leasegate_wasm PRIVATE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)  # embind without RTTI

# scripts/get-emscripten.sh compiles its first program with these flags, to build the system libraries they need.
target_link_options(leasegate_wasm PRIVATE
  -O3 -flto -fno-exceptions -fno-rtti -lembind
  -sMODULARIZE -sEXPORT_ES6
  # js/ loads the module itself (instantiateWasm) and brings the memory. "shell" is the one environment whose glue
  # holds neither import.meta (bundlers would look for a file there) nor Node's modules: it runs everywhere because
  # it loads nothing. It also means "every feature is there", hence GROWABLE_ARRAYBUFFERS=0.
  -sENVIRONMENT=shell -sGROWABLE_ARRAYBUFFERS=0 -sTEXTDECODER=2
  -sINCOMING_MODULE_JS_API=instantiateWasm,wasmMemory,onAbort,printErr
  # No eval and no new Function, yet the speed of generated invokers: they are generated now.
  -sDYNAMIC_EXECUTION=0 -sEMBIND_AOT
  # The host owns the memory and its bounds; when it is full, operator new(nothrow) says so.
  -sIMPORTED_MEMORY -sALLOW_MEMORY_GROWTH -sABORTING_MALLOC=0
  -sINITIAL_MEMORY=1MB -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=256KB
  -sFILESYSTEM=0 -sMALLOC=dlmalloc
  # Records are copied and cleared word by word up to this many words. LLVM takes memory.copy and memory.fill for cheap;
  # engines call a function for each.
  "SHELL:-Wl,-mllvm,-max-store-memcpy=12 -Wl,-mllvm,-max-store-memset=12"
  $<$<CONFIG:Debug>:-sASSERTIONS>
  $<$<NOT:$<CONFIG:Debug>>:--closure=1>)
# Emscripten carries no Closure of its own here; npm does.
set_property(TARGET leasegate_wasm PROPERTY RULE_LAUNCH_LINK
  "\"${CMAKE_COMMAND}\" -E env \"EM_CLOSURE_COMPILER=${PROJECT_SOURCE_DIR}/node_modules/.bin/google-closure-compiler\"")

set(dist ${PROJECT_SOURCE_DIR}/dist)
add_custom_command(
  OUTPUT ${dist}/core/leasegate-core.js ${dist}/leasegate.wasm
  COMMAND ${CMAKE_COMMAND} -E make_directory ${dist}/core
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:leasegate_wasm> ${dist}/core/leasegate-core.js
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE_DIR:leasegate_wasm>/leasegate-core.wasm ${dist}/leasegate.wasm
  DEPENDS leasegate_wasm VERBATIM)
add_custom_target(leasegate_dist ALL DEPENDS ${dist}/core/leasegate-core.js ${dist}/leasegate.wasm)
