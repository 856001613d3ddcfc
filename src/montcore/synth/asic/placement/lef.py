# SPDX-License-Identifier: Apache-2.0
"""Cell geometry from a LEF file: widths, row height, pin positions."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.support.errors import RequestError


@dataclass(frozen=True)
class Outline:
    """One cell.

    Attributes:
        width: in um.
        height: in um, equal to the row height.
        pins: centre of each signal pin relative to the lower left corner, in um.
    """

    width: float
    height: float
    pins: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Geometry:
    """Cells by name, and the grid of the rows.

    Attributes:
        cells: outlines by the name of the cell.
        row: height of a row in um.
        site: step of positions in a row in um.
    """

    cells: dict[str, Outline]
    row: float
    site: float


_MACRO = re.compile(r"^MACRO (\S+)\n(.*?)^END \1", flags=re.M | re.S)
_PIN = re.compile(r"^  PIN (\S+)\n(.*?)^  END \1", flags=re.M | re.S)
_SIZE = re.compile(r"\bSIZE\s+([\d.]+)\s+BY\s+([\d.]+)")
_RECT = re.compile(r"\bRECT\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)")


def _middle(body: str) -> tuple[float, float]:
    """Return the centre of the bounding box of all shapes of a pin."""
    shapes = [tuple(float(text) for text in found) for found in _RECT.findall(body)]
    low = [min(column) for column in zip(*shapes, strict=True)]
    high = [max(column) for column in zip(*shapes, strict=True)]
    return (low[0] + high[2]) / 2, (low[1] + high[3]) / 2


@cache
def read_lef(path: Path) -> Geometry:
    """Read the cells and the site of a LEF file.

    Raises:
        RequestError: there is no such file, or it has no site or no cells.
    """
    if not path.is_file():
        raise RequestError(
            f"the layouts of the osu018 cells are missing ({path} does not exist); `make setup` "
            "installs them (Debian package qflow-tech-osu018)"
        )
    text = path.read_text()
    site = re.search(r"^SITE\s+core\b(.*?)^END", text, flags=re.M | re.S)
    size = _SIZE.search(site.group(1)) if site else None
    cells: dict[str, Outline] = {}
    for name, body in _MACRO.findall(text):
        found = _SIZE.search(body)
        if found is None:
            continue
        pins = {
            pin: _middle(shapes)
            for pin, shapes in _PIN.findall(body)
            if "USE GROUND" not in shapes and "USE POWER" not in shapes and _RECT.search(shapes)
        }
        cells[name] = Outline(float(found[1]), float(found[2]), pins)
    if size is None or not cells:
        raise RequestError(f"{path} is not a LEF file with cells and a site")
    return Geometry(cells, float(size[2]), float(size[1]))
