# SPDX-License-Identifier: Apache-2.0
"""Cores on other cell libraries: ``montcore maintain libraries FOLDER``, docs/libraries.md.

The libraries' files are not part of the repository. Their figures are committed with the digest of
these files; whoever has the files measures again and compares.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from montcore.cores import get_core
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.support.words import settings_words
from montcore.synth.asic.library import cell_library
from montcore.synth.flow import synthesise
from montcore.synth.options import FLOPS, NONE, PLACED, chosen_options
from montcore.synth.target import LIBRARIES, add_library
from montcore_lab.checkout.markdown import prose, table

PAGE, DATA = (REPO_ROOT / "docs" / f"libraries.{kind}" for kind in ("md", "json"))
BITS = 256
#: Cores and their parameters; the first ones are those that a comparison measures.
CORES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("hr", (("radix", "8"),)),
    ("cs4", ()),
    ("smm", (("npe", "8"),)),
    ("hr", (("radix", "4"),)),
)
COMPARED = 2
_DESCRIPTIONS = Path(__file__).parent / "descriptions"


class Source(NamedTuple):
    """Where a library's files come from."""

    project: str
    commit: str
    about: str


SOURCES = {
    "sg13g2": Source(
        "IHP-GmbH/IHP-Open-PDK, ihp-sg13g2/libs.ref/sg13g2_stdcell",
        "5cccb161f7492697cfa52eb14dc03beb00bdca9e",
        "130 nm, manufactured; typical corner. Wires: the mean of metal 2 to 5 of the LEF file.",
    ),
    "asap7": Source(
        "The-OpenROAD-Project/asap7sc7p5t_28",
        "f970bd3c3292b79ae4d022a3ec80533534614066",
        "7 nm, predictive; RVT, TT. The LEF file has no capacitances: 0.173 fF and 32 ohm per um "
        "are those of the OpenROAD flow's platform asap7 (commit 213c957c).",
    ),
}


@dataclass(frozen=True)
class LibraryFigures:
    """A core on a library, all memories as flip-flops.

    Attributes:
        command: what measures it again, with the description of the library.
        library, files: name of the library, and first digits of the SHA-256 of its liberty files.
        core, wires: core with its parameters; `placed` or `none`.
        kge, ff, tmin_ns, cycles: area, flip-flops, shortest period, latency of a product.
        slow_ns, fast_ns, hold_ns: period at the other corners, least hold slack of all corners.
        wire_mm, spread_pct: length of all wires, and its spread over three placements.
        date: day of the measurement.
    """

    command: str
    library: str
    files: str
    core: str
    wires: str
    kge: float
    ff: int
    tmin_ns: float
    cycles: int
    slow_ns: float | None
    fast_ns: float | None
    hold_ns: float | None
    wire_mm: float | None
    spread_pct: float | None
    date: str

    @property
    def kge_us(self) -> float:
        """Area x time of a product."""
        return self.kge * self.tmin_ns * self.cycles / 1e3


def load() -> dict[str, LibraryFigures]:
    """Return the committed figures by command."""
    if not DATA.is_file():
        return {}
    found = [LibraryFigures(**item) for item in json.loads(DATA.read_text(encoding="utf-8"))]
    return {item.command: item for item in found}


def measure(
    folder: Path, wires: Sequence[str], count: int, say: Callable[[str], None]
) -> Iterator[LibraryFigures]:
    """Measure the first cores of the list on the libraries whose files are in a folder, in turn.

    Args:
        folder: has the files of each library in a folder of the library's name.
        wires: `NONE`, `PLACED` or both.
        count: number of cores.
        say: receives a short text at each step.
    """
    names = [name for name in SOURCES if (folder / name).is_dir()]
    if not names:
        raise RequestError(f"{folder} has no folder named {' or '.join(SOURCES)}")
    before = os.environ.get(LIBRARIES, "")
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        stack.callback(os.environ.__setitem__, LIBRARIES, before)  # the descriptions are gone then
        for name in names:
            # The paths in a description are relative to it.
            path = Path(scratch) / f"{name}.toml"
            path.write_text((_DESCRIPTIONS / path.name).read_text(encoding="utf-8"))
            (path.parent / name).symlink_to((folder / name).resolve())
            add_library(path)
            for core, settings in CORES[:count]:
                for way in wires:
                    say(f"{core}{settings_words(settings)} on {name}, wires {way}")
                    yield _measured(core, settings, name, path, way, say)


def _measured(
    core: str,
    settings: Sequence[tuple[str, str]],
    name: str,
    path: Path,
    wires: str,
    say: Callable[[str], None],
) -> LibraryFigures:
    chosen = get_core(core).configure(dict(settings), BITS)
    opts = chosen_options(wires, FLOPS)
    result = synthesise(chosen, name, opts=opts, progress=say)
    placed, corners = result.placement, result.corners_ns
    holds = [value for key, value in placed.items() if key.startswith("hold_")]
    words = f"montcore synth {core}{settings_words(settings)} --bits {BITS} --library {name}.toml"
    assert result.ge is not None and result.tmin_ns is not None
    assert result.ff is not None and result.cycles is not None
    return LibraryFigures(
        command=f"{words} --wires {wires}",
        library=name,
        files=cell_library(path).version,
        core=f"{core}{' ' if settings else ''}{' '.join('='.join(item) for item in settings)}",
        wires=wires,
        kge=round(result.ge / 1e3, 2),
        ff=result.ff,
        tmin_ns=result.tmin_ns,
        cycles=result.cycles,
        slow_ns=corners.get("slow"),
        fast_ns=corners.get("fast"),
        hold_ns=min(holds, default=None),
        wire_mm=placed.get("wire_mm"),
        spread_pct=placed.get("wire_spread_pct"),
        date=datetime.now(timezone.utc).date().isoformat(),
    )


def differences(found: Sequence[LibraryFigures]) -> list[str]:
    """Return a sentence for each figure that is not the committed one."""
    known, said = load(), []
    for item in found:
        there = known.get(item.command)
        if there is None:
            said.append(f"not committed: {item.command}")
            continue
        for key, value in asdict(item).items():
            was = getattr(there, key)
            if key != "date" and value != was:
                said.append(f"{key} is {value}, committed is {was}: {item.command}")
    return said


def save(found: Sequence[LibraryFigures]) -> str:
    """Add figures to the committed ones; return them as text of the file."""
    every = {**load(), **{item.command: item for item in found}}
    lines = (json.dumps(asdict(every[command])) for command in sorted(every))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def page(known: Sequence[LibraryFigures]) -> str:
    """Return the page."""
    lines = [
        "# Cores on other cell libraries",
        "",
        prose(
            f"Written by `montcore maintain libraries FOLDER --write`. {BITS} bits, all memories "
            "as flip-flops. kGE is area in NAND gates of two inputs of the same library. kGE us is "
            "area x Tmin x latency of one product. Every netlist was simulated. The files of the "
            "libraries are not part of the repository; `montcore maintain libraries FOLDER` "
            "measures again and compares, if FOLDER has them in folders of the libraries' names."
        ),
    ]
    for name, source in SOURCES.items():
        mine = [item for item in known if item.library == name]
        files = ", ".join(sorted({item.files for item in mine}))
        digest = f"; SHA-256 of the liberty files begins with {files}" if mine else ""
        text = (_DESCRIPTIONS / f"{name}.toml").read_text(encoding="utf-8")
        lines += ["", f"## {name}", "", prose(source.about), ""]
        lines += [
            prose(
                f"Files: {source.project}, commit {source.commit}{digest}."
                f"{'' if mine else ' Nothing is measured yet.'}"
            )
        ]
        for wires, title in ((NONE, "Cells alone"), (PLACED, "Placed, with wires and clock tree")):
            rows = [item for item in mine if item.wires == wires]
            if rows:
                rows.sort(key=lambda item: item.kge_us)
                lines += ["", f"{title}:", "", *_rows(rows, wires)]
        lines += ["", "The description:", "", "```toml", *_shown(text), "```"]
    dates = sorted({item.date for item in known})
    if dates:
        words = f"measured on {dates[0]}" + (f" to {dates[-1]}" if dates[1:] else "")
        lines += [
            "",
            prose(
                f"Each row is of `montcore synth CORE --set PARAMETER --bits {BITS} --library "
                f"NAME.toml --wires {NONE}` or `{PLACED}`, {words}."
            ),
        ]
    return "\n".join(lines) + "\n"


def _shown(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("# SPDX")]


def _rows(rows: Sequence[LibraryFigures], wires: str) -> list[str]:
    heads = ["core", "kGE", "flip-flops", "Tmin ns", "slow ns", "fast ns", "cycles", "kGE us"]
    more = ["hold slack ns", "wires mm", "their spread"] if wires == PLACED else []
    cells = []
    for item in rows:
        figures = (item.slow_ns, item.fast_ns)
        cells.append(
            [
                item.core,
                f"{item.kge:.1f}",
                f"{item.ff:,}",
                f"{item.tmin_ns:.3f}",
                *("-" if value is None else f"{value:.3f}" for value in figures),
                str(item.cycles),
                f"{item.kge_us:.2f}",
            ]
        )
        if more:
            cells[-1] += [
                "-" if item.hold_ns is None else f"{item.hold_ns:.3f}",
                f"{item.wire_mm or 0:.1f}",
                f"{item.spread_pct or 0:.1f} %",
            ]
    return table([*heads, *more], cells, len(heads) + len(more) - 1)
