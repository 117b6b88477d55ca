#!/usr/bin/env bash
# npm run bench: builds what is measured and measures it, natively and in JavaScript. Results are shown as tables and kept
# in build/bench/results.json.
#
#   npm run bench                       everything
#   npm run bench -- SUITE...           only these suites of tests/bench/run.mjs, and nothing native
#   npm run bench -- --rounds 5 ...     options of tests/bench/run.mjs
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

scripts/setup.sh bench
scripts/build-wasm.sh
node scripts/build-package.mjs
quiet() { "$@" > build/bench.log 2>&1 || { cat build/bench.log >&2; return 1; }; }
mkdir -p build/bench
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
exec node --expose-gc tests/bench/run.mjs ${native:+--native "$native"} --json build/bench/results.json "$@"
