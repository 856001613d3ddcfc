# SPDX-License-Identifier: Apache-2.0
"""Axes, ticks, colours and markers of a comparison, the same in plots and in the report."""

import math
from collections.abc import Sequence

from montcore.compare.entry import Entry
from montcore.cores import get_core

#: Colours of Okabe and Ito, distinguishable with any colour vision; black is the front.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#666666")
#: Matplotlib's names. Their number is coprime to the number of colours, so that no two of 56 cores
#: share both.
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

#: Fewest labelled ticks of an axis.
_FEWEST = 3


def mark_of(core: str) -> dict[str, str]:
    """Return colour and marker of a core; they are the same in every report."""
    number = get_core(core).mark
    return {"colour": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}


def marks_of(cores: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return colour and marker of each of several cores, by name in alphabetical order."""
    return {name: mark_of(name) for name in sorted(set(cores))}


def axes_of(target: str, entries: Sequence[Entry]) -> tuple[str, str, str, str]:
    """Return the figures and titles of a target's area-time plot: time, area, their titles."""
    own = [entry for entry in entries if entry.target == target]
    timed = any(entry.period_ns is not None for entry in own)
    gates = any(entry.ge is not None for entry in own)
    # A unit performs one operation at a time.
    if any(entry.interval is not None for entry in own):
        time = ("interval", "between results")
    else:
        time = ("latency" if timed else "cycles", "an operation")
    time = (f"{time[0]}_us", f"us {time[1]}") if timed else (time[0], f"cycles {time[1]}")
    area = ("area", "GE, memory included" if gates else "LUT + 100 DSP")
    return time[0], area[0], time[1], area[1]


def limits(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of a logarithmic axis: all values, with a margin of a quarter."""
    return min(values) / 1.25, max(values) * 1.25


def ticks(low: float, high: float) -> list[float]:
    """Return the ticks of a logarithmic axis, three or more: 1, 2, 5 where enough of them fit.

    The script of the report has the same rule.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    found = [
        factor * 10.0**power
        for power in range(first, last + 1)
        for factor in (1, 2, 5)
        if low <= factor * 10.0**power <= high
    ]
    power = last
    while len(found) < _FEWEST:  # less than a decade: even steps, as wide as possible
        for factor in (5, 2, 1):
            step = factor * 10.0**power
            found = [step * n for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
            if len(found) >= _FEWEST:
                break
        power -= 1
    return found
