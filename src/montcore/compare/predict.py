# SPDX-License-Identifier: Apache-2.0
"""Predictions of unmeasured points from measured ones of other widths, with errors.

A series is one configuration on one target at three widths or more. Between two neighbouring
widths, area, clock and energy are interpolated by a power of the width. Cycles follow the core's
formula; the cycles added by the port are interpolated linearly. There is no extrapolation: memories
change their kind with their depth, which no fit of narrower points predicts. A prediction never
replaces a measurement and is never compared with one: `Entry.origin` marks it, and `recommend`
ranks predictions only among themselves.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from montcore.compare.atlas import Atlas
from montcore.compare.entry import Entry
from montcore.compare.point import Point, WidthError, survey
from montcore.support.errors import RequestError

#: `Entry.origin` of a prediction.
ORIGIN = "predicted"
#: Fewest widths of a series.
FEWEST = 3
#: Widths between those of the atlas at which a report predicts.
BETWEEN = (160, 320, 448, 512, 768, 1536)
#: Largest permitted error of a figure in `DECISIVE`.
LARGEST_ERROR = 0.3
#: Figures by which points are chosen.
DECISIVE = ("ge", "tmin_ns", "lut", "fmax_mhz", "cycles", "interval")
#: Figures that are fitted by a power of the width.
_POWERS = ("ge", "ge_memory", "tmin_ns", "lut", "ff", "dsp", "bram", "fmax_mhz", "energy_nj")
#: Figures that are whole numbers.
_WHOLE = ("lut", "ff", "dsp", "bram")

Series = Mapping[int, Entry]


def _neighbours(series: Series, bits: int) -> tuple[int, int] | None:
    below = [width for width in series if width < bits]
    above = [width for width in series if width > bits]
    return (max(below), min(above)) if below and above else None


def _between(low: float, high: float, part: float) -> float:
    """Return an interpolated figure, by a power or linearly; `part` is the position, 0 to 1."""
    if low > 0 and high > 0:
        return float(low * (high / low) ** part)
    return low + (high - low) * part


def _fitted(series: Series, point: Point, near: tuple[int, int]) -> Entry:
    core = point.configured()
    low, high = (series[width] for width in near)
    part = math.log(point.bits / near[0]) / math.log(near[1] / near[0])
    figures: dict[str, Any] = {}
    for name in _POWERS:
        ends = getattr(low, name), getattr(high, name)
        if None not in ends:
            value = _between(*ends, part)
            figures[name] = round(value) if name in _WHOLE else round(value, 4)
    beyond = [(entry.cycles or 0) - (entry.core_cycles or 0) for entry in (low, high)]
    added = beyond[0] + (beyond[1] - beyond[0]) * (point.bits - near[0]) / (near[1] - near[0])
    core_cycles = core.core_cycles(point.bits)
    return point.entry(
        origin=ORIGIN,
        **figures,
        core_cycles=core_cycles,
        cycles=core_cycles + round(added),
        interval=core.interval(point.bits),
        multipliers=core.multipliers,
        word_products=core.word_products(point.bits),
        wires=low.wires,
        memory=low.memory,
    )


def deviations(found: Entry, wanted: Entry) -> dict[str, float]:
    """Return the relative deviations of a prediction's figures from measured ones."""
    names = [*_POWERS, "cycles", "interval"]
    pairs = {name: (getattr(found, name), getattr(wanted, name)) for name in names}
    return {name: abs(one / other - 1) for name, (one, other) in pairs.items() if one and other}


def predict(point: Point, series: Series) -> Entry | None:
    """Return a prediction with its errors.

    The error of a figure is the deviation when a neighbour is left out and predicted from the
    widths around it; the larger one if both neighbours have widths around them.

    None: the width is not between measured ones, or an error is above `LARGEST_ERROR`.
    """
    near = _neighbours(series, point.bits)
    if near is None or len(series) < FEWEST:
        return None
    largest: dict[str, float] = {}
    for width in near:
        others = {other: entry for other, entry in series.items() if other != width}
        around = _neighbours(others, width)
        if around is not None:
            found = _fitted(others, replace(point, bits=width), around)
            for name, value in deviations(found, series[width]).items():
                largest[name] = max(largest.get(name, 0.0), round(value, 4))
    if max(largest.get(name, 0.0) for name in DECISIVE) > LARGEST_ERROR:
        return None
    return replace(_fitted(series, point, near), errors=largest)


def series_of(atlas: Atlas) -> dict[tuple[str, tuple[tuple[str, str], ...], str], dict[int, Entry]]:
    """Return the measured widths of each configuration on each target, multipliers only."""
    found: dict[tuple[str, tuple[tuple[str, str], ...], str], dict[int, Entry]] = {}
    for point in atlas.records:
        # A unit's digests take longer than those of a multiplier.
        entry = atlas.entry(point) if point.unit is None else None
        if entry is not None and entry.cycles and entry.core_cycles:
            key = (point.core, point.settings, point.target)
            found.setdefault(key, {})[point.bits] = entry
    return {key: own for key, own in found.items() if len(own) >= FEWEST}


def predictions(
    atlas: Atlas,
    bits: int,
    *,
    cores: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
) -> list[Entry]:
    """Return predictions of the points of a comparison that the atlas does not have.

    Raises:
        RequestError: an unknown core or target.
    """
    known = series_of(atlas)
    try:
        points = survey(bits, cores=cores, targets=targets).points
    except WidthError:
        return []
    found = []
    for point in points:
        own = known.get((point.core, point.settings, point.target))
        if own is None or bits in own:
            continue
        try:
            entry = predict(point, own)
        except RequestError:  # an intermediate width that the configuration does not support
            continue
        if entry is not None:
            found.append(entry)
    return found
