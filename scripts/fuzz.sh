#!/usr/bin/env bash
# npm run fuzz: fuzzes every target for a minute, two at a time, beginning with its corpus.
#
#   scripts/fuzz.sh [--seconds N] [--keep] [TARGET...]     targets: tests/fuzz/TARGET_fuzz.cpp
#
# An input that fails is left in build/fuzz-findings; run the target on it again with build/fuzz/fuzz_TARGET FILE.
# --keep merges what was found new into tests/fuzz/corpora.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

seconds=60 keep=false targets=
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?--seconds takes a number}; shift 2 ;;
    --keep) keep=true; shift ;;
    -*) echo "No option $1; see the top of scripts/fuzz.sh" >&2; exit 2 ;;
    *) targets="$targets $1"; shift ;;
  esac
done
[ -n "$targets" ] || targets=$(cd tests/fuzz && for file in *_fuzz.cpp; do echo "${file%_fuzz.cpp}"; done)
for target in $targets; do
  [ -f "tests/fuzz/${target}_fuzz.cpp" ] || { echo "No target \"$target\" in tests/fuzz" >&2; exit 2; }
done

scripts/setup.sh fuzz
# The same version as of the linters: its libFuzzer is where it is.
clang=$(llvm_tool clang)
CXX=$(dirname "$(readlink -f "$clang")")/clang++
export CXX
mkdir -p build/logs build/fuzz-findings
{ cmake --preset fuzz && cmake --build --preset fuzz; } > build/logs/fuzz-build.log 2>&1 ||
  { cat build/logs/fuzz-build.log >&2; exit 1; }

one() { # TARGET
  local target=$1 found=build/fuzz-corpora/$1 corpus=tests/fuzz/corpora/$1 dictionary=tests/fuzz/$1.dict log=build/logs/fuzz-$1.log
  mkdir -p "$found" "$corpus"
  set -- -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz-findings/$target-"
  [ ! -f "$dictionary" ] || set -- "$@" -dict="$dictionary"
  if "build/fuzz/fuzz_$target" "$@" "$found" "$corpus" > "$log" 2>&1; then
    printf '%-12s %s runs, %s inputs in the corpus\n' "$target" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(find "$corpus" -type f | wc -l | tr -d ' ')"
  else
    tail -n 60 "$log"
    echo "FAILED: $target; all of it is in $log, the input in build/fuzz-findings"
    return 1
  fi
  # By edges alone, not by how often each was taken: hundreds of files instead of thousands.
  ! $keep || "build/fuzz/fuzz_$target" -merge=1 -use_counters=0 -max_len=2048 "$corpus" "$found" >> "$log" 2>&1
}
export seconds keep
export -f one
# xargs runs the rest all the same and fails when one has failed.
# shellcheck disable=SC2086,SC2016
printf '%s\n' $targets | xargs -P 2 -I '{}' bash -c 'one "$1"' bash '{}'
