"""Reads the contract of arch/*.toml, checks it, and offers it as plain data to the emitters."""

import hashlib
import pathlib
import tomllib

ARCH = pathlib.Path(__file__).resolve().parent
FILES = ("machine", "isa", "registers", "job")


class ContractError(Exception):
    """The contract contradicts itself; the message says where."""


def _unique(what, values):
    seen = set()
    for v in values:
        if v in seen:
            raise ContractError(f"{what}: {v!r} is used twice")
        seen.add(v)


class Contract:
    """The contract: one attribute per TOML file, and lists that several emitters need."""

    def __init__(self):
        digest = hashlib.sha256()
        for name in FILES:
            text = (ARCH / f"{name}.toml").read_bytes()
            digest.update(text)
            setattr(self, name, tomllib.loads(text.decode()))
        self.version = int.from_bytes(digest.digest()[:4], "little")
        self.constants = self.machine["constants"]
        self.units = self.machine["unit"]
        self.insns = list(self._instructions())
        self._check()

    def kinds(self):
        """The unit kinds, in order of first appearance: MNI_LU, MNI_SU, LX_LU, PT, SFU, LX_SU."""
        out = []
        for u in self.units:
            kind = u["name"].rstrip("01")
            if kind not in out:
                out.append(kind)
        return out

    def _instructions(self):
        isa = self.isa
        for i in isa["scalar"]["insn"]:
            yield dict(i, units="all", postinc=False)
        for a in isa["alu"]["ops"]:
            yield dict(op=0x20 + a["n"], name=a["name"], kind="scalar", syntax="d,a,b", units="all",
                       postinc=False, doc=f"rd := {a['doc']}, B = rb")
            yield dict(op=0x40 + a["n"], name=a["name"] + "i", kind="scalar", syntax="d,a,i", units="all",
                       postinc=False, doc=f"rd := {a['doc']}, B = imm")
        for p in isa["payload"]:
            yield dict(p, kind="payload")
        for s in isa["sfu"]:
            yield dict(op=s["op"], name=s["name"], kind="payload", units="SFU", postinc=False,
                       syntax="v" + str(s["sources"]), doc=s["doc"], formats=s["formats"])

    def _check(self):
        _unique("opcode", [i["op"] for i in self.insns])
        _unique("mnemonic", [i["name"] for i in self.insns])
        _unique("unit id", [u["id"] for u in self.units])
        if [u["id"] for u in self.units] != list(range(self.constants["UNITS"]["value"])):
            raise ContractError("units are not numbered 0 .. UNITS-1 in order")
        for i in self.insns:
            if (i["op"] >= 0x80) != (i["kind"] == "payload"):
                raise ContractError(f"{i['name']}: payload instructions are those from 0x80 on")
        formats = {f["name"].lower() for f in self.machine["format"]}
        for s in self.isa["sfu"]:
            for f in s["formats"].split():
                if f not in formats | {"any"}:
                    raise ContractError(f"{s['name']}: no format {f}")
        _unique("host register offset", [r["offset"] for r in self.registers["host"]["reg"]])
        for b in self.registers["mgmt"]["block"]:
            _unique(f"{b['name']} register offset", [r["offset"] for r in b["reg"]])
        for record in ("descriptor", "completion"):
            end = 0
            for f in self.job[record]["field"]:
                if f["offset"] != end:
                    raise ContractError(f"{record}.{f['name']}: offset {f['offset']:#x}, expected {end:#x}")
                end += self.size_of(f)
            if end > self.constants["STICK_BYTES"]["value"]:
                raise ContractError(f"{record} is longer than a stick")

    def size_of(self, field):
        """Bytes of a record field."""
        sizes = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
        if field["type"] in sizes:
            one = sizes[field["type"]]
        else:
            one = sum(self.size_of(f) for f in self.job[field["type"]]["field"])
        return one * field.get("count", 1)

    def format_mask(self, names):
        """Bit set of the formats that an SFU instruction takes ("any": all that the hardware knows)."""
        known = ("F16", "BF16", "F32", "F32P", "I32", "I16")
        mask = 0
        for f in self.machine["format"]:
            if f["name"].lower() in names.split() or (names == "any" and f["name"] in known):
                mask |= 1 << f["id"]
        return mask
