#!/bin/sh
# format.sh ROOT: fails where clang-format would change a C or C++ source. "./dev format" rewrites them.
set -eu
cd "$1"
find cmodel host firmware cosim tests \( -name '*.[ch]' -o -name '*.cpp' \) | sort |
  xargs clang-format --dry-run -Werror
