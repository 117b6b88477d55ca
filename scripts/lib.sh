# Shared by the scripts here; sourced, never run. Plain enough for the bash 3.2 of macOS.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
llvm_major=22 # of clang-format and clang-tidy: another version formats differently

# llvm_tool NAME: prints the path of clang-format or clang-tidy in the version wanted; fails when there is none.
# $CLANG_FORMAT and $CLANG_TIDY are taken as they are.
llvm_tool() {
  local name=$1 given candidate
  given=$(printf '%s' "$name" | tr 'a-z-' 'A-Z_')
  if [ -n "${!given:-}" ]; then
    echo "${!given}"
    return
  fi
  for candidate in "$name-$llvm_major" "/usr/lib/llvm-$llvm_major/bin/$name" "/opt/homebrew/opt/llvm/bin/$name" \
    "/usr/local/opt/llvm/bin/$name" "$name"; do
    candidate=$(command -v "$candidate") || continue
    case $("$candidate" --version 2> /dev/null) in
      *"version $llvm_major."*) echo "$candidate"; return ;;
    esac
  done
  return 1
}
