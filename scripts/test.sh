#!/usr/bin/env bash
# npm test: sets up what is missing, then runs every stage, the first failure stops.
#
#   scripts/test.sh [STAGE...]    only these (with what they need): native instructions sim asan tsan wasm node cluster browser types package lint
#
# Each stage's output is kept in build/logs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

all="native instructions sim asan tsan wasm node cluster browser types package lint"
chosen=" ${*:-$all} "
for stage in $chosen; do
  case " $all " in *" $stage "*) ;; *) echo "No stage \"$stage\". There are: $all" >&2; exit 2 ;; esac
done
case $chosen in *' node '* | *' cluster '* | *' browser '* | *' types '* | *' package '* | *' lint '*) chosen="$chosen wasm " ;; esac

files() { # SUFFIX FOLDER...: the files in there whose name ends so
  local suffix=$1 folder
  shift
  for folder in "$@"; do
    [ ! -d "$folder" ] || find "$folder" -name "*$suffix" -type f
  done | LC_ALL=C sort
}

cmake_stage() {
  cmake --preset "$1" > "build/logs/$1-configure.log" 2>&1 || { cat "build/logs/$1-configure.log"; return 1; }
  cmake --build --preset "$1"
  local run=
  # ThreadSanitizer's shadow memory collides with the most random of address spaces.
  if [ "$1" = tsan ] && [ "$(cat /proc/sys/vm/mmap_rnd_bits 2> /dev/null || echo 0)" -gt 28 ] && setarch -R true 2> /dev/null; then
    run="setarch -R"
  fi
  $run ctest --preset "$1" -j "$(getconf _NPROCESSORS_ONLN)"
}
stage_setup() { scripts/setup.sh test; }
stage_native() { cmake_stage native; }
# The same seeds every time; npm run sim -- --minutes N tries new ones.
stage_sim() { scripts/sim.sh --seeds 1..1200; }
stage_instructions() {
  cmake --preset bench > build/logs/bench-configure.log 2>&1 || { cat build/logs/bench-configure.log; return 1; }
  cmake --build --preset bench --target leasegate_workloads
  node scripts/count-instructions.mjs build/bench
}
stage_asan() { cmake_stage asan; }
stage_tsan() { cmake_stage tsan; }
stage_wasm() {
  scripts/build-wasm.sh
  node scripts/build-package.mjs
}
node_tests() { # FOLDER...
  local list
  list=$(files .test.js "$@")
  if [ -z "$list" ]; then
    echo "No tests in $*"
    return
  fi
  # shellcheck disable=SC2086
  node --test --test-reporter=spec --test-concurrency="${at_once:-1}" $list
}
# Browsers want a machine of their own; these share it. Every file of tests/cluster has servers of its own.
stage_node() { at_once=$(getconf _NPROCESSORS_ONLN) node_tests tests/node tests/examples; }
stage_cluster() { at_once=$(getconf _NPROCESSORS_ONLN) node_tests tests/cluster; }
stage_browser() {
  npm run --silent build:demo
  node_tests tests/browser
}
stage_types() {
  if [ -z "$(files ts tests/types)" ]; then
    echo "No tests in tests/types"
    return
  fi
  # As in a project for Node, and as in one for browsers and bundlers.
  node_modules/.bin/tsc --project tests/types
  node_modules/.bin/tsc --project tests/types --module preserve --moduleResolution bundler \
    --lib es2023,esnext.disposable,dom --types ''
  echo "The types are as the tests say"
}
stage_package() {
  node scripts/check-package.mjs
  node_tests tests/package
}
stage_lint() { scripts/lint.sh; }

mkdir -p build/logs
# What waits for browsers leaves most of the machine idle: lint begins beside them, as whatever has the least claim to it.
beside=
begin_lint() {
  set -m # a group of its own, to be ended as one
  nice -n 19 scripts/lint.sh > build/logs/lint.log 2>&1 &
  beside=$!
  set +m
  trap 'kill -- "-$beside" 2> /dev/null || true' EXIT
}
finish_lint() {
  local status=0
  wait "$beside" || status=$?
  trap - EXIT
  cat build/logs/lint.log
  return "$status"
}
recap=
run_stage() {
  local name=$1 started=$SECONDS status log=build/logs/$1.log
  printf '\n=== %s\n' "$name"
  set +e
  if [ "$name" = lint ] && [ -n "$beside" ]; then
    finish_lint
    status=$?
  else
    (
      set -e
      "stage_$name"
    ) 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
  fi
  set -e
  if [ "$status" != 0 ]; then
    printf '\n=== FAILED: %s (%d s, exit code %d); its output is in %s\n' "$name" $((SECONDS - started)) "$status" "$log"
    exit 1
  fi
  printf '=== %s: %d s\n' "$name" $((SECONDS - started))
  # What ctest and node --test say of themselves, to be repeated at the end.
  recap="$recap
$name: $((SECONDS - started)) s
$(sed -nE '/tests passed.* out of|^Total Test time|^ℹ (tests|pass|fail|cancelled|skipped|todo|duration)/p' "$log")"
}

run_stage setup
for stage in $all; do
  case "$stage $chosen" in 'browser '*' browser '*' lint '*) begin_lint ;; esac
  case $chosen in *" $stage "*) run_stage "$stage" ;; esac
done
printf '\n=== All passed, in %d s\n%s\n' "$SECONDS" "$(printf '%s\n' "$recap" | sed '/^$/d')"
