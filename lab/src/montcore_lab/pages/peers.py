# SPDX-License-Identifier: Apache-2.0
"""The page that compares other open multipliers with ours.

``montcore peers NAME --source DIR --keep`` adds a figure of a peer; our cores are measured here.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, ClassVar

from montcore.compare.entry import Entry
from montcore.support.files import write_whole
from montcore.support.paths import REPO_ROOT
from montcore.synth.flow import synthesise
from montcore.synth.options import FLOPS, MACRO, NONE, PLACED, Options, chosen_options
from montcore_lab.checkout.markdown import Part, prose, table
from montcore_lab.pages import libraries
from montcore_lab.pages.overview import STALE
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.subject import Figures, PointSubject
from montcore_lab.peers import published
from montcore_lab.peers.known import PEERS
from montcore_lab.peers.measure import AS_IS, PeerResult

PAGE = REPO_ROOT / "docs" / "peers.md"
#: Figures of peers; their sources are not in this repository.
DATA = REPO_ROOT / "docs" / "peers.json"
TARGET = "osu018"

#: Our cores on the page, at 256 bits.
CORES = (("hr", (("radix", "8"),)), ("cs4", ()), ("smm", (("npe", "8"),)))
#: Our cores beside those whose figures on FPGAs are published.
ON_BLOCKS = tuple(
    (core, ((name, value),))
    for core, name, value in (
        *(("smm", "npe", number) for number in ("1", "2", "8")),
        *(("dsp", "alpha", number) for number in ("5", "10")),
    )
)
#: Modes of measurement: wires and memories.
WAYS = ((NONE, FLOPS), (PLACED, FLOPS), (NONE, MACRO), (PLACED, MACRO))

Row = dict[str, Any]

INTRODUCTION = """# Other open multipliers in our flow

Written by `montcore maintain figures`. Each peer was measured from a checkout of its own repository
with the mapping, cell sizing, memory and wire models used for montcore's cores, at 256 bits on
osu018, after its products were compared with Python. No source of a peer is in this repository;
`montcore peers` lists the peers. The last section has the command for each row, where DIR is a
checkout of the commit.

The designs differ in scope; the table of peers states what each row excludes. The cycles of a peer
start with its operands at its ports or in an external memory, which is not included in its area.
The cycles of montcore's cores start with the last word of the operands on a word-wide port and end
with the first word of the result. Their area includes the port, the check of modulus and operands,
the operand memories and zeroize."""

ALIKE = """Here the memories of montcore's cores are flip-flops, like all state of the peers except
the memory of intermediate results of secworks (after the plus sign). Resets are synchronous."""

ELSEWHERE = prose(
    "Cells alone, all state as flip-flops, resets synchronous. [The page of "
    "libraries](libraries.md) has the source of the library's files and the command of montcore's "
    "cores."
)

CYCLES_ALONE = prose(
    f"""OTBN is the big-number accelerator of OpenTitan, a processor with a data path of 256 bits
and a multiplier of 64 x 64 bits. Its programs have other protections than montcore's units, and no
area is published with them. The table has only cycles, as the project states them
({published.SOURCE}, {published.PAGE}, commit {published.COMMIT}, read on {published.READ}); nothing
was measured. Ours are in the tables that the third column names, with their commands."""
)
BLOCKS = prose(
    f"""FIOS is a row of DSP blocks, folded or one block for each word. Its figures on FPGAs are
published after place and route ({PEERS["fios"].home}, {published.FIOS_SOURCE[0]}, commit
{published.FIOS_SOURCE[1]}, read on {published.FIOS_SOURCE[2]}) and were not measured here.
{PEERS["fios"].lacks} It has no port with handshakes. Ours are the whole cores for UltraScale+, as
Yosys maps them: with the port, the check of operands and modulus, the constants of a modulus, the
final subtraction and zeroize. No free tool places them, so they have levels
([measuring.md](measuring.md#fpga-families)) and neither a clock nor a time."""
)
_BLOCKS = ("DSP", "LUT", "flip-flops", "cycles", "interval", "levels", "MHz", "us")
_PEER = ("peer", "source, licence", "what it leaves to the user", "cycles count", "checked")


@dataclass(frozen=True)
class FpgaSubject(PointSubject):
    """A core on an FPGA."""

    kept: ClassVar[tuple[str, ...]] = ("dsp", "lut", "ff", "cycles", "interval", "levels")

    def row(self, ledger: Ledger, *, ways: bool = False) -> Row:
        """Return its row of the page; with `ways`, the row states whether it is placed."""
        settings = " ".join(f"{key}={value}" for key, value in self.point.settings)
        mark = f" {STALE}" if ledger.fault(self) else ""
        measured = ledger.entries[self.command]
        placed = ", placed" if ways and self.wires == PLACED else ""
        title = f"`montcore` {self.core} {settings}{placed}{mark}"
        return {**measured.figures, "title": title, "command": self.command, "date": measured.date}


@dataclass(frozen=True)
class OwnSubject(FpgaSubject):
    """A core with its wires and memories in one of several ways.

    Attributes:
        memory: as for `synth --memory`.
    """

    memory: str = MACRO

    kept: ClassVar[tuple[str, ...]] = (
        *("cycles", "interval", "ff", "ge", "ge_memory", "tmin_ns", "tmin_ns_no_wires", "kge_us"),
    )

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return f"{super().command} --memory {self.memory}"

    @property
    def options(self) -> Options:
        """The options of the flow."""
        return chosen_options(self.wires, self.memory)

    def measure(self) -> Figures:
        """Measure it, or read the result store."""
        point = self.point
        found = synthesise(point.configured(), self.target, opts=self.options).to_json()
        figures = Entry(self.core, dict(point.settings), self.bits, **found).figures()
        return {name: figures[name] for name in self.kept}


def subjects() -> list[FpgaSubject]:
    """Return the measured subjects of our cores."""
    return [*_own(), *_on_blocks()]


def _on_blocks() -> list[FpgaSubject]:
    return [FpgaSubject(core, settings, 256, "xcup") for core, settings in ON_BLOCKS]


def _own() -> list[OwnSubject]:
    return [
        OwnSubject(core, settings, 256, TARGET, wires, memory)
        for core, settings in CORES
        for wires, memory in WAYS
    ]


def load() -> list[Row]:
    """Return the measured figures of peers."""
    found: list[Row] = json.loads(DATA.read_text(encoding="utf-8")) if DATA.is_file() else []
    return found


def command(result: PeerResult) -> str:
    """Return the command that measured a peer."""
    library = "" if result.library == TARGET else f" --library {result.library}.toml"
    return (
        f"montcore peers {result.peer} --source DIR --bits {result.bits} --reset {result.reset} "
        f"--wires {result.wires} --memory {result.memory}{library} --keep"
    )


def keep(result: PeerResult) -> None:
    """Add a figure of a peer to the page, replacing an older one."""
    date = datetime.now(timezone.utc).date().isoformat()
    row = {"command": command(result), "date": date, **result.to_json()}
    rows = [old for old in load() if old["command"] != row["command"]] + [row]
    rows.sort(key=lambda item: str(item["command"]))
    lines = map(json.dumps, rows)
    write_whole(DATA, "[\n" + ",\n".join(lines) + "\n]\n")
    write_whole(PAGE, page(load(), Ledger.load()))


def parts(ledger: Ledger) -> list[Part]:
    """Return the page."""
    return [Part(PAGE, page(load(), ledger))]


def _cells(row: Row) -> list[str]:
    memory = row["ge_memory"] / 1000
    return [
        str(row["ff"]),
        f"{row['ge'] / 1000:.1f}" + (f" + {memory:.1f}" if memory else ""),
        f"{row['tmin_ns']:.2f}" if row["tmin_ns"] else "",
        str(row["cycles"]),
        f"{row['kge_us']:.1f}" if row["kge_us"] is not None else "",
    ]


_HEADINGS = ("flip-flops", "kGE", "Tmin ns", "cycles", "kGE x us")


def _compared(peers: Sequence[Row], ours: Sequence[Row]) -> list[str]:
    """Return the table of peers and our cores, sorted by increasing area-time product."""
    known = PEERS
    rows = [(row["title"], row) for row in ours]
    rows += [(f"{row['peer']} ({known[row['peer']].title})", row) for row in peers]
    rows.sort(key=lambda item: (item[1]["kge_us"] is None, item[1]["kge_us"]))
    cells = [[title, *_cells(row)] for title, row in rows]
    return table(("multiplier", *_HEADINGS), cells, len(_HEADINGS))


def _elsewhere(library: str) -> list[Row]:
    """Return our rows on another library, without wires."""
    return [
        {
            "title": f"`montcore` {item.core}",
            "ff": item.ff,
            "ge": 1000 * item.kge,
            "ge_memory": 0,
            "tmin_ns": item.tmin_ns,
            "cycles": item.cycles,
            "kge_us": item.kge_us,
        }
        for item in libraries.load().values()
        if item.library == library and item.wires == NONE
    ]


def page(peers: Sequence[Row], ledger: Ledger) -> str:
    """Return the page."""
    measured = [item for item in _own() if item.command in ledger.entries]
    on_blocks = [item for item in _on_blocks() if item.command in ledger.entries]
    every = peers
    peers = [row for row in every if row["library"] == TARGET]
    lines = [INTRODUCTION, ""]
    for wires, title in ((NONE, "Cells alone"), (PLACED, "Placed, with wires and clock tree")):
        lines += [f"## {title}", "", *([ALIKE, ""] if wires == NONE else [])]
        alike = [row for row in peers if row["wires"] == wires and row["reset"] != AS_IS]
        way = (wires, FLOPS)
        ours = [item.row(ledger) for item in measured if (item.wires, item.memory) == way]
        lines += [*_compared(alike, ours), ""]
    lines += ["## Ours with memories as macros", ""]
    macros = [item for item in measured if item.memory == MACRO]
    lines += [*_compared([], [item.row(ledger, ways=True) for item in macros]), ""]
    for name in dict.fromkeys(row["library"] for row in every if row["library"] != TARGET):
        lines += [f"## On the library {name}", "", ELSEWHERE, ""]
        others = [row for row in every if row["library"] == name and row["reset"] != AS_IS]
        lines += [*_compared(others, _elsewhere(name)), ""]
    lines += ["## Resets as in the original sources", ""]
    kept = [row for row in peers if row["reset"] == AS_IS]
    lines += table(
        ("multiplier", *_HEADINGS), [[row["peer"], *_cells(row)] for row in kept], len(_HEADINGS)
    )
    lines += ["", "## The peers, and functions that they leave to the user", ""]
    described = {row["peer"]: row for row in peers}
    cells: list[list[str]] = []
    for name, peer in PEERS.items():
        refusal = peer.refuses(64)
        lacks = peer.lacks + (f" Refused at 64 bits: {refusal}." if refusal else "")
        checked = span = ""
        if row := described.get(name):
            right = "all correct" if not row["wrong"] else f"{row['wrong']} wrong"
            checked = (
                f"{row['products']} products compared, {right}; "
                f"commit {str(row['commit'] or 'unknown')[:10]}, files {row['digest']}"
            )
            span = row["span"]
        cells.append([name, f"{peer.home}, {peer.licence}", lacks, span, checked])
    lines += table(_PEER, cells)
    lines += ["", "## Only cycles are public", "", CYCLES_ALONE, ""]
    cells = [
        [item.operation, "yes" if item.constant_time else "no", item.ours, f"{item.cycles:,}"]
        for item in published.OTBN
    ]
    lines += table(("operation", "constant time", "ours", "cycles of OTBN"), cells, 1)
    lines += ["", "## DSP blocks of FPGAs", "", BLOCKS, ""]
    names = ("title", *FpgaSubject.kept)
    cells = [[f"{item.row(ledger)[name]}" for name in names] + ["", ""] for item in on_blocks]
    for form, *counts, clock, us in published.FIOS:
        cells.append([f"FIOS, {form}", *map(str, counts), "", f"{clock}", f"{us:.3f}"])
    lines += table(("multiplier", *_BLOCKS), cells, len(_BLOCKS))
    lines += ["", "## Commands", ""]
    commands = [*(item.row(ledger) for item in (*measured, *on_blocks)), *every]
    lines += table(
        ("measured", "command"), [[row["date"], f"`{row['command']}`"] for row in commands]
    )
    if any(ledger.fault(item) for item in (*measured, *on_blocks)):
        lines += ["", f"{STALE} Measured on earlier sources, or with an earlier flow."]
    return "\n".join(lines) + "\n"
