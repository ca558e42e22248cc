#!/bin/sh
# firmware.sh ROOT: clang-tidy over the firmware, which another compiler builds for another processor.
set -eu
cd "$1/firmware"
exec clang-tidy --quiet ./*.c -- --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -std=c11 -ffreestanding -I ../arch/generated
