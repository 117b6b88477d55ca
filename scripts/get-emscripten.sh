#!/usr/bin/env bash
# Makes a recent Emscripten available. Prints one line on stdout: the folder that holds emcc.
#
#   scripts/get-emscripten.sh [FOLDER]    where to set one up (default: $HOME/.cache/leasegate/emscripten)
#
# 1. An emcc of version 5.0 or newer, from $EMSDK or else on PATH, is taken as it is. (5.0: full-range uint64 through
#    embind, embind without eval at full speed, the C++23 library.)
# 2. Otherwise, on Debian 12 or newer, as root: Debian 12's own Emscripten is too old, so clang, lld and llvm come from
#    this release's archive; Emscripten and Binaryen from a newer suite, unpacked in FOLDER only, where the system never
#    sees them. Binaryen needs a newer C library than the release has, so it runs through the loader unpacked beside it.
# 3. Elsewhere it says what to install.
#
# The folder is outside the checkout, so a machine sets it up once for all clones. What apt fetches is signed by
# Debian; that the newer suite moves on is why the result must first compile, link and run a program here.
set -euo pipefail

min_major=5
tested=6.0.5             # what the suites held when this was last tried: another version is taken, and said
suites="forky sid"       # the first that has a usable one

# The flags of scripts/cmake/wasm.cmake: the first link with them builds the system libraries (minutes, once).
compile_flags="-std=c++23 -O3 -DNDEBUG -flto -fno-exceptions -fno-rtti -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0"
link_flags="-lembind -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=shell -sGROWABLE_ARRAYBUFFERS=0 -sTEXTDECODER=2
  -sINCOMING_MODULE_JS_API=instantiateWasm,wasmMemory -sDYNAMIC_EXECUTION=0 -sEMBIND_AOT -sIMPORTED_MEMORY
  -sALLOW_MEMORY_GROWTH -sABORTING_MALLOC=0 -sINITIAL_MEMORY=1MB -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=256KB
  -sFILESYSTEM=0 -sMALLOC=dlmalloc"

folder=${1:-${HOME:-/root}/.cache/leasegate/emscripten}
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

say() { echo "get-emscripten: $*" >&2; }
die() { say "$*"; exit 1; }
advice="Install an emsdk (https://emscripten.org, version $min_major.0 or newer) and set EMSDK to its folder, or put emcc on PATH."

recent() { # EMCC: it runs, with its clang, and is recent enough
  local text version
  text=$("$1" -v 2>&1) || return 1
  version=$(printf '%s\n' "$text" | sed -nE 's/^emcc .*[ )]([0-9]+)\.[0-9]+\.[0-9]+.*/\1/p' | head -n 1)
  [ -n "$version" ] && [ "$version" -ge "$min_major" ]
}

# --- 1. there already?
for emcc in ${EMSDK:+"$EMSDK/upstream/emscripten/emcc"} "$(command -v emcc || true)"; do
  [ -x "$emcc" ] || continue
  if recent "$emcc"; then
    # On PATH it may be a link or a wrapper: the folder that also holds the CMake toolchain file is wanted.
    for home in "$(dirname "$emcc")" "$(em-config EMSCRIPTEN_ROOT 2> /dev/null || true)"; do
      [ -e "$home/cmake/Modules/Platform/Emscripten.cmake" ] && { echo "$home"; exit 0; }
    done
    say "$emcc lies beside no cmake/Modules/Platform/Emscripten.cmake"
  else
    say "$emcc is older than $min_major.0, or does not run: not used"
  fi
done
unset EM_CONFIG EM_CACHE EM_LLVM_ROOT EM_BINARYEN_ROOT # meant for another one
home=$folder/upstream/emscripten
if [ -e "$folder/ready" ] && recent "$home/emcc"; then
  echo "$home"
  exit 0
fi

# --- 2. set it up from Debian's packages
command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || die "No usable Emscripten found. $advice"
[ "$(id -u)" = 0 ] || die "No usable Emscripten found, and only root can install clang from Debian. $advice"
[ "$(dpkg --print-architecture)" = amd64 ] || die "No usable Emscripten found, and Debian's is set up here for amd64 only. $advice"
command -v node > /dev/null || die "Emscripten needs Node.js on PATH."
case $folder in *[[:space:]]*) die "Emscripten's launchers do not run from a folder with a space in its name: $folder" ;; esac

mkdir -p "$(dirname "$folder")"
exec 9> "$folder.lock"
flock 9 # one at a time
export DEBIAN_FRONTEND=noninteractive
debian() { apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >&2; }

install_llvm() { # VERSION
  say "installing clang, lld and llvm $1"
  debian install -y --no-install-recommends "clang-$1" "lld-$1" "llvm-$1" python3 # not only its minimal package
}

if [ -e "$folder/ready" ]; then # set up by another run meanwhile, or on a machine whose clang has gone
  recent "$home/emcc" || { debian update && install_llvm "$(cat "$folder/ready")" || true; }
  if recent "$home/emcc"; then
    echo "$home"
    exit 0
  fi
fi
[ ! -e "$folder" ] || [ -e "$folder/.leasegate-emscripten" ] || rmdir "$folder" 2> /dev/null ||
  die "$folder holds something else"
rm -rf "$folder"
mkdir -p "$folder"/{apt/lists/partial,apt/cache/archives/partial,apt/debs,root,binaryen/bin,cache,upstream}
touch "$folder/.leasegate-emscripten"
debian update

# A second, private apt: its own list of sources, its own index, an empty package database.
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 'Created-By: Packages' |
  awk '$2 == "Debian" && $1 !~ /security/ { print $1; exit }')
[ -n "$mirror" ] || die "Found no Debian mirror among apt's sources. $advice"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
apt=$folder/apt
: > "$apt/status"
private() {
  local tool=$1
  shift
  "$tool" -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
    -o Dir::State="$apt" -o Dir::State::Lists="$apt/lists" -o Dir::State::Status="$apt/status" \
    -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}
found=
for suite in $suites; do
  say "looking for Emscripten in Debian $suite"
  echo "deb [signed-by=$keys] $mirror $suite main" > "$apt/sources.list"
  if private apt-get update >&2 && (cd "$apt/debs" && rm -f ./*.deb &&
    private apt-get download emscripten binaryen node-acorn libc6 libstdc++6 libgcc-s1 >&2); then
    found=$suite
    break
  fi
done
[ -n "$found" ] || die "No usable Emscripten in Debian's suites ($suites). $advice"
for deb in "$apt"/debs/*.deb; do dpkg-deb -x "$deb" "$folder/root"; done

# The LLVM that it asks for; else the next newer, else the newest, that this release has.
want=$(dpkg-deb -f "$apt"/debs/emscripten_*.deb Depends | grep -oE 'clang-[0-9]+' | head -n 1 | cut -d- -f2)
have=$(apt-cache search --names-only '^clang-[0-9]+$' | grep -oE '^clang-[0-9]+' | cut -d- -f2 | sort -n)
llvm=$(echo "$have" | awk -v want="$want" '$1 >= want { print; exit }')
llvm=${llvm:-$(echo "$have" | tail -n 1)}
[ -n "$llvm" ] || die "This release has no clang. $advice"
install_llvm "$llvm"

usr=$folder/root/usr
emscripten=$usr/share/emscripten
loader=$(find "$folder/root" -name 'ld-linux-x86-64.so.2' | head -n 1)
for tool in "$usr"/bin/wasm*; do
  wrapper=$folder/binaryen/bin/${tool##*/}
  printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" "$usr/lib/x86_64-linux-gnu" "$tool" > "$wrapper"
  chmod +x "$wrapper"
done
ln -sfn nodejs "$usr/share/node_modules" # Debian's Node looks in share/nodejs by itself, others do not
ln -sfn "$emscripten" "$home"            # as in an emsdk
cat > "$emscripten/.emscripten" << CONFIG
import shutil
LLVM_ROOT = '/usr/lib/llvm-$llvm/bin'
BINARYEN_ROOT = '$folder/binaryen'
NODE_JS = shutil.which('node') or '$(command -v node)'
CACHE = '$folder/cache'
CONFIG
# Debian changes two things to suit LLVM $want: undo both when this release has a newer one.
sed -i "s/^EXPECTED_LLVM_VERSION = .*/EXPECTED_LLVM_VERSION = $llvm/" "$emscripten/tools/shared.py"
if [ "$llvm" -ge 22 ] && ! grep -q -- --no-stack-first "$emscripten/tools/building.py"; then
  sed -i "s/^    cmd.append('--stack-first')\$/&\n  else:\n    cmd.append('--no-stack-first')/" "$emscripten/tools/building.py"
fi
recent "$home/emcc" || { "$home/emcc" -v >&2 || true; die "Debian's emcc does not run here, or is older than $min_major.0. $advice"; }

# --- 3. prove that it works, which also builds the system libraries
trial=$folder/trial
mkdir -p "$trial"
cat > "$trial/trial.cpp" << 'CPP'
#include <emscripten/bind.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

class Trial {
 public:
  static std::unique_ptr<Trial> make() { return std::unique_ptr<Trial>(new (std::nothrow) Trial); }
  std::uint64_t next(std::uint64_t n) { return n + 1; }
  std::string text(const std::string& s) {
    const std::lock_guard lock(mutex_);
    all_.push_back(s);
    std::expected<std::size_t, int> size = all_.size();
    std::array<char, 20> digits{};
    return s + std::string(digits.data(), std::to_chars(digits.data(), digits.data() + 20, *size).ptr);
  }
  bool fits(std::uint32_t bytes) {
    char* volatile block = new (std::nothrow) char[bytes];
    const bool got = block != nullptr;
    delete[] block;
    return got;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> all_;
};
EMSCRIPTEN_BINDINGS(trial) {
  emscripten::class_<Trial>("Trial")
      .class_function("make", &Trial::make)
      .function("next", &Trial::next)
      .function("text", &Trial::text)
      .function("fits", &Trial::fits);
}
CPP
cat > "$trial/run.mjs" << 'JS'
import { readFileSync } from 'node:fs';
import { strictEqual } from 'node:assert';
import factory from './trial.mjs';
const module = new WebAssembly.Module(readFileSync(new URL('trial.wasm', import.meta.url)));
const { Trial } = await factory({
  wasmMemory: new WebAssembly.Memory({ initial: 16, maximum: 32 }),
  instantiateWasm: (imports, done) => done(new WebAssembly.Instance(module, imports), module),
});
const trial = Trial.make();
strictEqual(trial.next(2n ** 64n - 2n), 2n ** 64n - 1n);
strictEqual(trial.text('ü'), 'ü1');
strictEqual(trial.fits(1000), true);
strictEqual(trial.fits(8 << 20), false);
JS
say "building the system libraries (about two minutes)"
# shellcheck disable=SC2086
"$home/em++" $compile_flags $link_flags "$trial/trial.cpp" -o "$trial/trial.mjs" > "$trial/log" 2>&1 ||
  { tail -n 20 "$trial/log" >&2; die "The trial program does not compile. $advice"; }
node --disallow-code-generation-from-strings "$trial/run.mjs" >&2 || die "The trial program does not run. $advice"

rm -rf "$apt" "$trial"
version=$(tr -d '"' < "$emscripten/emscripten-version.txt")
[ "$version" = "$tested" ] || say "this is emscripten $version; $tested is the one that leasegate was last tried with"
echo "$llvm" > "$folder/ready"
say "emscripten $version of Debian $found with LLVM $llvm is in $folder"
echo "$home"
