# SPDX-License-Identifier: Apache-2.0
"""Tables of smm-2021 with our rows."""

from collections.abc import Callable, Sequence
from pathlib import Path

from montcore_lab.papers import colours
from montcore_lab.papers.base import Chart, Column, Line, Panel, Paper, Row, Table, point_row
from montcore_lab.papers.elements import read_elements
from montcore_lab.papers.smm2021 import published as smm2021
from montcore_lab.papers.smm2021.npe import SmmColumn


def _published(column: smm2021.PublishedColumn) -> Row:
    figures: dict[str, float | int | None] = {
        f"cycles_{length}": column.cycles_at(length) for length in smm2021.LENGTHS
    }
    figures |= {
        "kge": column.kge,
        "core_cycles": column.cycles_at(256),
        "ram_kbits": column.ram_kbits,
        "tmin_ns": smm2021.TMIN_NS,
        "millions_per_s_100": column.millions_per_second,
    }
    about = frozenset({"tmin_ns"})
    return Row("paper", f"npe={column.npe}", figures=figures, about=about)


#: Numbers of elements for which the paper's own element is measured too.
_DRAWN = (2, 8)


def _fast(npe: int) -> Row:
    take = {f"cycles_{length}": f"fast_{length}" for length in smm2021.LENGTHS}
    take |= {"ge": "ge", "ram_kbits": "ram_kbits", "tmin_ns": "tmin_ns"}
    take |= {"interval": "interval_256", "core_cycles": "fast_256"}
    return Row("montcore", f"npe={npe} schedule=fast", subject=SmmColumn(npe), take=take)


def _circuit(npe: int, element: str) -> Row:
    figures = ("ge", "ram_kbits", "tmin_ns", "interval", "core_cycles")
    take = {name: name for name in (*figures, *(f"cycles_{n}" for n in smm2021.LENGTHS))}
    what = f"npe={npe} schedule=paper" + (" element=paper" if element == "paper" else "")
    return Row("montcore", what, subject=SmmColumn(npe, element), take=take)


_FAST = (("npe", "8"), ("schedule", "fast"))
_PAPER = (("npe", "8"), ("schedule", "paper"))
_AS_DRAWN = (*_PAPER, ("element", "paper"))
_TWO = (("npe", "2"), ("schedule", "paper"), ("element", "paper"))
#: Our rows of Table 2 by target.
_MAPPED = {
    "xc5v": (_AS_DRAWN, _PAPER, _FAST),
    "xc7": (_PAPER, _FAST),
    "ecp5": (_TWO, _FAST),
}


def _mapped(settings: tuple[tuple[str, str], ...], target: str) -> Row:
    """Return a row of Table 2: 256 bits on an FPGA."""
    what = " ".join(f"{name}={value}" for name, value in settings)
    return point_row("smm", settings, 256, target, what)


def _rows() -> tuple[Row, ...]:
    found = []
    for column in smm2021.COLUMNS:
        elements = ("paper", "ours") if column.npe in _DRAWN else ("ours",)
        circuits = (_circuit(column.npe, element) for element in elements)
        found += [_published(column), *circuits, _fast(column.npe)]
    return tuple(found)


def _line(name: str, colour: str, rows: Callable[[int], Row], npes: Sequence[int]) -> Line:
    return Line(name, colour, tuple((str(npe), rows(npe)) for npe in npes))


_ALL = tuple(column.npe for column in smm2021.COLUMNS)
_LINES = (
    _line("the paper", colours.PAPER, lambda npe: _published(smm2021.column(npe)), _ALL),
    _line(
        "ours, the paper's schedule and element",
        colours.OURS_DRAWN,
        lambda npe: _circuit(npe, "paper"),
        _DRAWN,
    ),
    _line(
        "ours, the paper's schedule, our element",
        colours.OURS_PAPER,
        lambda npe: _circuit(npe, "ours"),
        _ALL,
    ),
    _line("ours, fast schedule", colours.OURS, _fast, _ALL),
)
_ACROSS = "processing elements, N_PE"
_CHARTS = (
    Chart(
        "Figure 7: gates, memory, cycles and products a second over N_PE",
        (
            Panel(Column("logic, kGE", "kge", "{:.1f}")),
            Panel(Column("memory, kbit", "ram_kbits", "{:.1f}")),
            Panel(Column("cycles of a product of 256 bits", "core_cycles")),
            Panel(Column("million products a second at 100 MHz", "millions_per_s_100", "{:.2f}")),
        ),
        _LINES,
        "Built for 521 bits, w = 32, 180 nm in both, in different libraries. The figures are those "
        "of Table 1; the areas of 5 and 6 elements are very likely exchanged in the paper. The "
        "paper's rate is for one product at a time, ours for back-to-back products.",
        _ACROSS,
    ),
    Chart(
        "Figure 8: products of 256 bits a second for each gate",
        (Panel(Column("products a second and GE, at 100 MHz", "per_s_per_ge_100", "{:.1f}")),),
        _LINES,
        "Computed from Table 1, since the paper prints no numbers in Figure 8: the rate at 100 MHz "
        "over the gates of the logic. The paper does not say whether it counts memory as gates; "
        "here it is not counted in either design.",
        _ACROSS,
    ),
)

PAPER = Paper(
    "smm-2021",
    "J.-B. Choi, K.-W. Shin, A Scalable Montgomery Modular Multiplier (2021)",
    (
        Table(
            "Table 1 and Figures 7, 8: number of processing elements",
            (
                *(Column(f"cycles {n}", f"cycles_{n}") for n in smm2021.LENGTHS),
                Column("kGE", "kge", "{:.1f}"),
                Column("RAM kbit", "ram_kbits", "{:.1f}"),
                Column("Tmin ns", "tmin_ns", "{:.2f}"),
                Column("M/s at 1/Tmin", "millions_per_s", "{:.2f}"),
                Column("M/s at 100 MHz", "millions_per_s_100", "{:.2f}"),
                Column("/s/GE", "per_s_per_ge"),
                Column("kGE us", "kge_us", "{:.1f}"),
                Column("ns, 256 bits", "ns"),
            ),
            _rows(),
            "Built for 521 bits, w = 32, 180 nm; rates of 256-bit products, ours back to back, the "
            "paper's one at a time. The areas of npe=5 and npe=6 are very likely exchanged in the "
            "paper: only then are 4, 5 and 8 elements the most efficient, as its text and Figure "
            "8 say. element=paper is the element as drawn in the paper; otherwise the element is "
            "ours, with the same cycles. kGE is logic alone; kGE us and /s/GE add the "
            "memory, of both at 1.5 GE a bit. Cycles are the paper's, start to done. Ours "
            "includes the word streams, the check of operands and a second set of operands. "
            'The paper states "about 9 ns" for all sizes.',
            headline=frozenset(
                (row.what, "") for row in _rows() if row.what.split()[0] in ("npe=1", "npe=8")
            ),
        ),
        Table(
            "Table 2: comparison of multipliers",
            (
                Column("bits", "bits", "{:d}"),
                Column("DSP", "dsp"),
                Column("LUT6", "lut6"),
                Column("LUT4", "lut4"),
                Column("cycles", "core_cycles"),
                Column("MHz", "mhz", "{:.4g}"),
                Column("ns", "ns"),
            ),
            (
                *(
                    Row("paper", design.name, design.device, design.figures())
                    for design in smm2021.TABLE_2
                ),
                *(
                    _mapped(settings, target)
                    for target, designs in _MAPPED.items()
                    for settings in designs
                ),
            ),
            'The paper\'s row "LUT [slice]" is read as look-up tables. '
            "[16] is built for 1024 bits, with words of 8 and 32 bits. The "
            f"paper's text predicts {smm2021.MHZ_OF_TWO:.0f} MHz for npe=2 on Virtex-5, which no "
            "free tool places; ours of npe=2 is on ECP5.",
            headline=frozenset(
                {
                    ("this paper, npe = 8", "Virtex-5"),
                    ("npe=8 schedule=paper element=paper", "xc5v"),
                    ("npe=8 schedule=fast", "xc5v"),
                }
            ),
        ),
    ),
    read_elements(Path(__file__).with_name("elements.ini")),
    charts=_CHARTS,
)
