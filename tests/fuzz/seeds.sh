#!/bin/sh
# seeds.sh TARGET TESTS FOLDER: puts the kept corpus of a target, and for texts the project's kernels, whole and broken, into
# FOLDER.
set -eu
target=$1 tests=$2 folder=$3
tar -xzf "$tests/fuzz/corpus/$target.tar.gz" -C "$folder"
case $target in
ktir | compile) cp "$tests"/kernels/*.mlir "$tests"/ktir/broken/*.mlir "$folder" ;;
esac
