# SPDX-License-Identifier: Apache-2.0
"""The papers' plotted figures with our results, as one HTML page.

The page contains its data, styles and script and makes no network requests. It plots the rows of
the papers' tables, with the same derived figures and marks (`page.row_cells`).
"""

import json
from collections.abc import Collection, Iterable
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.paths import REPO_ROOT
from montcore_lab.papers.base import Chart, Panel, Paper, Row
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.page import figure_text
from montcore_lab.papers.subject import Figures

PATH = REPO_ROOT / "docs" / "papers-figures.html"


def _point(
    chart: Chart,
    label: str,
    row: Row,
    values: Figures,
    ledger: Ledger,
    outdated: Collection[str],
) -> dict[str, Any]:
    """Return the page's data for a point; None for each panel without a figure."""
    found: dict[str, Any] = {
        "label": label,
        "values": [panel.value(row, values) for panel in chart.panels],
        "texts": [
            figure_text(row, panel.column, panel.value(row, values)) for panel in chart.panels
        ],
        "what": f"{row.what}, {row.target}" if row.target else row.what,
    }
    if row.subject is not None:
        command = row.subject.command
        found["command"] = command
        found["date"] = ledger.entries[command].date
        found["stale"] = command in outdated
    return found


def chart_data(chart: Chart, ledger: Ledger, outdated: Collection[str]) -> dict[str, Any]:
    """Return a chart as plain values; unmeasured points are omitted and counted."""
    measured = ledger.figures()
    lines, lacking = [], 0
    for line in chart.lines:
        points = []
        for label, row in line.points:
            values = row.values(measured)
            if values is None:
                lacking += 1
            elif any(panel.value(row, values) is not None for panel in chart.panels):
                points.append(_point(chart, label, row, values, ledger, outdated))
        if points:
            lines.append({"name": line.name, "colour": line.colour, "points": points})
    return {
        "title": chart.title,
        "note": chart.note,
        "across": chart.across,
        "panels": [_panel_data(panel) for panel in chart.panels],
        "lines": lines,
        "lacking": lacking,
    }


def _panel_data(panel: Panel) -> dict[str, Any]:
    return {"title": panel.column.title, "logarithmic": panel.logarithmic}


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
    folder = files("montcore_lab.papers") / "templates"
    # A "</" inside a script element would end it.
    text = json.dumps(shown).replace("</", "<\\/")
    none = [paper.name for paper in papers if not paper.charts]
    without = f"{', '.join(none)}: no plotted figure, only diagrams and tables." if none else ""
    return Template((folder / "figures.html").read_text(encoding="utf-8")).substitute(
        style=(folder / "figures.css").read_text(encoding="utf-8"),
        script=(folder / "figures.js").read_text(encoding="utf-8"),
        without=escape(without),
        data=text,
    )


def write(path: Path, papers: Iterable[Paper], ledger: Ledger, outdated: Collection[str]) -> None:
    """Write the page.

    Raises:
        RequestError: none of the papers has a plotted figure, or the file cannot be written.
    """
    write_whole(path, html(papers, ledger, outdated))
