# SPDX-License-Identifier: Apache-2.0
"""The exponentiator over the row of `mx`: results in two vectors go straight back into it."""

import random
from pathlib import Path

import mx_lazy
import pytest
from icarus import run_sources

from montcore.cores import get_core
from montcore.model import row_lazy
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, Policy, Power
from montcore.sim.build import RtlBuild


def design(bits: int, w: int, lazy: bool = True) -> ExponentiatorDesign:
    return ExponentiatorDesign(get_core("mx").configure({"w": str(w)}, bits), lazy)


def test_beats_have_room_for_one_bit_above_the_words() -> None:
    assert mx_lazy.beats(4, 2, 0x1A5, 0x0C3) == [0x035, 0x1CA]
    assert row_lazy.number(4, [0x035, 0x1CA]) == 0x1A5 + 0x0C3
    with pytest.raises(ValueError, match="more than one bit"):
        mx_lazy.beats(4, 2, 0x1A5, 0x1C3)


@pytest.mark.parametrize(("bits", "w"), [(21, 8), (4, 4), (8, 4), (8, 8), (40, 16), (64, 32)])
@pytest.mark.nightly  # every run has powers by the unit, and the model's products
def test_every_result_of_the_unit_is_as_in_the_model(tmp_path: Path, bits: int, w: int) -> None:
    """All 4-bit moduli and operands; chained, zeroized, with shorter moduli."""
    unit = get_core("mx").configure({"w": "32"}, 64).lazy_unit()
    assert unit is not None
    parameters = {"Length": bits, "WordBits": w, "BeatBits": 6, "LengthBits": 13}
    # The unit alone does not have the common port, so that there is none to check.
    build = RtlBuild(unit.top, unit.sources, parameters, ports=())
    run_sources(tmp_path, "modexp_mx_unit", build)


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
    wanted = mx_lazy.Times.of(w, words).lazy
    assert wanted == core.interval(bits) + 4
    assert interval == wanted if lazy else interval > wanted + words


def test_an_array_goes_by_its_port() -> None:
    array = ExponentiatorDesign(get_core("mx").configure({"w": "32", "shape": "2d"}, 24))
    assert array.lazy_unit() is None and array.operand_width == array.width
