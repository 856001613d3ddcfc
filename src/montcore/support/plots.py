# SPDX-License-Identifier: Apache-2.0
"""The style of all plots, and their output as PNG and, for users, SVG, without a display."""

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


def save(figure: Figure, stem: Path, *, vector: bool = False) -> list[Path]:
    """Write a figure as PNG and, with `vector`, as SVG; return the paths."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    metadata = {".png": {"Software": None}, ".svg": {"Date": None}}
    paths = [stem.with_suffix(suffix) for suffix in (".png", ".svg")[: 1 + vector]]
    with matplotlib.rc_context(STYLE):
        for path in paths:
            figure.savefig(path, dpi=130, metadata=metadata[path.suffix])
    pyplot.close(figure)
    return paths
