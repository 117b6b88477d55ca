#!/usr/bin/env bash
# npm run bench: builds what is measured and measures it, natively and in JavaScript. Results are shown as tables and kept
# in build/bench/results.json.
#
#   npm run bench                       everything
#   npm run bench -- SUITE...           only these suites of tests/bench/run.mjs, and nothing native
#   npm run bench -- --rounds 5 ...     options of tests/bench/run.mjs
#   npm run bench -- --docs             everything, and docs/benchmarks.md with it
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

scripts/setup.sh bench
scripts/build-wasm.sh
node scripts/build-package.mjs
quiet() { "$@" > build/bench.log 2>&1 || { cat build/bench.log >&2; return 1; }; }
mkdir -p build/bench
docs=
if [ "${1:-}" = --docs ]; then
  docs=yes
  shift
fi
native=
case " $* " in
  *' '[a-z]*) ;; # suites were named
  *)
    quiet cmake --preset bench
    quiet cmake --build --preset bench
    native=build/bench/native.json
    build/bench/leasegate_bench --benchmark_repetitions=5 --benchmark_report_aggregates_only=true \
      --benchmark_enable_random_interleaving=true --benchmark_min_time=0.2 \
      --benchmark_out="$native" --benchmark_out_format=json
    ;;
esac
results=build/bench/results.json
node --expose-gc tests/bench/run.mjs ${native:+--native "$native"} --json "$results" "$@"
if [ -n "$docs" ]; then
  node tests/bench/report.mjs "$results"
  node tests/bench/plot.mjs "$results"
fi
