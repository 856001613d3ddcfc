# SPDX-License-Identifier: Apache-2.0
"""The ASIC flow: Yosys and ABC to osu018 cells, OpenSTA for the clock.

The area counts every cell of the flattened netlist, including the flip-flops and the stream port,
in gate equivalents (area of NAND2X1), and with wires (`placement`) the buffers and the clock tree.
No scan. Memory macros are black boxes and counted separately.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from montcore.synth.asic.elaborate import Elaborated, elaborate
from montcore.synth.asic.liberty import Macro, read_cells
from montcore.synth.asic.memory import access_ns, area_um2
from montcore.synth.asic.placement.flow import Physical, place_and_size
from montcore.synth.asic.placement.lef import read_lef
from montcore.synth.asic.recipes import Adder, Recipe
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.asic.sizing.tune import Limits, Tuner
from montcore.synth.asic.sta import Timing, time_netlist, time_placed
from montcore.synth.asic.tools import lef_path, liberty_path
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, LATCH, PLACED, Options
from montcore.synth.process import ToolError, read_json
from montcore.synth.yosys import run_yosys

_ADDER_FLAGS: dict[Adder, str] = {
    "brent-kung": "",
    "sklansky": "-extra-map +/choices/sklansky.v",
    "ripple": "-extra-map ripple.v",
}


@dataclass(frozen=True)
class Netlist:
    """A mapped netlist.

    Attributes:
        verilog: the netlist.
        recipe: name of the mapping recipe.
        cells: number of each cell, macros included.
        ge: area of the cells excluding memory macros, in gate equivalents.
        ge_by_module: the same for each module alone (one entry when flat).
        timing: result of static timing.
        wall_s: wall time of mapping and timing.
        ideal: result of static timing without wires and with an ideal clock.
        physical: the placement; None without wires.
    """

    verilog: Path
    recipe: str
    cells: dict[str, int]
    ge: float
    macros: tuple[Macro, ...]
    timing: Timing
    wall_s: float
    ideal: Timing | None = None
    physical: Physical | None = None
    modules: dict[str, "ModuleArea"] = field(default_factory=dict)


@dataclass(frozen=True)
class ModuleArea:
    """Area of one module: own cells in GE, and how often each submodule is instantiated."""

    own_ge: float
    children: dict[str, int]


def synthesise_gates(elaborated: Elaborated, adder: Adder, work: Path, opts: Options) -> Path:
    """Lower the design to generic gates, flip-flops and FAX1 full adders; return the RTLIL."""
    gates = work / f"gates-{adder}.il"
    if gates.exists():
        return gates
    flatten = "-flatten" if elaborated.flat else ""
    library = liberty_path()
    joined: list[str] = []
    for inner in elaborated.shared:
        name = inner.design.top
        lowered = synthesise_gates(inner, adder, work / name, opts)
        joined += [
            f"delete ={name}",
            f"read_rtlil {name}/{lowered.name}",
        ]
    if joined:
        joined += [f"hierarchy -check -top {elaborated.design.top}", "flatten"]
    run_yosys(
        [
            f"read_liberty -lib -ignore_miss_func {library}",
            f"read_rtlil {elaborated.rtlil.name}",
            f"synth -noabc {flatten} -top {elaborated.design.top} {_ADDER_FLAGS[adder]}",
            "opt -full",
            "extract_fa -fa",
            "opt_clean",
            "techmap -map osu018_fa.v",
            "opt -full",
            "techmap",
            "opt -full",
            f"dfflibmap -liberty {library}",
            *(["techmap -map osu018_latch.v"] if opts.memory == LATCH else []),
            *joined,
            "opt_clean -purge",
            f"write_rtlil {gates.name}",
        ],
        work,
        f"gates-{adder}",
        opts,
    )
    return gates


def map_netlist(
    elaborated: Elaborated,
    recipe: Recipe,
    work: Path,
    opts: Options = DEFAULT_OPTIONS,
    paths: int = 1,
    say: Callable[[str], None] = lambda _: None,
) -> Netlist:
    """Map an elaborated design with one recipe and time it.

    Raises:
        ToolError: a tool failed, or the netlist holds a cell that cannot be counted.
        ToolTimeoutError: ABC or another tool did not end.
    """
    top = elaborated.design.top
    gates = synthesise_gates(elaborated, recipe.adder, work, opts)
    library = liberty_path()
    script = work / f"{recipe.name}.abc"
    script.write_text("\n".join(recipe.abc) + "\n")
    verilog, statistics = work / f"{recipe.name}.v", work / f"{recipe.name}.stat.json"
    start = time.monotonic()
    tail = [
        f"tee -q -o {statistics.name} stat -json",
        f"write_verilog -noattr -noexpr {verilog.name}",
    ]
    mapping = [
        f"read_liberty -lib -ignore_miss_func {library}",
        f"read_rtlil {gates.name}",
        f"abc -liberty {library} -script {script.name}",
        "setundef -zero",
        "splitnets",
        "opt_clean -purge",
    ]
    tuned = recipe.tune and elaborated.flat
    physical: Physical | None = None
    if tuned:
        raw, edited = work / f"{recipe.name}.raw.json", work / f"{recipe.name}.json"
        run_yosys([*mapping, f"write_json {raw.name}"], work, recipe.name, opts)
        netlist = EditableNetlist(raw, top)
        macros = tuple(sorted(set(elaborated.macros)))
        cells_timing = read_library(
            library, tuple((macro, access_ns(macro, opts)) for macro in macros)
        )
        if opts.wires == PLACED:
            physical = place_and_size(
                netlist,
                cells_timing,
                {macro.cell: macro for macro in macros},
                {macro.cell: area_um2(macro) for macro in macros},
                elaborated.design.clock,
                work,
                recipe.name,
                top,
                opts,
                say,
            )
        else:
            Tuner(netlist, cells_timing).run(Limits())
        netlist.write(edited)
        run_yosys([f"read_json {edited.name}", *tail], work, f"{recipe.name}-out", opts)
        raw.unlink()
        edited.unlink()
    else:
        run_yosys([*mapping, *tail], work, recipe.name, opts)
    cells, modules = count_cells(statistics, top, latches=opts.memory == LATCH)
    libraries = [library, *([work / "macros.lib"] if elaborated.macros else [])]
    clock = elaborated.design.clock
    timing = ideal = time_netlist(verilog, top, clock, libraries, work, opts, paths)
    if physical:
        ports = physical.inputs, physical.outputs
        timing = time_placed(
            verilog, top, clock, libraries, physical.spef, ports, work, opts, paths
        )
    return Netlist(
        verilog=verilog,
        recipe=recipe.name,
        cells=cells,
        ge=gate_equivalents(cells, latches=opts.memory == LATCH),
        macros=elaborated.macros,
        timing=timing,
        ideal=ideal,
        physical=physical,
        wall_s=time.monotonic() - start,
        modules=modules,
    )


def gate_equivalents(cells: dict[str, int], *, latches: bool = False) -> float:
    """Return the area of library cells in NAND2X1 areas, excluding memory macros.

    Raises:
        ToolError: a cell is not in the library, or is a latch although `latches` is not set.
    """
    library = read_cells(liberty_path())
    total = 0.0
    for name, count in cells.items():
        if Macro.of_cell(name):
            continue
        cell = library.get(name.lstrip("\\"))
        if cell is None:
            raise ToolError(f"the netlist holds the cell {name}, which is not in the library")
        area = cell.area
        if cell.latch and latches:  # osu018's liberty file gives latches no area; the LEF does
            outline = read_lef(lef_path()).cells[cell.name]
            area = outline.width * outline.height
        if area <= 0:
            raise ToolError(f"the netlist holds {count} of {name}, whose area is not known")
        total += area * count
    return round(total / library["NAND2X1"].area, 2)


def count_cells(
    statistics: Path, top: str, *, latches: bool = False
) -> tuple[dict[str, int], dict[str, ModuleArea]]:
    """Return the cells below the top, and each module's own area, from ``stat -json``."""
    modules = {
        name.lstrip("\\"): entry["num_cells_by_type"]
        for name, entry in read_json(statistics)["modules"].items()
    }
    areas: dict[str, ModuleArea] = {}
    for name, cells in modules.items():
        children = {cell: count for cell, count in cells.items() if cell in modules}
        own = {cell: count for cell, count in cells.items() if cell not in modules}
        areas[name] = ModuleArea(gate_equivalents(own, latches=latches), children)
    total: dict[str, int] = {}

    def add(name: str, times: int) -> None:
        for cell, count in modules[name].items():
            if cell in modules:
                add(cell, times * count)
            else:
                total[cell] = total.get(cell, 0) + times * count

    add(top, 1)
    return dict(sorted(total.items())), areas


def run_flow(
    design: Design,
    recipes: Sequence[Recipe],
    work: Path,
    opts: Options = DEFAULT_OPTIONS,
    *,
    flat: bool = True,
    paths: int = 1,
    progress: Callable[[str], None] | None = None,
) -> list[Netlist]:
    """Elaborate once and map with each recipe.

    Raises:
        ToolError: the design does not elaborate, or a recipe failed: the best of the others would
            depend on why, e.g. on the load of the machine.
    """
    say = progress or (lambda _: None)
    say("elaboration")
    elaborated = elaborate(design, work, opts, flat=flat)
    netlists: list[Netlist] = []
    for recipe in recipes:
        say(f"mapping with {recipe.name}")
        netlists.append(map_netlist(elaborated, recipe, work, opts, paths, say))
    return netlists
