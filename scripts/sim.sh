#!/usr/bin/env bash
# npm run sim: builds the simulator and runs it. Arguments go to it (tests/sim/main.cpp lists them).
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

scripts/setup.sh test
mkdir -p build/logs
{ cmake --preset native && cmake --build --preset native --target leasegate_sim; } > build/logs/sim-build.log 2>&1 ||
  { cat build/logs/sim-build.log >&2; exit 1; }
exec build/native/leasegate_sim "$@"
