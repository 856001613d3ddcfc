# SPDX-License-Identifier: Apache-2.0
"""The table of cores in docs/cores.md: every registered core with its small sweep at one width."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.cores import all_cores, get_core
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.markdown import Part, prose
from montcore_lab.checkout.markdown import table as markdown_table
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.subject import PointSubject

BITS = 256
PAGE = REPO_ROOT / "docs" / "cores.md"
TARGETS = ("osu018", "xc7")
MARKS = ("<!-- cores:begin -->", "<!-- cores:end -->")
#: Mark after the parameters of a configuration that has an outdated figure.
STALE = "†"
#: Columns of figures: heading, name of the figure, its format, and its divisor.
FigureColumns = tuple[tuple[str, str, str, float], ...]
#: The last two are of xc7.
FIGURES: FigureColumns = (
    ("latency", "cycles", "{:d}", 1),
    ("interval", "interval", "{:d}", 1),
    ("kGE", "ge", "{:.1f}", 1e3),
    ("memory kGE", "ge_memory", "{:.1f}", 1e3),
    ("Tmin ns", "tmin_ns", "{:.2f}", 1),
    ("kGE x us", "kge_us", "{:.1f}", 1),
    ("sustained", "kge_us_sustained", "{:.1f}", 1),
    ("nJ", "energy_nj", "{:.0f}", 1),
    ("xc7 LUT", "lut", "{:d}", 1),
    ("xc7 DSP", "dsp", "{:d}", 1),
)


def header(columns: FigureColumns, *before: str) -> list[str]:
    """Return the headings of a table with columns before its figures."""
    return [*before, *(heading for heading, *_ in columns)]


HEADER = header(FIGURES, "core", "parameters")


def subjects() -> list[PointSubject]:
    """Return every point of the table, by core, configuration and target."""
    return [
        PointSubject(point.core, point.settings, BITS, target)
        for core in all_cores().values()
        for configured in core.points(BITS)
        for target in TARGETS
        for point in [Point.of_core(configured, target)]
    ]


def entries(ledger: Ledger, wanted: Iterable[PointSubject]) -> list[tuple[Entry, bool]]:
    """Return the points that are measured, and whether each is out of date."""
    figures = ledger.figures()
    return [
        (subject.entry(figures), bool(ledger.fault(subject)))
        for subject in wanted
        if subject.command in figures
    ]


def cells(figures: Mapping[str, Any], columns: FigureColumns) -> list[str]:
    """Return figures as text, a dash for each that is not measured."""
    values = ((figures[name], form, unit) for _, name, form, unit in columns)
    return [
        "-" if value is None else form.format(value if unit == 1 else value / unit)
        for value, form, unit in values
    ]


def row(entry: Entry, figures: Mapping[str, Any], stale: bool, columns: FigureColumns) -> list[str]:
    """Return the cells of one configuration; the parameters of one out of date are marked."""
    settings = " ".join(f"{key}={value}" for key, value in entry.params.items())
    settings += f" {STALE}" if stale else ""
    folder = get_core(entry.core).folder().relative_to(REPO_ROOT)
    name = f"[{entry.core}](../{folder.as_posix()}/README.md)"
    return [name, settings, *cells(figures, columns)]


def table(entries: Sequence[Entry], stale: Collection[str] = ()) -> list[list[str]]:
    """Return the cells of every configuration, by core and in the order of its sweep.

    Args:
        entries: the points on both targets.
        stale: labels of the configurations with outdated figures.
    """
    by_target = [[entry for entry in entries if entry.target == target] for target in TARGETS]
    tables = {entry.label: {"lut": entry.lut, "dsp": entry.dsp} for entry in by_target[1]}
    gates = sorted(by_target[0], key=lambda entry: entry.core)
    return [
        row(entry, {**entry.figures(), **tables[entry.label]}, entry.label in stale, FIGURES)
        for entry in gates
    ]


def block(cells: list[list[str]]) -> str:
    """Return the table in Markdown, with its explanation and the command that generates it."""
    lines = [
        f"Built for {BITS} bits, {BITS}-bit products. Latency: cycles from the last operand beat",
        "to the first result beat; interval: cycles between results. Area and clock in osu018",
        "(180 nm, register to register, no wires); kGE x us is (kGE + memory kGE) x Tmin x",
        "latency, sustained the same with the interval. nJ a product, sustained, cells only (no",
        "wires, clock tree, glitches, memory macros).",
        "",
        *markdown_table(HEADER, cells),
        "",
        prose(
            "[figures.json](figures.json) has the figures with the digests of what they were "
            "measured on; a test compares the table with it. `montcore maintain figures` measures "
            f"what is out of date, and `montcore synth smm --set npe=8 --bits {BITS} --target "
            "osu018 --wires none` one entry."
        ),
    ]
    if any(STALE in cell for line in cells for cell in line):
        lines += ["", f"{STALE} Measured on earlier sources, or with an earlier flow."]
    return "\n".join(lines)


def parts(ledger: Ledger) -> list[Part]:
    """Return the table of the page."""
    every, figures = subjects(), ledger.figures()
    entries = [subject.entry(figures) for subject in every]
    stale = {
        entry.label for subject, entry in zip(every, entries, strict=True) if ledger.fault(subject)
    }
    return [Part(PAGE, block(table(entries, stale)), MARKS)]
