# SPDX-License-Identifier: Apache-2.0
"""Static timing with OpenSTA: register to register, ideal clock, no wires."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.synth.asic.tools import sta_program
from montcore.synth.options import Options
from montcore.synth.process import ToolError, run_tool

_PERIOD_NS = 1000.0


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
        start: instance that launches.
        end: instance that captures.
        stages: every cell from the launching clock pin to the capturing data pin.
        setup_ns: set-up time of the capturing cell.
        total_ns: shortest clock period that this path allows.
    """

    start: str
    end: str
    stages: tuple[Stage, ...]
    setup_ns: float
    total_ns: float


@dataclass(frozen=True)
class Timing:
    """Result of a timing run: shortest clock period and the worst paths, worst first."""

    tmin_ns: float | None
    paths: tuple[TimingPath, ...]


_STAGE = re.compile(
    r"^\s*(?:([\d.]+)\s+)?(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+([\^v])\s+(\S.*)/(\S+) \((\S+)\)$"
)


def parse_paths(report: str) -> tuple[TimingPath, ...]:
    """Return the paths of ``report_checks -format full -fields {slew capacitance}``."""
    paths = []
    for part in re.split(r"^Startpoint: ", report, flags=re.M)[1:]:
        end = re.search(r"^Endpoint: (.*?)(?: \(|$)", part, flags=re.M)
        slack = re.search(r"(-?[\d.]+)\s+slack \(", part)
        setup = re.search(r"(-?[\d.]+)\s+(-?[\d.]+)\s+library setup time", part)
        if end is None or slack is None:
            continue
        stages = []
        for line in part.split("data arrival time")[0].splitlines():
            match = _STAGE.match(line)
            if match:
                load, _, delay, arrival, edge, instance, pin, cell = match.groups()
                stages.append(
                    Stage(
                        instance.strip(),
                        pin,
                        cell,
                        edge,
                        float(load or 0),
                        float(delay),
                        float(arrival),
                    )
                )
        paths.append(
            TimingPath(
                start=part.split(" (")[0].strip(),
                end=end.group(1).strip(),
                stages=tuple(stages[1:-1]) if len(stages) > 1 else tuple(stages),
                setup_ns=-float(setup.group(1)) if setup else 0.0,
                total_ns=round(_PERIOD_NS - float(slack.group(1)), 4),
            )
        )
    return tuple(paths)


def run_sta(commands: Sequence[str], work: Path, name: str, opts: Options) -> str:
    """Run OpenSTA commands as ``NAME.tcl`` with log ``NAME.log`` and return what it printed.

    Raises:
        ToolError: OpenSTA failed, or did not end within its time limit.
    """
    script, log = work / f"{name}.tcl", work / f"{name}.log"
    script.write_text("\n".join(commands) + "\n")
    run_tool(
        [sta_program(), "-no_splash", "-exit", str(script)],
        cwd=work,
        log=log,
        timeout=opts.sta_timeout_s,
    )
    return log.read_text()


def time_netlist(
    netlist: Path,
    top: str,
    clock: str,
    libraries: Sequence[Path],
    work: Path,
    opts: Options,
    paths: int = 1,
) -> Timing:
    """Return the shortest clock period of a mapped netlist in ns, register to register.

    Inputs and outputs of the design are not constrained. `tmin_ns` is None when no path starts and
    ends in a register or a memory macro.

    Raises:
        ToolError: OpenSTA failed, or printed an error and went on.
    """
    report = run_sta(
        [
            *(f"read_liberty {{{library}}}" for library in libraries),
            f"read_verilog {{{netlist}}}",
            f"link_design {top}",
            f"create_clock -name clk -period {_PERIOD_NS:g} [get_ports {{{clock}}}]",
            'puts "worst_slack:"',
            "worst_slack -max",
            f"report_checks -path_delay max -format full -group_count {paths} "
            "-fields {slew capacitance} -digits 4",
        ],
        work,
        "sta",
        opts,
    )
    # OpenSTA 2.0 stops reading a netlist at the first error but still prints a slack.
    problem = re.search(r"^(?:Error|Warning):? .*", report, flags=re.M)
    if problem:
        raise ToolError(f"sta reported a problem: {problem.group()}; its log is {work / 'sta.log'}")
    found = parse_paths(report)
    return Timing(found[0].total_ns if found else None, found)
