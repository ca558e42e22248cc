#!/usr/bin/env bash
# coverage.sh BUILD [meson test arguments]: runs the tests of a build with -Dcoverage=c,rtl and reports which lines of C and of the
# firmware, and which lines and signals of the RTL they reach. The tables are BUILD/coverage/c.txt, firmware.txt and rtl.txt; lines that
# were not reached are marked in BUILD/coverage/c/ and BUILD/coverage/rtl/. Fails if less than 90 % of the lines of C are reached.
set -euo pipefail
build=$(realpath "$1")
shift
here=$(realpath "$(dirname "$0")")
out=$build/coverage
rm -rf "$out"
mkdir -p "$out/c" "$out/rtl" "$out/rtl-data" "$out/c-data" "$out/firmware-data"
status=0
# Merging as programs end (%4m: into four files) keeps thousands of runs small.
LLVM_PROFILE_FILE="$out/c-data/%4m.profraw" STEEPLE_RTL_COVERAGE="$out/rtl-data" \
  STEEPLE_FIRMWARE_COVERAGE="$out/firmware-data" \
  meson test -C "$build" --no-rebuild "${@:---no-suite=long}" --no-suite lint --timeout-multiplier 10 >"$out/tests.log" 2>&1 || status=$?
tail -n 12 "$out/tests.log"
[ $status = 0 ] || echo "some tests failed under coverage: see $out/tests.log"

llvm-profdata merge -sparse "$out"/c-data/*.profraw -o "$out/c.profdata"
objects=()
while read -r file; do objects+=(-object "$file"); done < <(find "$build/tests" "$build/host/cli" -maxdepth 2 -type f -executable \
  -exec grep -lq __llvm_covmap {} \; -print)
llvm-cov export -summary-only -instr-profile "$out/c.profdata" "${objects[@]}" >"$out/c.json" 2>"$out/c.err"
llvm-cov show -instr-profile "$out/c.profdata" -output-dir "$out/c" -format text "${objects[@]}" >/dev/null 2>>"$out/c.err"
python3 "$here/report.py" c "$out/c.json" | tee "$out/c.txt" || status=1
python3 "$here/report.py" firmware "$build/firmware/steeple_fw.elf" "$out/firmware-data" | tee "$out/firmware.txt" || status=1

find "$out/rtl-data" -name '*.dat' -print0 | xargs -0 verilator_coverage --write "$out/rtl.dat"
# Verilator names sources as the build saw them.
(cd "$build" && verilator_coverage --annotate "$out/rtl" "$out/rtl.dat" >/dev/null)
python3 "$here/report.py" rtl "$out/rtl.dat" | tee "$out/rtl.txt"
exit $status
