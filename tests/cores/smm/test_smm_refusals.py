# SPDX-License-Identifier: Apache-2.0
"""Limits specific to `smm`: the number of elements for a number of words."""

from pathlib import Path

import pytest
from needs import needs
from refusing import icarus_says, verilator_says

from montcore.cores.smm import Smm
from montcore.sim.build import build_simulator
from montcore.support.errors import CheckFailedError

LIMITS = pytest.mark.parametrize(("bits", "npe", "w"), [(2, 1, 4), (256, 8, 32), (521, 17, 32)])


@LIMITS
def test_the_limits_themselves_are_accepted(bits: int, npe: int, w: int) -> None:
    core = Smm(bits=bits, npe=npe, w=w)
    assert not verilator_says(core.top, core.sources(), core.sv_parameters())


@needs("iverilog")
@LIMITS
def test_icarus_accepts_the_limits(tmp_path: Path, bits: int, npe: int, w: int) -> None:
    core = Smm(bits=bits, npe=npe, w=w)
    assert not icarus_says(core.top, core.sources(), core.sv_parameters(), tmp_path)


def test_simulation_of_refused_parameters_is_not_built(own_cache: Path) -> None:
    good = Smm.configure({}, 256)
    with pytest.raises(CheckFailedError, match="npe must lie between 1 and the number of words"):
        build_simulator(Smm.main_top(), Smm.sources(), {**good.sv_parameters(), "NumPe": 99})
