# SPDX-License-Identifier: Apache-2.0
"""LEF files: widths, row height and pin positions of cells."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from montcore.support.errors import RequestError


@dataclass(frozen=True)
class Outline:
    """One cell, measured in um.

    Attributes:
        pins: centre of each signal pin relative to the lower left corner.
    """

    width: float
    height: float
    pins: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Geometry:
    """Cells by name, and the grid of the rows in um."""

    cells: dict[str, Outline]
    row: float
    site: float


class Wire(NamedTuple):
    """Capacitance and resistance of a micrometre of wire."""

    pf_per_um: float
    ohm_per_um: float


_MACRO = re.compile(r"^MACRO (\S+)\s*\n(.*?)^END \1\b", flags=re.M | re.S)
_PIN = re.compile(r"^\s+PIN (\S+)\s*\n(.*?)^\s+END \1(?!\S)", flags=re.M | re.S)
_SIZE = re.compile(r"\bSIZE\s+([\d.]+)\s+BY\s+([\d.]+)")
_RECT = re.compile(r"\bRECT\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)")
_LAYER = re.compile(r"^LAYER (\S+)\s*\n(.*?)^END \1\b", flags=re.M | re.S)


def _text(path: Path) -> str:
    try:
        return re.sub(r"#.*", "", path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise RequestError(f"the LEF file {path} cannot be read: {error.strerror}") from None


def _middle(body: str) -> tuple[float, float]:
    """Return the centre of the bounding box of all shapes of a pin."""
    shapes = [tuple(float(text) for text in found) for found in _RECT.findall(body)]
    low = [min(column) for column in zip(*shapes, strict=True)]
    high = [max(column) for column in zip(*shapes, strict=True)]
    return (low[0] + high[2]) / 2, (low[1] + high[3]) / 2


@cache
def read_lef(path: Path, tech: Path | None = None, site: str | None = None) -> Geometry:
    """Read the cells and the site of a LEF file.

    Args:
        tech: the file of the technology, if the site is in it.
        site: the name of the site; by default the one of the first cell.
    """
    text = _text(path)
    used = re.search(r"^\s+SITE\s+(\w+)", text, flags=re.M)
    name = site or (used[1] if used else "core")
    both = text + (_text(tech) if tech else "")
    found = re.search(rf"^SITE\s+{re.escape(name)}\b(.*?)^END", both, flags=re.M | re.S)
    step = _SIZE.search(found[1]) if found else None
    cells: dict[str, Outline] = {}
    for cell, body in _MACRO.findall(text):
        size = _SIZE.search(body)
        if size is None:
            continue
        pins = {
            pin: _middle(shapes)
            for pin, shapes in _PIN.findall(body)
            if "USE GROUND" not in shapes and "USE POWER" not in shapes and _RECT.search(shapes)
        }
        cells[cell] = Outline(float(size[1]), float(size[2]), pins)
    if step is None or not cells:
        what = f"no site {name}" if step is None else "no cells"
        raise RequestError(f"{path} is not a LEF file of cells in rows: it has {what}")
    return Geometry(cells, float(step[2]), float(step[1]))


def read_lef_pins(path: Path, cell: str) -> set[str]:
    """Return the pins of a cell in a LEF file, of any size."""
    for name, body in _MACRO.findall(_text(path)):
        if name == cell:
            return {pin for pin, _ in _PIN.findall(body)}
    raise RequestError(f"{path} has no cell {cell}")


def _stated(body: str, key: str) -> float:
    found = re.search(rf"^\s*{key}\s+([-+.\dEe]+)", body, flags=re.M)
    return float(found[1]) if found else 0.0


def read_layers(path: Path | None, top: str | None = None) -> list[Wire]:
    """Return what wires of minimum width have on the routing layers from the second to a top one.

    Cells use the first layer themselves. What a layer does not state is 0.

    Args:
        top: name of the top layer; by default all layers count.
    """
    found: dict[str, Wire] = {}
    for name, body in _LAYER.findall(_text(path)) if path else ():
        if not re.search(r"\bTYPE\s+ROUTING\b", body):
            continue
        width = _stated(body, "WIDTH")
        if not width:
            raise RequestError(f"the layer {name} of {path} has no width")
        surface = _stated(body, r"CAPACITANCE\s+CPERSQDIST")
        pf = surface * width + 2 * _stated(body, "EDGECAPACITANCE")
        found[name] = Wire(pf, _stated(body, r"RESISTANCE\s+RPERSQ") / width)
    names = list(found)
    if top is not None and top not in names[1:]:
        raise RequestError(f"{path} has no routing layer {top} above the first")
    last = names.index(top) + 1 if top is not None else len(names)
    if last < 2:
        raise RequestError(f"{path} has no routing layers")
    return [found[name] for name in names[1:last]]
