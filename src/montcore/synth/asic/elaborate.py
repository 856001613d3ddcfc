# SPDX-License-Identifier: Apache-2.0
"""Elaboration for the ASIC flow: memories as black boxes, shared modules separately."""

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from montcore.synth import options
from montcore.synth.asic import macros as clocked
from montcore.synth.asic.library import CellLibrary
from montcore.synth.asic.memory import Macro, access_ns, macro_liberty, macro_verilog
from montcore.synth.design import Design
from montcore.synth.options import FLOPS, LATCH, MACRO, Options
from montcore.synth.process import ToolError
from montcore.synth.yosys import run_yosys

_LATCHES = Path(__file__).parent / "maps" / "memory_latch.v"


@dataclass(frozen=True)
class Elaborated:
    """A design after elaboration.

    Attributes:
        rtlil: the result; each shared module is a black box, with a name for its parameters.
        shared: the shared modules, elaborated separately, by the name of their top.
    """

    design: Design
    rtlil: Path
    macros: tuple[Macro, ...]
    flat: bool
    shared: tuple["Elaborated", ...] = ()


def elaborate(
    design: Design, work: Path, opts: Options, known: CellLibrary, *, flat: bool = True
) -> Elaborated:
    """Elaborate the design with its memories as black boxes of one cell name for each size.

    Args:
        flat: flatten the hierarchy; False keeps it where the front end can.
    """
    shutil.copy(_LATCHES, work)
    rtlil, listing = work / "elaborated.il", work / "boxes.txt"
    hierarchy = [] if flat else ["--best-effort-hierarchy"]
    shared_modules = design.shared if flat else ()
    own = clocked.macros_of(known) if opts.memory == MACRO else {}
    memory = clocked.MODULE if own else options.MACRO_MODULE
    # For flip-flops, memories keep their RTL.
    boxes = [*([] if opts.memory == FLOPS else [memory]), *shared_modules]
    selected = " ".join(f"t:{name}" for name in boxes) or f"t:{memory}"
    run_yosys(
        [
            design.read_command(
                work,
                *(f"--blackboxed-module {name}" for name in boxes),
                *hierarchy,
            ),
            f"dump -o {listing.name} {selected}",
            f"write_rtlil {rtlil.name}",
        ],
        work,
        "elaborate",
        opts,
    )

    def change(name: str, commands: list[str]) -> None:
        checked = f"hierarchy -check -top {design.top}"
        read, write = f"read_rtlil {rtlil.name}", f"write_rtlil {rtlil.name}"
        run_yosys([read, *commands, checked, write], work, name, opts)

    macros, names = list[Macro](), set[str]()
    blocks: Counter[tuple[int, int, bool]] = Counter()
    units: dict[tuple[str, tuple[tuple[str, int], ...]], set[str]] = {}
    for module, values in _instances(listing.read_text()):
        if module == options.MACRO_MODULE:
            macros.append(Macro(values["Rows"], values["Width"]))
            names |= set(values)
        elif module == clocked.MODULE:
            blocks[values["Rows"], values["Width"], bool(values["Apart"])] += 1
            names |= set(values)
        else:
            settable = _parameters(design, module)
            chosen = tuple((key, value) for key, value in values.items() if key in settable)
            units.setdefault((module, chosen), set()).update(values)
    others = sorted(names - {"Rows", "Width"})
    sizes = [f"setparam -unset {name} t:{options.MACRO_MODULE}" for name in others]
    removed = f"delete ={options.MACRO_MODULE}"
    if macros and opts.memory == LATCH:
        change("latches", [*sizes, "techmap -map memory_latch.v", removed])
        macros = []
    if macros:
        shells, maps = macro_verilog(macros)
        (work / "macro_boxes.v").write_text(shells)
        (work / "macro_maps.v").write_text(maps)
        times = {size: access_ns(size, opts) for size in macros}
        (work / "macros.lib").write_text(macro_liberty(times))
        mapped = "techmap -map macro_maps.v"
        change("macros", [*sizes, "read_verilog macro_boxes.v", mapped, removed, "opt_clean"])
    if blocks:
        commands, macros = _clocked(blocks, sorted(names), known, work)
        change("macros", commands)
    shared: list[Elaborated] = []
    renamed: list[str] = []
    for number, ((module, chosen), present) in enumerate(sorted(units.items())):
        name = f"{module}__{number}"
        shared.append(_elaborate_shared(design, module, dict(chosen), name, work, opts, known))
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
        change("shared", renamed)
    return Elaborated(design, rtlil, tuple(sorted(macros)), flat, tuple(shared))


def _clocked(
    blocks: Mapping[tuple[int, int, bool], int], names: list[str], known: CellLibrary, work: Path
) -> tuple[list[str], list[Macro]]:
    """Return commands that replace the memories with a clocked read port, and their macros.

    Args:
        blocks: number of these memories by words, bits of a word, and whether a read in the cycle
            of a write is not used.
    """
    own = {name: macro for name, (macro, _) in clocked.macros_of(known).items()}
    flip_flop = known.cells[known.flip_flop.cell].area / known.cells[known.gate].area
    text, found = [clocked.macro_box(macro) for macro in own.values()], list[Macro]()
    chosen: list[str] = []
    for (rows, width, apart), number in sorted(blocks.items()):
        choice = clocked.fitting(rows, width, own, flip_flop) if apart else None
        name = f"{clocked.MODULE}_{rows}x{width}{'_apart' if apart else ''}"
        text.append(clocked.memory_verilog(name, rows, width, choice))
        if choice:
            found += [choice[0]] * (choice[1] * choice[2] * number)
        values = {"Rows": rows, "Width": width, "Apart": f"1'{apart:b}"}.items()
        these = " ".join([f"t:{clocked.MODULE}", *(f"r:{key}={value} %i" for key, value in values)])
        chosen += [f"select -set these {these}", f"chtype -set {name} @these"]
    (work / "memories.v").write_text("\n".join(text))
    sizes = [f"setparam -unset {name} t:{clocked.MODULE}_*" for name in names]
    read = ["read_verilog memories.v", "proc"]
    return [*chosen, *sizes, f"delete ={clocked.MODULE}", *read], found


def _instances(listing: str) -> Iterator[tuple[str, dict[str, int]]]:
    for cell in re.split(r"^\s*cell ", listing, flags=re.M)[1:]:
        yield (
            cell.split()[0].lstrip("\\"),
            {
                name: int(value, 0) if "'" not in value else int(value.split("'")[1].lstrip("s"), 2)
                for name, value in re.findall(r"parameter (?:signed )?\\(\w+) (\S+)", cell)
            },
        )


def _elaborate_shared(
    design: Design,
    module: str,
    chosen: dict[str, int],
    name: str,
    work: Path,
    opts: Options,
    known: CellLibrary,
) -> Elaborated:
    """Elaborate a shared module separately, under its own name; write its black box too."""
    folder = work / name
    folder.mkdir(exist_ok=True)
    inner = elaborate(Design.of(module, design.sources, chosen), folder, opts, known)
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
    for source in design.sources:
        found = re.search(
            rf"^module {module}\b[^#;]*#\((.*?)^\)", source.read_text(), flags=re.M | re.S
        )
        if found:
            return set(re.findall(r"^\s*parameter\b[^=,]*?(\w+)\s*=", found.group(1), flags=re.M))
    raise ToolError(f"no source has the module {module} with parameters")
