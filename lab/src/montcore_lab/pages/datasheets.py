# SPDX-License-Identifier: Apache-2.0
"""The tables of measured figures in the datasheets.

A datasheet has the figures of its core at 256 bits, which are those of docs/cores.md, at the
widths and parameters of `Core.datasheet_points`, and on the FPGAs of docs/papers.md. Text beside a
table explains figures and does not repeat them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.cores import all_cores
from montcore.support.paths import REPO_ROOT
from montcore.synth.options import NONE
from montcore.synth.target import get_target
from montcore_lab.checkout.markdown import Part, prose
from montcore_lab.checkout.markdown import table as markdown_table
from montcore_lab.pages import overview, ranking
from montcore_lab.pages.overview import STALE, FigureColumns, cells, header
from montcore_lab.papers import run as papers_run
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.subject import PointSubject

MARKS = ("<!-- figures:begin -->", "<!-- figures:end -->")
GATES = overview.TARGETS[0]
GATE_FIGURES: FigureColumns = (
    ("kGE", "ge", "{:.1f}", 1e3),
    ("memory kGE", "ge_memory", "{:.1f}", 1e3),
    ("Tmin ns", "tmin_ns", "{:.2f}", 1),
    ("latency", "cycles", "{:d}", 1),
    ("interval", "interval", "{:d}", 1),
    ("kGE x us", "kge_us", "{:.2f}", 1),
    ("sustained", "kge_us_sustained", "{:.2f}", 1),
)
GATE_HEADER = header(GATE_FIGURES, "parameters", "bits", "memories", "wires")
FPGA_FIGURES: FigureColumns = (
    ("LUT", "lut", "{:,d}", 1),
    ("FF", "ff", "{:,d}", 1),
    ("DSP", "dsp", "{:d}", 1),
    ("BRAM", "bram", "{:d}", 1),
    ("MHz", "fmax_mhz", "{:.1f}", 1),
)
FPGA_HEADER = header(FPGA_FIGURES, "parameters", "bits", "target")
#: Core, settings, width and FPGA of the points that no table of a paper has.
FPGA_POINTS: tuple[tuple[str, tuple[tuple[str, str], ...], int, str], ...] = (
    ("cs4", (), 256, "ecp5"),
)
#: Above the tables, and below them; `docs` is the path of the folder docs.
GATE_TEXT = """\
180 nm (osu018), register to register, the whole core with its port. Latency: cycles from the last
operand beat to the first result beat. kGE x us is (kGE + memory kGE) x Tmin x latency, sustained
with the interval instead. Memories as macros: [measuring.md]({docs}measuring.md)."""
FPGA_TEXT = """\
FPGAs: look-up tables (LUT4, from Virtex-5 on LUT6) and blocks after mapping. The clock is that
after place and route, the median of five seeds; a dash where no free tool places the device."""
COMMANDS = """\
The first row: `{command}`. Rows with wires: `--wires placed`, with flip-flops: `--memory flops`. \
More: [cores.md]({docs}cores.md)."""
AGAIN = (
    f"{STALE} Measured on earlier sources or with an earlier flow; "
    "`montcore maintain figures` measures again."
)


@dataclass(frozen=True)
class Found:
    """A measured point, the command that measures it, and whether its figures are out of date."""

    entry: Entry
    command: str
    stale: bool


def sheets() -> dict[str, Path]:
    """Return the datasheets by the names of their cores."""
    return {core.name: core.folder() / "README.md" for core in all_cores().values()}


def subjects() -> list[PointSubject]:
    """Return every point that only a datasheet has."""
    elsewhere = {subject.command for subject in overview.subjects()}
    points = [
        PointSubject(core.name, tuple(sorted(settings.items())), bits, GATES, NONE)
        for core in all_cores().values()
        for bits, settings in core.datasheet_points
    ]
    points += [PointSubject(*point) for point in FPGA_POINTS]
    return [point for point in points if point.command not in elsewhere]


def _points() -> Iterator[PointSubject]:
    """Return every point that a datasheet may show."""
    yield from overview.subjects()
    yield from subjects()
    yield from ranking.subjects()
    for subject in papers_run.subjects_of(papers_run.chosen(None)):
        # Rows in standard cells lack the latency at the port.
        if isinstance(subject, PointSubject) and not get_target(subject.target).has_cells:
            yield subject


def found(ledger: Ledger) -> Mapping[str, list[Found]]:
    """Return the measured points by the name of their core, each once."""
    result: dict[str, list[Found]] = {}
    seen: set[Point] = set()
    figures = ledger.figures()
    for subject in _points():
        if subject.command in figures and subject.point not in seen:
            seen.add(subject.point)
            stale = bool(ledger.fault(subject))
            point = Found(subject.entry(figures), subject.command, stale)
            result.setdefault(subject.core, []).append(point)
    return result


def _settings(point: Found) -> str:
    """Return the parameters, with a mark if the figures are out of date."""
    words = [f"{key}={value}" for key, value in point.entry.params.items()]
    return " ".join([*words, *([STALE] if point.stale else [])])


def _gate_rows(point: Found) -> Iterator[list[str]]:
    """Return the rows of a point in standard cells: with memories as macros, and as flip-flops."""
    entry = point.entry
    kinds = [("macros", entry)]
    if entry.ge_flops is not None and entry.ge_memory:
        as_flops = replace(entry, ge=entry.ge_flops, ge_memory=0.0, tmin_ns=entry.tmin_flops_ns)
        kinds.append(("flip-flops", as_flops))
    for kind, shown in kinds:
        memories = kind if entry.ge_memory else "none"
        wires = "no" if entry.wires == NONE else "yes"
        about = [_settings(point), str(entry.bits), memories, wires]
        yield [*about, *cells(shown.figures(), GATE_FIGURES)]


def _fpga_rows(points: Iterable[Found]) -> list[list[str]]:
    """Return the rows of points on FPGAs: targets with the same tables and figures have one."""
    alike: dict[tuple[object, ...], list[Found]] = {}
    for point in points:
        entry = point.entry
        inputs = get_target(entry.target).technology.lut_inputs
        same = (entry.label, entry.bits, inputs, *cells(entry.figures(), FPGA_FIGURES))
        alike.setdefault(same, []).append(point)
    rows = []
    for group in alike.values():
        entry = group[0].entry
        settings = _settings(max(group, key=lambda point: point.stale))
        targets = ", ".join(point.entry.target for point in group)
        rows.append([settings, str(entry.bits), targets, *cells(entry.figures(), FPGA_FIGURES)])
    return rows


def block(points: list[Found], docs: str) -> str:
    """Return the tables of one datasheet in Markdown, with the commands that measure them."""
    if not points:
        return "Not measured: `montcore maintain figures`."
    gates = [point for point in points if point.entry.target == GATES]
    gates.sort(key=lambda point: (point.entry.wires != NONE, point.entry.bits))
    tables = [point for point in points if point.entry.target != GATES]
    tables.sort(key=lambda point: (point.entry.target, point.entry.bits))
    lines: list[str] = []
    if gates:
        rows = [row for point in gates for row in _gate_rows(point)]
        lines += [GATE_TEXT.format(docs=docs), "", *markdown_table(GATE_HEADER, rows), ""]
    if tables:
        lines += [FPGA_TEXT, "", *markdown_table(FPGA_HEADER, _fpga_rows(tables)), ""]
    lines.append(prose(COMMANDS.format(command=(gates or tables)[0].command, docs=docs)))
    if any(point.stale for point in points):
        lines += ["", AGAIN]
    return "\n".join(lines)


def parts(ledger: Ledger) -> Iterator[Part]:
    """Return the tables of every datasheet."""
    points = found(ledger)
    for name, path in sheets().items():
        docs = "../" * len(path.parent.relative_to(REPO_ROOT).parts) + "docs/"
        yield Part(path, block(points.get(name, []), docs), MARKS)
