# SPDX-License-Identifier: Apache-2.0
"""Area and clock of any RTL module, for tuning it: ``montcore maintain measure module``.

On an FPGA target, its resources, and its clock if the flow places and routes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.synth import options
from montcore.synth.asic.flow import Netlist, gate_equivalents, run_flow
from montcore.synth.asic.osu018 import StandardCells
from montcore.synth.asic.sta import Timing
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


_STAGE = re.compile(
    r"^\s*(?:([\d.]+)\s+)?(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+([\^v])\s+(\S.*)/(\S+) \((\S+)\)$"
)


@dataclass(frozen=True)
class Stage:
    """One cell on a path: instance, output pin, cell type, edge, and times in ns, load in pF."""

    instance: str
    pin: str
    cell: str
    edge: str
    load_pf: float
    delay_ns: float
    arrival_ns: float


@dataclass(frozen=True)
class TimingPath:
    """One register-to-register path.

    Attributes:
        start: launching instance.
        end: capturing instance.
        stages: every cell from the launching clock pin to the capturing data pin.
        setup_ns: set-up time of the capturing cell.
        total_ns: shortest clock period that this path allows.
    """

    start: str
    end: str
    stages: tuple[Stage, ...]
    setup_ns: float
    total_ns: float


def parse_paths(timing: Timing) -> tuple[TimingPath, ...]:
    """Return the worst paths of a timing run."""
    paths = []
    for part in re.split(r"^Startpoint: ", timing.report, flags=re.M)[1:]:
        end = re.search(r"^Endpoint: (.*?)(?: \(|$)", part, flags=re.M)
        slack = re.search(r"(-?[\d.]+)\s+slack \(", part)
        setup = re.search(r"(-?[\d.]+)\s+(-?[\d.]+)\s+library setup time", part)
        if end is None or slack is None:
            continue
        stages = []
        for line in part.split("data arrival time")[0].splitlines():
            if match := _STAGE.match(line):
                load, _, *times, edge, instance, pin, cell = match.groups()
                numbers = float(load or 0), *map(float, times)
                stages.append(Stage(instance.strip(), pin, cell, edge, *numbers))
        paths.append(
            TimingPath(
                start=part.split(" (")[0].strip(),
                end=end.group(1).strip(),
                stages=tuple(stages[1:-1]) if len(stages) > 1 else tuple(stages),
                setup_ns=-float(setup.group(1)) if setup else 0.0,
                total_ns=round(timing.period_ns - float(slack.group(1)), 4),
            )
        )
    return tuple(paths)


def format_path(path: TimingPath, nets: dict[tuple[str, str], str]) -> str:
    """Return a path as text: one line per cell, with the net name if it has one."""
    first, last = path.start, path.end
    lines = [
        f"from {nets.get((first, path.stages[0].pin), first) if path.stages else first}",
        f"to   {nets.get((last, 'Q'), last)}",
        f"{'cell':<24}{'pin':<14}{'load pF':>8}{'delay':>8}{'at ns':>8}  net or instance",
    ]
    for stage in path.stages:
        name = nets.get((stage.instance, stage.pin), stage.instance)
        lines.append(
            f"{stage.cell:<24}{stage.pin + ' ' + stage.edge:<14}{stage.load_pf:>8.3f}"
            f"{stage.delay_ns:>8.3f}{stage.arrival_ns:>8.3f}  {name}"
        )
    lines.append(f"{'set-up':<46}{path.setup_ns:>8.3f}{path.total_ns:>8.3f}")
    return "\n".join(lines)


def format_modules(statistics: Path, top: str) -> str:
    """Return each module's area as an indented tree: GE of one instance, its parts below it."""
    modules: dict[str, dict[str, int]] = {
        name.lstrip("\\"): entry["num_cells_by_type"]
        for name, entry in read_json(statistics)["modules"].items()
    }

    def own(name: str) -> float:
        cells = modules[name].items()
        return gate_equivalents({cell: count for cell, count in cells if cell not in modules})

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
    """Return one line of figures of a design on an FPGA.

    Raises:
        CheckFailedError: a tool failed.
    """
    found = target.synthesise(design, work, Options(), lambda _: None).result
    clock = f"   fmax {found.fmax_mhz:.1f} MHz" if found.fmax_mhz else ""
    return (
        f"{target.name:<8} LUT {found.lut} (memory {found.lut_ram})   FF {found.ff}   "
        f"DSP {found.dsp}   BRAM {found.bram}{clock}"
    )


def settings_of(pairs: Sequence[str]) -> dict[str, int]:
    """Return parameters of a module from words ``NAME=VALUE``.

    Raises:
        RequestError: a word is not of this form.
    """
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
        by_module: keep the hierarchy, and show the area by module.
        paths: number of worst paths to show.
        cells: show the number of cells of each type.

    Raises:
        RequestError: the sources cannot be read.
        CheckFailedError: a tool failed.
    """
    if not isinstance(on, StandardCells):
        return fpga_report(design, on, folder)
    netlist = run_flow(design, folder, chosen_options(wires), flat=not by_module, paths=paths)
    nets = driven_nets(netlist.verilog)
    lines = [report(netlist)]
    if cells:
        lines.append(format_cells(netlist))
    if by_module:
        lines.append(format_modules(folder / "stat.json", design.top))
    return "\n".join([*lines, *(format_path(path, nets) for path in parse_paths(netlist.timing))])
