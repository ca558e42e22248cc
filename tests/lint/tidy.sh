#!/bin/sh
# tidy.sh ROOT BUILD: clang-tidy over every C and C++ source of ours that the build compiles (from compile_commands.json).
set -eu
root=$1 build=$2
cd "$build"
sed -n 's/^ *"file": "\(.*\)",*$/\1/p' compile_commands.json | sort -u | while read -r file; do
  path=$(realpath "$file")
  case $path in
  "$root"/cmodel/*.c | "$root"/host/*.c | "$root"/cosim/*.cpp) printf '%s\n' "$path" ;;
  esac
done | sort -u | xargs -P 2 -n 4 clang-tidy --quiet -p "$build"
