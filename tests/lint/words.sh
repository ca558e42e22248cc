#!/bin/sh
# words.sh ROOT: marks of unfinished work, and paths of one machine, do not belong into the tree.
set -eu
cd "$1"
status=0
folders='arch cmodel cosim docs firmware host rtl tests waveforms'
# The patterns are written so that they do not find themselves.
if grep -rnIwE 'TO[D]O|FIX[M]E|X[X]X|HA[C]K' $folders; then
  echo "unfinished work"
  status=1
fi
if grep -rnIE '(^|[^a-zA-Z0-9_.$])/(hom[e]|roo[t]|Use[r]s)/' $folders; then
  echo "a path of one machine"
  status=1
fi
for file in $(find $folders -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.sv' -o -name '*.py' -o -name '*.sh' \) |
  grep -v '^arch/generated/'); do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt 900 ]; then
    echo "$file has $lines lines: split it"
    status=1
  fi
done
exit $status
