#!/usr/bin/env bash
# npm start: sets up and builds what is missing, then runs the main job. Arguments go to it.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

"$root/scripts/setup.sh" build
mkdir -p "$root/build"
"$root/scripts/build-wasm.sh" > "$root/build/start.log" 2>&1 || { cat "$root/build/start.log" >&2; exit 1; }
node "$root/scripts/build-package.mjs"

# Relative arguments are meant from the folder that npm was called in.
[ "${npm_lifecycle_event:-}" != start ] || cd "${INIT_CWD:-.}"
exec node "$root/examples/checksum-tree.mjs" "$@"
