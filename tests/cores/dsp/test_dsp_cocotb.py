# SPDX-License-Identifier: Apache-2.0
"""`dsp` under a second simulator, Icarus Verilog: the numbers inside."""

from pathlib import Path

import pytest
from icarus import run_bench

from montcore.cores.dsp import Clocking, Dsp
from montcore.cores.technology import Tech

nightly = pytest.mark.nightly
single, double = Clocking.SINGLE, Clocking.DOUBLE


@pytest.mark.parametrize(
    ("bits", "alpha", "clocking", "lut_ram"),
    [
        (40, 1, single, 0),
        (100, 2, double, 1),
        pytest.param(200, 3, single, 0, marks=nightly),
        pytest.param(256, 5, double, 0, marks=nightly),
        pytest.param(512, 17, single, 0, marks=nightly),
        pytest.param(1100, 17, double, 1, marks=nightly),
    ],
)
@pytest.mark.one_in(6)
def test_every_digit_and_every_sum_is_as_in_the_model(
    tmp_path: Path, bits: int, alpha: int, clocking: Clocking, lut_ram: int
) -> None:
    config = Dsp(bits=bits, alpha=alpha, clocking=clocking)
    tech = Tech.FPGA if lut_ram else Tech.GENERIC
    run_bench(tmp_path, "dsp_internal", config, {"Tech": int(tech)})
