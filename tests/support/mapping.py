# SPDX-License-Identifier: Apache-2.0
"""Mapping of a design to a target, without a core around it."""

from pathlib import Path
from typing import Any

from montcore.synth.design import Design
from montcore.synth.fpga.family import FpgaFamily
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.result import SynthResult
from montcore.synth.target import all_targets, get_target

#: The FPGA families by name.
FAMILIES = {name: on for name, on in all_targets().items() if isinstance(on, FpgaFamily)}


def resources(design: Design, family: str, work: Path) -> Any:
    """Map a design to an FPGA family, without place and route, and return its resources."""
    return FAMILIES[family].map(design, work, DEFAULT_OPTIONS)


def mapped(design: Design, target: str, work: Path, opts: Options = DEFAULT_OPTIONS) -> SynthResult:
    """Return the area and clock of a design; its netlist stays in the folder."""
    return get_target(target).synthesise(design, work, opts, lambda _: None).result
