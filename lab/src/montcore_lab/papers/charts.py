# SPDX-License-Identifier: Apache-2.0
"""The papers' plotted figures with our results, as one HTML page.

The page has no script and makes no network requests. It plots the rows of the papers' tables, with
the same derived figures and marks (`page.row_cells`).
"""

import math
from collections.abc import Collection, Iterable, Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore_lab.papers.base import Chart, Line, Panel, Paper, Row
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.page import OUTDATED, figure_text


def _points(
    panel: Panel,
    rows: Iterable[tuple[Line, str, Row]],
    ledger: Ledger,
    outdated: Collection[str],
) -> list[dict[str, Any]]:
    """Return the page's data for a panel: each point that has a figure, in order."""
    measured = ledger.figures()
    found = []
    for line, label, row in rows:
        value = panel.value(row, row.values(measured) or {})
        if value is None:
            continue
        about = [f"{row.what}, {row.target}" if row.target else row.what]
        text = figure_text(row, panel.column, value)
        if row.subject is not None:
            command = row.subject.command
            about += [f"measured {ledger.entries[command].date}", command]
            text += OUTDATED if command in outdated else ""
        point = {"line": line.name, "colour": line.colour, "label": label}
        found.append({**point, "value": value, "text": text, "about": "; ".join(about)})
    return found


def chart_data(chart: Chart, ledger: Ledger, outdated: Collection[str]) -> dict[str, Any]:
    """Return a chart as plain values; unmeasured points are omitted and counted."""
    rows = [(line, label, row) for line in chart.lines for label, row in line.points]
    if chart.across:
        rows.sort(key=lambda item: float(item[1]))
    measured = ledger.figures()
    return {
        "title": chart.title,
        "note": chart.note,
        "across": chart.across,
        "panels": [
            {
                "title": panel.column.title,
                "logarithmic": panel.logarithmic,
                "points": _points(panel, rows, ledger, outdated),
            }
            for panel in chart.panels
        ],
        "lacking": sum(row.values(measured) is None for _, _, row in rows),
    }


def data(
    papers: Iterable[Paper], ledger: Ledger, outdated: Collection[str]
) -> list[dict[str, Any]]:
    """Return the papers with plotted figures, and these figures, as plain values."""
    return [
        {
            "name": paper.name,
            "citation": paper.citation,
            "charts": [chart_data(chart, ledger, outdated) for chart in paper.charts],
        }
        for paper in papers
        if paper.charts
    ]


def shares(panel: dict[str, Any]) -> list[float]:
    """Return the lengths of a panel's bars in percent, from a power of ten below if logarithmic."""
    values = [point["value"] for point in panel["points"]]
    most = max(values, default=1)
    if not panel["logarithmic"]:
        return [100 * value / most for value in values]
    low = 10 ** (math.ceil(math.log10(min(values, default=1))) - 1)
    return [100 * math.log(value / low) / math.log(most / low) for value in values]


def _table(panel: dict[str, Any], across: str) -> Iterator[str]:
    """Return a panel as a table: a row for each point, with its bar."""
    scale = ", logarithmic" if panel["logarithmic"] else ""
    yield f"<table><caption>{escape(panel['title'])}{scale}</caption>"
    for point, share in zip(panel["points"], shares(panel), strict=True):
        name = f"{point['label']}: {point['line']}" if across else point["label"]
        style = f"width: {share:.1f}%; --colour: {point['colour']}"
        yield (
            f'<tr title="{escape(point["about"])}"><th>{escape(name)}</th>'
            f'<td><i class="bar" style="{style}"></i></td><td>{escape(point["text"])}</td></tr>'
        )
    yield "</table>"


def _section(paper: dict[str, Any]) -> Iterator[str]:
    """Return a paper's charts."""
    yield f"<h2>{escape(paper['name'])}</h2>"
    yield f"<p>{escape(paper['citation'])}.</p>"
    for chart in paper["charts"]:
        yield f"<h3>{escape(chart['title'])}</h3>"
        across = f" Rows by {chart['across']}." if chart["across"] else ""
        lacking = f" Not measured: {chart['lacking']} of ours." if chart["lacking"] else ""
        yield f'<p class="note">{escape(chart["note"] + across + lacking)}</p>'
        for panel in chart["panels"]:
            yield from _table(panel, chart["across"])


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
    shown = data(papers, ledger, outdated)
    if not shown:
        names = ", ".join(paper.name for paper in papers)
        raise RequestError(f"{names} has no plotted figure, only diagrams and tables")
    none = [paper.name for paper in papers if not paper.charts]
    without = f"{', '.join(none)}: no plotted figure, only diagrams and tables." if none else ""
    frame = files("montcore_lab.papers") / "templates" / "figures.html"
    return Template(frame.read_text(encoding="utf-8")).substitute(
        without=escape(without),
        sections="\n".join(line for paper in shown for line in _section(paper)),
    )


def write(path: Path, papers: Iterable[Paper], ledger: Ledger, outdated: Collection[str]) -> None:
    """Write the page.

    Raises:
        RequestError: none of the papers has a plotted figure, or the file cannot be written.
    """
    write_whole(path, html(papers, ledger, outdated))
