#!/bin/sh
# cppcheck.sh ROOT: cppcheck over our C and C++ sources.
set -eu
cd "$1"
cppcheck --quiet --std=c11 --std=c++17 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
  --suppress=missingIncludeSystem --template=gcc -j 2 \
  -I arch/generated -I cmodel/numerics -I cmodel/rv -I cmodel/units -I host/include -I cosim \
  cmodel firmware host cosim
