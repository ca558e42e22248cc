#!/bin/sh
# yosys.sh TOP FILES...: Yosys reads the design, elaborates every module below TOP and checks it.
set -eu
top=$1
shift
exec yosys -q -e 'is used but has no driver|is not a part of the design' \
  -p "read_verilog -sv -noautowire -DSYNTHESIS $*; hierarchy -check -top $top; proc; check -assert"
