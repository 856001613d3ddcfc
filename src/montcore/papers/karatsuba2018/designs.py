# SPDX-License-Identifier: Apache-2.0
"""Figures 7 and 8 of karatsuba-2018, drawn with ours beside the designs of its Table 5."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from montcore.papers.karatsuba2018 import published as karatsuba2018
from montcore.papers.subject import Figures
from montcore.support.paths import REPO_ROOT

PICTURE = REPO_ROOT / "docs" / "images" / "karatsuba-designs"
#: Colours that people with any colour vision tell apart (Okabe and Ito).
OURS, PAPER, CITED = "#0072b2", "#d55e00", "#999999"


@dataclass(frozen=True)
class Bar:
    """One bar: whose, its colour, its height."""

    label: str
    colour: str
    value: float


def _theirs(figure: str) -> list[Bar]:
    found = []
    for item in karatsuba2018.TABLE_5:
        value = item.figures()[figure]
        if value is not None:
            colour = PAPER if "this paper" in item.name else CITED
            found.append(Bar(f"{item.name}, {item.bits} bits", colour, value))
    return found


def _command(schedule: str, bits: int, target: str) -> str:
    settings = f"--set depth=1 --set schedule={schedule}"
    return f"montcore synth karatsuba {settings} --bits {bits} --target {target}"


def throughputs(measured: Mapping[str, Figures]) -> list[Bar]:
    """Return the bars of Figure 7 in Mbit/s, and ours of those rows that have a clock."""
    found = _theirs("mbit_s")
    for target, bits, schedule in (
        ("ecp5", 192, "paper"),
        ("osu018", 192, "paper"),
        ("osu018", 192, "fast"),
        ("osu018", 256, "paper"),
        ("osu018", 256, "lean"),
        ("osu018", 256, "fast"),
    ):
        ours = measured.get(_command(schedule, bits, target))
        if ours is not None:
            mhz = ours["fmax_mhz"] or 1e3 / (ours["tmin_ns"] or 1)
            rate = bits * mhz / (ours["interval"] or 1)
            found.append(Bar(f"ours, {schedule}, {target}, {bits} bits", OURS, rate))
    return found


def areas_times(measured: Mapping[str, Figures]) -> list[Bar]:
    """Return the bars of Figure 8 in thousands of LUT times us, and ours of the placed FPGA."""
    found = _theirs("klut6_us")
    ours = measured.get(_command("paper", 192, "ecp5"))
    if ours is not None:
        lut, mhz = ours["lut"] or 0, ours["fmax_mhz"] or 1
        found.append(
            Bar(
                "ours, paper, ecp5 (LUT4), 192 bits",
                OURS,
                lut * (ours["core_cycles"] or 0) / mhz / 1e3,
            )
        )
    return found


def draw(figures: Mapping[str, Figures]) -> tuple[Path, ...]:
    """Draw both figures.

    Args:
        figures: measured figures by the command of their subject.

    Returns:
        what was written, PNG and SVG.
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
                throughputs(figures),
                "%.0f",
            ),
            (axes[1], "Figure 8: kLUT x us (less is better)", areas_times(figures), "%.2f"),
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
            "Theirs: Table 5, Virtex-6 but for [20]. Ours: ecp5 placed and routed, osu018 180 nm "
            "without wires; on Virtex-6 ours has no clock.",
            fontsize=8.5,
            color="#555555",
        )
    return save(picture, PICTURE)
