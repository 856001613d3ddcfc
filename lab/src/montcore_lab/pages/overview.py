# SPDX-License-Identifier: Apache-2.0
"""The table of cores in docs/cores.md: every registered core with its small sweep at one width."""

from collections.abc import Collection, Iterable, Sequence

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
HEADER = (
    *("core", "parameters", "latency", "interval", "kGE", "memory kGE", "Tmin ns"),
    *("kGE x us", "sustained", "nJ", "xc7 LUT", "xc7 DSP"),
)
#: Mark after the parameters of a configuration that has an outdated figure.
STALE = "†"
#: A column: index of the entry (of two), name of the figure, its format, and its divisor.
Figure = tuple[int, str, str, float]
#: Figures of osu018, then of xc7, in the order of `HEADER`.
FIGURES: tuple[Figure, ...] = (
    (0, "cycles", "{:d}", 1),
    (0, "interval", "{:d}", 1),
    (0, "ge", "{:.1f}", 1e3),
    (0, "ge_memory", "{:.1f}", 1e3),
    (0, "tmin_ns", "{:.2f}", 1),
    (0, "kge_us", "{:.1f}", 1),
    (0, "kge_us_sustained", "{:.1f}", 1),
    (0, "energy_nj", "{:.0f}", 1),
    (1, "lut", "{:d}", 1),
    (1, "dsp", "{:d}", 1),
)


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


def cell(value: float | int | None, form: str, unit: float) -> str:
    """Return a figure as text, a dash if it is not measured.

    Args:
        value: the figure.
        form: its format.
        unit: its divisor.
    """
    if value is None:
        return "-"
    return form.format(value if unit == 1 else value / unit)


def row(
    first: Entry, second: Entry, stale: bool = False, figures: Sequence[Figure] = FIGURES
) -> list[str]:
    """Return the cells of one configuration from two entries.

    An unmeasured entry is shown with dashes. With `stale` the parameters are marked: a figure was
    measured on other sources or with another flow.

    Args:
        first: entry 0 in `figures`; it also gives the configuration's name.
        second: entry 1 in `figures`.
        stale: whether a figure of either is out of date.
        figures: the columns.
    """
    known = first.figures(), second.figures()
    cells = [cell(known[entry][key], form, unit) for entry, key, form, unit in figures]
    settings = " ".join(f"{key}={value}" for key, value in first.params.items())
    settings += f" {STALE}" if stale else ""
    folder = get_core(first.core).folder().relative_to(REPO_ROOT)
    return [f"[{first.core}](../{folder.as_posix()}/README.md)", settings, *cells]


def table(entries: Sequence[Entry], stale: Collection[str] = ()) -> list[list[str]]:
    """Return the cells of every configuration, by core and in the order of its sweep.

    Args:
        entries: the points on both targets.
        stale: labels of the configurations with outdated figures.
    """
    by_target = [[entry for entry in entries if entry.target == target] for target in TARGETS]
    tables = {entry.label: entry for entry in by_target[1]}
    gates = sorted(by_target[0], key=lambda entry: entry.core)
    return [row(entry, tables[entry.label], entry.label in stale) for entry in gates]


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
