#!/usr/bin/env python3
"""Synthesises the units for Yosys's generic gates and reports cells and the longest path of each.

    synth.py [--write | --check] [NAME...]    NAME: a unit of the list below or a row; without one all of them
    synth.py --cell FILE TOP                  the same for a module of another file

A line per module: cells, flip-flops among them, the gates of the longest path between registers,
memories and ports, and for arithmetic rows cells and path at four and at eight lanes. --write puts
the lines into the tables of docs/synthesis.md; --check fails if a path exceeds the budget. All of it
takes Yosys about half an hour of one processor.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "synthesis.md")

# Gates of a path: the longer stage of a plain multiply-add cell (docs/synthesis.md).
BUDGET = 87

# Unit, parameters, and what is smaller in it than in the chip.
UNITS = [
    ("seq", {}, ""),
    ("lx_lu", {}, ""),
    ("lx_su", {}, ""),
    ("lx_bank", {}, ""),
    ("scalar_port", {}, ""),
    ("mni_lu", {}, ""),
    ("mni_su", {}, ""),
    ("pt", {"LANES": 4}, "4 of 64 lanes"),
    ("sfu_decode", {}, ""),
    ("sfu_exec", {}, ""),
    ("sfu", {}, ""),
    ("stick_fifo", {"WIDTH": 64}, "64 of 1,024 bits"),
    ("token_matrix", {}, ""),
    ("core_control", {}, ""),
    ("unit_counters", {}, ""),
    ("ring_stop", {}, ""),
    ("mem_port", {}, ""),
    ("mp_core", {}, ""),
    ("mgmt_dma", {}, ""),
    ("host_regs", {}, ""),
]
# Boxes: memory macros; the rows, which have a table of their own; and SFU's registers, which are most of its cells and nothing but
# a multiplexer of sixteen sticks.
BOXES = ["sram_1rw", "sram_1r1w", "sram_1r1rw", "sram_lanes", "sfu_regs"]


def sources():
    """Module name -> file, of all modules of the chip."""
    out = {}
    for folder, dirs, names in os.walk(os.path.join(ROOT, "rtl")):
        dirs[:] = sorted(d for d in dirs if d != "fast")
        for name in sorted(names):
            if name.endswith(".sv"):
                out[name[:-3]] = os.path.join(folder, name)
    return out


FILES = sources()
PACKAGES = [os.path.join(ROOT, "arch", "generated", "stp_pkg.sv")] + [FILES[n] for n in sorted(FILES) if n.endswith("_pkg")]
ROWS = sorted(n for n in FILES if re.fullmatch(r"arith_.*_row", n))


def below(top, boxes):
    """The modules that top needs, and the boxes among them."""
    need, used, pending = [], [], [top]
    while pending:
        name = pending.pop()
        if name in need or name in used:
            continue
        if name != top and name in boxes:
            used.append(name)
            continue
        need.append(name)
        with open(FILES[name], encoding="utf-8") as f:
            text = re.sub(r"//[^\n]*", "", f.read())
        pending += [n for n in FILES if n != name and not n.endswith("_pkg") and re.search(r"\b%s\s*(#\s*\(|u_|\w+\s*\()" % n, text)]
    return sorted(need), sorted(used)


def run(script):
    p = subprocess.run(["yosys", "-q", "-w", ".", "-p", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if p.returncode != 0:
        sys.exit("yosys failed:\n%s\n%s" % (script, p.stdout))


def measure(top, parameters, files, used):
    """Cells, flip-flops, longest path."""
    read = "read_verilog -sv -noautowire -DSYNTHESIS -I%s" % os.path.join(ROOT, "arch", "generated")
    with tempfile.NamedTemporaryFile("r", suffix=".txt") as f:
        run("%s -defer %s; %s hierarchy -check %s -top %s; synth -flatten -noshare; %s tee -q -o %s stat; tee -q -a %s ltp -noff" % (
            read, " ".join(files), "%s -lib %s;" % (read, " ".join(FILES[n] for n in used)) if used else "",
            " ".join("-chparam %s %d" % p for p in parameters.items()), top,
            "delete %s;" % " ".join("t:%s t:$paramod*%s*" % (n, n) for n in used) if used else "", f.name, f.name))
        text = f.read()
    cells = int(re.search(r"Number of cells:\s*(\d+)", text).group(1))
    flops = sum(int(n) for n in re.findall(r"^\s*\$_\w*DFF\w*_\s+(\d+)", text, re.M))
    path = max([int(n) for n in re.findall(r"length=(\d+)", text)] + [0])
    return cells, flops, path


def module(top, parameters):
    need, used = below(top, BOXES + ROWS)
    return measure(top, parameters, PACKAGES + [FILES[n] for n in need], used)


def unit_line(unit):
    name, parameters, less = unit
    cells, flops, path = module(name, parameters)
    return "| `%s` | %s | %s | %d | %s |" % (name, f"{cells:,}", f"{flops:,}", path, less), path


def row_line(name):
    four, eight = module(name, {"LANES": 4}), module(name, {"LANES": 8})
    lane = (eight[0] - four[0]) / 4
    return "| `%s` | %s | %s | %s | %s | %d | %d |" % (
        name, f"{four[0]:,}", f"{eight[0]:,}", f"{lane:,.0f}", f"{four[0] - 4 * lane:,.0f}", four[2], eight[2]), max(four[2], eight[2])


def put(page, mark, lines):
    start, end = "<!-- %s -->\n" % mark, "<!-- end of %s -->" % mark
    at, to = page.index(start) + len(start), page.index(end)
    # What was not measured now stays.
    old = {line.split("`")[1]: line for line in page[at:to].splitlines() if line.startswith("| `")}
    head = [line for line in page[at:to].splitlines() if line and not line.startswith("| `")]
    old.update({line.split("`")[1]: line for line in lines})
    order = [u[0] for u in UNITS] + ROWS
    return page[:at] + "\n".join(head + [old[n] for n in order if n in old]) + "\n" + page[to:]


def main(args):
    if args[:1] == ["--cell"]:
        print("%d cells, %d flip-flops, %d gates" % measure(args[2], {}, [args[1]], []))
        return
    write, check = args[:1] == ["--write"], args[:1] == ["--check"]
    names = args[1:] if write or check else args
    unknown = set(names) - {u[0] for u in UNITS} - set(ROWS)
    if unknown:
        sys.exit("no unit and no row: %s" % ", ".join(sorted(unknown)))
    longest = 0
    for unit in UNITS:
        if not names or unit[0] in names:
            longest = max(longest, show("units", unit_line(unit), write))
    for row in ROWS:
        if not names or row in names:
            longest = max(longest, show("rows", row_line(row), write))
    if check and longest > BUDGET:
        sys.exit("a path of %d gates: more than %d" % (longest, BUDGET))


def show(mark, result, write):
    line, path = result
    print(line, flush=True)
    if write:
        rewrite(mark, line)
    return path


def rewrite(mark, line):
    with open(PAGE, encoding="utf-8") as f:
        page = put(f.read(), mark, [line])
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page)


if __name__ == "__main__":
    main(sys.argv[1:])
