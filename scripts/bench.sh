#!/usr/bin/env bash
# npm run bench: builds the native benchmarks and runs them. Arguments go to Google Benchmark.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

scripts/setup.sh bench
mkdir -p build
cmake --preset bench > build/bench.log 2>&1 && cmake --build --preset bench >> build/bench.log 2>&1 || { cat build/bench.log >&2; exit 1; }
exec build/bench/leasegate_bench "$@"
