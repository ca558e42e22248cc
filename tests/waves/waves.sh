#!/bin/sh
# waves.sh trace|gtkwave STEEPLE KERNELS WAVEFORMS
#
# trace: records a kernel on the RTL, as FST and VCD, whole and for a window of cycles, and checks times, that both hold the
#   same, and that every signal of every save file is in them.
# gtkwave: loads each save file with GTKWave, as FST and VCD, and checks that GTKWave shows every signal of it, and that
#   instructions, sticks, states and causes come out as text.
# Exits with 77 where a tool is missing.
set -eu
mode=$1 steeple=$(realpath "$2") kernels=$(realpath "$3") waveforms=$(realpath "$4")

for tool in fst2vcd $([ "$mode" = trace ] || echo gtkwave xvfb-run xauth); do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

record() { # FILE [OPTION]...
  file=$1
  shift
  "$steeple" run "$kernels/matmul_64.mlir" --on rtl --trace "$file" "$@" >/dev/null 2>log || { cat log >&2; fail "recording $file"; }
}

as_vcd() { # FILE: its text, without the date
  case $1 in
  *.vcd) cat "$1" ;;
  *) fst2vcd -f "$1" ;;
  esac | sed '/^\$date/,/^\$end/d'
}

# Paths of the signals of a VCD text as GTKWave names them: a[0:0] is a[0].
names() {
  awk '$1 == "$scope" { path[++d] = $3 } $1 == "$upscope" { d-- } $1 == "$enddefinitions" { exit }
    $1 == "$var" { p = ""; for (i = 1; i <= d; i++) p = p path[i] "."; print p $5 ($6 == "$end" ? "" : $6) }' |
    sed 's/\[0:0\]$/[0]/' | sort -u
}

wanted() { # VIEW
  sed -n 's/^+{[^}]*} //p' "$waveforms/$1.gtkw"
}

# Time at which a bit first rises.
rises() { # SCOPE-AND-NAME FILE
  as_vcd "$2" | awk -v want="$1" '$1 == "$scope" { path[++d] = $3 } $1 == "$upscope" { d-- }
    $1 == "$var" { p = ""; for (i = 1; i <= d; i++) p = p path[i] "."; if (p $5 == want) id = $4 }
    /^#/ { t = substr($0, 2) } $0 == "1" id { print t; exit }'
}

test_trace() {
  record full.fst
  first=$(as_vcd full.fst | grep -m1 '^#' | tr -d '#')
  last=$(as_vcd full.fst | grep '^#' | tail -n 1 | tr -d '#')
  [ "$last" -gt "$first" ] || fail "times $first to $last"
  # A cycle is 10 ns of ps. A window of 50 cycles has its 100 edges, no other.
  begin=$((first / 10000 + 700))
  end=$((begin + 49))
  record window.fst --trace-window $begin:$end
  record window.vcd --trace-window $begin:$end
  as_vcd window.fst >a
  as_vcd window.vcd >b
  cmp a b || fail "FST and VCD differ"
  grep -q '^.timescale' a && grep -q '1ps' a || fail "no time scale of 1 ps"
  [ "$(grep '^#' a | head -n 1)" = "#$((begin * 10000))" ] || fail "window begins at $(grep -m1 '^#' a), not #$((begin * 10000))"
  [ "$(grep '^#' a | tail -n 1)" = "#$((end * 10000 + 5000))" ] || fail "window ends at $(grep '^#' a | tail -n 1)"
  [ "$(grep -c '^#' a)" = 100 ] || fail "$(grep -c '^#' a) times in 50 cycles"
  as_vcd full.fst | sed -n "/^#$((begin * 10000 + 5000))\$/,/^#$((begin * 10000 + 10000))\$/p" | sort >c
  sed -n "/^#$((begin * 10000 + 5000))\$/,/^#$((begin * 10000 + 10000))\$/p" a | sort >d
  [ "$(wc -l <c)" -gt 3 ] && grep -qxF "#$((begin * 10000 + 5000))" c || fail "nothing happens in cycle $begin"
  cmp c d || fail "the window differs from the whole"

  names <a >have
  for view in chip core pt; do
    wanted $view | sort -u >want
    [ "$(wc -l <want)" -ge 60 ] || fail "$view.gtkw has $(wc -l <want) signals"
    comm -23 want have >missing
    [ ! -s missing ] || { cat missing >&2; fail "signals of $view.gtkw that a trace does not have"; }
    sed -n 's/^^>*[0-9]* //p' "$waveforms/$view.gtkw" | sort -u | while read -r path; do
      [ -s "$waveforms/${path#waveforms/}" ] || fail "$view.gtkw names $path"
    done
  done
  size=$(wc -c <full.fst)
  [ "$size" -lt 4000000 ] || fail "a trace of matmul_64 has $size bytes"
  echo "a trace of matmul_64: $(((last - first) / 10000)) cycles, $(wc -l <have) signals, $size bytes"
}

# GTKWave with a view of a trace, and a Tcl script, whose output it leaves in out.
gtkwave_with() { # FILE VIEW
  STEEPLE_WAVEFORMS="$dir/a tree/waveforms" "$steeple" wave --print --view "$2" "$1" >command
  STEEPLE=$steeple timeout 120 xvfb-run -a -s '-screen 0 1280x900x24' gtkwave -S script.tcl -f "$1" -a "$1.$2.gtkw" >out 2>&1 ||
    { cat out >&2; fail "GTKWave on $1, view $2"; }
}

shows() { # ALIAS PATTERN: what GTKWave shows at the marker
  sed -n "s/^VALUE $1: //p" out | grep -qxE -e "$2" ||
    { grep VALUE out >&2; fail "'$1' is not shown as '$2'"; }
}

test_gtkwave() {
  record t.fst
  # In a folder whose name has a space.
  mkdir 'a tree'
  cp -r "$waveforms" 'a tree/waveforms'
  fst2vcd -f t.fst -o t.vcd >/dev/null
  at=$(rises 'steeple_chip.g_core[0].u_core.g_unit[3].g_engine.u_engine.step_valid' t.fst)
  [ -n "$at" ] || fail "PT makes no step"
  cat >script.tcl <<TCL
gtkwave::setMarker $((at + 100000))
foreach s [gtkwave::getDisplayedSignals] { puts "SHOWN \$s" }
foreach s {payload sequencer trap {in stick} {chunk} {AR address} {MMIO register} {write register} {state}
           {sfu0 payload} {lx_su0 payload} {mni_lu payload} {lx_lu0 executes} {mni_su executes}} {
  catch { puts "VALUE \$s: [gtkwave::getTraceValueAtMarkerFromName \$s]" }
}
gtkwave::/File/Quit
TCL
  number='-?[0-9.]+(e[-+][0-9]+)?'
  for file in t.fst t.vcd; do
    for view in chip core pt; do
      gtkwave_with $file $view
      wanted $view >want
      sed -n 's/^SHOWN //p' out >shown
      cmp want shown || { diff want shown >&2; fail "GTKWave does not show every signal of $view.gtkw"; }
      case $view in
      chip)
        shows 'sfu0 payload' 'v[a-z]+.*'
        shows 'lx_su0 payload' '(st|cfg|post) .*'
        shows 'mni_lu payload' '(xfer|cfg|post) .*'
        shows 'MMIO register' '[A-Z]+[0-9]*\.[A-Z_]+'
        shows 'write register' '[A-Z_]+'
        shows 'state' '(RUN|MULDIV|MMIO_REQ|MMIO_RSP|SLEEP)'
        ;;
      core)
        shows 'lx_lu0 executes' '[a-z]+( .*)?'
        shows 'mni_su executes' '[a-z]+( .*)?'
        ;;
      pt)
        shows 'payload' '(wload|mm|aload|drain|post)( .*)?'
        shows 'sequencer' '(OFF|RUN|ARG|LDX|MD|UNLOOP|DRAIN|STOP)'
        shows 'trap' 'none'
        shows 'in stick' "$number( $number){15} \.\.\."
        shows 'chunk' "(64 x 0|$number( $number){15} \.\.\.)"
        ;;
      esac
      echo "$file, $view: $(wc -l <shown) signals"
    done
  done
}

case $mode in
trace) test_trace ;;
gtkwave) test_gtkwave ;;
*) fail "there is no mode '$mode'" ;;
esac
