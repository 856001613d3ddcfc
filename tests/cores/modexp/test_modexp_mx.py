# SPDX-License-Identifier: Apache-2.0
"""The exponentiator over the row of `mx`: results in two vectors go straight back into it."""

import random

import pytest

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, Policy, Power


def design(bits: int, w: int, lazy: bool = True) -> ExponentiatorDesign:
    return ExponentiatorDesign(get_core("mx").configure({"w": str(w)}, bits), lazy)


@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.parametrize(("bits", "w"), [(40, 16), (192, 32)])
@pytest.mark.one_in(4)
def test_products_follow_each_other_at_the_interval_of_the_model(
    bits: int, w: int, lazy: bool
) -> None:
    """Measured between two exponent lengths; through the port, words are also output and input."""
    rng = random.Random(bits)
    m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
    powers = [Power(rng.randrange(m), (1 << e) - 1, m) for e in (11, 36)]
    core = design(bits, w).core
    words = core.beats(bits)
    outcomes = Exponentiator(design(bits, w, lazy)).run(powers, Policy.CONSTANT)
    for power, outcome in zip(powers, outcomes, strict=True):
        assert outcome.result == pow(power.base, power.exponent, m)
    one, two = outcomes
    interval = (two.cycles - one.cycles) / (two.multiplications - one.multiplications)
    wanted = core.interval(bits) + 4
    assert interval == wanted if lazy else interval > wanted + words


def test_an_array_goes_by_its_port() -> None:
    array = ExponentiatorDesign(get_core("mx").configure({"w": "32", "shape": "2d"}, 24))
    assert array.lazy_unit() is None and array.operand_width == array.width
