#!/bin/sh
# tidy.sh ROOT BUILD FOLDER...: clang-tidy over every C and C++ source below the folders that the build compiles (from
# compile_commands.json). A process per file: with several, clang-tidy 14 takes every va_list after the first file's for
# uninitialised.
set -eu
root=$1 build=$2
shift 2
cd "$build"
sed -n 's/^ *"file": "\(.*\)",*$/\1/p' compile_commands.json | sort -u | while read -r file; do
  path=$(realpath "$file")
  for folder in "$@"; do
    case $path in "$root/$folder"/*) printf '%s\n' "$path" ;; esac
  done
done | sort -u >tidy.list
[ -s tidy.list ] || { echo "no sources below $*"; exit 1; }
xargs -P 2 -n 1 clang-tidy --quiet -p "$build" <tidy.list
