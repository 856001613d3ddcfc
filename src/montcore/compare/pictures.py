# SPDX-License-Identifier: Apache-2.0
"""The plots of a comparison: area against time with the Pareto front, cycles, utilisation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from montcore.compare.budget import pareto
from montcore.compare.entry import Entry
from montcore.plots import STYLE, save

#: Okabe and Ito: colours that people with any colour vision tell apart; black is the front.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#666666")


def colour_of(cores: Sequence[str]) -> dict[str, str]:
    """Return a colour for each core, the same in every picture of a comparison."""
    names = sorted(set(cores))
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}


def axes_of(target: str, entries: Sequence[Entry]) -> tuple[str, str, str, str]:
    """Return the figures and titles of a target's area-time plot: time, area, their titles."""
    timed = any(entry.period_ns is not None for entry in entries if entry.target == target)
    gates = any(entry.ge is not None for entry in entries if entry.target == target)
    time = (
        ("interval_us", "us between results") if timed else ("interval", "cycles between results")
    )
    area = ("area", "GE, memory included" if gates else "LUT + 100 DSP")
    return time[0], area[0], time[1], area[1]


def draw(entries: Sequence[Entry], bits: int, folder: Path) -> list[Path]:
    """Write PNG and SVG of every plot that has a point; return the paths."""
    good = [entry for entry in entries if entry.status == "ok"]
    written: list[Path] = []
    for target in dict.fromkeys(entry.target for entry in good):
        points = [entry for entry in good if entry.target == target]
        written += save(area_time(points, bits), folder / f"area-time-{target}")
    if good:
        written += save(_bars(good, bits), folder / "cycles")
    pyplot.close("all")
    return written


def area_time(points: Sequence[Entry], bits: int) -> Figure:
    """Draw every point of one target, time against area, both logarithmic, with the front."""
    target = points[0].target
    time, area, time_title, area_title = axes_of(target, points)
    colours = colour_of([entry.core for entry in points])
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(9, 6), layout="constrained")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.grid(True, which="major", axis="both")
        for core, colour in colours.items():
            shown = [entry.figures() for entry in points if entry.core == core]
            places = [(f[time], f[area]) for f in shown if f[time] and f[area]]
            xs, ys = [place[0] for place in places], [place[1] for place in places]
            axes.scatter(xs, ys, s=42, color=colour, label=core, zorder=3)
        front = [(entry, entry.figures()) for entry in pareto(points, time, area)]
        axes.plot(
            [f[time] for _, f in front],
            [f[area] for _, f in front],
            color="black",
            linewidth=1,
            drawstyle="steps-post",
            label="Pareto front",
        )
        _label_front(axes, [(f[time], f[area], entry.label) for entry, f in front])
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
            axis.set_minor_formatter(NullFormatter())
        axes.set_xlabel(time_title)
        axes.set_ylabel(area_title)
        axes.set_title(f"{bits}-bit products on {target}: lower left is better")
        axes.legend()
    return figure


def _label_front(axes: Axes, places: Sequence[tuple[float, float, str]]) -> None:
    """Name the points of the front, which run from the upper left to the lower right."""
    for number, (x, y, text) in enumerate(places):
        # Right of the middle a name goes to the left of its point, so that it stays inside.
        left = 2 * number >= len(places)
        axes.annotate(
            text,
            (x, y),
            xytext=(-7, -12) if left else (7, 6),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=7.5,
            color="#333333",
        )


def _bars(entries: Sequence[Entry], bits: int) -> Figure:
    """Draw cycles (latency and interval) and multiplier utilisation of each configuration."""
    unique: dict[str, Entry] = {entry.label: entry for entry in entries}
    shown: list[Any] = sorted(unique.values(), key=lambda entry: entry.interval or 0)
    names = [entry.label for entry in shown]
    rows = range(len(shown))
    with matplotlib.rc_context({**STYLE, "axes.grid.axis": "x"}):
        figure, (left, right) = pyplot.subplots(
            1, 2, figsize=(12, 1.6 + 0.34 * len(shown)), layout="constrained", sharey=True
        )
        left.barh(
            [r - 0.2 for r in rows], [e.core_cycles for e in shown], 0.38, label="one product"
        )
        left.barh(
            [r + 0.2 for r in rows],
            [e.interval for e in shown],
            0.38,
            label="between results",
            color=COLOURS[4],
        )
        left.set_xscale("log")
        left.set_yticks(list(rows), names, fontsize=8)
        left.invert_yaxis()
        left.set_title(f"cycles of a {bits}-bit product")
        left.legend()
        used = [(e.derived()["utilisation_sustained"] or 0.0) * 100 for e in shown]
        right.barh(list(rows), used, 0.6, color="#009e73")
        right.set_xlim(0, 105)
        right.set_title("multiplier utilisation, sustained (%)")
    return figure
