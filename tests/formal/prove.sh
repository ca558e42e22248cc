#!/bin/sh
# prove.sh TOP[:PARAMETER=VALUE...] PROPERTIES STEPS [-mutant SED] FILE [OPTIONS] FILES...: proves that module TOP in FILE has PROPERTIES;
# OPTIONS are those of Yosys's read_verilog.
#
# The properties are put in front of the module's endmodule, so they see its registers and the RTL needs no edit to be checked.
# First a bounded check: no assertion fails in the first STEPS cycles, whatever the inputs and the state at power-up. Then induction:
# from any state in which they hold, they hold in the next one. Together: they hold always.
# With -mutant the SED script breaks the module first, and an assertion must fail within STEPS cycles.
set -eu
top=${1%%:*} parameter=${1#"${1%%:*}"} properties=$2 steps=$3
shift 3
mutant=
if [ "$1" = -mutant ]; then
  mutant=$2
  shift 2
fi
file=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

sed "$mutant" "$file" >"$dir/module"
if [ -n "$mutant" ] && cmp -s "$file" "$dir/module"; then
  echo "the mutant is the module: $mutant"
  exit 1
fi
sed '/^endmodule/,$d' "$dir/module" >"$dir/top.sv"
cat "$properties" >>"$dir/top.sv"
sed -n '/^endmodule/,$p' "$dir/module" >>"$dir/top.sv"

chparam=
for pair in $(echo "$parameter" | tr ':' ' '); do
  chparam="$chparam -chparam ${pair%%=*} ${pair#*=}"
done
yosys -q -w 'Replacing memory' -p "read_verilog -formal -sv -noautowire $* $dir/top.sv; hierarchy -check $chparam -top $top
  prep -flatten -nordff; memory_map; opt -fast; async2sync; dffunmap; opt_clean; write_smt2 -wires $dir/top.smt2"

bounded() { yosys-smtbmc -s z3 --unroll --noprogress -t "$steps" "$dir/top.smt2" >"$dir/log" 2>&1; }
if [ -n "$mutant" ]; then
  if bounded || ! grep -q 'Assert failed' "$dir/log"; then
    cat "$dir/log"
    echo "no assertion notices the mutant: $mutant"
    exit 1
  fi
  grep 'Assert failed' "$dir/log"
  exit 0
fi
bounded || { cat "$dir/log"; exit 1; }
yosys-smtbmc -s z3 --unroll --noprogress -i -t 2 "$dir/top.smt2" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
