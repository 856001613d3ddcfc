# SPDX-License-Identifier: Apache-2.0
"""Figures 7 and 8 of karatsuba-2018, drawn with our designs added to those of its Table 5."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from montcore.support.paths import REPO_ROOT
from montcore.synth.target import get_target
from montcore_lab.papers.base import Chart, Column, Line, Panel, Row
from montcore_lab.papers.colours import CITED, OURS, PAPER
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.subject import POINT_FIGURES, Figures, PointSubject

PICTURE = REPO_ROOT / "docs" / "images" / "karatsuba-designs"
KINDS = {1: "FP", 2: "DFP"}
#: The paper's size in Figures 7 and 8.
_BITS = 256


class EnergySubject(PointSubject):
    """A core on a target with energy figures; the energy per product is kept too."""

    kept = (*POINT_FIGURES, "energy_nj")


def core_row(depth: int, bits: int, target: str, schedule: str) -> Row:
    """Return our row: the complete core."""
    settings = (("depth", str(depth)), ("schedule", schedule))
    subject = EnergySubject if get_target(target).has_cells else PointSubject
    return Row(
        "montcore",
        f"{KINDS[depth]} schedule={schedule}",
        target,
        {"bits": bits},
        subject("karatsuba", settings, bits, target),
    )


def published_rows() -> tuple[Row, ...]:
    """Return the rows of Table 5."""
    return tuple(
        Row("paper", item.name, item.device, item.figures()) for item in karatsuba2018.TABLE_5
    )


def _lines(ours: Iterable[tuple[str, int, str]], tables: str = "") -> tuple[Line, ...]:
    """Return the designs of Table 5 and ours (target, bits, schedule), those of 256 bits first.

    `tables` names our target's look-up tables if they differ from those of the other designs.
    """
    found: dict[tuple[str, str], list[tuple[str, Row]]] = {}
    for row in published_rows():
        who = ("the paper", PAPER) if "this paper" in row.what else ("designs that it cites", CITED)
        found.setdefault(who, []).append((f"{row.what}, {row.figures['bits']} bits", row))
    for target, bits, schedule in ours:
        row = core_row(1, bits, target, schedule)
        label = f"{schedule}, {target}{tables}, {bits} bits"
        found.setdefault(("ours", OURS), []).append((f"ours, {label}", row))
    return tuple(
        Line(name + suffix, colour, points)
        for suffix, wide in ((f", {_BITS} bits", True), (", fewer bits", False))
        for (name, colour), every in found.items()
        if (points := tuple(p for p in every if ((p[1].figures["bits"] or 0) >= _BITS) == wide))
    )


THROUGHPUT = Chart(
    "Figure 7: throughput",
    (Panel(Column("throughput in Mbit/s (more is better)", "mbit_s"), logarithmic=True),),
    _lines(
        (
            *((target, 192, "paper") for target in ("ecp5", "osu018")),
            ("osu018", 192, "fast"),
            ("ecp5", _BITS, "paper"),
            *(("osu018", _BITS, schedule) for schedule in ("paper", "lean", "fast")),
        )
    ),
    "The other designs as in Table 5, on Virtex-6 except [20] on Virtex-II Pro; the paper plots "
    "256 bits. Ours on ECP5 are placed and routed, those of osu018 (180 nm) without wires; on "
    "Virtex-6 ours has no clock. Our throughput is for back-to-back products, one per interval.",
)
AREA_TIME = Chart(
    "Figure 8: area times delay",
    (
        Panel(
            Column("thousands of LUT times us (less is better)", "klut6_us", "{:.2f}"),
            ("klut4_us",),
        ),
    ),
    _lines((("ecp5", 192, "paper"), ("ecp5", _BITS, "paper")), " (LUT4)"),
    "The other designs as in Table 5, in look-up tables of six inputs. Ours is on ECP5, the only "
    "FPGA here with a clock; its tables have four inputs, so a circuit needs more of them. DSP "
    "blocks are not counted for any design.",
)


@dataclass(frozen=True)
class Bar:
    """One bar: label, colour, height."""

    label: str
    colour: str
    value: float


def bars_of(chart: Chart, measured: Mapping[str, Figures]) -> list[Bar]:
    """Return the bars of a figure, for the designs with known values."""
    found = []
    for line in chart.lines:
        for label, row in line.points:
            values = row.values(measured)
            value = chart.panels[0].value(row, values) if values else None
            if value is not None:
                found.append(Bar(label, line.colour, value))
    return found


def draw(figures: Mapping[str, Figures]) -> list[Path]:
    """Draw both figures.

    Args:
        figures: measured figures by the command of their subject.

    Returns:
        the PNG.
    """
    import matplotlib  # takes a second to load
    from matplotlib import pyplot

    from montcore.support.plots import STYLE, save

    with matplotlib.rc_context({**STYLE, "axes.grid.axis": "x"}):
        picture, axes = pyplot.subplots(1, 2, figsize=(13, 6.5), layout="constrained")
        for axis, title, bars, form in (
            (
                axes[0],
                "Figure 7: throughput in Mbit/s (more is better)",
                bars_of(THROUGHPUT, figures),
                "%.0f",
            ),
            (axes[1], "Figure 8: kLUT x us (less is better)", bars_of(AREA_TIME, figures), "%.2f"),
        ):
            names = [bar.label for bar in bars]
            drawn = axis.barh(
                names, [bar.value for bar in bars], color=[bar.colour for bar in bars]
            )
            axis.bar_label(drawn, fmt=form, fontsize=8, padding=2, color="#333333")
            axis.invert_yaxis()
            axis.tick_params(axis="y", labelsize=8, length=0)
            axis.set_title(title)
        axes[0].set_xscale("log")
        axes[0].set_xlim(100, 200_000)
        axes[1].margins(x=0.1)
        picture.supxlabel(
            "Others: Table 5, Virtex-6 except [20]. Ours: ecp5 placed and routed, osu018 180 nm "
            "without wires; on Virtex-6 ours has no clock.",
            fontsize=8.5,
            color="#555555",
        )
    return save(picture, PICTURE)
