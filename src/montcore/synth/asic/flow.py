# SPDX-License-Identifier: Apache-2.0
"""The ASIC flow: Yosys and ABC to library cells, OpenSTA for the clock.

The area counts every cell of the flattened netlist, including the flip-flops and the stream port,
in gate equivalents (area of NAND2X1), and with wires (`placement`) the buffers and the clock tree.
No scan. Memory macros are black boxes and counted separately.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from montcore.synth.asic.cells import FLIP_FLOPS, FULL_ADDERS, GATE, LATCHES, lef_path, liberty_path
from montcore.synth.asic.elaborate import Elaborated, elaborate
from montcore.synth.asic.liberty import read_cells
from montcore.synth.asic.memory import Macro, access_ns
from montcore.synth.asic.placement.flow import Physical, place_and_size
from montcore.synth.asic.placement.lef import read_lef
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.asic.sizing.tune import Limits, Tuner
from montcore.synth.asic.sta import Timing, time_netlist, time_placed
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, LATCH, PLACED, Options
from montcore.synth.process import ToolError
from montcore.synth.target import MAPPED
from montcore.synth.yosys import count_cells, run_yosys

#: Prefix structure of the adders that the RTL leaves to the tool, and ABC's commands.
_ADDERS = "-extra-map +/choices/sklansky.v"
_ABC = ("strash", "&get -n", "&dch -f", "&nf", "&put", "topo")
_GATES = "gates.il"


@dataclass(frozen=True)
class Netlist:
    """A mapped netlist.

    Attributes:
        verilog: the netlist.
        cells: number of each cell, macros included.
        ge: area of the cells excluding memory macros, in gate equivalents.
        macros: the memory macros, one entry each.
        timing: result of static timing.
        ideal: result of static timing without wires and with an ideal clock.
        physical: the placement; None without wires.
    """

    verilog: Path
    cells: dict[str, int]
    ge: float
    macros: tuple[Macro, ...]
    timing: Timing
    ideal: Timing
    physical: Physical | None

    @property
    def flip_flops(self) -> int:
        """Number of flip-flops."""
        return sum(count for name, count in self.cells.items() if name.startswith(FLIP_FLOPS))


def run_flow(
    design: Design,
    work: Path,
    opts: Options = DEFAULT_OPTIONS,
    *,
    flat: bool = True,
    paths: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> Netlist:
    """Map a design to cells, size and perhaps place them, and time the netlist.

    Args:
        design: what to map.
        work: folder for scripts, logs and results.
        opts: wires, memories, limits.
        flat: flatten the hierarchy, and size; False keeps it, for the area of each module.
        paths: number of worst paths that are returned.
        progress: receives a short text at each step.

    Raises:
        ToolError: a tool failed, or the netlist holds a cell that cannot be counted.
        ToolTimeoutError: ABC or another tool did not end.
    """
    progress("elaboration")
    elaborated = elaborate(design, work, opts, flat=flat)
    progress("mapping")
    synthesise_gates(elaborated, work, opts)
    library = liberty_path()
    (work / "mapped.abc").write_text("\n".join(_ABC) + "\n")
    mapping = [
        f"read_liberty -lib -ignore_miss_func {library}",
        f"read_rtlil {_GATES}",
        f"abc -liberty {library} -script mapped.abc",
        "setundef -zero",
        "splitnets",
        "opt_clean -purge",
    ]
    output = ["tee -q -o stat.json stat -json", f"write_verilog -noattr -noexpr {MAPPED}"]
    physical: Physical | None = None
    if flat:
        raw, edited = work / "raw.json", work / "edited.json"
        run_yosys([*mapping, f"write_json {raw.name}"], work, "mapping", opts)
        netlist = EditableNetlist(raw, design.top)
        macros = sorted(set(elaborated.macros))
        cells = read_library(library, tuple((macro, access_ns(macro, opts)) for macro in macros))
        if opts.wires == PLACED:
            physical = place_and_size(netlist, cells, macros, design, work, progress)
        else:
            Tuner(netlist, cells).run(Limits())
        netlist.write(edited)
        run_yosys([f"read_json {edited.name}", *output], work, "output", opts)
        raw.unlink()
        edited.unlink()
    else:
        run_yosys([*mapping, *output], work, "mapping", opts)
    return _measured(elaborated, physical, work, opts, paths)


def _measured(
    elaborated: Elaborated, physical: Physical | None, work: Path, opts: Options, paths: int
) -> Netlist:
    """Count and time the netlist that was written."""
    design, verilog = elaborated.design, work / MAPPED
    count = count_cells(work / "stat.json")
    libraries = [liberty_path(), *([work / "macros.lib"] if elaborated.macros else [])]
    about = verilog, design.top, design.clock, libraries
    timing = ideal = time_netlist(*about, work, paths)
    if physical:
        ports = physical.inputs, physical.outputs
        timing = time_placed(*about, physical.spef, ports, work, paths)
    return Netlist(
        verilog=verilog,
        cells=count,
        ge=gate_equivalents(count, latches=opts.memory == LATCH),
        macros=elaborated.macros,
        timing=timing,
        ideal=ideal,
        physical=physical,
    )


def synthesise_gates(elaborated: Elaborated, work: Path, opts: Options) -> None:
    """Lower a design to generic gates, flip-flops and full adders of the library."""
    library, top = liberty_path(), elaborated.design.top
    joined: list[str] = []
    for inner in elaborated.shared:
        name = inner.design.top
        synthesise_gates(inner, work / name, opts)
        joined += [f"delete ={name}", f"read_rtlil {name}/{_GATES}"]
    if joined:
        joined += [f"hierarchy -check -top {top}", "flatten"]
    run_yosys(
        [
            f"read_liberty -lib -ignore_miss_func {library}",
            f"read_rtlil {elaborated.rtlil.name}",
            f"synth -noabc {'-flatten' if elaborated.flat else ''} -top {top} {_ADDERS}",
            "opt -full",
            "extract_fa -fa",
            "opt_clean",
            f"techmap -map {FULL_ADDERS}",
            "opt -full",
            "techmap",
            "opt -full",
            f"dfflibmap -liberty {library}",
            *([f"techmap -map {LATCHES}"] if opts.memory == LATCH else []),
            *joined,
            "opt_clean -purge",
            f"write_rtlil {_GATES}",
        ],
        work,
        "gates",
        opts,
    )


def gate_equivalents(cells: dict[str, int], *, latches: bool = False) -> float:
    """Return the area of library cells in gate equivalents, excluding memory macros.

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
    return round(total / library[GATE].area, 2)
