# SPDX-License-Identifier: Apache-2.0
"""`karatsuba` under a second simulator, Icarus Verilog: the numbers inside against the model."""

from pathlib import Path

import pytest
from icarus import run_bench

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule, Style


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "style"),
    [
        (20, 1, Schedule.FAST, Style.TILES),
        (23, 1, Schedule.FAST, Style.TREE),
        pytest.param(64, 1, Schedule.FAST, Style.TREE, marks=pytest.mark.nightly),
        (64, 2, Schedule.FAST, Style.TILES),
        (20, 1, Schedule.LEAN, Style.TREE),
        (64, 1, Schedule.LEAN, Style.TILES),
        (20, 1, Schedule.PAPER, Style.GRID),
        (64, 1, Schedule.PAPER, Style.TREE),
        (32, 2, Schedule.PAPER, Style.TILES),
        (48, 2, Schedule.PAPER, Style.COLUMNS),
    ],
)
def test_every_number_is_as_in_the_model(
    tmp_path: Path, bits: int, depth: int, schedule: Schedule, style: Style
) -> None:
    config = KaratsubaConfig(bits=bits, depth=depth, schedule=schedule)
    run_bench(tmp_path, "karatsuba_internal", CORE.bind(config), {"Style": int(style)})
