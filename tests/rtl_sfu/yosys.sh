#!/bin/sh
# yosys.sh PACKAGE FILES... -lib ROWS...: Yosys elaborates and checks SFU. The arithmetic rows, which have their own test with few lanes,
# are black boxes here: 64 lanes of them would take it many minutes.
set -eu
include=$(dirname "$1") # of the contract, with the tables of functions
files=
while [ "$1" != -lib ]; do
  files="$files $1"
  shift
done
shift
exec yosys -q -e 'is used but has no driver|is not a part of the design' \
  -p "read_verilog -sv -noautowire -DSYNTHESIS $files; read_verilog -sv -noautowire -DSYNTHESIS -I$include -lib $*; hierarchy -check -top sfu; proc; check -assert"
