#!/bin/sh
# demo.sh BUILD: every case of tests/cosim/kernels.list on RTL, model and interpreter, as a table; then a trace of a
# matrix product, out/matmul_64.fst below the checkout, and the command that opens it.
set -u
if [ $# != 1 ] || [ ! -x "$1/host/cli/steeple" ]; then
  echo "usage: tests/demo.sh BUILD (a build directory with host/cli/steeple in it)" >&2
  exit 2
fi
steeple=$1/host/cli/steeple
tests=$(dirname "$0")
root=$(cd "$tests/.." && pwd)
status=0

printf 'Kernels on the RTL of c1; the model runs the same job, and every stick that leaves a unit is compared.\n\n'
skip=0 # the heading, after the first kernel
while read -r name file config max_error floor args; do
  case $name in '' | '#'*) continue ;; esac
  set --
  for arg in $args; do
    case $arg in dynamic:*)
      arg=${arg#dynamic:}
      set -- "$@" --dynamic "${arg%%=*}"
      ;;
    esac
    set -- "$@" --arg "$arg"
  done
  table=$("$steeple" report "$tests/kernels/$file" --config "$config" "$@") || status=1
  # The report names functions; a case may be one of several of the same function.
  printf '%s\n' "$table" | sed "2s/^.\{26\}/$(printf '%-26s' "$name")/" | tail -n "+$((skip + 1))"
  skip=1
done <"$tests/cosim/kernels.list"
if [ $status != 0 ]; then
  printf '\ndemo: a kernel failed: see above\n' >&2
  exit $status
fi

printf '\nA trace of matmul_64:\n'
mkdir -p "$root/out"
"$steeple" run "$tests/kernels/matmul_64.mlir" --on rtl --check --trace "$root/out/matmul_64.fst" || exit 1
printf '\nTo open it in GTKWave: %s wave out/matmul_64.fst\n' "$steeple"
