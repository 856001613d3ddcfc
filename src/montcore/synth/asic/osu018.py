# SPDX-License-Identifier: Apache-2.0
"""The ASIC flow: Yosys and ABC to osu018 cells, OpenSTA for the clock.

What is counted: every cell of the flattened netlist, the flip-flops and the stream port included,
in gate equivalents (area of NAND2X1). No clock tree, no scan, no wires. Memory macros are black
boxes; their bits are counted separately.
"""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from montcore.support.errors import TransientError
from montcore.synth import options
from montcore.synth.asic.liberty import Macro, macro_liberty, macro_verilog, read_cells
from montcore.synth.asic.recipes import Adder, Recipe
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.asic.sizing.timer import EditableNetlist
from montcore.synth.asic.sizing.tune import Limits, Tuner
from montcore.synth.asic.sta import Timing, time_netlist
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.process import ToolError, ToolTimeoutError
from montcore.synth.tools import liberty_path
from montcore.synth.yosys import run_yosys

_MAPS = Path(__file__).parent / "maps"
#: What the sources see as defined when they are mapped to cells and memory macros.
TECHNOLOGY_DEFINES = ("MONTCORE_TECH_MACRO",)
_ADDER_FLAGS: dict[Adder, str] = {
    "brent-kung": "",
    "sklansky": "-extra-map +/choices/sklansky.v",
    "ripple": "-extra-map ripple.v",
}


@dataclass(frozen=True)
class Elaborated:
    """A design after elaboration.

    Attributes:
        design: what was read.
        rtlil: the result; each shared module is a black box in it, under a name for its parameters.
        macros: the memory macros, one entry each.
        flat: whether the hierarchy is dissolved.
        shared: the shared modules, elaborated by themselves; the name is that of their top.
    """

    design: Design
    rtlil: Path
    macros: tuple[Macro, ...]
    flat: bool
    shared: tuple["Elaborated", ...] = ()


@dataclass(frozen=True)
class Netlist:
    """A mapped netlist.

    Attributes:
        verilog: the netlist.
        recipe: name of the mapping recipe.
        cells: number of each cell, macros included.
        ge: area of the cells without memory macros, in gate equivalents.
        ge_by_module: the same for each module by itself (one entry when flat).
        timing: result of static timing.
        wall_s: wall time of mapping and timing.
    """

    verilog: Path
    recipe: str
    cells: dict[str, int]
    ge: float
    macros: tuple[Macro, ...]
    timing: Timing
    wall_s: float
    modules: dict[str, "ModuleArea"] = field(default_factory=dict)


@dataclass(frozen=True)
class ModuleArea:
    """Area of one module: own cells in GE, and how often each submodule is instantiated."""

    own_ge: float
    children: dict[str, int]


def elaborate(design: Design, work: Path, opts: Options, *, flat: bool = True) -> Elaborated:
    """Elaborate the design with its memories as black boxes of one cell name for each size.

    Args:
        design: what to read.
        work: folder for scripts, logs and results.
        opts: limits.
        flat: dissolve the hierarchy; False keeps it where the front end can.

    Raises:
        ToolError: the design does not elaborate.
    """
    for file in _MAPS.iterdir():
        shutil.copy(file, work)
    for stale in work.glob("gates-*.il"):
        stale.unlink()
    rtlil, listing = work / "elaborated.il", work / "boxes.txt"
    hierarchy = [] if flat else ["--best-effort-hierarchy"]
    shared_modules = design.shared if flat else ()
    boxes = [options.MACRO_MODULE, *shared_modules]
    run_yosys(
        [
            design.read_command(
                work,
                *(f"-D {define}" for define in TECHNOLOGY_DEFINES),
                *(f"--blackboxed-module {name}" for name in boxes),
                *hierarchy,
            ),
            f"dump -o {listing.name} {' '.join(f't:{name}' for name in boxes)}",
            f"write_rtlil {rtlil.name}",
        ],
        work,
        "elaborate",
        opts,
    )
    macros, names = [], set()
    units: dict[tuple[str, tuple[tuple[str, int], ...]], set[str]] = {}
    for module, values in _instances(listing.read_text()):
        if module == options.MACRO_MODULE:
            macros.append(Macro(values["Rows"], values["Width"]))
            names |= set(values)
        else:
            settable = _parameters(design, module)
            chosen = tuple((key, value) for key, value in values.items() if key in settable)
            units.setdefault((module, chosen), set()).update(values)
    if macros:
        shells, maps = macro_verilog(macros)
        (work / "macro_boxes.v").write_text(shells)
        (work / "macro_maps.v").write_text(maps)
        (work / "macros.lib").write_text(macro_liberty(macros))
        run_yosys(
            [
                f"read_rtlil {rtlil.name}",
                *(
                    f"setparam -unset {name} t:{options.MACRO_MODULE}"
                    for name in sorted(names - {"Rows", "Width"})
                ),
                "read_verilog macro_boxes.v",
                "techmap -map macro_maps.v",
                f"delete ={options.MACRO_MODULE}",
                f"hierarchy -check -top {design.top}",
                "opt_clean",
                f"write_rtlil {rtlil.name}",
            ],
            work,
            "macros",
            opts,
        )
    shared: list[Elaborated] = []
    renamed: list[str] = []
    for number, ((module, chosen), present) in enumerate(sorted(units.items())):
        name = f"{module}__{number}"
        shared.append(_elaborate_shared(design, module, dict(chosen), name, work, opts))
        instances = " ".join([f"t:{module}", *(f"r:{key}={value} %i" for key, value in chosen)])
        renamed += [
            f"select -set these {instances}",
            "select -assert-any @these",
            f"chtype -set {name} @these",
            *(f"setparam -unset {key} t:{name}" for key in sorted(present)),
            f"read_rtlil {name}/box.il",
        ]
    if shared:
        renamed += [f"delete ={module}" for module in sorted({module for module, _ in units})]
        renamed += [f"hierarchy -check -top {design.top}", f"write_rtlil {rtlil.name}"]
        run_yosys([f"read_rtlil {rtlil.name}", *renamed], work, "shared", opts)
    return Elaborated(design, rtlil, tuple(sorted(macros)), flat, tuple(shared))


def _instances(listing: str) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield module and parameters of each cell in Yosys' dump."""
    for cell in re.split(r"^\s*cell ", listing, flags=re.M)[1:]:
        yield (
            cell.split()[0].lstrip("\\"),
            {
                name: int(value, 0) if "'" not in value else int(value.split("'")[1].lstrip("s"), 2)
                for name, value in re.findall(r"parameter (?:signed )?\\(\w+) (\S+)", cell)
            },
        )


def _elaborate_shared(
    design: Design, module: str, chosen: dict[str, int], name: str, work: Path, opts: Options
) -> Elaborated:
    """Elaborate a shared module by itself, under a name of its own; write its black box too.

    Args:
        design: the whole design.
        module: the shared module.
        chosen: its parameters.
        name: what it is called from now on; the folder in `work` too.
        work: folder of the whole design.
        opts: limits.

    Raises:
        ToolError: the module does not elaborate by itself, or holds a memory macro.
    """
    folder = work / name
    folder.mkdir(exist_ok=True)
    inner = elaborate(Design.of(module, design.sources, chosen), folder, opts)
    if inner.macros:
        raise ToolError(f"{module} is shared, but holds memory macros")
    run_yosys(
        [
            f"read_rtlil {inner.rtlil.name}",
            f"rename {module} {name}",
            f"write_rtlil {inner.rtlil.name}",
            f"blackbox ={name}",
            "write_rtlil box.il",
        ],
        folder,
        "box",
        opts,
    )
    return replace(inner, design=replace(inner.design, top=name))


def _parameters(design: Design, module: str) -> set[str]:
    """Return the parameters in a module's header, except local ones."""
    for source in design.sources:
        found = re.search(
            rf"^module {module}\b[^#;]*#\((.*?)^\)", source.read_text(), flags=re.M | re.S
        )
        if found:
            return set(re.findall(r"^\s*parameter\b[^=,]*?(\w+)\s*=", found.group(1), flags=re.M))
    raise ToolError(f"no source has the module {module} with parameters")


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
    if tuned:
        raw, edited = work / f"{recipe.name}.raw.json", work / f"{recipe.name}.json"
        run_yosys([*mapping, f"write_json {raw.name}"], work, recipe.name, opts)
        netlist = EditableNetlist(raw, top)
        macros = tuple(sorted(set(elaborated.macros)))
        Tuner(netlist, read_library(library, macros)).run(Limits())
        netlist.write(edited)
        run_yosys([f"read_json {edited.name}", *tail], work, f"{recipe.name}-out", opts)
        raw.unlink()
        edited.unlink()
    else:
        run_yosys([*mapping, *tail], work, recipe.name, opts)
    cells, modules = count_cells(statistics, top)
    libraries = [library, *([work / "macros.lib"] if elaborated.macros else [])]
    timing = time_netlist(verilog, top, elaborated.design.clock, libraries, work, opts, paths)
    return Netlist(
        verilog=verilog,
        recipe=recipe.name,
        cells=cells,
        ge=gate_equivalents(cells),
        macros=elaborated.macros,
        timing=timing,
        wall_s=time.monotonic() - start,
        modules=modules,
    )


def gate_equivalents(cells: dict[str, int]) -> float:
    """Return the area of library cells in NAND2X1 areas, memory macros left out.

    Raises:
        ToolError: a cell is not in the library, or is a latch (osu018 gives latches no area).
    """
    library = read_cells(liberty_path())
    total = 0.0
    for name, count in cells.items():
        if Macro.of_cell(name):
            continue
        cell = library.get(name.lstrip("\\"))
        if cell is None:
            raise ToolError(f"the netlist holds the cell {name}, which is not in the library")
        if cell.latch or cell.area <= 0:
            raise ToolError(f"the netlist holds {count} of {name}, whose area is not known")
        total += cell.area * count
    return round(total / library["NAND2X1"].area, 2)


def count_cells(statistics: Path, top: str) -> tuple[dict[str, int], dict[str, ModuleArea]]:
    """Return the cells below the top, and each module's own area, from ``stat -json``."""
    modules = {
        name.lstrip("\\"): entry["num_cells_by_type"]
        for name, entry in json.loads(statistics.read_text())["modules"].items()
    }
    areas: dict[str, ModuleArea] = {}
    for name, cells in modules.items():
        children = {cell: count for cell, count in cells.items() if cell in modules}
        own = {cell: count for cell, count in cells.items() if cell not in modules}
        areas[name] = ModuleArea(gate_equivalents(own), children)
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
    """Elaborate once and map with each recipe; a recipe that fails or hangs is left out.

    Raises:
        ToolError: the design does not elaborate, or no recipe ended.
    """
    say = progress or (lambda _: None)
    say("elaboration")
    elaborated = elaborate(design, work, opts, flat=flat)
    netlists: list[Netlist] = []
    failure: ToolError | None = None
    for recipe in recipes:
        say(f"mapping with {recipe.name}")
        try:
            netlists.append(map_netlist(elaborated, recipe, work, opts, paths))
        except ToolError as error:
            if isinstance(error, TransientError) and not isinstance(error, ToolTimeoutError):
                raise  # not the recipe's fault
            failure = error
    if not netlists:
        raise failure or ToolError("no mapping recipe was given")
    return netlists
