#!/usr/bin/env python3
"""Tables of coverage.

report.py c FILE.json              lines of C by folder and file, from `llvm-cov export -summary-only`; exit 1 below the floor
report.py firmware ELF FOLDER      lines of the firmware by file, from what simulated processors executed (cmodel/rv/reached.h)
report.py rtl FILE.dat             lines and toggles of the RTL by module, from Verilator's counts
"""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict

FLOOR = 90.0  # percent of the lines of C
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
PRODUCT = ("host", "cmodel", "arch")


def percent(hit, total):
    return 100.0 * hit / total if total else 100.0


def report_c(path):
    with open(path, encoding="utf-8") as f:
        files = json.load(f)["data"][0]["files"]
    folders = defaultdict(lambda: [0, 0])
    rows = []
    for entry in files:
        name = os.path.relpath(os.path.realpath(entry["filename"]), ROOT)
        if not name.startswith(PRODUCT) or name.endswith(".h"):
            continue
        lines = entry["summary"]["lines"]
        rows.append((name, lines["covered"], lines["count"]))
        for key in (os.path.dirname(name), "all C"):
            folders[key][0] += lines["covered"]
            folders[key][1] += lines["count"]
    print(f"{'lines of C':40} {'reached':>8} {'of':>7} {'%':>6}")
    for name, hit, total in sorted(rows, key=lambda r: percent(r[1], r[2])):
        if percent(hit, total) < FLOOR:
            print(f"{name:40} {hit:8} {total:7} {percent(hit, total):6.1f}")
    print()
    for name, (hit, total) in sorted(folders.items()):
        print(f"{name:40} {hit:8} {total:7} {percent(hit, total):6.1f}")
    hit, total = folders["all C"]
    if percent(hit, total) < FLOOR:
        print(f"less than {FLOOR:.0f} % of the lines")
        return 1
    return 0


PLACE = re.compile(r"^(/\S+):(\d+)(?: \(discriminator \d+\))?$")
CODE = re.compile(r"^\s*([0-9a-f]+):\t([0-9a-f]{8})\s")


def firmware_lines(elf):
    """The image: {address: (instruction, (file, line))}. Lines of headers count where they are inlined: not at all."""
    text = subprocess.run(["riscv64-unknown-elf-objdump", "-dl", elf], check=True, capture_output=True, text=True).stdout
    image, place = {}, None
    for line in text.splitlines():
        if m := PLACE.match(line):
            name = os.path.relpath(os.path.realpath(m.group(1)), ROOT)
            place = (name, int(m.group(2))) if name.endswith((".c", ".S")) else None
        elif m := CODE.match(line):
            image[int(m.group(1), 16)] = (int(m.group(2), 16), place)
    return image


def report_firmware(elf, folder):
    image = firmware_lines(elf)
    executed, others = set(), 0
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            pairs = [tuple(int(word, 16) for word in line.split()) for line in f]
        # Other programs than the firmware have run on the same simulator.
        if all(pc in image and image[pc][0] == insn for pc, insn in pairs):
            executed.update(pc for pc, _ in pairs)
        else:
            others += 1
    lines = defaultdict(bool)
    for pc, (_, place) in image.items():
        if place:
            lines[place] |= pc in executed
    print(f"{'lines of the firmware':40} {'reached':>8} {'of':>7} {'%':>6}   lines not reached")
    files = sorted({name for name, _ in lines})
    for name in files + ["firmware"]:
        rows = sorted((n, hit) for (file, n), hit in lines.items() if name in (file, "firmware"))
        hits = sum(hit for _, hit in rows)
        holes = " ".join(str(n) for n, hit in rows if not hit) if name != "firmware" else ""
        print(f"{name:40} {hits:8} {len(rows):7} {percent(hits, len(rows)):6.1f}   {holes}".rstrip())
    if not executed:
        print(f"no run of this image among {others} of other programs")
        return 1
    return 0


POINT = re.compile(r"^C '(.*)' (\d+)$")


def report_rtl(path):
    # A point of a module that stands several times in the design counts as reached if it is reached in one place.
    points = defaultdict(dict)
    with open(path, encoding="latin-1") as f:
        for line in f:
            m = POINT.match(line)
            if not m:
                continue
            fields = dict(part.split("\2", 1) for part in m.group(1).split("\1") if "\2" in part)
            kind, _, _ = fields["page"].partition("/")
            module = os.path.splitext(os.path.basename(fields["f"]))[0]
            kind = "toggle" if kind == "v_toggle" else "line"
            key = (fields["l"], fields.get("n", ""), fields.get("o", ""), fields.get("t", ""))
            seen = points[module, kind]
            seen[key] = max(seen.get(key, 0), int(m.group(2)))
    modules = sorted({module for module, _ in points})
    print(f"{'module':24} {'lines':>7} {'of':>6} {'%':>6}   {'toggles':>8} {'of':>7} {'%':>6}")
    sums = [0, 0, 0, 0]
    for module in modules + ["all modules"]:
        if module == "all modules":
            row = sums
        else:
            row = []
            for kind in ("line", "toggle"):
                counts = points[module, kind].values()
                row += [sum(1 for c in counts if c > 0), len(counts)]
            sums = [a + b for a, b in zip(sums, row)]
        print(f"{module:24} {row[0]:7} {row[1]:6} {percent(row[0], row[1]):6.1f}   "
              f"{row[2]:8} {row[3]:7} {percent(row[2], row[3]):6.1f}")
    return 0


def main():
    reports = {"c": (report_c, 1), "firmware": (report_firmware, 2), "rtl": (report_rtl, 1)}
    report, count = reports.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if report is None or len(sys.argv) != 2 + count:
        print(__doc__, file=sys.stderr)
        return 2
    return report(*sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
