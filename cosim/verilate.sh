#!/bin/sh
# verilate.sh VERILATOR PREFIX OUTDIR DEPFILE PARTS verilator-arguments...
#
# Runs Verilator in OUTDIR/PREFIX.dir and writes files of fixed names for Meson: PREFIX.h, PREFIX__slow.cpp and
# PREFIX__fast0.cpp .. PREFIX__fast<PARTS-1>.cpp, which include the generated sources, the fast ones spread by size so that
# several compilers share the work; DEPFILE names what Verilator read.
set -eu
verilator=$1 prefix=$2 out=$3 depfile=$4 parts=$5
shift 5
dir=$out/$prefix.dir
rm -rf "$dir"
mkdir -p "$dir"
"$verilator" "$@" --prefix "$prefix" --Mdir "$dir"
: >"$out/${prefix}__slow.cpp"
i=0
while [ $i -lt "$parts" ]; do
  : >"$out/${prefix}__fast$i.cpp"
  i=$((i + 1))
done
i=0
for path in $(ls -S "$dir/$prefix"*.cpp); do
  file=${path##*/}
  case $file in
  *__Slow*.cpp | *__Syms*.cpp | *ConstPool*.cpp) to=slow ;;
  *)
    to=fast$((i % parts))
    i=$((i + 1))
    ;;
  esac
  printf '#include "%s.dir/%s"\n' "$prefix" "$file" >>"$out/${prefix}__$to.cpp"
done
for f in "$dir/$prefix.h" "$dir/${prefix}__Dpi.h"; do
  if [ -e "$f" ]; then printf '#include "%s.dir/%s"\n' "$prefix" "${f##*/}"; fi
done >"$out/$prefix.h"
sed "s|^.* : |$out/$prefix.h : |" "$dir/${prefix}__ver.d" >"$depfile"
