#!/bin/sh
# yosys.sh INCLUDE TOP[:PARAMETER=VALUE] FILES... [-box FILES...]: Yosys elaborates the design below TOP and checks it.
# Files after -box are black boxes. Fails also where a module of FILES is not part of the design: such a file would not be
# checked at all.
set -eu
include=$1 top=${2%%:*} parameter=${2#"${2%%:*}"}
shift 2
files= boxes= modules=
while [ $# -gt 0 ] && [ "$1" != -box ]; do
  files="$files $1"
  # A file is named after its module, as Verilator's lint demands; the chip alone is not. Packages have no module.
  if grep -q '^module' "$1"; then modules="$modules $(sed -n 's/^module *\([a-z0-9_]*\).*/\1/p' "$1")"; fi
  shift
done
if [ $# -gt 0 ]; then
  shift
  boxes=$*
fi
chparam=
if [ -n "$parameter" ]; then
  parameter=${parameter#:}
  chparam="-chparam ${parameter%%=*} ${parameter#*=}"
fi
list=$(mktemp)
trap 'rm -f "$list"' EXIT
read="read_verilog -sv -noautowire -DSYNTHESIS -I$include -defer"
# Yosys tells of memories that become registers in warnings: they are meant to.
yosys -q -w 'Replacing memory' -e 'is used but has no driver|is not a part of the design' \
  -p "$read $files${boxes:+; $read -lib $boxes}; hierarchy -check $chparam -top $top; tee -q -o $list select -list =*; proc; check -assert"
status=0
for module in $modules; do
  # $paramod$HASH\name, $paramod\name\PARAMETER=VALUE or name
  if ! grep -qE "(^|\\\\)$module(\$|\\\\)" "$list"; then
    echo "$module is not part of $top: name it in tests/lint/meson.build"
    status=1
  fi
done
exit $status
