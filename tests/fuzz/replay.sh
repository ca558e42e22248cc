#!/bin/sh
# replay.sh PROGRAM TARGET TESTS: gives PROGRAM the kept corpus of TARGET (corpus/TARGET.tar.gz) and the seeds that lie elsewhere
# in the folder of tests.
set -eu
program=$1 target=$2 tests=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/corpus"
"$tests/fuzz/seeds.sh" "$target" "$tests" "$folder/corpus"
"$program" "$folder/corpus"
