#!/usr/bin/env bash
# Builds dist/core/leasegate-core.js and dist/leasegate.wasm. Arguments go to cmake's configure step.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

EMSCRIPTEN_ROOT=$(scripts/get-emscripten.sh)
export EMSCRIPTEN_ROOT
unset CXXFLAGS LDFLAGS # meant for the native compiler
if [ -e "${EMSCRIPTEN_ROOT%/upstream/emscripten}/.leasegate-emscripten" ]; then
  unset EM_CONFIG EM_CACHE EM_LLVM_ROOT EM_BINARYEN_ROOT # meant for another Emscripten than the one set up here
fi

# A build folder belongs to the toolchain that it was made with.
cache=build/wasm/CMakeCache.txt
if [ -e "$cache" ] && ! grep -qF "CMAKE_TOOLCHAIN_FILE:FILEPATH=$EMSCRIPTEN_ROOT/" "$cache"; then rm -rf build/wasm; fi
quiet() { "$@" > build/wasm.log 2>&1 || { cat build/wasm.log >&2; return 1; }; }
mkdir -p build
quiet cmake --preset wasm "$@"
cmake --build --preset wasm
