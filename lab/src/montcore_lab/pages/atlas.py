# SPDX-License-Identifier: Apache-2.0
"""Fills the atlas, and measures a sample again; ``montcore maintain atlas``.

Finished points go to the result store at once and to the file every `SAVE_S` seconds. An
interrupted or killed run resumes with the same command.
"""

import math
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from montcore.compare.atlas import GROWTH, Atlas, differences, recall
from montcore.compare.cluster import Cluster
from montcore.compare.entry import Entry
from montcore.compare.point import Point, WidthError, survey
from montcore.compare.predict import DECISIVE, Evidence, deviations, predict
from montcore.compare.sweep import Done, sweep
from montcore.compare.units import UNITS
from montcore.support.errors import RequestError
from montcore.support.words import duration
from montcore.synth.identity import check_versions, flow_of
from montcore.synth.target import all_targets, get_target
from montcore_lab.checkout.files import cache_in
from montcore_lab.papers.elaborated import design_digest
from montcore_lab.papers.subject import designs_of

#: Widths in the atlas: those of the curves, of RSA, and of RSA's halves.
WIDTHS = (128, 192, 224, 256, 384, 521, 1024, 2048, 3072, 4096)
#: Interval at which the file is written, in seconds.
SAVE_S = 20.0
#: Default estimate of a point's time in seconds at 256 bits if no similar point is measured: for a
#: target whose flow only maps, and for one that does more.
_GUESS_S = (60.0, 240.0)
#: Approximate factor by which a unit takes longer than its multiplier.
_UNIT = 6
#: Points that took longer are excluded from samples, in seconds.
SAMPLE_LIMIT_S = 900.0


@dataclass(frozen=True)
class AtlasPart:
    """The requested part of the atlas; None for all.

    Attributes:
        bits: widths in bits.
        targets: names of targets.
        cores: names of cores and units.
        full: the cores' full sweeps rather than their small ones.
    """

    bits: tuple[int, ...] | None = None
    targets: tuple[str, ...] | None = None
    cores: tuple[str, ...] | None = None
    full: bool = False

    def points(self) -> list[Point]:
        """Return the points; for each width the cheap targets come first."""
        found: list[Point] = []
        refused: RequestError = RequestError("no width is named")
        targets = self.targets or tuple(all_targets())
        for bits in self.bits or WIDTHS:
            for cores in self._groups():
                try:
                    found += survey(bits, cores=cores, targets=targets, full=self.full).points
                except WidthError as error:
                    refused = error
        if not found:
            raise refused
        return found

    def _groups(self) -> list[tuple[str, ...] | None]:
        """Return the names that are planned together: the multipliers, and each unit separately."""
        if self.cores is None:
            return [None, *((name,) for name in UNITS)]
        multipliers = tuple(name for name in self.cores if name not in UNITS)
        units = [(name,) for name in dict.fromkeys(self.cores) if name in UNITS]
        return [*([multipliers] if multipliers else []), *units]


@dataclass(frozen=True)
class Estimate:
    """Cost of filling a part.

    Attributes:
        points: all points of the part.
        valid: those of them that are valid in the atlas.
        kept: those in the result store, which cost nothing.
        due: those that must be measured.
        seconds: estimated processor time of each point in `due`.
    """

    points: int
    valid: int
    kept: list[Point]
    due: list[Point]
    seconds: dict[Point, float] = field(default_factory=dict)

    @property
    def total_s(self) -> float:
        """Processor time of all points that are due, in seconds."""
        return sum(self.seconds.values())

    def words(self, workers: int) -> str:
        """Return the estimate in a sentence."""
        return (
            f"{self.points} point{'s' * (self.points != 1)}: {self.valid} valid, "
            f"{len(self.kept)} in the result store, "
            f"{len(self.due)} to be measured in about {duration(self.total_s / workers)} "
            f"with {workers} at a time"
        )


def seconds_of(point: Point, atlas: Atlas) -> float:
    """Return the estimated time of a point, a guess if the atlas has none like it."""
    known = atlas.seconds(point)
    if known is None:
        guess = _GUESS_S[get_target(point.target).effort > 0] * (_UNIT if point.unit else 1)
        known = float(guess * (point.bits / 256) ** GROWTH)
    return known


def estimate(part: AtlasPart, atlas: Atlas, again: bool = False) -> Estimate:
    """Return the cost of filling a part; nothing is measured.

    Args:
        part: the requested points.
        atlas: the existing atlas.
        again: also measure points that are valid or in the result store.
    """
    points = part.points()
    if again:
        return Estimate(len(points), 0, [], points, {p: seconds_of(p, atlas) for p in points})
    lacking = [point for point in points if atlas.state(point) != "valid"]
    known = recall(lacking, from_atlas=False)
    kept = [point for point, entry in known.entries.items() if entry.status == "ok"]
    due = [point for point in lacking if point not in set(kept)]
    seconds = {point: seconds_of(point, atlas) for point in due}
    return Estimate(len(points), len(points) - len(lacking), kept, due, seconds)


def fill(
    cost: Estimate,
    atlas: Atlas,
    done: Done,
    *,
    workers: int = 2,
    cluster: Cluster | None = None,
    again: bool = False,
    measure: bool = True,
) -> int:
    """Enter points of the result store, measure the rest, and return the number of failures.

    Args:
        cost: the result of `estimate`.
        atlas: the atlas to fill; its file is written as points complete.
        done: as for `sweep`.
        workers: processes on this machine; ignored with a cluster.
        cluster: a Dask cluster to measure on.
        again: also measure points in the result store.
        measure: whether to measure at all.
    """
    wanted = [*cost.kept, *(cost.due if measure else [])]
    for target in dict.fromkeys(point.target for point in wanted):
        check_versions(flow_of(target)["tools"])
    saved, failed = time.monotonic(), 0

    def entered(point: Point, entry: Entry, running: int) -> None:
        nonlocal saved, failed
        if entry.status == "ok":
            atlas.put(point, entry, design_digest(designs_of(point)))
        else:
            failed += 1
        now = time.monotonic()
        if now - saved > SAVE_S:
            atlas.save()
            saved = now
        done(point, entry, running)

    try:
        sweep(wanted, entered, workers=workers, cluster=cluster, fresh=again, from_atlas=False)
    finally:
        atlas.save()
    return failed


def tidy(atlas: Atlas) -> int:
    """Drop the points that are out of date and return their number."""
    old = [point for point in atlas.records if atlas.state(point) == "stale"]
    for point in old:
        del atlas.records[point]
    atlas.save()
    return len(old)


def checked(atlas: Atlas) -> list[tuple[Entry, Entry]]:
    """Return measured points as predicted from the other widths, and as measured.

    This shows the accuracy of predictions: no point is used for its own prediction.
    """
    found = []
    for (core, settings, target), own in Evidence.of(atlas).series.items():
        for bits in own:
            others = {width: entry for width, entry in own.items() if width != bits}
            if others:
                found.append((predict(Point(core, settings, bits, target), others), own[bits]))
    return found


def deviation(found: Entry, wanted: Entry) -> float:
    """Return the largest relative deviation of a decisive figure."""
    own = deviations(found, wanted)
    return max(own.get(name, 0.0) for name in DECISIVE)


def prediction_errors(atlas: Atlas) -> dict[str, float]:
    """Return the deviations of predictions of measured points, and how many keep their bound."""
    found = checked(atlas)
    off = [deviation(predicted, measured) for predicted, measured in found]
    stated = [max(predicted.errors.get(name, 0.0) for name in DECISIVE) for predicted, _ in found]
    return {
        "points": len(found),
        "median": statistics.median(off) if off else 0.0,
        "largest": max(off, default=0.0),
        "within": sum(one <= other for one, other in zip(off, stated, strict=True)),
    }


def sample(atlas: Atlas, percent: float, seed: int) -> list[Point]:
    """Return a random sample of the valid points, at least one if there are any.

    Points that took longer than `SAMPLE_LIMIT_S` are excluded.
    """
    fit = [
        point
        for point in sorted(atlas.records, key=lambda item: item.command)
        if atlas.state(point) == "valid" and atlas.records[point].entry.wall_s <= SAMPLE_LIMIT_S
    ]
    count = min(len(fit), max(1, math.ceil(len(atlas.records) * percent / 100)))
    return random.Random(seed).sample(fit, count)


def disagreements(atlas: Atlas, points: Sequence[Point], done: Done, workers: int = 2) -> list[str]:
    """Measure points again with an empty result store; return the differences, one per line."""
    for target in dict.fromkeys(point.target for point in points):
        check_versions(flow_of(target)["tools"])
    found: list[str] = []

    def checked_again(point: Point, entry: Entry, running: int) -> None:
        if entry.status != "ok":
            found.append(f"{point.command}: {entry.message}")
        else:
            lines = differences(entry, atlas.records[point].entry)
            found.extend(f"{point.command}: {line}" for line in lines)
        done(point, entry, running)

    with tempfile.TemporaryDirectory() as folder, cache_in(Path(folder)):
        sweep(points, checked_again, workers=workers, fresh=True)
    return found
