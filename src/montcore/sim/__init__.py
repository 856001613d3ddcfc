# SPDX-License-Identifier: Apache-2.0
"""Simulation: one harness for every core, compiled once per configuration by Verilator."""

from montcore.sim.build import RtlBuild, build_simulator
from montcore.sim.simulator import ArrayBatch, ArrayOutcomes, Simulator
from montcore.sim.toolchain import BuildError
from montcore.sim.types import Outcome, Product, Status, Timing, describe

__all__ = [
    "ArrayBatch",
    "ArrayOutcomes",
    "BuildError",
    "Outcome",
    "Product",
    "RtlBuild",
    "Simulator",
    "Status",
    "Timing",
    "build_simulator",
    "describe",
]
