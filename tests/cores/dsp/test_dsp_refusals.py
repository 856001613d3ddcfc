# SPDX-License-Identifier: Apache-2.0
"""The limits of `dsp` are accepted with either top."""

import pytest
from refusing import verilator_says

from montcore.cores.dsp import Clocking, Dsp


@pytest.mark.parametrize("clocking", Clocking)
@pytest.mark.parametrize(("bits", "alpha"), [(2, 1), (2, 17), (512, 17)])
def test_the_limits_themselves_are_accepted(bits: int, alpha: int, clocking: Clocking) -> None:
    core = Dsp(bits=bits, alpha=alpha, clocking=clocking)
    assert not verilator_says(core.top, core.sources(), core.sv_parameters())
