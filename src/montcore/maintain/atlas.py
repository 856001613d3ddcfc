# SPDX-License-Identifier: Apache-2.0
"""Fills the atlas, and measures a sample of it again; ``montcore maintain atlas``.

What is finished is in the result store and, every `SAVE_S` seconds, in the file: a run that is
interrupted or killed resumes with the same command.
"""

import math
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from montcore.compare.atlas import Atlas, differences
from montcore.compare.cluster import Cluster
from montcore.compare.entry import Entry
from montcore.compare.point import Point, WidthError, survey
from montcore.compare.predict import DECISIVE, checked, deviation
from montcore.compare.recall import recall
from montcore.compare.sweep import sweep
from montcore.compare.units import UNITS
from montcore.support.errors import RequestError
from montcore.support.paths import cache_in
from montcore.synth.identity import check_versions, flow_of
from montcore.synth.target import all_targets, get_target

#: Widths that the atlas has: of the curves, and of RSA with its halves.
WIDTHS = (128, 192, 224, 256, 384, 521, 1024, 2048, 3072, 4096)
#: How often the file is written, in seconds.
SAVE_S = 20.0
#: Guess of a point's time in seconds at 256 bits where nothing like it is measured: of a target
#: whose flow is a mapping alone, and of one with more to do.
_GUESS_S = (60.0, 240.0)
#: A unit over a multiplier takes about so many times as long.
_UNIT = 6
#: The time of a point grows with the width to this power: between the area of a row and that of an
#: array.
_GROWTH = 1.5
#: Points that took longer are left out of a sample, in seconds.
SAMPLE_LIMIT_S = 900.0

#: Called after each point with the point, its entry, and the estimated seconds left.
Told = Callable[[Point, Entry, float], None]


@dataclass(frozen=True)
class Part:
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
        """Return the points, of each width the cheap targets first.

        Raises:
            RequestError: an unknown core or target, or no core of any of the widths.
        """
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
        """Return the names that are planned together: the multipliers, and each unit by itself."""
        if self.cores is None:
            return [None, *((name,) for name in UNITS)]
        multipliers = tuple(name for name in self.cores if name not in UNITS)
        units = [(name,) for name in dict.fromkeys(self.cores) if name in UNITS]
        return [*([multipliers] if multipliers else []), *units]


@dataclass(frozen=True)
class Estimate:
    """What filling a part costs.

    Attributes:
        points: all points of the part.
        valid: of these, the ones that the atlas has.
        kept: those that the result store has, which cost nothing.
        due: those that have to be measured.
        seconds: processor time of these, estimated.
    """

    points: int
    valid: int
    kept: list[Point]
    due: list[Point]
    seconds: dict[Point, float] = field(default_factory=dict)

    @property
    def total_s(self) -> float:
        """Processor time of all that is due, in seconds."""
        return sum(self.seconds.values())

    def words(self, workers: int) -> str:
        """Return it in a sentence."""
        return (
            f"{self.points} points: {self.valid} valid, {len(self.kept)} in the result store, "
            f"{len(self.due)} to be measured in about {duration(self.total_s / workers)} "
            f"with {workers} at a time"
        )


def duration(seconds: float) -> str:
    """Return a time for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def seconds_of(point: Point, atlas: Atlas) -> float:
    """Return how long a point will take, from those of the atlas that are nearest, valid or not."""

    def distance(other: Point) -> tuple[bool, bool, float]:
        ratio = abs(math.log(other.bits / point.bits))
        return other.core != point.core, other.settings != point.settings, ratio

    like = [
        other
        for other, record in atlas.records.items()
        if other.target == point.target and record.entry.wall_s
        if (other.unit and other.core) == (point.unit and point.core)
    ]
    if not like:
        guess = _GUESS_S[get_target(point.target).effort > 0] * (_UNIT if point.unit else 1)
        return float(guess * (point.bits / 256) ** _GROWTH)
    nearest = min(like, key=distance)
    return float(atlas.records[nearest].entry.wall_s * (point.bits / nearest.bits) ** _GROWTH)


def estimate(part: Part, atlas: Atlas, again: bool = False) -> Estimate:
    """Return what filling a part costs; nothing is measured.

    Args:
        part: the requested points.
        atlas: what there is.
        again: whether what is valid, or in the result store, is measured too.

    Raises:
        RequestError: the part names what is not there.
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
    told: Told,
    *,
    workers: int = 2,
    cluster: Cluster | None = None,
    again: bool = False,
    measure: bool = True,
) -> int:
    """Enter what the result store has, measure the rest, and return how many points failed.

    Args:
        cost: what `estimate` gave.
        atlas: where to; its file is written as the points come.
        told: called with each point.
        workers: processes on this machine; without effect with a cluster.
        cluster: a Dask cluster to measure on.
        again: measure what the result store has, too.
        measure: whether to measure at all.

    Raises:
        RequestError: the tools are not those of the flow, the file cannot be written, or as
            `sweep`.
        CheckFailedError: a worker process was killed; what was finished is kept.
    """
    wanted = [*cost.kept, *(cost.due if measure else [])]
    for target in dict.fromkeys(point.target for point in wanted):
        check_versions(flow_of(target)["tools"])
    start = saved = time.monotonic()
    spent, failed = 0.0, 0

    def done(point: Point, entry: Entry, running: int) -> None:
        nonlocal saved, spent, failed
        del running
        spent += cost.seconds.get(point, 0.0)
        if entry.status == "ok":
            atlas.put(point, entry)
        else:
            failed += 1
        now = time.monotonic()
        if now - saved > SAVE_S:
            atlas.save()
            saved = now
        # The points measured so far correct the estimate for this machine.
        pace = (now - start) / spent if spent else 1 / workers
        told(point, entry, (cost.total_s - spent) * pace)

    try:
        sweep(wanted, done, workers=workers, cluster=cluster, fresh=again, from_atlas=False)
    finally:
        atlas.save()
    return failed


def tidy(atlas: Atlas) -> int:
    """Drop the points that are out of date and return how many they were."""
    old = [point for point in atlas.records if atlas.state(point) == "stale"]
    for point in old:
        del atlas.records[point]
    atlas.save()
    return len(old)


def prediction_errors(atlas: Atlas) -> dict[str, float]:
    """Return how far predictions of measured points are off, and how many keep their error."""
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
    """Return some of the valid points, one at least if there are any, in random order.

    Points that took longer than `SAMPLE_LIMIT_S` are left out.
    """
    fit = [
        point
        for point in sorted(atlas.records, key=lambda item: item.command)
        if atlas.state(point) == "valid" and atlas.records[point].entry.wall_s <= SAMPLE_LIMIT_S
    ]
    count = min(len(fit), max(1, math.ceil(len(atlas.records) * percent / 100)))
    return random.Random(seed).sample(fit, count)


def disagreements(atlas: Atlas, points: Sequence[Point], told: Told, workers: int = 2) -> list[str]:
    """Measure points again, in an empty result store, and return where they differ, a line each.

    Raises:
        RequestError: the tools are not those of the flow.
    """
    for target in dict.fromkeys(point.target for point in points):
        check_versions(flow_of(target)["tools"])
    found: list[str] = []

    def done(point: Point, entry: Entry, running: int) -> None:
        del running
        if entry.status != "ok":
            found.append(f"{point.command}: {entry.message}")
        else:
            lines = differences(entry, atlas.records[point].entry)
            found.extend(f"{point.command}: {line}" for line in lines)
        told(point, entry, 0.0)

    with tempfile.TemporaryDirectory() as folder, cache_in(Path(folder)):
        sweep(points, done, workers=workers, fresh=True)
    return found
