#!/usr/bin/env bash
# Gets what a fresh machine lacks; does nothing, fast, when all is there.
#
#   scripts/setup.sh build    what it takes to build the Wasm module and the npm package (npm start)
#   scripts/setup.sh test     that, and what the native tests and the linters need (npm test); the default
#   scripts/setup.sh fuzz     that, and clang with its libFuzzer (npm run fuzz)
#   scripts/setup.sh bench    what it takes to build, and Google Benchmark (npm run bench)
#
# On Debian as root it installs. Elsewhere it says which tool is missing and how to get it.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root"

need=${1:-test}
case $need in build | test | fuzz | bench) ;; *) echo "usage: scripts/setup.sh [build|test|fuzz|bench]" >&2; exit 2 ;; esac
say() { echo "setup: $*" >&2; }

# --- Node.js, which only its owner can choose
node_major=$(node -p 'process.versions.node.split(".")[0]' 2> /dev/null || echo 0)
if [ "$node_major" -lt 20 ] || ! command -v npm > /dev/null; then
  say "leasegate needs Node.js 20 or newer with npm: https://nodejs.org"
  exit 1
fi

# --- system packages and Emscripten
installs=false
[ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null || installs=true
debian_packages= # what apt is to install
missing=         # a line each for people who install by hand

# want PACKAGE ADVICE: notes what is missing
want() {
  debian_packages="$debian_packages $1"
  missing="$missing
  - $2"
}
version_at_least() { # MAJOR MINOR "text with a version in it"
  [[ $3 =~ ([0-9]+)\.([0-9]+) ]] &&
    { [ "${BASH_REMATCH[1]}" -gt "$1" ] || { [ "${BASH_REMATCH[1]}" -eq "$1" ] && [ "${BASH_REMATCH[2]}" -ge "$2" ]; }; }
}
installed() { [[ $(dpkg-query -W -f '${Status} ${Version}' "$1" 2> /dev/null) == "install ok installed $2"* ]]; }

version_at_least 3 25 "$(cmake --version 2> /dev/null)" || want cmake "cmake 3.25 or newer: https://cmake.org, brew install cmake"
command -v ninja > /dev/null || want ninja-build "ninja: https://ninja-build.org, brew install ninja"
command -v python3 > /dev/null || want python3 "python3, for Emscripten"
if [ "$need" = test ]; then
  command -v make > /dev/null || want make "make, for the native part of better-sqlite3"
fi
if [ "$need" != build ]; then
  command -v "${CXX:-c++}" > /dev/null || want g++ "a C++23 compiler as c++ or \$CXX: g++ 12 or clang 17, or newer"
fi
if [ "$need" = bench ] && $installs; then # elsewhere CMake says it when it finds none
  installed libbenchmark-dev 1 || want libbenchmark-dev ""
fi
if [ "$need" = test ]; then
  if $installs; then # elsewhere CMake fetches these two itself when it finds none
    installed catch2 3 || want catch2 ""
    installed nlohmann-json3-dev 3 || want nlohmann-json3-dev ""
  fi
  llvm_tool clang-format > /dev/null ||
    want "clang-format-$llvm_major" "clang-format $llvm_major: brew install llvm@$llvm_major, apt.llvm.org, or set CLANG_FORMAT"
  llvm_tool clang-tidy > /dev/null ||
    want "clang-tidy-$llvm_major" "clang-tidy $llvm_major: brew install llvm@$llvm_major, apt.llvm.org, or set CLANG_TIDY"
fi
if [ "$need" = test ]; then
  ! $installs || command -v valgrind > /dev/null || want valgrind "" # elsewhere its stage is skipped
  [ -n "${CHROMIUM:-}" ] || command -v chromium > /dev/null || [ -x /usr/bin/chromium ] ||
    want chromium "Chromium for the demo's tests: install it as /usr/bin/chromium or set CHROMIUM to it"
  # The same tests run in Firefox where there is one.
  ! $installs || command -v firefox-esr > /dev/null || want firefox-esr ""
  # Debian puts it into /usr/sbin.
  [ -n "${NATS_SERVER:-}" ] || PATH="$PATH:/usr/sbin:/usr/local/bin" command -v nats-server > /dev/null ||
    want nats-server "nats-server 2.9 or newer: https://nats.io/download, brew install nats-server, or set NATS_SERVER"
fi

if [ "$need" = fuzz ]; then
  if $installs; then
    installed catch2 3 || want catch2 "" # its header says how the judges' records are printed
  fi
  # Beside clang lies libFuzzer, in a package of its own on Debian.
  clang=$(llvm_tool clang) || clang=
  [ -n "$clang" ] || want "clang-$llvm_major" "clang $llvm_major: brew install llvm@$llvm_major, apt.llvm.org, or set CLANG"
  [ -n "$clang" ] && echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    "$clang" -x c++ -fsanitize=fuzzer - -o /dev/null 2> /dev/null ||
    want "libclang-rt-$llvm_major-dev" "libFuzzer of clang $llvm_major, part of compiler-rt: in llvm@$llvm_major of brew, libclang-rt-$llvm_major-dev of apt.llvm.org"
fi

# Debian 12 has Catch2 3 in its backports only: adds that suite beside the sources there are, from the same mirror.
add_backports() {
  local codename mirror file=/etc/apt/sources.list.d/leasegate-backports.sources
  # shellcheck disable=SC1091
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 'Created-By: Packages' |
    awk '$2 == "Debian" && $1 !~ /security/ { print $1; exit }')
  [ -n "$mirror" ] || { say "found no Debian mirror among apt's sources"; return 1; }
  printf 'Types: deb\nURIs: %s\nSuites: %s-backports\nComponents: main\nSigned-By: %s\n' \
    "$mirror" "$codename" /usr/share/keyrings/debian-archive-keyring.gpg > "$file"
  say "added $codename-backports to apt's sources ($file)"
}

install_packages() {
  local package backports='' plain=''
  export DEBIAN_FRONTEND=noninteractive
  apt() { apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >&2; }
  apt update
  for package in $debian_packages; do
    if [ "$package" = catch2 ] && [[ $(apt-cache policy catch2) != *"Candidate: 3"* ]]; then
      backports=catch2
    else
      plain="$plain $package"
    fi
  done
  say "installing$plain $backports"
  # shellcheck disable=SC2086
  [ -z "$plain" ] || apt install -y --no-install-recommends $plain
  # The package starts a server for everybody; the tests have their own, on loopback.
  case " $plain " in
    *" nats-server "*) [ ! -d /run/systemd/system ] || systemctl --quiet disable --now nats-server || true ;;
  esac
  if [ -n "$backports" ]; then
    [[ $(apt-cache madison catch2) == *-backports* ]] || { add_backports && apt update; }
    # shellcheck disable=SC1091
    apt install -y --no-install-recommends -t "$(. /etc/os-release && echo "$VERSION_CODENAME")-backports" catch2
  fi
}

if $installs; then
  [ -z "$debian_packages" ] || install_packages || { say "apt could not install:$debian_packages"; exit 1; }
  scripts/get-emscripten.sh > /dev/null
else
  said=$(scripts/get-emscripten.sh 2>&1 > /dev/null) || want emscripten "emscripten: ${said#get-emscripten: }"
  if [ -n "$missing" ]; then
    say "missing on this machine:$missing"
    ! command -v apt-get > /dev/null || say "As root on Debian, scripts/setup.sh installs all of it."
    exit 1
  fi
fi

# --- npm packages: when the lock is another than the one installed from
if ! cmp -s package-lock.json node_modules/.installed-lock.json; then
  say "installing npm packages"
  # Whatever the user's npm is set to leave out, the build needs; none of it needs install scripts.
  env -u NODE_ENV -u npm_config_global -u npm_config_production \
    npm ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json node_modules/.installed-lock.json
fi

# --- the native part of better-sqlite3, which the tests of leasegate/storage/sqlite need, and nothing else
if [ "$need" = test ]; then
  scripts/get-sqlite.sh || say "the tests of leasegate/storage/sqlite will be skipped"
fi
