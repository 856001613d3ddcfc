# SPDX-License-Identifier: Apache-2.0
"""Known figures of points: from the atlas, or measured here before (`recall`).

The atlas is one file of the package with measured points, and with digests of sources and flow. A
point is valid as long as its two digests match those of the present sources and flow. A point that
is not valid is shown with its date and a mark. Querying the atlas needs no installed tool and
starts no simulator.
"""

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from montcore.compare.entry import Entry
from montcore.compare.measure import stored
from montcore.compare.point import Point, digests
from montcore.support import waiting
from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.requests import checked
from montcore.support.words import duration
from montcore.synth.options import DEFAULT_OPTIONS, NONE
from montcore.synth.store import ResultStore
from montcore.synth.target import check_target

#: Environment variable that names another file; a missing file gives an empty atlas.
VARIABLE = "MONTCORE_ATLAS"
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
#: Exponent of the width in the time of a point: between that in a row's area and in an array's.
GROWTH = 1.5
_FACTOR = "factor of this machine"
#: Time of cells without wires, as a share of that with wires.
_BARE = 0.3
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
                point, record = _record(row, content["columns"], content["tools"])
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
        """Write the file, one line per point."""
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

    def seconds(self, point: Point) -> float | None:
        """Return the time of a point by that of the nearest one, valid or not; None: not known."""
        like = [
            other
            for other, record in self.records.items()
            if other.target == point.target and record.entry.wall_s
            if (other.unit and other.core) == (point.unit and point.core)
        ]
        nearest = _nearest(point, like)
        if nearest is None:
            return None
        # What does not depend on the width takes most of the time of narrow ones.
        ratio = point.bits / nearest.bits
        times = max(ratio**0.5, ratio**GROWTH)
        if nearest.core != point.core:
            # Of another core a point takes as much longer as it is larger where both are known.
            sizes = [self._size(one) for one in (point, nearest)]
            times = sizes[0] / sizes[1] if all(sizes) else times
        share = _BARE if point.wires == NONE != nearest.wires else 1.0
        return float(self.records[nearest].entry.wall_s * times * share)

    def _size(self, point: Point) -> float:
        """Return about the area of a point on the target with the most points; 0: not known."""
        ((target, _),) = Counter(one.target for one in self.records).most_common(1)
        own = (one for one in self.records if (one.core, one.target) == (point.core, target))
        near = _nearest(point, own)
        return (self.records[near].entry.area or 0.0) * point.bits / near.bits if near else 0.0

    def marked(self) -> list[Entry]:
        """Return all figures; those of earlier sources or an earlier flow are marked."""
        known = self.records.items()
        return [replace(one.entry, earlier=self.state(at) == "stale") for at, one in known]

    def states(self, points: Iterable[Point]) -> Counter[str]:
        """Return the numbers of valid, stale and missing points."""
        return Counter(self.state(point) for point in points)


def _nearest(point: Point, like: Iterable[Point]) -> Point | None:
    """Return the point of the same core, with the same settings, of the nearest width, if any."""

    def distance(other: Point) -> tuple[bool, bool, float]:
        ratio = abs(math.log(other.bits / point.bits))
        return other.core != point.core, other.settings != point.settings, ratio

    return min(like, key=distance, default=None)


def _entry(point: Point, figures: dict[str, Any], tools: dict[str, str]) -> Entry:
    return point.entry(origin=ORIGIN, tools=dict(tools), **figures)


def _record(
    row: list[Any], columns: list[str], tools: list[dict[str, str]]
) -> tuple[Point, Record]:
    core, text, bits, target, sources, flow, design, number, *values = row
    pairs = (pair.partition("=") for pair in text.split())
    known = dict(zip(columns, values, strict=True))
    # Cells alone are another point than cells with wires; other targets have neither.
    wires = known.get("wires") or DEFAULT_OPTIONS.wires
    point = Point(core, tuple((key, value) for key, _, value in pairs), bits, target, wires)
    figures = {name: known[name] for name in FIGURES if name in known}
    return point, Record(_entry(point, figures, tools[number]), sources, flow, design)


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


def learn(point: Point, entry: Entry) -> None:
    """Enter how long a point took, unless most of it was in the result store, or has no wires."""
    known, name = current().seconds(point), f"{_FACTOR} on {point.target}"
    if known and entry.wall_s > known / 5 and point.wires == DEFAULT_OPTIONS.wires:
        factor = entry.wall_s / known
        waiting.remember(name, math.sqrt(factor * waiting.remembered(name, factor)))


def lasts(points: Sequence[Point], workers: int = 1, share: float = 1.0) -> waiting.Lasts:
    """Return how long a share of some points takes here, some at a time, and what tells so."""
    factors = {one.target: waiting.remembered(f"{_FACTOR} on {one.target}", 1.0) for one in points}
    known = [(s, s * factors[one.target]) for one in points if (s := current().seconds(one))]
    if not known:
        return waiting.Lasts("nothing is known of the time")
    there, here = (sum(times) for times in zip(*known, strict=True))
    time = max(here / workers, *(one for _, one in known)) * share
    times = f"{here / there:.1f} times what the atlas says"
    source = times if here != there else "as the atlas says, elsewhere"
    rest = f"; nothing is known of {len(points) - len(known)}" if len(known) < len(points) else ""
    return waiting.Lasts(f"about {duration(time)}, {source}{rest}", time)


@checked
def differences(one: Entry, other: Entry) -> list[str]:
    """Return the differences of two measurements of a point, each as ``name: a, not b``."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in FIGURES)
    return [
        f"{name}: {found}, not {wanted}"
        for name, found, wanted in pairs
        if name not in CIRCUMSTANCES and found != wanted
    ]


@dataclass
class Known:
    """Known entries of points.

    Attributes:
        entries: entries of the atlas or the result store, by point.
        missing: points without an entry in either.
    """

    entries: dict[Point, Entry] = field(default_factory=dict)
    missing: list[Point] = field(default_factory=list)


def recall(points: Iterable[Point], *, from_atlas: bool = True, earlier: bool = True) -> Known:
    """Return known entries of points; the atlas is queried first because it is faster.

    The result store has no entries for a target whose tools are not installed. Figures of the atlas
    that are of earlier sources or an earlier flow are taken where there are no others, and marked.
    """
    known = Known()
    there = current() if from_atlas else None
    store = ResultStore()
    for point in dict.fromkeys(points):
        entry = there.entry(point) if there else None
        if entry is None and _has_tools(point.target):
            entry = stored(point, store)
        if entry is None and earlier and there and point in there.records:
            entry = replace(there.records[point].entry, earlier=True)
        if entry is not None:
            known.entries[point] = entry
        else:
            known.missing.append(point)
    return known


@cache
def _has_tools(target: str) -> bool:
    """Tell whether a target's tools are installed; the store's keys contain their versions."""
    try:
        check_target(target)
    except RequestError:
        return False
    return True


def origins(entries: Sequence[Entry], missing: int = 0) -> str:
    """Return in a sentence where points come from."""
    count = Counter(entry.origin for entry in entries)
    old = [entry.date[:10] for entry in entries if entry.earlier]
    dates = " to ".join(sorted({min(old), max(old)})) if old else ""
    words = f" ({len(old)} of earlier sources, {dates})" if old else ""
    parts = [f"{count[ORIGIN]} from the atlas{words}", f"{count['measured']} measured here"]
    if missing:
        parts.append(f"{missing} missing")
    total = len(entries) + missing
    return f"{total} point{'s' * (total != 1)}: {'; '.join(parts)}"
