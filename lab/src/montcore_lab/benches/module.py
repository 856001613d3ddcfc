# SPDX-License-Identifier: Apache-2.0
"""Area and clock of any RTL module, for tuning it: ``montcore maintain measure module``.

On an FPGA target, its resources, and its clock if the flow places and routes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.synth import options
from montcore.synth.asic.flow import Netlist, gate_equivalents, run_flow
from montcore.synth.asic.library import CellLibrary
from montcore.synth.asic.standard_cells import StandardCells
from montcore.synth.design import Design
from montcore.synth.options import NONE, Options, chosen_options
from montcore.synth.process import read_json
from montcore.synth.target import Target

_INSTANCE = re.compile(r"^  (\w+) (\\\S+ |\w+) \(\n(.*?)\n  \);", flags=re.M | re.S)
_PIN = re.compile(r"\.(\w+)\((.*?)\)(?:,|$)", flags=re.M)


@dataclass(frozen=True)
class Instance:
    """One cell instance: cell type, name, and the net on each pin as written."""

    cell: str
    name: str
    pins: dict[str, str]


def instances(netlist: Path) -> Iterator[Instance]:
    """Yield the cell instances of a netlist in the order of the file."""
    for match in _INSTANCE.finditer(netlist.read_text()):
        pins = {pin: net.strip() for pin, net in _PIN.findall(match.group(3))}
        yield Instance(match.group(1), match.group(2).strip().lstrip("\\"), pins)


def driven_nets(netlist: Path) -> dict[tuple[str, str], str]:
    """Return the named net connected to each (instance, pin); unnamed nets are omitted."""
    found = {}
    for item in instances(netlist):
        for pin, net in item.pins.items():
            name = net.lstrip("\\").strip()
            if not re.fullmatch(r"_\d+_", name):
                found[item.name, pin] = name
    return found


def with_nets(paths: str, nets: Mapping[tuple[str, str], str]) -> str:
    """Return OpenSTA's report of paths with the net behind each pin that has a named one.

    Args:
        paths: the report.
        nets: as of `driven_nets`.
    """

    def named(pin: re.Match[str]) -> str:
        net = nets.get((pin[1], pin[2]))
        return f"{pin[0]}  {net}" if net else pin[0]

    return re.sub(r"(\S+)/(\S+) \(\S+\)$", named, paths, flags=re.M)


def format_modules(statistics: Path, top: str, known: CellLibrary) -> str:
    """Return each module's area as an indented tree: GE of one instance, its parts below it."""
    modules: dict[str, dict[str, int]] = {
        name.lstrip("\\"): entry["num_cells_by_type"]
        for name, entry in read_json(statistics)["modules"].items()
    }

    def own(name: str) -> float:
        cells = modules[name].items()
        return gate_equivalents(
            {cell: count for cell, count in cells if cell not in modules}, known
        )

    def children(name: str) -> dict[str, int]:
        return {cell: count for cell, count in modules[name].items() if cell in modules}

    def total(name: str) -> float:
        return own(name) + sum(total(kid) * count for kid, count in children(name).items())

    lines = [f"{'GE each':>10}{'own GE':>10}{'times':>7}  module"]

    def visit(name: str, times: int, depth: int) -> None:
        lines.append(f"{total(name):>10.1f}{own(name):>10.1f}{times:>7}  {'  ' * depth}{name}")
        for kid, count in sorted(children(name).items(), key=lambda item: -total(item[0])):
            visit(kid, count, depth + 1)

    visit(top, 1, 0)
    return "\n".join(lines)


def format_cells(netlist: Netlist) -> str:
    """Return the cell histogram on a few lines."""
    words = [f"{name}:{count}" for name, count in netlist.cells.items()]
    return "\n".join("  " + "  ".join(words[i : i + 7]) for i in range(0, len(words), 7))


def report(netlist: Netlist) -> str:
    """Return one line of figures for a netlist."""
    tmin = netlist.timing.tmin_ns
    bits = sum(macro.bits for macro in netlist.macros)
    wires = ""
    if netlist.physical:
        wires = (
            f"   no wires {netlist.ideal.tmin_ns} ns   in {netlist.timing.in_ns} ns   "
            f"out {netlist.timing.out_ns} ns"
        )
    product = f"{netlist.ge * tmin / 1000:.2f}" if tmin else "-"
    return (
        f"GE {netlist.ge:>9.1f}   Tmin {tmin if tmin else '-':>7} ns   "
        f"GE*Tmin {product:>8} k   memory {bits} bits = {bits * options.GE_PER_MEMORY_BIT:.0f} GE"
        f"{wires}"
    )


def fpga_report(design: Design, target: Target, work: Path) -> str:
    """Return one line of figures of a design on an FPGA."""
    found = target.synthesise(design, work, Options(), lambda _: None).result
    clock = f"   fmax {found.fmax_mhz:.1f} MHz" if found.fmax_mhz else ""
    return (
        f"{target.name:<8} LUT {found.lut} (memory {found.lut_ram})   FF {found.ff}   "
        f"DSP {found.dsp}   BRAM {found.bram}{clock}"
    )


def settings_of(pairs: Sequence[str]) -> dict[str, int]:
    """Return parameters of a module from words ``NAME=VALUE``."""
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals and value):
            raise RequestError(f"--set takes NAME=VALUE, not '{pair}'")
        try:
            found[name] = int(value, 0)
        except ValueError:
            raise RequestError(f"the parameter {name} is a number, not '{value}'") from None
    return found


def measure(
    design: Design,
    on: Target,
    folder: Path,
    *,
    wires: str = NONE,
    memory: str | None = None,
    by_module: bool = False,
    paths: int = 1,
    cells: bool = False,
) -> str:
    """Synthesise a design and return its figures as text; the options are for standard cells.

    Args:
        design: the design.
        on: its target.
        folder: an existing folder for scripts, logs and netlists.
        wires: ``placed`` or ``none``.
        memory: as for `chosen_options`.
        by_module: keep the hierarchy, and show the area by module.
        paths: number of worst paths to show.
        cells: show the number of cells of each type.
    """
    if not isinstance(on, StandardCells):
        return fpga_report(design, on, folder)
    opts = chosen_options(wires, memory)
    netlist = run_flow(design, folder, opts, known=on.library, flat=not by_module, paths=paths)
    lines = [report(netlist)]
    if cells:
        lines.append(format_cells(netlist))
    if by_module:
        lines.append(format_modules(folder / "stat.json", design.top, on.library))
    report_of_paths = netlist.timing.report.removesuffix("end of the script\n").rstrip()
    return "\n".join([*lines, with_nets(report_of_paths, driven_nets(netlist.verilog))])
