#!/bin/sh
# verilator.sh TOP FILES...: Verilator's lint of the design below TOP; waivers are the .vlt files among FILES.
set -eu
top=$1
shift
exec verilator --lint-only -Wall --top-module "$top" --timescale 1ns/1ps "$@"
