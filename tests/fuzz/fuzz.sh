#!/usr/bin/env bash
# fuzz.sh BUILD SECONDS [TARGET...]: runs libFuzzer on each target for SECONDS, from the kept corpus; two targets at a time. BUILD is a
# build with -Dfuzz=true. What it finds is in BUILD/fuzz/TARGET/findings. Afterwards BUILD/fuzz/TARGET.tar.gz is the corpus with
# what was learnt, minimised: copy it over tests/fuzz/corpus/ to keep it.
set -euo pipefail
build=$(realpath "$1") seconds=$2
shift 2
tests=$(realpath "$(dirname "$0")/..")
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(ktir compile job npy)

run() {
  local target=$1 folder=$build/fuzz/$1 program=$build/tests/fuzz/libfuzzer_$1 status=0 length=65536
  [ -x "$program" ] || { echo "no target $target"; return 2; }
  rm -rf "$folder"
  mkdir -p "$folder/corpus" "$folder/seeds" "$folder/findings" "$folder/minimal"
  "$tests/fuzz/seeds.sh" "$target" "$tests" "$folder/seeds"
  case $target in ktir | compile) length=8192 ;; esac
  "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3072 -max_len=$length -print_final_stats=1 \
    -artifact_prefix="$folder/findings/" -dict="$tests/fuzz/$target.dict" "$folder/corpus" "$folder/seeds" \
    >"$folder/log" 2>&1 || status=$?
  if [ $status != 0 ]; then
    echo "$target: FOUND, see $folder/log; alone: $program $folder/findings/*"
    return 1
  fi
  "$program" -merge=1 -max_len=$length "$folder/minimal" "$folder/seeds" "$folder/corpus" >>"$folder/log" 2>&1
  # The kernels are seeds already: keep what adds to them.
  (cd "$folder/minimal" && sha256sum -- * "$tests"/kernels/*.mlir "$tests"/ktir/broken/*.mlir) |
    awk '{ seen[$1]++; name[$1] = seen[$1] == 1 ? $2 : name[$1]; if (seen[$1] == 2) print name[$1] }' |
    while read -r file; do rm "$folder/minimal/$file"; done
  tar -C "$folder/minimal" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - . | gzip -9n >"$build/fuzz/$target.tar.gz"
  echo "$target: no finding in $(awk '/number_of_executed_units/ { print $2 }' "$folder/log") executions," \
    "$(find "$folder/minimal" -type f | wc -l) inputs kept"
}
export -f run
export build seconds tests
printf '%s\n' "${targets[@]}" | xargs -P 2 -I {} bash -c 'set -euo pipefail; run {}'
