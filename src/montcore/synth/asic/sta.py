# SPDX-License-Identifier: Apache-2.0
"""Static timing with OpenSTA: register to register, with or without wires and clock tree."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.needed import tool_remedy
from montcore.synth.asic.library import CellLibrary
from montcore.synth.process import ToolError, run_tool

if TYPE_CHECKING:
    from montcore.synth.asic.sizing.nldm import Library  # imports NumPy, which takes long

_LIMIT_S = 300.0
_PERIOD_NS = 1000.0
#: Load of a core's outputs in addition to their wires: about four gates; times `Library.load`.
OUTPUT_LOAD_PF = 0.04
#: Transition time of a core's inputs, times `Library.time`.
INPUT_SLEW_NS = 0.2
_END = "end of the script"
_SECTION = "section:"
_SLACK = re.compile(r"(-?[\d.]+)\s+slack \(")
_CLOCK_DELAY = re.compile(r"(-?[\d.]+)\s+-?[\d.]+\s+clock network delay")


def sta_program() -> str:
    """Return the OpenSTA program."""
    program = shutil.which("sta")
    if program is None:
        raise RequestError(
            "the timing analyser OpenSTA is missing (no program 'sta'); "
            f"`{tool_remedy('opensta')}` installs it"
        )
    return program


@cache
def sta_version() -> str:
    """Return the version that OpenSTA prints."""
    done = subprocess.run(
        [sta_program(), "-version"], capture_output=True, text=True, timeout=30, check=False
    )
    said = (done.stdout or done.stderr).split()
    if done.returncode or not said:
        raise CheckFailedError(f"{sta_program()} -version ended with status {done.returncode}")
    return said[0]


@dataclass(frozen=True)
class Timing:
    """Result of a timing run.

    Attributes:
        in_ns: longest time from an input to a register, including set-up time; None if not
            requested.
        out_ns: longest time from the clock edge at a register to an output, likewise.
        insertion_ns: time from the clock port to the registers of the worst path, their mean.
        skew_ns: difference of these times over the whole core, as far as it shortens the usable
            period.
        hold_ns: smallest slack of a hold check.
    """

    tmin_ns: float | None
    report: str
    period_ns: float
    in_ns: float | None = None
    out_ns: float | None = None
    insertion_ns: float | None = None
    skew_ns: float | None = None
    hold_ns: float | None = None


def run_sta(commands: Sequence[str], work: Path, name: str) -> str:
    """Run OpenSTA commands as ``NAME.tcl`` with log ``NAME.log`` and return the output."""
    script, log = work / f"{name}.tcl", work / f"{name}.log"
    script.write_text("\n".join([*commands, f'puts "{_END}"']) + "\n")
    run_tool(
        [sta_program(), "-no_splash", "-exit", str(script)],
        cwd=work,
        log=log,
        timeout=_LIMIT_S,
        last=_END,
    )
    return log.read_text()


def with_latches(netlist: Path, known: CellLibrary) -> bool:
    """Return whether a netlist has latches."""
    names = "|".join(re.escape(name) for name, cell in known.cells.items() if cell.latch)
    return bool(names and re.search(rf"^  (?:{names}) ", netlist.read_text(), flags=re.M))


def _load(netlist: Path, top: str, known: CellLibrary, macros: Sequence[Path]) -> list[str]:
    return [
        *(f"read_liberty {{{file}}}" for file in (known.liberty, *macros)),
        "set_cmd_units -time ns -capacitance pF",
        f"read_verilog {{{netlist}}}",
        f"link_design {top}",
    ]


def _clock(name: str, period: float | str, *, propagated: bool = False) -> list[str]:
    real = ["set_propagated_clock [all_clocks]"] if propagated else []
    return [f"create_clock -name clk -period {period} [get_ports {{{name}}}]", *real]


def _search(clock: str, *, propagated: bool = False) -> list[str]:
    """Return Tcl that finds the shortest period of a netlist with latches, to 1 ps.

    A path through a latch borrows time from the next half period, so that the period minus its
    slack is not the shortest period. The clock is left at the period found. The slack comes from
    `worst_slack`, although OpenSTA crashes in it on a few netlists, because `find_timing_paths`
    misses some paths through latches.
    """
    clocked = _clock(clock, "$middle", propagated=propagated)
    return [
        "set low 0.1; set high 64.0",
        "while {$high - $low > 0.001} {",
        "set middle [expr ($low + $high) / 2]",
        *clocked,
        "if {[worst_slack -max] < 0} {set low $middle} else {set high $middle}",
        "}",
        "set middle $high",
        *clocked,
        f'puts "{_SECTION} period"',
        "puts $high",
    ]


def _worst(section: str, options: str) -> list[str]:
    return [
        f'puts "{_SECTION} {section}"',
        f"report_checks -path_delay max -format full {options} -digits 4",
    ]


def _sections(commands: Sequence[str], work: Path, name: str) -> dict[str, str]:
    """Run OpenSTA and return its output under each heading.

    Raises:
        ToolError: OpenSTA failed or reported a problem; version 2.0 stops reading a netlist at the
            first error but still prints a slack.
    """
    report = run_sta(commands, work, name)
    problem = re.search(r"^.*(?:Error|Warning):? .*", report, flags=re.M)
    if problem:
        raise ToolError(f"sta reported a problem: {problem.group()}; its logs are in {work}")
    parts = report.split(f"{_SECTION} ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def _registers(sections: dict[str, str]) -> Timing:
    report = sections["registers"]
    period = float(sections.get("period", _PERIOD_NS))
    slack = _SLACK.search(report)
    if slack is None:
        return Timing(None, report, period)
    latched = "period" in sections
    return Timing(round(period if latched else period - float(slack[1]), 4), report, period)


def time_netlist(
    netlist: Path,
    top: str,
    clock: str,
    known: CellLibrary,
    macros: Sequence[Path],
    work: Path,
    paths: int = 1,
) -> Timing:
    """Return the shortest clock period of a mapped netlist in ns, register to register.

    Args:
        macros: liberty files of its memory macros.

    Inputs and outputs of the design are not constrained. `tmin_ns` is None when no path starts and
    ends in a register or a memory macro.
    """
    commands = [
        *_load(netlist, top, known, macros),
        *_clock(clock, _PERIOD_NS),
        *(_search(clock) if with_latches(netlist, known) else []),
        *_worst("registers", f"-group_count {paths} -fields {{slew capacitance}}"),
    ]
    return _registers(_sections(commands, work, "sta"))


def time_placed(
    netlist: Path,
    top: str,
    clock: str,
    library: "Library",
    macros: Sequence[Path],
    spef: Path,
    ports: tuple[Sequence[str], Sequence[str]],
    work: Path,
    paths: int = 1,
) -> Timing:
    """Return the timing of a placed netlist with its wires and its clock tree.

    Args:
        ports: names of the inputs, excluding the clock, and of the outputs.
    """
    inputs, outputs = (f"[get_ports {{{' '.join(names)}}}]" for names in ports)
    loaded = [
        *_load(netlist, top, library.known, macros),
        *_clock(clock, _PERIOD_NS, propagated=True),
        f"read_spef {{{spef}}}",
        f"set_load {OUTPUT_LOAD_PF * library.load:g} {outputs}",
        f"set_input_transition {INPUT_SLEW_NS * library.time:g} {inputs}",
    ]
    inside = [
        *(_search(clock, propagated=True) if with_latches(netlist, library.known) else []),
        *_worst("registers", f"-group_count {paths} -fields {{slew capacitance}}"),
        f'puts "{_SECTION} skew"',
        "report_clock_skew -setup",
        f'puts "{_SECTION} hold"',
        "report_checks -path_delay min -format full -digits 4",
    ]
    sections = _sections([*loaded, *inside], work, "sta-placed")
    registers = _registers(sections)
    period = registers.period_ns
    delays = [float(text) for text in _CLOCK_DELAY.findall(sections["registers"])]
    insertion = round(sum(delays) / len(delays), 4) if delays else 0.0
    # Registers outside the core have the same clock latency as the core.
    outside = [
        *_clock(clock, period, propagated=True),
        f"set_input_delay {insertion} -clock clk {inputs}",
        f"set_output_delay {-insertion} -clock clk {outputs}",
        *_worst("inputs", f"-from {inputs} -to [all_registers -data_pins]"),
        *_worst("outputs", f"-from [all_registers -clock_pins] -to {outputs}"),
    ]
    around = _sections([*loaded, *outside], work, "sta-ports")
    skew = re.findall(r"(-?[\d.]+)\s*$", sections["skew"], flags=re.M)
    hold = _SLACK.search(sections["hold"])

    def longest(section: str) -> float | None:
        slack = _SLACK.search(around[section])
        return round(period - float(slack.group(1)), 4) if slack else None

    return replace(
        registers,
        in_ns=longest("inputs"),
        out_ns=longest("outputs"),
        insertion_ns=insertion,
        skew_ns=abs(float(skew[-1])) if skew else None,
        hold_ns=float(hold.group(1)) if hold else None,
    )
