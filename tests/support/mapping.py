# SPDX-License-Identifier: Apache-2.0
"""Mapping of a design to a target, without a core around it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from programs import output_of

from montcore.synth.design import Design
from montcore.synth.fpga.family import FpgaFamily
from montcore.synth.gatesim.fpga_model import restate
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.result import SynthResult
from montcore.synth.target import all_targets, get_target
from montcore.synth.yosys import run_yosys

#: The FPGA families by name.
FAMILIES = {name: on for name, on in all_targets().items() if isinstance(on, FpgaFamily)}


def resources(design: Design, family: str, work: Path) -> Any:
    """Map a design to an FPGA family, without place and route, and return its resources."""
    return FAMILIES[family].map(design, work, DEFAULT_OPTIONS)


def mapped(design: Design, target: str, work: Path, opts: Options = DEFAULT_OPTIONS) -> SynthResult:
    """Return the area and clock of a design; its netlist stays in the folder."""
    return get_target(target).synthesise(design, work, opts, lambda _: None).result


def simulated(top: str, files: Sequence[Path], work: Path, values: Mapping[str, int]) -> str:
    """Return what a bench with some parameters prints in Icarus Verilog."""
    program = work / "bench.vvp"
    options = [f"-P{top}.{name}={value}" for name, value in values.items()]
    output_of("iverilog", "-g2012", "-s", top, *options, "-o", program, *files)
    return output_of("vvp", "-n", program)


def with_models(netlist: Path, top: str, work: Path) -> Path:
    """Return a netlist in terms of cells that have a model, as Verilog."""
    file = work / "models.v"
    read = f"read_json {restate(netlist, top, work).name}"
    run_yosys([read, f"write_verilog -noattr {file.name}"], work, "models", DEFAULT_OPTIONS)
    return file
