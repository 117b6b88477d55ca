#!/usr/bin/env bash
# npm start: sets up and builds what is missing, then opens the demo. Arguments go to it (scripts/demo.mjs).
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

"$root/scripts/setup.sh" build
mkdir -p "$root/build"
"$root/scripts/build-wasm.sh" > "$root/build/start.log" 2>&1 || { cat "$root/build/start.log" >&2; exit 1; }
node "$root/scripts/build-package.mjs"

exec node "$root/scripts/demo.mjs" "$@"
