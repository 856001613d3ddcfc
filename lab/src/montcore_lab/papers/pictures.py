# SPDX-License-Identifier: Apache-2.0
"""The papers' plotted figures as pictures for pages, from the data of the HTML page."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import pyplot, rc_context
from matplotlib.axes import Axes

from montcore.support.plots import STYLE, save
from montcore_lab.papers.base import Chart, Panel
from montcore_lab.papers.subject import Figures


def draw(charts: Sequence[Chart], figures: Mapping[str, Figures], stem: Path) -> list[Path]:
    """Draw the panels of charts side by side and return the path of the PNG.

    Args:
        charts: the charts.
        figures: measured figures by the command of their subject.
        stem: path of the picture without its suffix.
    """
    panels = [(chart, panel) for chart in charts for panel in chart.panels]
    rows = -(-len(panels) // 2)
    with rc_context({**STYLE, "axes.grid.axis": "both"}):
        size = (13, 3.6 * rows + 3)
        picture, axes = pyplot.subplots(rows, 2, figsize=size, layout="constrained")
        for axis, (chart, panel) in zip(axes.flat, panels, strict=False):
            (_curves if chart.across else _bars)(axis, chart, panel, figures)
            axis.set_title(f"{chart.title.partition(':')[0]}: {panel.column.title}")
            axis.tick_params(labelsize=8, length=0)
        for axis in axes.flat[len(panels) :]:
            axis.set_visible(False)
    return save(picture, stem)


def points(
    chart: Chart, panel: Panel, figures: Mapping[str, Figures]
) -> list[tuple[str, str, list[tuple[str, float]]]]:
    """Return name, colour and points of each line of a panel: labels and known values."""
    known = chart.points(panel, figures)
    return [
        (line.name, line.colour, [(label, value) for own, label, _, value in known if own is line])
        for line in chart.lines
    ]


def _curves(axis: Axes, chart: Chart, panel: Panel, figures: Mapping[str, Figures]) -> None:
    for name, colour, drawn in points(chart, panel, figures):
        places = [float(label) for label, _ in drawn]
        axis.plot(places, [value for _, value in drawn], "o-", color=colour, label=name)
    axis.set_xlabel(chart.across)
    axis.set_ylim(bottom=0)
    axis.legend()


def _bars(axis: Axes, chart: Chart, panel: Panel, figures: Mapping[str, Figures]) -> None:
    for name, colour, drawn in points(chart, panel, figures):
        places = [label for label, _ in drawn]
        bars = axis.barh(places, [value for _, value in drawn], color=colour, label=name)
        texts = [panel.column.form.format(value) for _, value in drawn]
        axis.bar_label(bars, texts, fontsize=8, padding=2, color="#333333")
    axis.invert_yaxis()
    axis.margins(x=0.15)
    if panel.logarithmic:
        axis.set_xscale("log")
