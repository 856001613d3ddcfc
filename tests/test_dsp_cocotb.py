# SPDX-License-Identifier: Apache-2.0
"""`dsp` under a second simulator, Icarus Verilog: the numbers inside, the port, and zeroize."""

from pathlib import Path

import pytest
from icarus import run_bench

from montcore.cores.dsp import CORE, Clocking, DspConfig

nightly = pytest.mark.nightly
single, double = Clocking.SINGLE, Clocking.DOUBLE


@pytest.mark.parametrize(
    ("bits", "alpha", "clocking"),
    [
        (40, 1, single),
        (100, 2, double),
        (200, 3, single),
        (256, 5, double),
        pytest.param(512, 17, single, marks=nightly),
        pytest.param(1100, 17, double, marks=nightly),
    ],
)
def test_every_digit_and_every_sum_is_as_in_the_model(
    tmp_path: Path, bits: int, alpha: int, clocking: Clocking
) -> None:
    config = DspConfig(bits=bits, alpha=alpha, clocking=clocking)
    run_bench(tmp_path, "dsp_internal", CORE, config)


@pytest.mark.parametrize(
    ("bits", "alpha", "clocking"),
    [
        (72, 2, single),
        (70, 1, double),
        pytest.param(256, 5, single, marks=nightly),
    ],
)
def test_port_and_zeroize(tmp_path: Path, bits: int, alpha: int, clocking: Clocking) -> None:
    config = DspConfig(bits=bits, alpha=alpha, clocking=clocking)
    run_bench(tmp_path, "dsp_port", CORE, config)
