# SPDX-License-Identifier: Apache-2.0
"""The array in Icarus Verilog: its queue of results."""

from pathlib import Path

import pytest
from icarus import run_bench

from montcore.cores import get_core


@pytest.mark.nightly  # every run has random sequences with a consumer that waits
@pytest.mark.parametrize("name", ["mx", "op"])
def test_array_waits_for_its_consumer(tmp_path: Path, name: str) -> None:
    core = get_core(name)
    run_bench(tmp_path, "row_array_queue", core.configure({"w": "8", "shape": "2d"}, 16))
