# SPDX-License-Identifier: Apache-2.0
"""The plots of a comparison: area against time with the Pareto front."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from montcore.compare.budget import pareto
from montcore.compare.entry import Entry
from montcore.compare.marks import axes_of, limits, marks_of, ticks
from montcore.support.plots import BOTH, STYLE, save
from montcore.synth.options import PLACED


def draw(entries: Sequence[Entry], bits: int, folder: Path) -> list[Path]:
    """Write PNG and SVG of every plot that has points enough to show more than the table."""
    good = [entry for entry in entries if entry.status == "ok"]
    written: list[Path] = []
    for target in dict.fromkeys(entry.target for entry in good):
        points = [entry for entry in good if entry.target == target]
        if len(points) > 2:
            written += save(area_time(points, bits), folder / f"area-time-{target}", BOTH)
    pyplot.close("all")
    return written


def area_time(points: Sequence[Entry], bits: int, *beside: Sequence[Entry]) -> Figure:
    """Draw all points of one target, area against time, both logarithmic, with the front.

    Args:
        beside: points of other targets, each in a panel of its own with the same axes.
    """
    panels = points, *beside
    axes_names = axes_of(panels[0][0].target, panels[0])
    with matplotlib.rc_context(STYLE):
        size = (9, 6) if len(panels) == 1 else (6.5 * len(panels), 5.5)
        figure, grid = pyplot.subplots(
            1, len(panels), figsize=size, layout="constrained", squeeze=False
        )
        marks = marks_of([entry.multiplier for panel in panels for entry in panel])
        values = [entry.figures() for panel in panels for entry in panel]
        fronts = []
        for axes, panel in zip(grid[0], panels, strict=True):
            fronts.append(_plot(axes, panel, bits, axes_names, marks))
            for axis, name in ((axes.xaxis, axes_names[0]), (axes.yaxis, axes_names[1])):
                _scale(axis, [figures[name] for figures in values if figures[name]])
        grid[0][0].set_ylabel(axes_names[3])
        grid[0][0].legend()
        figure.draw_without_rendering()  # fixes the places of the dots, which labels must not meet
        for axes, front in zip(grid[0], fronts, strict=True):
            _label_front(axes, *front)
    return figure


def _scale(axis: Axis, values: Sequence[float]) -> None:
    if values:
        axis.set_view_interval(*limits(values), ignore=True)
        axis.set_major_locator(FixedLocator(ticks(*limits(values))))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))


def _plot(
    axes: Axes,
    points: Sequence[Entry],
    bits: int,
    names: tuple[str, str, str, str],
    marks: Mapping[str, Any],
) -> tuple[list[tuple[float, float, str]], list[tuple[float, float]]]:
    """Draw a panel; return the points of its front with their labels, and all points."""
    time, area, time_title, _ = names
    placed = [
        (figures[time], figures[area], entry)
        for entry in points
        if (figures := entry.figures())[time] and figures[area]
    ]
    front = pareto(points, time, area)
    on_front = {id(entry) for entry in front}
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", axis="both")
    for core, mark in marks.items():
        shown = [item for item in placed if item[2].multiplier == core]
        axes.scatter(
            [x for x, _, _ in shown],
            [y for _, y, _ in shown],
            s=46,
            color=mark["colour"],
            marker=mark["marker"],
            linewidths=[1.0 if id(e) in on_front else 0.5 for *_, e in shown],
            edgecolors=["black" if id(e) in on_front else "white" for *_, e in shown],
            label=core,
            zorder=3,
        )
    places = [(x, y, entry.label) for x, y, entry in placed if id(entry) in on_front]
    places.sort(key=lambda place: (place[0], -place[1]))
    axes.plot(
        [x for x, _, _ in places],
        [y for _, y, _ in places],
        color="black",
        linewidth=1,
        # Down first, then to the right: points that equal the front in one figure lie above or
        # to the right of this line, never on it.
        drawstyle="steps-pre",
        label="Pareto front",
    )
    axes.set_xlabel(time_title)
    what = f"{points[0].core}, {bits} bits," if points[0].unit else f"{bits}-bit products"
    wires = ", with wires" if {entry.wires for entry in points} == {PLACED} else ""
    axes.set_title(f"{what} on {points[0].target}{wires}: lower left is better")
    return places, [(x, y) for x, y, _ in placed]


def _label_front(
    axes: Axes, places: Sequence[tuple[float, float, str]], points: Sequence[tuple[float, float]]
) -> None:
    for number, (x, y, text) in enumerate(places):
        # Right of the middle a label is placed left of its point, so that it stays inside the plot.
        usual = 2 * number >= len(places)
        others = [axes.transData.transform(point) for point in points if point != (x, y)]
        last = (usual, 16)
        for left, up in ((usual, -12 if usual else 6), (not usual, -12), last):
            label = axes.annotate(
                text,
                (x, y),
                xytext=(-7 if left else 7, up),
                textcoords="offset points",
                ha="right" if left else "left",
                fontsize=7.5,
                color="#333333",
            )
            box = label.get_window_extent().padded(5)
            if not any(box.contains(*dot) for dot in others) or (left, up) == last:
                break
            label.remove()
