# SPDX-License-Identifier: Apache-2.0
"""Predictions of points that are not measured, from measured ones, with errors.

Cycles follow the core's formula. Area and clock come from the best evidence that there is:

1. the same configuration at widths on both sides: a power of the width between them;
2. the same configuration at another width: the growth of its core (`GROWTH`), an equal clock;
3. the same on another target, times the median ratio of the points that both targets have.

A prediction never replaces a measurement and is never compared with one: `Entry.origin` marks it,
and `recommend` ranks predictions only among themselves.
"""

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from montcore.compare.atlas import Atlas
from montcore.compare.entry import BELOW, Entry
from montcore.compare.point import Point, WidthError, survey
from montcore.support.errors import RequestError
from montcore.synth.options import FLOPS, NONE
from montcore.synth.target import get_target

ORIGIN = "predicted"
#: Widths between those of the atlas at which a report predicts.
BETWEEN = (160, 320, 448, 512, 768, 1536)
#: Figures by which points are chosen.
DECISIVE = ("ge", "tmin_ns", "lut", "fmax_mhz", "cycles", "interval")
_AREAS = ("ge", "ge_memory", "ge_flops", "lut", "ff", "dsp", "bram")
_CLOCKS = ("tmin_ns", "tmin_flops_ns", "fmax_mhz")
_FIGURES = (*_AREAS, *_CLOCKS, "energy_nj")
#: Figures that are not told from one width: they follow no law of their core.
_UNSURE = ("ff", "bram", "energy_nj")
_WHOLE = ("lut", "ff", "dsp", "bram")


class Growth(NamedTuple):
    """Area grows with the width L as L^power + fixed."""

    power: float
    fixed: float


#: Growth of the cores' area, of the points of docs/figures.json at 256 and 1024 bits (osu018,
#: karatsuba: 192 to 256 bits, 16 on xc7); `ROW` for all others.
GROWTH = {"smm": Growth(1.0, 4000.0), "dsp": Growth(1.0, 20000.0), "karatsuba": Growth(1.6, 300.0)}
ROW = Growth(1.0, 80.0)
#: Errors that nine of ten of the atlas' points keep if they are predicted from one other width,
#: with memories of the same kind, and what each further doubling adds.
FROM_ONE = {"ge": 0.25, "ge_flops": 0.25, "lut": 0.3, "tmin_ns": 0.16, "tmin_flops_ns": 0.16}
FURTHER = 0.1
#: Error of the cells of a point with macros from one without, or the other way.
_OTHER_MEMORIES = 0.6
_LEAST = 0.05
#: Words from which memories are macros instead of flip-flops.
_MACRO_WORDS = 8
#: Error of what is known of another target alone.
ELSEWHERE = 1.0

Series = Mapping[int, Entry]
_Key = tuple[str, tuple[tuple[str, str], ...], str]


def _neighbours(series: Series, bits: int) -> tuple[int, int] | None:
    below = [width for width in series if width < bits]
    above = [width for width in series if width > bits]
    return (max(below), min(above)) if below and above else None


def _between(low: float, high: float, part: float) -> float:
    """Return an interpolated figure, by a power or linearly; `part` is the position, 0 to 1."""
    if low > 0 and high > 0:
        return float(low * (high / low) ** part)
    return low + (high - low) * part


def _work(point: Point) -> int:
    """Return what the cycles of a unit grow with: the cycles of a product for each bit."""
    return point.bits * point.configured().core_cycles(point.bits)


def _entry(point: Point, figures: Mapping[str, float], beyond: float, near: Entry) -> Entry:
    """Return a prediction with the cycles of a multiplier's formula.

    Args:
        beyond: cycles that the port adds to those of the datapath.
    """
    if point.unit:
        share = _work(point) / _work(replace(point, bits=near.bits))
        counted: dict[str, Any] = {"cycles": round((near.cycles or 0) * share)}
        if near.sign_cycles:
            counted["sign_cycles"] = round(near.sign_cycles * share)
            counted["verify_cycles"] = round((near.verify_cycles or 0) * share)
    else:
        core = point.configured()
        cycles = core.core_cycles(point.bits)
        counted = {
            "core_cycles": cycles,
            "cycles": cycles + round(beyond),
            "interval": core.interval(point.bits),
            "multipliers": core.multipliers,
            "word_products": core.word_products(point.bits),
        }
    where: dict[str, Any] = {"wires": near.wires, "memory": near.memory}
    return point.entry(origin=ORIGIN, **_rounded(figures), **counted, **where)


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {
        name: round(value) if name in _WHOLE else round(value, 4) for name, value in figures.items()
    }


def _beyond(entry: Entry) -> int:
    return (entry.cycles or 0) - (entry.core_cycles or 0)


def _interpolated(series: Series, point: Point, near: tuple[int, int]) -> Entry:
    low, high = (series[width] for width in near)
    part = math.log(point.bits / near[0]) / math.log(near[1] / near[0])
    figures: dict[str, float] = {}
    for name in _FIGURES:
        ends = getattr(low, name), getattr(high, name)
        if None not in ends:
            figures[name] = _between(*ends, part)
    linear = (point.bits - near[0]) / (near[1] - near[0])
    return _entry(point, figures, _beyond(low) + (_beyond(high) - _beyond(low)) * linear, low)


def grown(near: Entry, point: Point) -> Entry:
    """Return a prediction from one width of the same configuration."""
    power, fixed = GROWTH.get(near.multiplier, ROW)
    times = (point.bits**power + fixed) / (near.bits**power + fixed)
    figures = {name: getattr(near, name) for name in _FIGURES}
    # The number of DSP blocks does not grow where that of the multipliers is a parameter.
    fixed_blocks = power == 1.0
    known = {
        name: value * times if name in _AREAS and not (name == "dsp" and fixed_blocks) else value
        for name, value in figures.items()
        if value is not None and name not in _UNSURE
    }
    more = FURTHER * max(0.0, abs(math.log2(point.bits / near.bits)) - 1)
    counted = {"cycles": 0.2} if point.unit else {}
    stated = {name: error for name, error in FROM_ONE.items() if name in known}
    errors = {name: round(error + more, 4) for name, error in {**stated, **counted}.items()}
    return replace(_entry(point, known, _beyond(near), near), errors=errors)


def deviations(found: Entry, wanted: Entry) -> dict[str, float]:
    """Return the relative deviations of a prediction's figures from measured ones."""
    names = [*_FIGURES, "cycles", "interval"]
    pairs = {name: (getattr(found, name), getattr(wanted, name)) for name in names}
    return {name: abs(one / other - 1) for name, (one, other) in pairs.items() if one and other}


def has_macros(point: Point) -> bool:
    """Tell whether a point has memories of macros."""
    beats = point.configured().beats(point.bits)
    return get_target(point.target).has_cells and beats >= _MACRO_WORDS


def predict(point: Point, series: Series) -> Entry:
    """Return a prediction from other widths of the same configuration, with its errors.

    Between two widths, the error of a figure is the deviation when a neighbour is left out and
    predicted from the others, the larger one if both have widths around them. Otherwise it is
    `FROM_ONE`. Points without macros are no evidence for those with, if there are others.

    Args:
        series: measured points by width, at least one, none of them at the width of the point.
    """
    alike = {
        bits: entry
        for bits, entry in series.items()
        if has_macros(replace(point, bits=bits)) == has_macros(point)
    }
    series = alike or series
    near = _neighbours(series, point.bits)
    if near is None:
        nearest = min(series, key=lambda bits: abs(math.log(point.bits / bits)))
        found = grown(series[nearest], point)
        other = {} if alike or "ge" not in found.errors else {"ge": _OTHER_MEMORIES}
        return replace(found, errors={**found.errors, **other})
    without = {
        width: {other: entry for other, entry in series.items() if other != width} for width in near
    }
    inner = [width for width in near if _neighbours(without[width], width)]
    largest: dict[str, float] = {}
    for width in inner or near:
        found = predict(replace(point, bits=width), without[width])
        for name, value in deviations(found, series[width]).items():
            largest[name] = max(largest.get(name, _LEAST), round(value, 4))
    return replace(_interpolated(series, point, near), errors=largest)


@dataclass
class Evidence:
    """What is measured, of present and of earlier sources."""

    series: dict[_Key, dict[int, Entry]] = field(default_factory=dict)

    @classmethod
    def of(cls, atlas: Atlas) -> "Evidence":
        """Return the points of an atlas that have cycles."""
        found = cls()
        for point, record in atlas.records.items():
            if record.entry.cycles:
                key = (point.core, point.settings, point.target)
                found.series.setdefault(key, {})[point.bits] = record.entry
        return found

    @cached_property
    def _targets(self) -> list[str]:
        """The targets, those with the most points first."""
        count: dict[str, int] = {}
        for (_, _, target), own in self.series.items():
            count[target] = count.get(target, 0) + len(own)
        return sorted(count, key=lambda target: -count[target])

    def _ratio(self, one: str, other: str, name: str) -> float | None:
        ratios = []
        for (core, settings, target), own in self.series.items():
            there = self.series.get((core, settings, other), {}) if target == one else {}
            for bits in own.keys() & there.keys():
                pair = getattr(own[bits], name), getattr(there[bits], name)
                ratios += [pair[0] / pair[1]] if all(pair) else []
        return statistics.median(ratios) if ratios else None

    def alike(self, point: Point, target: str) -> dict[int, Entry]:
        """Return the measured widths of a configuration, with the wires of the point."""
        own = self.series.get((point.core, point.settings, target), {})
        if not get_target(target).has_cells or not get_target(point.target).has_cells:
            return own
        # A placed netlist is timed without its wires too.
        bare = {
            bits: replace(entry, tmin_ns=entry.tmin_ns_no_wires, wires=NONE, tmin_flops_ns=None)
            for bits, entry in own.items()
            if point.wires == NONE and entry.tmin_ns_no_wires
        }
        return {
            **{bits: entry for bits, entry in own.items() if entry.wires == point.wires},
            **bare,
        }

    def predict(self, point: Point) -> Entry | None:
        """Return a prediction of a point, or None if nothing is known of its configuration."""
        own = self.alike(point, point.target)
        if own:
            return predict(point, own)
        on = get_target(point.target)
        figures = on.figures
        for target in self._targets:
            there = self.alike(point, target)
            if not there or set(get_target(target).figures).isdisjoint(figures):
                continue
            found = there.get(point.bits) or predict(replace(point, target=target), there)
            if found.dsp and on.technology.dsp is None:
                return None  # its tables for what blocks do elsewhere are not known
            if on.usual.memory == FLOPS and found.ge_flops:
                found = replace(found, ge=found.ge_flops, ge_memory=0.0, memory=FLOPS)
            known: dict[str, Any] = {}
            for name in _FIGURES:
                value, ratio = getattr(found, name), self._ratio(point.target, target, name)
                # An area is told without a ratio too; a clock and an energy are not.
                if value is not None and (ratio or name in _AREAS) and name in {*figures, "ff"}:
                    known[name] = value * (ratio or 1.0)
            same = ("core_cycles", "cycles", "interval", "multipliers", "word_products")
            more = {name: getattr(found, name) for name in (*same, "wires", "memory")}
            entry = point.entry(origin=ORIGIN, **{**_rounded(known), **more})
            counted = {"cycles": found.errors["cycles"]} if "cycles" in found.errors else {}
            return replace(entry, errors={**dict.fromkeys(known, ELSEWHERE), **counted})
        return None


def _multiplier(unit: Point) -> Point:
    """Return the point of a unit's multiplier."""
    settings = tuple(item for item in unit.settings if item[0] != BELOW)
    return Point(unit.configured().name, settings, unit.bits, unit.target, unit.wires)


def _over_multiplier(evidence: Evidence, point: Point) -> Entry | None:
    """Return what is known of a unit on a target that has no unit, from its multiplier there.

    Its area is as many times the multiplier's as on other targets; its cycles are from the nearest
    width on any target or, if there are none over this multiplier, a median number of products.
    """
    below = _multiplier(point)
    found = evidence.alike(below, point.target).get(point.bits) or evidence.predict(below)
    units = {
        Point(core, settings, bits, target): entry
        for (core, settings, target), series in evidence.series.items()
        if core == point.core
        for bits, entry in series.items()
    }
    if found is None or not units:
        return None
    own = [there for there in units if there.settings == point.settings]
    own.sort(key=lambda there: abs(math.log(there.bits / point.bits)))
    shares = [(units[there].cycles or 0) / _work(there) for there in own[:1] or units]
    cycles = round(_work(point) * statistics.median(shares))
    parts = []
    for there in own or units:
        part = evidence.alike(_multiplier(there), there.target).get(there.bits)
        parts += [(units[there].area or 0.0) / part.area] if part and part.area else []
    times = {name: statistics.median(parts) if parts else 1.0 for name in ("ge", "lut", "ff")}
    known = {name: getattr(found, name) for name in _AREAS if name != "ge_flops"}
    areas = {key: one * times.get(key, 1.0) for key, one in known.items() if one is not None}
    more = {name: getattr(found, name) for name in (*_CLOCKS, "wires", "memory")}
    entry = point.entry(origin=ORIGIN, cycles=cycles, **_rounded(areas), **more)
    return replace(entry, errors=dict.fromkeys((*areas, "cycles"), ELSEWHERE))


def predictions(atlas: Atlas, bits: int, **chosen: Any) -> list[Entry]:
    """Return predictions of those points of a `survey` that the atlas does not have."""
    evidence = Evidence.of(atlas)
    try:
        points = survey(bits, **chosen).points
    except WidthError:
        return []
    found = []
    for point in points:
        if point in atlas.records:
            continue
        try:
            entry = evidence.predict(point)
            if entry is None and point.unit:
                entry = _over_multiplier(evidence, point)
        except RequestError:  # a width that the configuration does not support
            continue
        if entry is not None:
            found.append(entry)
    return found
