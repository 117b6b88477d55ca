#!/usr/bin/env bash
# Gets the native part of better-sqlite3, for the tests of leasegate/storage/sqlite: npm ci leaves it out, since it runs
# no scripts of packages. It is what the package's own installation makes: a prebuilt file if one can be had, else
# compiled (make, a C++ compiler, Python 3, Node's headers; a minute or two), and kept, once a machine and version.
# When it cannot be had, says so and what is missing, and fails.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

say() { echo "get-sqlite: $*" >&2; }
works() { node -e 'new (require("better-sqlite3"))(":memory:").close()' > /dev/null 2>&1; }

package=node_modules/better-sqlite3
[ -d "$package" ] || { say "better-sqlite3 is not installed: npm ci"; exit 1; }
! works || exit 0

name=$(node -p '`better-sqlite3-${require("better-sqlite3/package.json").version}-${process.platform}-${process.arch}-${process.versions.modules}`')
kept=${HOME:-/root}/.cache/leasegate/$name.node
built=$package/build/Release/better_sqlite3.node
if [ -f "$kept" ]; then
  mkdir -p "$(dirname "$built")"
  cp "$kept" "$built"
  ! works || exit 0
fi

say "installing the native part of better-sqlite3"
# Headers that lie beside node are the right ones, and need no download.
beside=$(node -p 'require("path").resolve(fs.realpathSync(process.execPath), "../..")')
if [ -f "$beside/include/node/node.h" ]; then export npm_config_nodedir=$beside; fi
mkdir -p build
if ! npm rebuild better-sqlite3 --ignore-scripts=false --foreground-scripts > build/sqlite.log 2>&1 || ! works; then
  say "better-sqlite3 could not be built; what it said is in build/sqlite.log"
  for tool in make "${CXX:-c++}" python3; do command -v "$tool" > /dev/null || say "$tool is missing"; done
  [ -n "${npm_config_nodedir:-}" ] || say "if its headers could not be downloaded: set npm_config_nodedir to a Node.js with include/node"
  exit 1
fi
# Kept under its name only when it is whole.
mkdir -p "$(dirname "$kept")"
cp "$built" "$kept.$$"
mv "$kept.$$" "$kept"
