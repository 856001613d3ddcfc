# SPDX-License-Identifier: Apache-2.0
"""Area and clock of any RTL in one command, for people who are tuning it.

``python -m montcore.synth.quick --top T --set NAME=VALUE --target osu018 file.sv ...``

An FPGA as target gives its resources, and the clock where the flow places and routes.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from montcore.support.errors import CheckFailedError, RequestError
from montcore.synth import options
from montcore.synth.asic.flow import ModuleArea, Netlist, run_flow
from montcore.synth.asic.osu018 import StandardCells, pick_best
from montcore.synth.asic.recipes import DEFAULT_RECIPES, RECIPES
from montcore.synth.asic.sta import TimingPath
from montcore.synth.design import Design
from montcore.synth.netlist import driven_nets
from montcore.synth.options import Options
from montcore.synth.target import Target, all_targets, get_target


def format_path(path: TimingPath, nets: dict[tuple[str, str], str]) -> str:
    """Return a path as text: one line for each cell, with the name of the net where it has one."""
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


def format_modules(modules: dict[str, ModuleArea], top: str) -> str:
    """Return each module's area as an indented tree: GE of one instance, its parts below it."""

    def total(name: str) -> float:
        area = modules[name]
        return area.own_ge + sum(total(kid) * count for kid, count in area.children.items())

    lines = [f"{'GE each':>10}{'own GE':>10}{'times':>7}  module"]

    def visit(name: str, times: int, depth: int) -> None:
        lines.append(
            f"{total(name):>10.1f}{modules[name].own_ge:>10.1f}{times:>7}  {'  ' * depth}{name}"
        )
        for kid, count in sorted(modules[name].children.items(), key=lambda k: -total(k[0])):
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
    product = f"{netlist.ge * tmin / 1000:.2f}" if tmin else "-"
    return (
        f"{netlist.recipe:<16} GE {netlist.ge:>9.1f}   Tmin {tmin if tmin else '-':>7} ns   "
        f"GE*Tmin {product:>8} k   memory {bits} bits = {bits * options.GE_PER_MEMORY_BIT:.0f} GE"
        f"   ({netlist.wall_s:.1f} s)"
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m montcore.synth.quick", description=__doc__)
    parser.add_argument("--top", required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--target", default="osu018", choices=list(all_targets()))
    parser.add_argument("--clock", default="clk_i")
    parser.add_argument("--recipe", action="append", choices=sorted(RECIPES), default=[])
    parser.add_argument("--by-module", action="store_true", help="keep the hierarchy")
    parser.add_argument(
        "--shared", action="append", default=[], help="a module to lower once for all instances"
    )
    parser.add_argument("--paths", type=int, default=1, help="worst paths to print")
    parser.add_argument("--cells", action="store_true", help="print the cell histogram")
    parser.add_argument("--work", type=Path, help="keep scripts, logs and netlists here")
    parser.add_argument("sources", nargs="+", type=Path)
    args = parser.parse_args(argv)
    try:
        pairs = [item.partition("=") for item in args.set]
        for name, equals, value in pairs:
            if not (name and equals and value):
                raise RequestError(f"--set takes NAME=VALUE, not '{name}{equals}{value}'")
        parameters = {name: int(value, 0) for name, _, value in pairs}
        design = Design.of(args.top, args.sources, parameters, args.clock, args.shared)
        recipes = [RECIPES[name] for name in args.recipe or DEFAULT_RECIPES]
        with tempfile.TemporaryDirectory() as scratch:
            work = args.work or Path(scratch)
            work.mkdir(parents=True, exist_ok=True)
            work = work.resolve()
            target = get_target(args.target)
            if not isinstance(target, StandardCells):
                print(fpga_report(design, target, work))
                return 0
            netlists = run_flow(
                design,
                recipes,
                work,
                Options(),
                flat=not args.by_module,
                paths=args.paths,
            )
            best = pick_best(netlists)
            nets = driven_nets(best.verilog)
    except RequestError as error:
        print(error, file=sys.stderr)
        return 2
    except CheckFailedError as error:
        print(error, file=sys.stderr)
        return 1
    for netlist in netlists:
        print(report(netlist))
    if args.cells:
        print(format_cells(best))
    if args.by_module:
        print(format_modules(best.modules, args.top))
    for path in best.timing.paths:
        print(format_path(path, nets))
    return 0


if __name__ == "__main__":
    sys.exit(main())
