# SPDX-License-Identifier: Apache-2.0
"""The style of all plots, and their output as PNG or SVG, without a display."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.figure import Figure
from PIL import Image

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


BOTH = (".png", ".svg")
#: What would make two files of the same figure differ.
_NOT_WRITTEN = {".png": {"Software": None}, ".svg": {"Date": None}}


def save(figure: Figure, stem: Path, suffixes: Sequence[str] = (".png",)) -> list[Path]:
    """Write a figure in the formats of some suffixes, .png or .svg; return the paths."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    paths = [stem.with_suffix(suffix) for suffix in suffixes]
    with matplotlib.rc_context(STYLE):
        for path in paths:
            figure.savefig(path, dpi=130, metadata=_NOT_WRITTEN[path.suffix])
            if path.suffix == ".png":
                reduce_colours(path)
    pyplot.close(figure)
    return paths


def reduce_colours(path: Path) -> None:
    """Rewrite a PNG with 256 colours, which a plot does not miss: a third of the size."""
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
