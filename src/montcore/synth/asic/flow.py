# SPDX-License-Identifier: Apache-2.0
"""The ASIC flow: Yosys and ABC to library cells, OpenSTA for the clock.

The area counts every cell of the flattened netlist, including the flip-flops and the stream port,
in gate equivalents (area of the smallest NAND of two inputs), and with wires (`placement`) the
buffers and the clock tree. No scan. Memory macros are black boxes and counted separately.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from montcore.synth.asic.adders import order_inputs
from montcore.synth.asic.elaborate import Elaborated, elaborate
from montcore.synth.asic.library import CellLibrary, cell_library, corners
from montcore.synth.asic.macros import macros_of
from montcore.synth.asic.memory import Macro, access_ns
from montcore.synth.asic.placement.flow import Physical, place_and_size
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.nldm import Library, read_library
from montcore.synth.asic.sizing.recover import recover
from montcore.synth.asic.sizing.tune import Limits, Tuner
from montcore.synth.asic.sta import Timing, time_netlist, time_placed
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, LATCH, MACRO, PLACED, Options
from montcore.synth.process import ToolError
from montcore.synth.target import MAPPED
from montcore.synth.yosys import count_cells, run_yosys

#: Prefix structure of the adders that the RTL leaves to the tool.
_SUMS = "-extra-map +/choices/sklansky.v"
#: ABC's commands by recipe. The first one favours area, the second one delay.
RECIPES = {
    "nf": ("strash", "&get -n", "&dch -f", "&nf", "&put", "topo"),
    "map": ("strash", "dch", "map -B 0.9", "topo"),
}
_LATCHES = "-cell $_DLATCH_P_ x -cell $_DLATCH_N_ x"
_GATES, _REGISTERS, _ADDERS = "gates.il", "registers.v", "adders.v"
_ORDERED = "adders.json"


@dataclass(frozen=True)
class Netlist:
    """A mapped netlist.

    Attributes:
        cells: number of each cell, macros included.
        ge: area of the cells excluding memory macros, in gate equivalents.
        ideal: result of static timing without wires and with an ideal clock.
        recipe: the one of `RECIPES` that gave the smallest product of area and period.
    """

    verilog: Path
    cells: dict[str, int]
    ge: float
    macros: tuple[Macro, ...]
    flip_flops: int
    timing: Timing
    ideal: Timing
    corners: dict[str, Timing]
    physical: Physical | None
    recipe: str


def run_flow(
    design: Design,
    work: Path,
    opts: Options = DEFAULT_OPTIONS,
    *,
    known: CellLibrary | None = None,
    flat: bool = True,
    paths: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> Netlist:
    """Map a design to cells, size and perhaps place them, and time the netlist.

    Args:
        known: the library; osu018 by default.
        flat: flatten the hierarchy, and size; False keeps it, for the area of each module.
    """
    known = known or cell_library()
    progress("elaboration")
    elaborated = elaborate(design, work, opts, known, flat=flat)
    progress("mapping")
    synthesise_gates(elaborated, known, work, opts)
    output = ["tee -q -o stat.json stat -json", f"write_verilog -noattr -noexpr {MAPPED}"]
    physical: Physical | None = None
    recipe = next(iter(RECIPES))
    if flat:
        library = _timed(known, elaborated, opts)
        products = {}
        for name in RECIPES:
            commands = [*_mapping(name, known, work), f"write_json {_mapped(name)}"]
            run_yosys(commands, work, f"mapping-{name}", opts)
            tuner = Tuner(EditableNetlist(work / _mapped(name), design.top), library)
            tuner.run(Limits())
            products[name] = recover(tuner) * tuner.area(), tuner.netlist
        recipe = min(products, key=lambda name: products[name][0])
        netlist = products[recipe][1]
        if opts.wires == PLACED:
            macros = sorted(set(elaborated.macros))
            physical = place_and_size(netlist, library, macros, design, work, progress)
        edited = work / "edited.json"
        netlist.write(edited)
        run_yosys([f"read_json {edited.name}", *output], work, "output", opts)
        for large in (*map(work.joinpath, map(_mapped, RECIPES)), edited):
            large.unlink()
    else:
        run_yosys([*_mapping(recipe, known, work), *output], work, "mapping", opts)
    return _measured(elaborated, known, physical, recipe, work, opts, paths)


def _mapped(recipe: str) -> str:
    return f"raw-{recipe}.json"


def _mapping(recipe: str, known: CellLibrary, work: Path) -> list[str]:
    script = work / f"{recipe}.abc"
    script.write_text("\n".join(RECIPES[recipe]) + "\n")
    return [
        f"read_liberty -lib -ignore_miss_func {known.liberty}",
        f"read_rtlil {_GATES}",
        f"abc -liberty {known.liberty} -script {script.name}",
        "setundef -zero",
        "splitnets",
        "opt_clean -purge",
    ]


def _timed(known: CellLibrary, elaborated: Elaborated, opts: Options) -> Library:
    sizes = sorted(set(elaborated.macros))
    return read_library(known, tuple((macro, access_ns(macro, opts)) for macro in sizes))


def _macro_files(elaborated: Elaborated, known: CellLibrary, work: Path) -> list[Path]:
    used = {macro.cell for macro in elaborated.macros}
    own = [timed.liberty for name, (_, timed) in macros_of(known).items() if name in used]
    return own or [work / "macros.lib"] * bool(used)


def _measured(
    elaborated: Elaborated,
    known: CellLibrary,
    physical: Physical | None,
    recipe: str,
    work: Path,
    opts: Options,
    paths: int,
) -> Netlist:
    design, verilog = elaborated.design, work / MAPPED
    count = count_cells(work / "stat.json")
    macros = _macro_files(elaborated, known, work)
    about = verilog, design.top, design.clock
    ideal = time_netlist(*about, known, macros, work, paths)

    def timed(at: CellLibrary, folder: Path) -> Timing:
        if not physical:
            return ideal if at is known else time_netlist(*about, at, macros, folder)
        ports = physical.inputs, physical.outputs
        library = _timed(at, elaborated, opts)
        return time_placed(*about, library, macros, physical.spef, ports, folder, paths)

    at_corners = {}
    # Macros have one corner.
    others = {} if opts.memory == MACRO and macros_of(known) else corners(known)
    for name, other in others.items():
        (work / name).mkdir()
        at_corners[name] = timed(other, work / name)
    return Netlist(
        verilog=verilog,
        cells=count,
        ge=gate_equivalents(count, known, latches=opts.memory == LATCH),
        macros=elaborated.macros,
        flip_flops=sum(
            number
            for name, number in count.items()
            if name in known.cells and known.cells[name].state and not known.cells[name].latch
        ),
        timing=timed(known, work),
        ideal=ideal,
        corners=at_corners,
        physical=physical,
        recipe=recipe,
    )


def synthesise_gates(elaborated: Elaborated, known: CellLibrary, work: Path, opts: Options) -> None:
    """Lower a design to generic gates, flip-flops and full adders of the library."""
    top = elaborated.design.top
    (work / _REGISTERS).write_text(known.register_map(latches=opts.memory == LATCH))
    (work / _ADDERS).write_text(known.adder_map())
    legal = " ".join(f"-cell {name} x" for name in known.registers)
    joined: list[str] = []
    for inner in elaborated.shared:
        name = inner.design.top
        synthesise_gates(inner, known, work / name, opts)
        joined += [f"delete ={name}", f"read_rtlil {name}/{_GATES}"]
    if joined:
        joined += [f"hierarchy -check -top {top}", "flatten"]
    generic = [
        f"read_liberty -lib -ignore_miss_func {known.liberty}",
        f"read_rtlil {elaborated.rtlil.name}",
        f"synth -noabc {'-flatten' if elaborated.flat else ''} -top {top} {_SUMS}",
        "opt -full",
        "extract_fa -fa",
        "opt_clean",
    ]
    if known.full_adder:
        generic.append(f"techmap -map {_ADDERS}")
    else:
        run_yosys([*generic, f"write_json {_ORDERED}"], work, "adders", opts)
        order_inputs(work / _ORDERED)
        generic = [f"read_json {_ORDERED}"]
    run_yosys(
        [
            *generic,
            "opt -full",
            "techmap",
            "opt -full",
            f"dfflegalize {legal} {_LATCHES if opts.memory == LATCH else ''}",
            f"techmap -map {_REGISTERS}",
            *joined,
            "opt_clean -purge",
            f"write_rtlil {_GATES}",
        ],
        work,
        "gates",
        opts,
    )
    (work / _ORDERED).unlink(missing_ok=True)


def gate_equivalents(cells: dict[str, int], known: CellLibrary, *, latches: bool = False) -> float:
    """Return the area of library cells in gate equivalents, excluding memory macros.

    Raises:
        ToolError: a cell is not in the library, its area is not known, or it is a latch although
            `latches` is not set.
    """
    total = 0.0
    for name, count in cells.items():
        if Macro.of_cell(name) or name.lstrip("\\") in macros_of(known):
            continue
        cell = known.cells.get(name.lstrip("\\"))
        if cell is None:
            raise ToolError(f"the netlist holds the cell {name}, which is not in the library")
        area = cell.area
        if cell.latch and not latches:
            area = 0.0
        elif cell.latch and not area:  # as in osu018's liberty file; its LEF file has the outline
            outline = known.geometry.cells[cell.name]
            area = outline.width * outline.height
        if area <= 0:
            raise ToolError(f"the netlist holds {count} of {name}, whose area is not known")
        total += area * count
    return round(total / known.cells[known.gate].area, 2)
