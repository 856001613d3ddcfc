# SPDX-License-Identifier: Apache-2.0
"""The papers' plotted figures with our results, as one HTML page.

The page has no script and makes no network requests. It plots the rows of the papers' tables, with
the same derived figures and marks (`page.row_cells`).
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import NamedTuple

from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore_lab.papers.base import Chart, Panel, Paper
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.page import OUTDATED, figure_text


class PlottedBar(NamedTuple):
    """A point of a panel: names of its line and of its place, its figure, and what it is."""

    line: str
    colour: str
    label: str
    value: float
    text: str
    about: str


def bars(chart: Chart, panel: Panel, ledger: Ledger, outdated: Collection[str]) -> list[PlottedBar]:
    """Return the points of a panel that have a figure, in order."""
    found = []
    for line, label, row, value in chart.points(panel, ledger.figures()):
        about = [f"{row.what}, {row.target}" if row.target else row.what]
        text = figure_text(row, panel.column, value)
        if row.subject is not None:
            command = row.subject.command
            about += [f"measured {ledger.entries[command].date}", command]
            text += OUTDATED if command in outdated else ""
        found.append(PlottedBar(line.name, line.colour, label, value, text, "; ".join(about)))
    return sorted(found, key=lambda bar: float(bar.label)) if chart.across else found


def shares(values: Sequence[float], logarithmic: bool) -> list[float]:
    """Return the lengths of bars in percent, from a power of ten below if logarithmic."""
    most = max(values, default=1)
    if not logarithmic:
        return [100 * value / most for value in values]
    low = 10 ** (math.ceil(math.log10(min(values, default=1))) - 1)
    return [100 * math.log(value / low) / math.log(most / low) for value in values]


def _table(chart: Chart, panel: Panel, shown: Sequence[PlottedBar]) -> Iterator[str]:
    """Return a panel as a table: a row for each point, with its bar."""
    scale = ", logarithmic" if panel.logarithmic else ""
    yield f"<table><caption>{escape(panel.column.title)}{scale}</caption>"
    lengths = shares([bar.value for bar in shown], panel.logarithmic)
    for bar, share in zip(shown, lengths, strict=True):
        name = f"{bar.label}: {bar.line}" if chart.across else bar.label
        style = f"width: {share:.1f}%; --colour: {bar.colour}"
        yield (
            f'<tr title="{escape(bar.about)}"><th>{escape(name)}</th>'
            f'<td><i class="bar" style="{style}"></i></td><td>{escape(bar.text)}</td></tr>'
        )
    yield "</table>"


def _section(paper: Paper, ledger: Ledger, outdated: Collection[str]) -> Iterator[str]:
    """Return a paper's charts; points that are not measured are omitted and counted."""
    yield f"<h2>{escape(paper.name)}</h2>"
    yield f"<p>{escape(paper.citation)}.</p>"
    measured = ledger.figures()
    for chart in paper.charts:
        yield f"<h3>{escape(chart.title)}</h3>"
        across = f" Rows by {chart.across}." if chart.across else ""
        rows = (row for line in chart.lines for _, row in line.points)
        lacking = sum(row.values(measured) is None for row in rows)
        without = f" Not measured: {lacking} of ours." if lacking else ""
        yield f'<p class="note">{escape(chart.note + across + without)}</p>'
        for panel in chart.panels:
            yield from _table(chart, panel, bars(chart, panel, ledger, outdated))


def html(papers: Iterable[Paper], ledger: Ledger, outdated: Collection[str]) -> str:
    """Return the page.

    Args:
        papers: the papers, in the order of the page.
        ledger: the measurements.
        outdated: commands whose figures are out of date.

    Raises:
        RequestError: none of the papers has a plotted figure.
    """
    papers = list(papers)
    shown = [paper for paper in papers if paper.charts]
    if not shown:
        names = ", ".join(paper.name for paper in papers)
        raise RequestError(f"{names} has no plotted figure, only diagrams and tables")
    none = [paper.name for paper in papers if not paper.charts]
    without = f"{', '.join(none)}: no plotted figure, only diagrams and tables." if none else ""
    frame = files("montcore_lab.papers") / "templates" / "figures.html"
    return Template(frame.read_text(encoding="utf-8")).substitute(
        without=escape(without),
        sections="\n".join(line for paper in shown for line in _section(paper, ledger, outdated)),
    )


def write(path: Path, papers: Iterable[Paper], ledger: Ledger, outdated: Collection[str]) -> None:
    """Write the page.

    Raises:
        RequestError: none of the papers has a plotted figure, or the file cannot be written.
    """
    write_whole(path, html(papers, ledger, outdated))
