# SPDX-License-Identifier: Apache-2.0
"""`mx`, `cs` and `op` under a second simulator, Icarus Verilog: quotient digits and sums inside."""

from pathlib import Path

import pytest
from icarus import run_bench

from montcore.cores import get_core


@pytest.mark.parametrize(
    ("name", "bits", "settings"),
    [
        ("mx", 8, {"w": "8"}),
        ("mx", 21, {"w": "8"}),
        ("mx", 64, {"w": "32"}),
        ("mx", 8, {"w": "8", "shape": "2d"}),
        ("mx", 21, {"w": "8", "shape": "2d"}),
        pytest.param("mx", 128, {"w": "32", "shape": "2d"}, marks=pytest.mark.nightly),
        ("cs", 21, {"w": "8"}),
        ("op", 21, {"w": "8"}),
    ],
)
def test_every_register_is_as_in_the_model(
    tmp_path: Path, name: str, bits: int, settings: dict[str, str]
) -> None:
    core = get_core(name)
    run_bench(tmp_path, "rows_internal", core, core.configure(settings, bits))


def test_array_waits_for_its_consumer(tmp_path: Path) -> None:
    core = get_core("mx")
    run_bench(tmp_path, "mx_array_queue", core, core.configure({"w": "8", "shape": "2d"}, 16))
