# SPDX-License-Identifier: Apache-2.0
"""Ranking of the cores at 256 bits in docs/cores.md, including wires and memory.

The table of `montcore_lab.pages.overview` counts only cells, with memories as macros. This one has
each configuration placed, with wires and clock tree, with memories as macros and as flip-flops,
sorted by area x time. The plot of docs/cores.md and the site's choice of a core show the same
figures.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.cores import all_cores, get_core
from montcore.support.paths import REPO_ROOT
from montcore.synth.options import FLOPS, PLACED
from montcore_lab.checkout.markdown import Part, prose
from montcore_lab.checkout.markdown import table as markdown_table
from montcore_lab.pages import libraries
from montcore_lab.pages.overview import (
    BITS,
    PAGE,
    STALE,
    TARGETS,
    FigureColumns,
    entries,
    header,
    row,
)
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.subject import PointSubject

#: The standard-cell target, for which wires are counted.
TARGET = TARGETS[0]
#: The described library whose points stand beside in the picture.
DESCRIBED = "sg13g2"
PICTURE = REPO_ROOT / "docs" / "images" / f"cores-{BITS}"
MARKS = ("<!-- ranking:begin -->", "<!-- ranking:end -->")
#: Figures with memories as flip-flops, then as macros.
FIGURES: FigureColumns = (
    ("kGE", "ge_flops", "{:.1f}", 1e3),
    ("Tmin ns", "tmin_flops_ns", "{:.2f}", 1),
    ("kGE x us", "kge_us_flops", "{:.1f}", 1),
    ("sustained", "kge_us_flops_sustained", "{:.1f}", 1),
    ("kGE, macros", "ge", "{:.1f}", 1e3),
    ("memory kGE", "ge_memory", "{:.1f}", 1e3),
    ("Tmin ns", "tmin_ns", "{:.2f}", 1),
    ("without wires", "tmin_ns_no_wires", "{:.2f}", 1),
    ("kGE x us", "kge_us", "{:.1f}", 1),
    ("sustained", "kge_us_sustained", "{:.1f}", 1),
    ("nJ", "energy_nj", "{:.0f}", 1),
)
#: Area x time of one product with each kind of memory, by which cores are put in order.
MACROS, FLIP_FLOPS = "kge_us", "kge_us_flops"


@dataclass(frozen=True)
class PlacedSubject(PointSubject):
    """A core placed on the ASIC target, with memories as macros and again as flip-flops."""

    kept: ClassVar[tuple[str, ...]] = (
        *("tmin_ns_no_wires", "tmin_in_ns", "tmin_out_ns", "ge_flops", "tmin_flops_ns"),
        *PointSubject.kept,
    )


def subjects() -> list[PlacedSubject]:
    """Return every configuration of the table."""
    return [
        PlacedSubject(point.core, point.settings, BITS, TARGET, PLACED)
        for core in all_cores().values()
        for configured in core.points(BITS)
        for point in [Point.of_core(configured, TARGET)]
    ]


def _area_time(entry: Entry, figure: str) -> float:
    """Return the sort key, area x time of one product; infinite if unknown."""
    value = entry.figures()[figure]
    return math.inf if value is None else float(value)


def table(ledger: Ledger, stale: frozenset[str]) -> list[list[str]]:
    """Return the cells of every configuration, sorted by area x time of one product.

    Args:
        ledger: the figures.
        stale: the commands of the subjects that are out of date.
    """
    figures = ledger.figures()
    every = [(subject.entry(figures), subject.command in stale) for subject in subjects()]
    every.sort(key=lambda item: _area_time(item[0], FLIP_FLOPS))
    return [row(entry, entry.figures(), outdated, FIGURES) for entry, outdated in every]


def order(ledger: Ledger, figure: str) -> list[str]:
    """Return the names of the measured cores by their best configuration, best first.

    Args:
        ledger: the figures.
        figure: `MACROS` or `FLIP_FLOPS`.
    """
    best: dict[str, float] = {}
    for entry, _ in entries(ledger, subjects()):
        area_time = _area_time(entry, figure)
        if area_time < best.get(entry.core, math.inf):
            best[entry.core] = area_time
    return sorted(best, key=best.__getitem__)


def block(ledger: Ledger, stale: frozenset[str]) -> str:
    """Return the table in Markdown, with its explanation and the command that generates it."""
    macro, flops, first = order(ledger, MACROS), order(ledger, FLIP_FLOPS), subjects()[0]
    lines = [
        f"The same configurations placed, {BITS} bits, 180 nm, sorted by kGE x us of one product.",
        "Area, clock and energy include wires, buffers and the clock tree; Tmin is register to",
        "register. The first four figures are with memories as flip-flops, the others with a model",
        'of memory macros. "Without wires" is Tmin of the same placed netlist, timed without its',
        "wires. nJ: a product, sustained, without glitches and memory macros.",
        "[Measuring](measuring.md) says how wires and macros are estimated.",
        "",
        *markdown_table(header(FIGURES, "core", "parameters"), table(ledger, stale)),
        "",
        prose(
            "The measured cores in the order of their best configuration: with memories as "
            f"flip-flops {', '.join(flops)}; with a model of macros {', '.join(macro)}."
        ),
        "",
        prose(
            f"A dash means that the figure is not measured. The row of {first.core} is measured by "
            f"`{first.command}`; `--memory flops` makes its memories flip-flops."
        ),
    ]
    if stale:
        lines += ["", f"{STALE} Measured on earlier sources, or with an earlier flow."]
    return "\n".join(lines)


def parts(ledger: Ledger) -> list[Part]:
    """Return the table of the page."""
    return [Part(PAGE, block(ledger, ledger.outdated(subjects())), MARKS)]


def draw(ledger: Ledger) -> None:
    """Draw the plot of the page, if anything is measured."""
    from montcore.compare.pictures import area_time  # matplotlib takes a second to load
    from montcore.support.plots import save

    ours = [_with_flip_flops(entry) for entry, _ in entries(ledger, subjects())]
    described = [
        _described(item)
        for item in libraries.load().values()
        if (item.library, item.wires) == (DESCRIBED, PLACED)
    ]
    panels = [panel for panel in ([e for e in ours if e.ge], described) if panel]
    if panels:
        save(area_time(panels[0], BITS, *panels[1:]), PICTURE)


def _with_flip_flops(entry: Entry) -> Entry:
    """Return a point with its memories as flip-flops."""
    return replace(
        entry, ge=entry.ge_flops, ge_memory=0.0, tmin_ns=entry.tmin_flops_ns, memory=FLOPS
    )


def _described(item: libraries.LibraryFigures) -> Entry:
    core, *pairs = item.core.split()
    settings = dict(pair.split("=") for pair in pairs)
    return Entry(
        core,
        settings,
        BITS,
        item.library,
        ge=1e3 * item.kge,
        tmin_ns=item.tmin_ns,
        cycles=item.cycles,
        interval=get_core(core).configure(settings, BITS).interval(BITS),
        wires=item.wires,
        memory=FLOPS,
    )
