#!/usr/bin/env bash
# npm run lint: formats, clang-tidy, Biome and TypeScript's look at the JavaScript.
# npm run format: scripts/lint.sh --fix writes the formats and Biome's safe fixes instead.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

scripts/setup.sh test
clang_format=$(llvm_tool clang-format)
clang_tidy=$(llvm_tool clang-tidy)
jobs=$(getconf _NPROCESSORS_ONLN)

# Ours and written by hand: *.gen.* is scripts/generate.mjs's business.
cxx_files() { # PATTERN FOLDER...
  local pattern=$1 folder
  shift
  for folder in "$@"; do
    [ ! -d "$folder" ] || find "$folder" -name "$pattern" ! -name '*.gen.*' -type f
  done | LC_ALL=C sort
}

if [ "${1:-}" = --fix ]; then
  cxx_files '*.[ch]pp' src bindings tests | xargs "$clang_format" -i
  node_modules/.bin/biome check --write
  exit
fi

# TypeScript looks at what is built; clang-tidy reads from the build folders how each file is compiled.
quiet() { "$@" > build/lint.log 2>&1 || { cat build/lint.log; return 1; }; }
mkdir -p build
quiet cmake --preset native
quiet scripts/build-wasm.sh
quiet node scripts/build-package.mjs

echo "clang-format"
cxx_files '*.[ch]pp' src bindings tests | xargs "$clang_format" --dry-run -Werror

if [ -f scripts/generate.mjs ]; then
  echo "generated files"
  node scripts/generate.mjs --check
fi

echo "biome"
node_modules/.bin/biome check --error-on-warnings

echo "tsc"
node_modules/.bin/tsc --project .

echo "clang-tidy"
tidy() { # BUILD-FOLDER FOLDER EXTRA-ARGUMENT...
  local build=$1 files
  files=$(cxx_files '*.cpp' "$2")
  shift 2
  [ -z "$files" ] || echo "$files" |
    xargs -n 2 -P "$jobs" "$clang_tidy" --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option "$@" 2> build/tidy.log ||
    { cat build/tidy.log; return 1; }
}
tidy build/native src
sysroot=$("$(scripts/get-emscripten.sh)/em-config" CACHE)/sysroot
tidy build/wasm bindings --extra-arg=--target=wasm32-unknown-emscripten "--extra-arg=--sysroot=$sysroot" \
  --extra-arg=-iwithsysroot/include/compat
