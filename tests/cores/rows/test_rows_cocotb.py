# SPDX-License-Identifier: Apache-2.0
"""The rows in Icarus Verilog: the queue of an array, and the row of `mx` alone."""

from pathlib import Path

import pytest
from icarus import run_bench, run_sources

from montcore.cores import get_core
from montcore.cores.mx import Mx
from montcore.cores.technology import SIMULATION, Technology
from montcore.sim.build import RtlBuild


class RowOfMx(Mx):
    """The row of `mx` without its front end and output stage."""

    @property
    def top(self) -> str:
        return "montcore_mx_row"

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        del technology
        return {"WordBits": self.w, "Words": self.words(self.bits)}


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
    row = RowOfMx(bits=bits, w=w)
    # The row alone does not have the common port, so that there is none to check.
    build = RtlBuild(row.top, tuple(row.sources()), row.sv_parameters(), ports=())
    run_sources(tmp_path, "mx_row_chain", build)
