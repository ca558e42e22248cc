#!/usr/bin/env python3
"""Writes everything that is generated from arch/*.toml (and, for waveforms/, from the state machines of rtl/).

  arch/generate.py           write the files
  arch/generate.py --check   write nothing; fail and name each file that is stale
"""

import pathlib
import sys

import contract
import emit_c
import emit_docs
import emit_sv
import emit_waves

ROOT = contract.ARCH.parent


def outputs():
    """Every generated file, as a path below the root, with its text."""
    c = contract.Contract()
    files = {
        "arch/generated/stp_pkg.sv": emit_sv.emit(c),
        "arch/generated/stp_arch.h": emit_c.emit_arch(c),
        "arch/generated/stp_isa.h": emit_c.emit_isa_h(c),
        "arch/generated/stp_isa.c": emit_c.emit_isa_c(c),
        "docs/reference/machine.md": emit_docs.emit_machine(c),
        "docs/reference/isa.md": emit_docs.emit_isa(c),
        "docs/reference/registers.md": emit_docs.emit_registers(c),
        "docs/reference/job.md": emit_docs.emit_job(c),
        "waveforms/chip.gtkw": emit_waves.save_chip(c),
        "waveforms/core.gtkw": emit_waves.save_core(c),
        "waveforms/pt.gtkw": emit_waves.save_pt(c),
    }
    for name, text in emit_waves.emit_tables(c, ROOT / "rtl").items():
        files[f"waveforms/generated/{name}.txt"] = text
    return files


def main(argv):
    if argv not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        files = outputs()
    except contract.ContractError as e:
        print(f"arch: error: {e}", file=sys.stderr)
        return 1
    stale = 0
    for name, text in files.items():
        path = ROOT / name
        if path.exists() and path.read_text() == text:
            continue
        if argv:
            print(f"{name}: stale; run arch/generate.py", file=sys.stderr)
            stale = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {name}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
