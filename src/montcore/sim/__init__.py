# SPDX-License-Identifier: Apache-2.0
"""Simulation: one harness for every core, compiled once per configuration by Verilator.

Names are imported on first use, since most invocations of the tool need few of them.
"""

from typing import TYPE_CHECKING, Any

from montcore.support.lazily import importer

if TYPE_CHECKING:
    from montcore.sim.build import RtlBuild, build_simulator
    from montcore.sim.simulator import ArrayBatch, ArrayOutcomes, Simulator
    from montcore.sim.toolchain import BuildError
    from montcore.sim.types import Outcome, PortTiming, Product, Status, describe

__all__ = [
    "ArrayBatch",
    "ArrayOutcomes",
    "BuildError",
    "Outcome",
    "PortTiming",
    "Product",
    "RtlBuild",
    "Simulator",
    "Status",
    "build_simulator",
    "describe",
]

_import = importer(
    {
        "montcore.sim.build": ("RtlBuild", "build_simulator"),
        "montcore.sim.simulator": ("ArrayBatch", "ArrayOutcomes", "Simulator"),
        "montcore.sim.toolchain": ("BuildError",),
        "montcore.sim.types": ("Outcome", "Product", "Status", "PortTiming", "describe"),
    }
)


def __getattr__(name: str) -> Any:
    return _import(__name__, name)
