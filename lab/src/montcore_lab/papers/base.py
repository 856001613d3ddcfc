# SPDX-License-Identifier: Apache-2.0
"""Building blocks of the papers' tables and charts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from montcore.synth import options
from montcore.synth.target import all_targets
from montcore_lab.papers.elements import Element
from montcore_lab.papers.subject import Figures, PointSubject, Subject

#: Inputs of a look-up table of devices that are not targets here, or have another name here.
_LUT_INPUTS = {
    **dict.fromkeys(("Virtex-II", "Virtex-II Pro", "Virtex-4"), 4),
    **dict.fromkeys(("Virtex-5", "Virtex-6", "Virtex-7"), 6),
}
#: Second names of figures, for columns with look-up tables of four and of six inputs.
_SAME = {"lut4": "lut", "lut6": "lut"}


@dataclass(frozen=True)
class Column:
    """A column of figures.

    Attributes:
        title: its heading, with the unit.
        figure: name of the figure.
        form: its number format.
    """

    title: str
    figure: str
    form: str = "{:,.0f}"


@dataclass(frozen=True)
class Row:
    """A row: published figures, or a measurement of ours.

    Attributes:
        who: ``montcore``, or whose figures they are.
        what: description of the design.
        target: device family or library.
        figures: figures known without measuring: all of a published row, the length of ours.
        subject: the subject to measure; None in published rows.
        take: the measured figures used here, by their name in the row; None for all.
        derived: in published rows, figures computed from published ones.
        about: in published rows, figures stated as approximate.
    """

    who: str
    what: str
    target: str = ""
    figures: Figures = field(default_factory=dict)
    subject: Subject | None = None
    take: Mapping[str, str] | None = None
    derived: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()

    def printed(self, figure: str) -> bool:
        """Return whether a figure is published, so that it is not derived here."""
        return _SAME.get(figure, figure) in self.figures.keys() - self.derived

    def values(self, measured: Mapping[str, Figures]) -> dict[str, float | int | None] | None:
        """Return all figures, derived ones included, or None if ours is not measured.

        Args:
            measured: measured figures by the command of their subject.
        """
        found = dict(self.figures)
        if self.subject is not None:
            if self.subject.command not in measured:
                return None
            ours = measured[self.subject.command]
            found.update(
                ours if self.take is None else {new: ours[old] for new, old in self.take.items()}
            )
        _derive(found, self.target)
        return found


def point_row(
    core: str, settings: tuple[tuple[str, str], ...], bits: int, target: str, what: str
) -> Row:
    """Return our row of a core in one configuration on a target."""
    subject = PointSubject(core, settings, bits, target)
    return Row("montcore", what, target, {"bits": bits}, subject)


def throughput(bits: float, interval: float, mhz: float) -> float:
    """Return Mbit/s of a core that takes a product of `bits` bits every `interval` cycles."""
    return bits * mhz / interval


def _derive(found: dict[str, float | int | None], target: str) -> None:
    """Add the figures that can be derived from the known ones."""
    lut, tmin = found.get("lut"), found.get("tmin_ns")
    # Published rows may be for devices that are not targets here.
    on = all_targets().get(target)
    inputs = on.technology.lut_inputs if on else _LUT_INPUTS.get(target)
    if lut is not None and inputs:
        found[f"lut{inputs}"] = lut
    if lut is not None and on and on.luts_per_slice:
        found.setdefault("slices", lut / on.luts_per_slice)
    if (ge := found.get("ge")) is not None:
        found.setdefault("kge", ge / 1e3)
    kge = found.get("kge")
    if (memory := found.get("ge_memory")) is not None:
        found.setdefault("kge_memory", memory / 1e3)
    # Cells and memory together; if only the memory's size is known, at our cost per bit.
    if memory is None:
        memory = options.GE_PER_MEMORY_BIT * 1e3 * (found.get("ram_kbits") or 0)
    area = None if kge is None else kge + memory / 1e3
    if tmin is not None:
        found.setdefault("mhz", 1e3 / tmin)
    elif (fmax := found.get("fmax_mhz")) is not None:
        found.setdefault("mhz", fmax)
    mhz, bits = found.get("mhz"), found.get("bits")
    if mhz:
        found.setdefault("period_ns", 1e3 / mhz)
    interval, cycles = found.get("interval"), found.get("core_cycles")
    if mhz is not None and interval and bits:
        found.setdefault("mbit_s", throughput(bits, interval, mhz))
    if mhz is not None and interval:
        found.setdefault("millions_per_s", mhz / interval)
        found.setdefault("millions_per_s_100", 100 / interval)
    if (rate := found.get("millions_per_s")) is not None and area:
        found.setdefault("per_s_per_ge", 1e3 * rate / area)
    if (rate := found.get("millions_per_s_100")) is not None and kge:
        found.setdefault("per_s_per_ge_100", 1e3 * rate / kge)
    if mhz and cycles:
        found.setdefault("ns", 1e3 * cycles / mhz)
        if area is not None:
            found.setdefault("kge_us", area * cycles / mhz)
        if lut is not None and inputs:
            found.setdefault(f"klut{inputs}_us", lut * cycles / mhz / 1e3)


@dataclass(frozen=True)
class Table:
    """A table of a paper, with our rows.

    Attributes:
        title: its number and subject.
        columns: the columns of figures.
        rows: published rows and ours.
        note: what can be compared and what cannot.
        headline: design and target of the rows that docs/papers.md shows.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str
    headline: frozenset[tuple[str, str]] = frozenset()

    @property
    def has_targets(self) -> bool:
        """Whether any row names a target."""
        return any(row.target for row in self.rows)


@dataclass(frozen=True)
class PaperText:
    """A table of words.

    Attributes:
        title: its number and subject.
        headings: of the columns.
        rows: rows of cells, one per heading.
        note: what can be compared and what cannot.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


@dataclass(frozen=True)
class Line:
    """One line or colour of a chart.

    Attributes:
        name: its entry in the legend.
        colour: ``#rrggbb``.
        points: for each point its label on the axis and the row whose figure is drawn.
    """

    name: str
    colour: str
    points: tuple[tuple[str, Row], ...]


@dataclass(frozen=True)
class Panel:
    """One pair of axes of a chart.

    Attributes:
        column: the figure drawn, with the title of its axis.
        others: figures used instead in rows of ours that lack it.
        logarithmic: whether the axis is.
    """

    column: Column
    others: tuple[str, ...] = ()
    logarithmic: bool = False

    def value(self, row: Row, values: Figures) -> float | int | None:
        """Return the value drawn for a row with these figures."""
        names = (self.column.figure, *(self.others if row.subject is not None else ()))
        return next((found for name in names if (found := values.get(name)) is not None), None)


@dataclass(frozen=True)
class Chart:
    """A plotted figure of a paper, with our results added.

    Attributes:
        title: its number and subject.
        panels: pairs of axes with the same lines.
        lines: published lines and ours.
        note: what can be compared and what cannot.
        across: title of the horizontal axis if the labels are positions on it; otherwise each point
            is a separate bar.
    """

    title: str
    panels: tuple[Panel, ...]
    lines: tuple[Line, ...]
    note: str
    across: str = ""

    def points(
        self, panel: Panel, measured: Mapping[str, Figures]
    ) -> list[tuple[Line, str, Row, float | int]]:
        """Return the points of a panel that have a figure: line, label, row and figure."""
        every = [(line, label, row) for line in self.lines for label, row in line.points]
        values = [panel.value(row, row.values(measured) or {}) for _, _, row in every]
        return [
            (*point, value) for point, value in zip(every, values, strict=True) if value is not None
        ]


@dataclass(frozen=True)
class Paper:
    """A paper and its tables.

    Attributes:
        name: its name throughout, ending with the year, e.g. ``smm-2021``.
        citation: authors and title.
        tables: the tables that concern a core.
        elements: all elements of the paper, with their counterparts here.
        texts: tables that have no figures of a core.
        charts: its plotted figures.
    """

    name: str
    citation: str
    tables: tuple[Table, ...]
    elements: tuple[Element, ...] = ()
    texts: tuple[PaperText, ...] = ()
    charts: tuple[Chart, ...] = ()

    @property
    def year(self) -> int:
        """Year of publication."""
        return int(self.name.rpartition("-")[2])

    def subjects(self) -> list[Subject]:
        """Return the distinct subjects measured for this paper."""
        rows = [row for table in self.tables for row in table.rows]
        found = {row.subject.command: row.subject for row in rows if row.subject is not None}
        return list(found.values())
