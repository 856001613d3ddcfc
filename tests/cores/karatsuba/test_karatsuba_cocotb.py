# SPDX-License-Identifier: Apache-2.0
"""`karatsuba` under a second simulator, Icarus Verilog: the numbers inside against the model."""

from pathlib import Path

import pytest
from icarus import run_bench

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule
from montcore.cores.technology import Tech


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "tech"),
    [
        (20, 1, Schedule.FAST, Tech.GENERIC),
        (23, 1, Schedule.FAST, Tech.ASIC),
        pytest.param(64, 1, Schedule.FAST, Tech.ASIC, marks=pytest.mark.nightly),
        (64, 2, Schedule.FAST, Tech.GENERIC),
        (20, 1, Schedule.LEAN, Tech.ASIC),
        (64, 1, Schedule.LEAN, Tech.GENERIC),
        (20, 1, Schedule.PAPER, Tech.DSP48E),
        (64, 1, Schedule.PAPER, Tech.ASIC),
        (32, 2, Schedule.PAPER, Tech.GENERIC),
        (48, 2, Schedule.PAPER, Tech.DSP48E1),
    ],
)
@pytest.mark.one_in(2)
def test_every_number_is_as_in_the_model(
    tmp_path: Path, bits: int, depth: int, schedule: Schedule, tech: Tech
) -> None:
    config = KaratsubaConfig(bits=bits, depth=depth, schedule=schedule)
    run_bench(tmp_path, "karatsuba_internal", CORE.bind(config), {"Tech": int(tech)})
