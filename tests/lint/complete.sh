#!/bin/sh
# complete.sh ROOT: every RTL source is in rtl/meson.build, every folder of tests in the root's meson.build, every kernel in the
# list of the regressions: what no list names would not be tested.
set -eu
cd "$1"
status=0
missing() {
  echo "$1 is not in $2"
  status=1
}
for file in $(find rtl -name '*.sv' | sed 's|^rtl/||' | sort); do
  grep -qF "'$file'" rtl/meson.build || missing "rtl/$file" rtl/meson.build
done
for file in rtl/lint/*.vlt; do
  grep -qF "'${file#rtl/}'" rtl/meson.build || missing "$file" rtl/meson.build
done
for file in tests/*/meson.build; do
  grep -qF "subdir('${file%/meson.build}')" meson.build || missing "${file%/meson.build}" meson.build
done
for file in tests/kernels/*.mlir; do
  name=${file##*/}
  grep -qE "(^|[ /])${name%.mlir}(\\.mlir)?( |\$)" tests/cosim/kernels.list || missing "$file" tests/cosim/kernels.list
done
# A test program that its folder does not build.
for file in $(find tests \( -name '*.c' -o -name '*.cpp' -o -name '*_tb.sv' \) | sort); do
  folder=${file%/*} name=${file##*/}
  stem=${name%.*}
  grep -qE "'([a-z_/.]*/)?$name'" "$folder"/meson.build "$folder"/../meson.build 2>/dev/null && continue
  # Names that a loop in meson.build makes: 'test_' + t + '.c' of t: 'seq'.
  grep -qE "'test_' \\+ [a-z]+ \\+ '\\.c" "$folder/meson.build" 2>/dev/null &&
    grep -qF "'${stem#test_}'" "$folder/meson.build" && continue
  missing "$file" "$folder/meson.build"
done
exit $status
