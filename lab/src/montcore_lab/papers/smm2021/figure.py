# SPDX-License-Identifier: Apache-2.0
"""Figures 7 and 8 of smm-2021, drawn with our results and the paper's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import matplotlib
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from montcore.support.plots import STYLE
from montcore.synth import options
from montcore_lab.papers.colours import OURS, OURS_PAPER, PAPER
from montcore_lab.papers.smm2021 import published as smm2021

#: Memory, in a lighter shade than our bars, on which it is stacked.
MEMORY = "#9ecae1"


@dataclass(frozen=True)
class PlottedPoint:
    """Figures of `smm` with one number of processing elements, for products of 256 bits.

    Attributes:
        npe: number of processing elements.
        core_cycles: cycles of our fast schedule.
        paper_cycles: cycles of the paper's schedule in our RTL.
        paper_ge: area of the paper's schedule with our elements, excluding memory macros.
        paper_ge_memory: its memory macros.
        paper_tmin_ns: its shortest clock period.
        interval: cycles between results of our fast schedule.
        ge: area in gate equivalents, excluding memory macros.
        ge_memory: memory macros in gate equivalents.
        tmin_ns: shortest clock period.
    """

    npe: int
    core_cycles: int
    paper_cycles: int
    paper_ge: float
    paper_ge_memory: float
    paper_tmin_ns: float
    interval: int
    ge: float
    ge_memory: float
    tmin_ns: float

    @property
    def area(self) -> float:
        """Cells and memory together, in gate equivalents."""
        return self.ge + self.ge_memory

    @property
    def kge_us(self) -> float:
        """Area times time of one product from start to done, as in the paper, in kGE us."""
        return self.area * self.tmin_ns * self.core_cycles / 1e6

    @property
    def paper_kge_us(self) -> float:
        """Area times time of one product with the paper's schedule and our elements, in kGE us."""
        area = self.paper_ge + self.paper_ge_memory
        return area * self.paper_tmin_ns * self.paper_cycles / 1e6

    @property
    def kge_us_sustained(self) -> float:
        """Area times time between results, in kGE us."""
        return self.area * self.tmin_ns * self.interval / 1e6

    @property
    def per_second_per_ge(self) -> float:
        """Products per second and gate equivalent, at the shortest period, back to back."""
        return 1e9 / (self.tmin_ns * self.interval * self.area)


def paper_kge(npe: int) -> float:
    """Return the paper's logic and memory in kGE, with our cost of a memory bit."""
    found = smm2021.column(npe)
    return found.kge + options.GE_PER_MEMORY_BIT * found.ram_kbits


def paper_kge_us(npe: int, length: int = 256) -> float:
    """Return the paper's own area times time of one product in kGE us, at its 9 ns."""
    found = smm2021.column(npe)
    cycles = found.cycles_at(length)
    assert cycles is not None, f"the paper has no {length}-bit product for npe {npe}"
    return paper_kge(npe) * cycles * smm2021.TMIN_NS / 1e3


def paper_per_second_per_ge(npe: int) -> float:
    """Return the paper's products per second and gate equivalent, at its 9 ns (256 bits)."""
    found = smm2021.column(npe)
    cycles = found.cycles_at(256)
    assert cycles is not None
    return 1e9 / (cycles * smm2021.TMIN_NS * paper_kge(npe) * 1e3)


def npe_figure(points: Sequence[PlottedPoint]) -> Figure:
    """Return the picture of cycles, area, area times time and throughput over npe."""
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(2, 2, figsize=(11, 8), layout="constrained")
        _cycles(axes[0][0], points)
        _area(axes[0][1], points)
        _area_time(axes[1][0], points)
        _per_ge(axes[1][1], points)
        for axis in axes.flat:
            axis.set_xticks([point.npe for point in points])
            axis.set_xlabel("processing elements (npe)")
            axis.tick_params(length=0)
        figure.suptitle(
            "smm, built for 521 bits, w = 32: a product of 256 bits",
            x=0.01,
            ha="left",
            fontsize=14,
            fontweight="bold",
        )
        figure.supxlabel(
            "ours: cycles by RTL simulation, start to done; osu018 180 nm, Yosys and OpenSTA, no "
            "wires.\nThe paper: its Table 1, another 180 nm library, 9 ns.  Lower plots: memory of "
            "both at 1.5 GE a bit.",
            fontsize=8.5,
            color="#555555",
        )
    return figure


def _bars(
    axis: Axes,
    points: Sequence[PlottedPoint],
    series: Sequence[tuple[str, str, Callable[[PlottedPoint], float | None]]],
    form: str,
    clearance: float = 1.0,
) -> None:
    """Draw groups of bars with their values on top; a series is (label, colour, value)."""
    width = 0.82 / len(series)
    for place, (label, colour, value) in enumerate(series):
        offset = (place - (len(series) - 1) / 2) * width
        shown = [(point.npe, value(point)) for point in points]
        places = [npe + offset for npe, height in shown if height is not None]
        heights = [height for _, height in shown if height is not None]
        bars = axis.bar(places, heights, width * 0.94, color=colour, label=label)
        axis.bar_label(
            bars, fmt=form, fontsize=7.5, padding=1.5, color="#333333", rotation=90 * (width < 0.3)
        )
    axis.margins(x=0.02)
    axis.set_ylim(0, axis.get_ylim()[1] * clearance)


def _cycles(axis: Axes, points: Sequence[PlottedPoint]) -> None:
    axis.set_title("Cycles of a product")
    series: list[tuple[str, str, Callable[[PlottedPoint], float | None]]] = [
        ("ours, fast schedule", OURS, lambda point: point.core_cycles),
        ("ours, the paper's schedule", OURS_PAPER, lambda point: point.paper_cycles),
        ("the paper", PAPER, lambda point: smm2021.column(point.npe).cycles_at(256)),
    ]
    _bars(axis, points, series, "%d", 1.12)
    axis.legend(loc="upper right")


def _area(axis: Axes, points: Sequence[PlottedPoint]) -> None:
    axis.set_title("Area in kGE")
    npes = [point.npe for point in points]
    logic = [point.ge / 1e3 for point in points]
    memory = [point.ge_memory / 1e3 for point in points]
    paper = [smm2021.column(npe).kge for npe in npes]
    width, shift = 0.26, 0.275
    ours = [npe - shift for npe in npes]
    axis.bar(ours, logic, width, color=OURS, label="ours, fast schedule, logic (the number)")
    axis.bar(ours, memory, width, bottom=logic, color=MEMORY, label="its memory macros on top")
    same = [point.paper_ge / 1e3 for point in points]
    label = "ours, the paper's schedule, without memory"
    between = axis.bar(npes, same, width, color=OURS_PAPER, label=label)
    theirs = axis.bar(
        [npe + shift for npe in npes], paper, width, color=PAPER, label="the paper, without memory"
    )
    for bars in (between, theirs):
        axis.bar_label(bars, fmt="%.0f", fontsize=7.5, padding=1.5, color="#333333")
    for x, below, above in zip(ours, logic, memory, strict=True):
        _mark(axis, x, below + above, f"{below:.0f}", "#333333", 2.5)
    axis.margins(x=0.02)
    axis.set_ylim(0, 1.12 * axis.get_ylim()[1])
    axis.legend(loc="upper left")


def _area_time(axis: Axes, points: Sequence[PlottedPoint]) -> None:
    axis.set_title("Area x time of a product in kGE us (less is better)")
    axis.plot(
        [point.npe for point in points],
        [paper_kge_us(point.npe) for point in points],
        "o-",
        color=PAPER,
        label="the paper, at 9 ns",
    )
    axis.plot(
        [point.npe for point in points],
        [point.paper_kge_us for point in points],
        "o-",
        color=OURS_PAPER,
        label="ours, the paper's schedule, at its Tmin",
    )
    axis.plot(
        [point.npe for point in points],
        [point.kge_us for point in points],
        "o-",
        color=OURS,
        label="ours, fast schedule, start to done, at its Tmin",
    )
    axis.plot(
        [point.npe for point in points],
        [point.kge_us_sustained for point in points],
        "o--",
        color=OURS,
        markerfacecolor="white",
        label="the same back to back",
    )
    for point in points:
        _mark(axis, point.npe, paper_kge_us(point.npe), f"{paper_kge_us(point.npe):.0f}", PAPER, 8)
        _mark(axis, point.npe, point.kge_us_sustained, f"{point.kge_us:.1f}", OURS, -14)
    axis.set_ylim(0, 1.45 * max(paper_kge_us(point.npe) for point in points))
    axis.legend(loc="upper right")


def _per_ge(axis: Axes, points: Sequence[PlottedPoint]) -> None:
    axis.set_title("Products per second per GE (more is better)")
    _bars(
        axis,
        points,
        [
            ("ours, back to back at our Tmin", OURS, lambda point: point.per_second_per_ge),
            ("the paper, at 9 ns", PAPER, lambda point: paper_per_second_per_ge(point.npe)),
        ],
        "%.0f",
        1.2,
    )
    axis.legend(loc="upper left")


def _mark(axis: Axes, x: float, y: float, text: str, colour: str, above: float) -> None:
    axis.annotate(
        text,
        (x, y),
        xytext=(0, above),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=colour,
    )
