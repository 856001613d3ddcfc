# SPDX-License-Identifier: Apache-2.0
"""The port's time before the last operand beat: a mutant that stalls by data is found."""

import random
from pathlib import Path

import pytest
from mutants import STALL, mutated

from montcore.cores.core import Core
from montcore.cores.smm import Smm
from montcore.model.spec import montgomery_product
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.verification.run import verify

CONFIG = Smm(bits=64, w=16, npe=2)


@pytest.fixture
def stalling(tmp_path: Path) -> type[Core]:
    """`smm` with the mutated loader."""
    return mutated(Smm, tmp_path, "montcore_loader", *STALL)


def test_a_stall_by_an_operand_bit_changes_nothing_but_the_time_of_the_beats(
    stalling: type[Core],
) -> None:
    rng = random.Random(7)
    m = rng.getrandbits(64) | 1 | 1 << 63
    products = [Product(rng.randrange(m), rng.randrange(m), m, 64) for _ in range(20)]
    outcomes = Simulator(stalling.model_validate(CONFIG.params())).run(products)
    for product, outcome in zip(products, outcomes, strict=True):
        assert outcome.z == montgomery_product(product.x, product.y, m, 64)
    assert len({(outcome.cycles, outcome.core_cycles) for outcome in outcomes}) == 1
    assert len({outcome.timing.whole for outcome in outcomes if outcome.timing}) > 1


def test_verify_finds_the_stall(stalling: type[Core]) -> None:
    result = verify(stalling.model_validate(CONFIG.params()), random_count=60, seed=1)
    assert result.cycles_min == result.cycles_max
    told = [failure.what for failure in result.failures]
    assert any("port timing depends on data (operands coming in" in what for what in told)
    assert any("the last beat of X or of the modulus is taken after" in what for what in told)
    assert all("port timing" in what for what in told), told
    assert all(failure.command.startswith("montcore verify smm") for failure in result.failures)


def test_the_times_of_the_right_core_do_not_vary() -> None:
    rtl = RtlBuild.of_core(CONFIG)
    rng = random.Random(8)
    products = []
    for top in (0, 1 << 63):
        m = rng.getrandbits(63) | 1 | top
        products += [Product(rng.randrange(m), rng.randrange(m), m, 64) for _ in range(10)]
    outcomes = Simulator(CONFIG, rtl=rtl).run(products)
    times = {outcome.timing.whole for outcome in outcomes if outcome.timing is not None}
    assert len(times) == 1
    (one,) = times
    # Four beats of each operand and of the result, one a cycle, from the first offer on.
    assert one[:4] == (0, 3, 0, 3) and one[5] == one[4] + 3 and one[6] >= one[5]
    assert len({outcome.setup.whole for outcome in outcomes if outcome.setup}) == 1
