# SPDX-License-Identifier: Apache-2.0
"""The atlas: measured points in one file of the package, with digests of sources and flow.

A point is valid as long as its two digests match those of the present sources and flow. A point
that is not valid is shown with its date and a mark (`recall`). Querying the atlas needs no
installed tool and starts no simulator.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from montcore.compare.entry import Entry
from montcore.compare.point import Point, digests
from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.requests import checked

#: Environment variable that names another file; a missing file gives an empty atlas.
VARIABLE = "MONTCORE_ATLAS"
#: `Entry.origin` of entries from the atlas.
ORIGIN = "atlas"
#: Stored keys of an entry, in addition to the point and the digests.
FIGURES = (
    *("cycles", "core_cycles", "interval", "word_products", "multipliers"),
    *("ge", "ge_memory", "memory_bits", "tmin_ns", "tmin_ns_no_wires", "tmin_in_ns"),
    *("tmin_out_ns", "wires", "memory", "ge_flops", "tmin_flops_ns", "energy_nj"),
    *("lut", "ff", "dsp", "bram", "fmax_mhz", "fmax_min_mhz", "fmax_max_mhz", "levels", "depth"),
    *("checked", "rejected", "seed", "gate_level_checked", "wall_s", "date"),
    *("sign_cycles", "verify_cycles"),
)
#: Keys whose values may differ in a repeated measurement.
CIRCUMSTANCES = ("wall_s", "date")


def path() -> Path:
    """Return the path of the atlas: the package's, or the one in `VARIABLE`."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path(__file__).with_name("atlas.json")


@dataclass(frozen=True)
class Record:
    """A measured point.

    Attributes:
        sources, flow: `digests` at the time of measurement.
        design: `design_digest` of the designs that were measured.
    """

    entry: Entry
    sources: str
    flow: str
    design: str = ""


@checked
@dataclass
class Atlas:
    """The points of a file."""

    file: Path
    records: dict[Point, Record] = field(default_factory=dict)

    @classmethod
    def load(cls, file: Path | None = None) -> "Atlas":
        """Read a file, by default that of `path`; a missing file gives an empty atlas.

        Raises:
            RequestError: the file is no atlas.
        """
        file = file or path()
        atlas = cls(file)
        if not file.is_file():
            return atlas
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            for row in content["points"]:
                record = _record(row, content["columns"], content["tools"])
                entry = record.entry
                point = Point(entry.core, tuple(entry.params.items()), entry.bits, entry.target)
                atlas.records[point] = record
        except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise RequestError(f"{file} is not an atlas of measured points: {error!r}") from None
        return atlas

    def state(self, point: Point) -> str:
        """Return the state of a point: ``valid``, ``stale`` or ``missing``."""
        record = self.records.get(point)
        if record is None:
            return "missing"
        return "valid" if (record.sources, record.flow) == digests(point) else "stale"

    def entry(self, point: Point) -> Entry | None:
        """Return a point's figures if they are valid."""
        return self.records[point].entry if self.state(point) == "valid" else None

    def put(self, point: Point, entry: Entry, design: str = "") -> None:
        """Enter a new measurement; `save` writes it."""
        kept = {name: getattr(entry, name) for name in FIGURES}
        self.records[point] = Record(_entry(point, kept, entry.tools), *digests(point), design)

    def save(self) -> None:
        """Write the file, one line per point.

        Raises:
            RequestError, TransientError: as `write_whole`.
        """
        ordered = sorted(self.records, key=lambda item: (item.target, item.bits, item.label))
        tools: list[dict[str, str]] = []
        lines = []
        for point in ordered:
            record = self.records[point]
            versions = dict(sorted(record.entry.tools.items()))
            if versions not in tools:
                tools.append(versions)
            figures = asdict(record.entry)
            settings = " ".join(f"{key}={value}" for key, value in point.settings)
            about = [point.core, settings, point.bits, point.target]
            known = [record.sources, record.flow, record.design]
            row = [*about, *known, tools.index(versions), *(figures[name] for name in FIGURES)]
            lines.append(json.dumps(row, separators=(",", ":")))
        head = {"columns": list(FIGURES), "tools": tools}
        text = json.dumps(head)[:-1] + ', "points": [\n' + ",\n".join(lines) + "\n]}\n"
        write_whole(self.file, text)

    def states(self, points: Iterable[Point]) -> Counter[str]:
        """Return the numbers of valid, stale and missing points."""
        return Counter(self.state(point) for point in points)


def _entry(point: Point, figures: dict[str, Any], tools: dict[str, str]) -> Entry:
    return point.entry(origin=ORIGIN, tools=dict(tools), **figures)


def _record(row: list[Any], columns: list[str], tools: list[dict[str, str]]) -> Record:
    """Return the record of a line of the file; unknown columns are ignored."""
    core, text, bits, target, sources, flow, design, number, *values = row
    pairs = (pair.partition("=") for pair in text.split())
    point = Point(core, tuple((key, value) for key, _, value in pairs), bits, target)
    known = dict(zip(columns, values, strict=True))
    figures = {name: known[name] for name in FIGURES if name in known}
    return Record(_entry(point, figures, tools[number]), sources, flow, design)


@cache
def _loaded(file: Path, changed: int) -> Atlas:
    del changed
    return Atlas.load(file)


def current() -> Atlas:
    """Return the atlas; it is read again only if its file changes.

    Raises:
        RequestError: the file is no atlas.
    """
    file = path()
    return _loaded(file, file.stat().st_mtime_ns if file.is_file() else 0)


@checked
def differences(one: Entry, other: Entry) -> list[str]:
    """Return the differences of two measurements of a point, each as ``name: a, not b``."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in FIGURES)
    return [
        f"{name}: {found}, not {wanted}"
        for name, found, wanted in pairs
        if name not in CIRCUMSTANCES and found != wanted
    ]
