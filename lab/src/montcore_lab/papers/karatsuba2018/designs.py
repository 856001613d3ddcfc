# SPDX-License-Identifier: Apache-2.0
"""Figures 7 and 8 of karatsuba-2018, with our designs added to those of its Table 5."""

from collections.abc import Iterable

from montcore_lab.papers.base import Chart, Column, Line, Panel, Row, point_row
from montcore_lab.papers.colours import CITED, OURS, PAPER
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018

KINDS = {1: "FP", 2: "DFP"}
#: The paper's size in Figures 7 and 8.
_BITS = 256


def core_row(depth: int, bits: int, target: str, schedule: str) -> Row:
    """Return our row: the complete core."""
    settings = (("depth", str(depth)), ("schedule", schedule))
    return point_row("karatsuba", settings, bits, target, f"{KINDS[depth]} schedule={schedule}")


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
