# SPDX-License-Identifier: Apache-2.0
"""The rows under a second simulator, Icarus Verilog: quotient digits and sums inside."""

from pathlib import Path

import pytest
from icarus import run_bench, run_sources

from montcore.cores import get_core
from montcore.cores.mx import Mx
from montcore.cores.row import RowConfig
from montcore.cores.technology import SIMULATION, Technology
from montcore.sim import RtlBuild


class RowOfMx(Mx):
    """The row of `mx` without its front end and output stage."""

    @property
    def top(self) -> str:
        return "montcore_mx_row"

    def sv_parameters(
        self, config: RowConfig, technology: Technology = SIMULATION
    ) -> dict[str, int]:
        del technology
        return {"WordBits": config.w, "Words": config.words(config.bits)}


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
        ("cs", 21, {"w": "8", "shape": "2d"}),
        ("op", 8, {"w": "8", "shape": "2d"}),
        ("op", 21, {"w": "8"}),
        ("op", 21, {"w": "8", "shape": "2d"}),
        ("cs4", 16, {"w": "16"}),
        ("cs4", 37, {"w": "16"}),
        ("cs4", 64, {"w": "32"}),
        ("hr", 16, {"w": "16", "radix": "2"}),
        ("hr", 37, {"w": "16", "radix": "4"}),
        ("hr", 70, {"w": "32", "radix": "6"}),
        ("hr", 96, {"w": "32", "radix": "8"}),
        ("rc", 8, {"w": "8"}),
        ("rc", 37, {"w": "16"}),
    ],
)
@pytest.mark.one_in(8)
def test_every_register_is_as_in_the_model(
    tmp_path: Path, name: str, bits: int, settings: dict[str, str]
) -> None:
    core = get_core(name)
    run_bench(tmp_path, "rows_internal", core.configure(settings, bits))


@pytest.mark.parametrize("name", ["mx", "op"])
def test_array_waits_for_its_consumer(tmp_path: Path, name: str) -> None:
    core = get_core(name)
    run_bench(tmp_path, "row_array_queue", core.configure({"w": "8", "shape": "2d"}, 16))


@pytest.mark.parametrize(("bits", "w"), [(8, 8), (24, 8), (64, 32)])
@pytest.mark.one_in(3)
def test_results_of_the_row_go_back_in_without_conversion(
    tmp_path: Path, bits: int, w: int
) -> None:
    """Operands and results below 2 m, for every m of up to k bits."""
    row = RowOfMx().configure({"w": str(w)}, bits)
    # The row alone does not have the common port, so that there is none to check.
    build = RtlBuild(row.top, tuple(row.sources()), row.sv_parameters(), ports=())
    run_sources(tmp_path, "mx_row_chain", build)
