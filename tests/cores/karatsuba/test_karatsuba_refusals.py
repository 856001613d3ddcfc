# SPDX-License-Identifier: Apache-2.0
"""Refusals specific to `karatsuba`: schedules, and parameters that only the hardware has."""

from pathlib import Path

import pytest
from needs import needs
from refusing import icarus_says, verilator_says

from montcore.cores.karatsuba import Karatsuba
from montcore.support.errors import RequestError

UNITS = "the half-length multipliers must be 4 or 3"


def test_the_tool_refuses_an_unknown_schedule() -> None:
    with pytest.raises(RequestError, match="schedule"):
        Karatsuba.configure({"schedule": "slow"}, 256)


@pytest.mark.parametrize("units", [2, 5])
def test_verilator_refuses_other_multipliers(units: int) -> None:
    assert UNITS in verilator_says(Karatsuba.main_top(), Karatsuba.sources(), {"Units": units})


@needs("iverilog")
@pytest.mark.parametrize("units", [2, 5])
def test_icarus_refuses_other_multipliers(tmp_path: Path, units: int) -> None:
    assert UNITS in icarus_says(
        Karatsuba.main_top(), Karatsuba.sources(), {"Units": units}, tmp_path
    )


@pytest.mark.parametrize(("bits", "depth"), [(2, 1), (2, 2), (1024, 1)])
def test_the_limits_themselves_are_accepted(bits: int, depth: int) -> None:
    Karatsuba(bits=bits, depth=depth)
