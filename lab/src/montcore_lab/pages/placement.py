# SPDX-License-Identifier: Apache-2.0
"""The picture of a placed core in its datasheet; ``montcore maintain placement``.

Cells are coloured by their original module. Mapping flattens modules, but registers and many nets
keep their hierarchical names. A gate is assigned to the module in the name of the net that it
drives, or without such a name to the most frequent module among its neighbours.
"""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from matplotlib import rc_context
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from montcore.cores.core import Core
from montcore.support.paths import REPO_ROOT
from montcore.support.plots import STYLE, reduce_colours
from montcore.synth.asic.flow import run_flow
from montcore.synth.asic.placement.flow import Physical
from montcore.synth.flow import rtl
from montcore.synth.options import DEFAULT_OPTIONS, PLACED
from montcore.synth.target import all_targets

FOLDER = REPO_ROOT / "docs" / "images"

CLOCK, MEMORY, TOP = "clock tree", "memory", "top"
_ROUNDS = 30
#: Colours of the largest modules, and of the rest.
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


def modules_of(physical: Physical) -> list[str]:
    """Return the module path of each gate, ``a.b``; `TOP` if it has none."""
    gates, names = physical.gates, physical.paths
    clock = {driver for (driver, _), *_ in physical.clock.nets.values()}
    found: list[str | None] = []
    drives: dict[int, int] = {}
    for number, gate in enumerate(gates):
        if number in clock:
            found.append(CLOCK)
            continue
        if "rdata_o" in gate.pins or "rdata_o[0]" in gate.pins:
            found.append(MEMORY)
            continue
        outs = [bit for pin, bit in gate.pins.items() if pin in ("Y", "Q", "YC", "YS")]
        drives.update(dict.fromkeys(outs, number))
        paths = [names[bit].rpartition(".")[0] for bit in outs if bit in names]
        found.append((max(paths, key=len) or TOP) if paths else None)
    near: list[set[int]] = [set() for _ in gates]
    for number, gate in enumerate(gates):
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


def _shortened(areas: Mapping[str, float]) -> dict[str, str]:
    """Return a coarser name for each module, so that few of them cover most of the area."""
    for depth in range(1, 7):
        short = {name: ".".join(name.split(".")[:depth]) for name in areas}
        total: dict[str, float] = defaultdict(float)
        for name, area in areas.items():
            total[short[name]] += area
        if max(total.values()) < 0.6 * sum(total.values()):
            break
    return short


def draw(physical: Physical, title: str, stem: Path) -> Path:
    """Draw a placed netlist as a PNG file and return its path."""
    layout = physical.layout
    modules = modules_of(physical)
    widths = [layout.cell_width(gate.cell) for gate in physical.gates]
    places = [layout.slices.get(number, [at]) for number, at in enumerate(layout.at)]
    areas: dict[str, float] = defaultdict(float)
    for module, width, slices in zip(modules, widths, places, strict=True):
        areas[module] += width * len(slices)
    short = _shortened(areas)
    grouped: dict[str, float] = defaultdict(float)
    for module, area in areas.items():
        grouped[short[module]] += area
    ranked = sorted(grouped.keys() - {CLOCK, MEMORY, TOP}, key=lambda name: -grouped[name])
    colours = dict(zip(ranked, _COLOURS, strict=False))
    colours |= {MEMORY: _MEMORY_COLOUR, CLOCK: _CLOCK_COLOUR}
    boxes, faces = [], []
    for module, width, slices in zip(modules, widths, places, strict=True):
        for x, y in slices:
            boxes.append(Rectangle((x, y + 0.4), width, layout.geometry.row - 0.8))
            faces.append(colours.get(short[module], _OTHER))
    total = sum(grouped.values())
    legend = [
        Patch(color=colour, label=f"{name}  {100 * grouped[name] / total:.0f} %")
        for name, colour in colours.items()
        if grouped.get(name)
    ]
    rest = total - sum(grouped[name] for name in colours if name in grouped)
    if rest > 0:
        legend.append(Patch(color=_OTHER, label=f"others  {100 * rest / total:.0f} %"))
    with rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(7.4, 5.2), layout="constrained")
        axes = figure.subplots()
        # Rows are about as high as a pixel: snapped to pixels, whole rows would be lost.
        drawn = PatchCollection(boxes, facecolors=faces, linewidths=0, snap=False)
        axes.add_collection(drawn)
        axes.set(xlim=(0, layout.width), ylim=(0, layout.height), aspect="equal", title=title)
        axes.set_xlabel("um")
        axes.legend(handles=legend, loc="center left", bbox_to_anchor=(1.0, 0.5))
        stem.parent.mkdir(parents=True, exist_ok=True)
        path = stem.with_suffix(".png")
        # Long names of modules may make the legend wider than the figure.
        figure.savefig(path, dpi=130, bbox_inches="tight", metadata={"Software": None})
    reduce_colours(path)
    return path


def draw_core(core: Core, progress: Callable[[str], None]) -> Path:
    """Place a core and draw its cells."""
    opts = replace(DEFAULT_OPTIONS, wires=PLACED)
    on = next(on for on in all_targets().values() if on.has_cells)
    on.check(opts)
    with tempfile.TemporaryDirectory() as folder:
        netlist = run_flow(rtl(core, on), Path(folder), opts, progress=progress)
    assert netlist.physical is not None
    title = (
        f"{core.name} {core.label()}: {netlist.ge / 1e3:.1f} kGE, {netlist.timing.tmin_ns:.2f} ns"
    )
    return draw(netlist.physical, title, FOLDER / f"placement-{core.name}")
