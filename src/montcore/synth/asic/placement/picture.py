# SPDX-License-Identifier: Apache-2.0
"""A picture of a placed netlist, with cells coloured by their original module.

Mapping flattens modules, but registers and many nets keep their hierarchical names. A gate is
assigned to the module in the name of the net that it drives, or without such a name to the most
frequent module among its neighbours.
"""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from montcore.synth.asic.placement.layout import Layout
from montcore.synth.asic.sizing.editable import EditableNetlist

CLOCK, MEMORY, TOP = "clock tree", "memory", "top"
_MODULES = 9
"""Modules that get a colour of their own."""
_ROUNDS = 30
_COLOURS = (
    "#4269d0",
    "#efb118",
    "#ff725c",
    "#6cc5b0",
    "#3ca951",
    "#ff8ab7",
    "#a463f2",
    "#97bbf5",
    "#9c6b4e",
)
_OTHER, _MEMORY_COLOUR, _CLOCK_COLOUR = "#c8c8c8", "#666666", "#000000"


def modules_of(netlist: EditableNetlist, names: Mapping[int, str], clock_prefix: str) -> list[str]:
    """Return the module path of each gate, ``a.b``; `TOP` if it has none.

    Args:
        netlist: gates with their names before `EditableNetlist.plain_names`.
        names: hierarchical names of the bits that have one.
        clock_prefix: prefix of the names of the clock tree's gates.
    """
    found: list[str | None] = []
    drives: dict[int, int] = {}
    for number, gate in enumerate(netlist.gates):
        if gate.name.startswith(clock_prefix):
            found.append(CLOCK)
            continue
        if "rdata_o" in gate.pins or "rdata_o[0]" in gate.pins:
            found.append(MEMORY)
            continue
        outs = [bit for pin, bit in gate.pins.items() if pin in ("Y", "Q", "YC", "YS")]
        drives.update(dict.fromkeys(outs, number))
        paths = [names[bit].rpartition(".")[0] for bit in outs if bit in names]
        found.append((max(paths, key=len) or TOP) if paths else None)
    near: list[set[int]] = [set() for _ in netlist.gates]
    for number, gate in enumerate(netlist.gates):
        for bit in gate.pins.values():
            source = drives.get(bit)
            if source is not None and source != number:
                near[number].add(source)
                near[source].add(number)
    for _ in range(_ROUNDS):
        changed = []
        for number, path in enumerate(found):
            if path is None:
                around = Counter(known for other in near[number] if (known := found[other]))
                around.pop(CLOCK, None)
                if around:
                    changed.append((number, around.most_common(1)[0][0]))
        if not changed:
            break
        for number, path in changed:
            found[number] = path
    return [path or TOP for path in found]


def record(layout: Layout, netlist: EditableNetlist, modules: list[str]) -> dict[str, Any]:
    """Return the data for `draw`: cells as [left, low, width, number of module], sizes in um."""
    names = sorted(set(modules))
    number = {name: index for index, name in enumerate(names)}
    cells = []
    for gate, module in enumerate(modules):
        width = layout.cell_width(netlist.gates[gate].cell)
        for x, y in layout.slices.get(gate, [layout.at[gate]]):
            cells.append([round(x, 1), round(y, 1), round(width, 1), number[module]])
    return {
        "width": round(layout.width, 1),
        "height": round(layout.height, 1),
        "row": layout.geometry.row,
        "modules": names,
        "cells": cells,
    }


def _shortened(names: list[str], areas: Mapping[str, float]) -> dict[str, str]:
    """Return a coarser name for each module, so that few of them cover most of the area."""
    best = {name: name for name in names}
    for depth in range(1, 7):
        short = {name: ".".join(name.split(".")[:depth]) for name in names}
        total = _summed(short, areas)
        best = short
        if max(total.values()) < 0.6 * sum(total.values()):
            break
    return best


def _summed(short: Mapping[str, str], areas: Mapping[str, float]) -> dict[str, float]:
    """Return areas by the coarser names."""
    total: dict[str, float] = {}
    for name, area in areas.items():
        total[short[name]] = total.get(short[name], 0.0) + area
    return total


def draw(data: Mapping[str, Any], title: str, stem: Path) -> Path:
    """Draw the data from `record` as a PNG file and return its path."""
    from matplotlib import rc_context
    from matplotlib.collections import PatchCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch, Rectangle

    from montcore.support.plots import STYLE

    names, cells = data["modules"], data["cells"]
    areas = dict.fromkeys(names, 0.0)
    for _, _, width, module in cells:
        areas[names[module]] += width
    short = _shortened(names, areas)
    grouped = _summed(short, areas)
    ranked = sorted(grouped.keys() - {CLOCK, MEMORY, TOP}, key=lambda name: -grouped[name])
    colours = dict(zip(ranked[:_MODULES], _COLOURS, strict=False))
    colours |= {MEMORY: _MEMORY_COLOUR, CLOCK: _CLOCK_COLOUR}
    with rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(7.4, 5.2), layout="constrained")
        axes = figure.subplots()
        boxes = [Rectangle((x, y + 0.4), width, data["row"] - 0.8) for x, y, width, _ in cells]
        faces = [colours.get(short[names[module]], _OTHER) for *_, module in cells]
        # Rows are about as high as a pixel: snapped to pixels, whole rows would be lost.
        drawn = PatchCollection(boxes, facecolors=faces, linewidths=0, snap=False)
        axes.add_collection(drawn)
        axes.set(xlim=(0, data["width"]), ylim=(0, data["height"]), aspect="equal", title=title)
        axes.set_xlabel("um")
        total = sum(grouped.values())
        shown = [*ranked[:_MODULES], MEMORY, CLOCK]
        legend = [
            Patch(color=colours[name], label=f"{name}  {100 * grouped[name] / total:.0f} %")
            for name in shown
            if grouped.get(name)
        ]
        rest = total - sum(grouped[name] for name in shown)
        if rest > 0:
            legend.append(Patch(color=_OTHER, label=f"others  {100 * rest / total:.0f} %"))
        axes.legend(handles=legend, loc="center left", bbox_to_anchor=(1.0, 0.5))
        stem.parent.mkdir(parents=True, exist_ok=True)
        path = stem.with_suffix(".png")
        # Long names of modules may make the legend wider than the figure.
        figure.savefig(path, dpi=130, bbox_inches="tight", metadata={"Software": None})
    return path


def read(path: Path) -> dict[str, Any]:
    """Return the data of a placement that a flow recorded."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data
