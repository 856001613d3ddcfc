# SPDX-License-Identifier: Apache-2.0
"""The style of all plots, and their output as PNG and SVG, without a display."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.figure import Figure

STYLE: Any = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "svg.hashsalt": "montcore",  # the same figures give the same file
}


def save(figure: Figure, stem: Path) -> tuple[Path, Path]:
    """Write a figure as PNG and SVG; return both paths."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    paths = stem.with_suffix(".png"), stem.with_suffix(".svg")
    with matplotlib.rc_context(STYLE):
        figure.savefig(paths[0], dpi=130, metadata={"Software": None})
        figure.savefig(paths[1], metadata={"Date": None})
    pyplot.close(figure)
    return paths
