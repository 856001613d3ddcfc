# SPDX-License-Identifier: Apache-2.0
"""`karatsuba` under a second simulator, Icarus Verilog: the numbers inside against the model."""

from dataclasses import replace
from pathlib import Path

import pytest
from icarus import run_bench, run_sources

from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.cores.technology import Tech
from montcore.sim.build import RtlBuild
from montcore.synth.fpga.ecp5 import ECP5

(LATTICE,) = ECP5.headers


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "tech"),
    [
        (20, 1, KaratsubaSchedule.FAST, Tech.GENERIC),
        (23, 1, KaratsubaSchedule.FAST, Tech.ASIC),
        pytest.param(64, 1, KaratsubaSchedule.FAST, Tech.ASIC, marks=pytest.mark.nightly),
        (64, 2, KaratsubaSchedule.FAST, Tech.GENERIC),
        (20, 1, KaratsubaSchedule.LEAN, Tech.ASIC),
        (64, 1, KaratsubaSchedule.LEAN, Tech.GENERIC),
        (20, 1, KaratsubaSchedule.PAPER, Tech.DSP48E),
        (64, 1, KaratsubaSchedule.PAPER, Tech.ASIC),
        (32, 2, KaratsubaSchedule.PAPER, Tech.GENERIC),
        (48, 2, KaratsubaSchedule.PAPER, Tech.DSP48E1),
    ],
)
@pytest.mark.one_in(10)
def test_every_number_is_as_in_the_model(
    tmp_path: Path, bits: int, depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    config = Karatsuba(bits=bits, depth=depth, schedule=schedule)
    run_bench(tmp_path, "karatsuba_internal", config, {"Tech": int(tech)})


@pytest.mark.nightly  # the tests of sequences have its products in every run
@pytest.mark.parametrize("bits", [32, 72])
def test_every_number_of_the_staged_datapath_is_as_in_the_model(tmp_path: Path, bits: int) -> None:
    """With the model of the multiplier of ECP5."""
    core = Karatsuba(bits=bits, schedule=KaratsubaSchedule.PAPER)
    build = RtlBuild.of_core(core)
    parameters = {**core.sv_parameters(), "Tech": int(Tech.MULT18)}
    sources = (LATTICE, *build.sources)
    run_sources(
        tmp_path, "karatsuba_internal", replace(build, parameters=parameters, sources=sources)
    )
