# SPDX-License-Identifier: Apache-2.0
"""The simulation harness on the test core: measurements, detected faults, recovery."""

import random

import numpy as np
import numpy.typing as npt
import pytest
from fixture_core import FixtureCore

from montcore.model.spec import montgomery_product
from montcore.sim import wire
from montcore.sim.simulator import ArrayBatch, Simulator
from montcore.sim.types import Product, Status, describe

pytestmark = pytest.mark.usefixtures("one_simulator")

SMALL = FixtureCore(bits=16, bus=8)


def random_products(config: FixtureCore, count: int, seed: int = 1) -> list[Product]:
    rng = random.Random(seed)
    products = []
    for _ in range(count // 8):
        length = rng.randint(2, config.bits)
        m = rng.getrandbits(length) | 1 | (1 << (length - 1))
        products += [Product(rng.randrange(m), rng.randrange(m), m, length) for _ in range(8)]
    rng.shuffle(products)  # the simulator groups them by modulus and must undo that
    return products


def right(config: FixtureCore, product: Product) -> int:
    r_bits = config.r_bits(product.length)
    return montgomery_product(product.x, product.y, product.m, r_bits)


@pytest.mark.parametrize(
    ("bits", "bus"), [(16, 8), (40, 16), (61, 17), (65, 32), (130, 64), (96, 96), (64, 1024)]
)
@pytest.mark.one_in(3)
def test_products_are_right_on_every_kind_of_bus(bits: int, bus: int) -> None:
    config = FixtureCore(bits=bits, bus=bus)
    products = random_products(config, 160)
    for gaps in (False, True):
        simulator = Simulator(config, gaps=gaps, seed=3, processes=2)
        outcomes = simulator.run(products, "stream" if gaps else "single")
        assert [outcome.z for outcome in outcomes] == [right(config, item) for item in products]


def test_cycles_are_counted_as_the_port_says() -> None:
    products = [Product(x, 7, 0xFFFD, 16) for x in range(20)]
    for outcome in Simulator(SMALL).run(products, "single"):
        # One cycle to see the operands, one to check them, 16 steps, the last correction.
        assert (outcome.core_cycles, outcome.cycles, outcome.interval) == (17, 20, None)
    outcomes = Simulator(SMALL).run(products, "stream")
    assert [outcome.interval for outcome in outcomes] == [None] + [SMALL.interval(16)] * 19


def test_gaps_slow_products_down_but_do_not_change_them() -> None:
    products = [Product(x, 0x1234, 0xFFFD, 16) for x in range(400)]
    smooth = Simulator(SMALL).run(products, "stream")
    rough = Simulator(SMALL, gaps=True, seed=5).run(products, "stream")
    assert [item.z for item in smooth] == [item.z for item in rough]
    assert {item.core_cycles for item in rough} == {17}
    waits = [item.interval or 0 for item in rough[1:]]
    assert min(waits) == SMALL.interval(16) and max(waits) > 2 * min(waits)
    assert rough == Simulator(SMALL, gaps=True, seed=5).run(products, "stream")
    assert rough != Simulator(SMALL, gaps=True, seed=6).run(products, "stream")


def test_progress_counts_every_product() -> None:
    seen: list[int] = []
    Simulator(SMALL, processes=2).run(random_products(SMALL, 160), progress=seen.append)
    assert sum(seen) == 160 and len(seen) > 1


def test_operand_that_does_not_fit_the_beats_is_an_error_of_the_caller() -> None:
    with pytest.raises(OverflowError):
        Simulator(SMALL).run([Product(1 << 16, 1, 0xFFFD, 16)])


def test_arrays_give_what_single_products_give() -> None:
    def pair() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        return x, y

    x = np.arange(0, 200, dtype=np.uint64)
    y = x[::-1].copy()
    for config in (SMALL, FixtureCore(bits=65, bus=32)):
        batch = ArrayBatch(251, config.bits, 200, pair)
        (outcome,) = Simulator(config).run_array_batches([batch], "single")
        products = [Product(int(a), int(b), 251, config.bits) for a, b in zip(x, y, strict=True)]
        assert outcome.z.tolist() == [right(config, product) for product in products]
        assert set(outcome.status.tolist()) == {0}
        assert len(set(outcome.cycles.tolist())) == 1


# ---- faults of a core that must be noticed -----------------------------------------------------

GOOD = Product(0x1234, 0x0FF1, 0xFFFD, 16)


def mutant(bug: int, *, gaps: bool = False) -> Simulator:
    return Simulator(FixtureCore(bits=16, bus=8, bug=bug), gaps=gaps, seed=2)


def test_hang_is_cut_short_and_the_next_product_runs() -> None:
    hanging = Product(0x11A5, 3, 0xFFFD, 16)
    for mode in ("single", "stream"):
        outcomes = mutant(2).run([GOOD, hanging, GOOD, GOOD], mode)
        assert [item.error for item in outcomes] == [0, Status.HANG, 0, 0]
        assert outcomes[3].z == right(SMALL, GOOD)


def test_many_hangs_end_the_run() -> None:
    outcomes = mutant(2).run([Product(0xA5, 3, 0xFFFD, 16)] * 40, "stream")
    errors = [item.error for item in outcomes]
    assert errors == [Status.HANG] * 8 + [Status.SKIPPED] * 32


def test_data_dependent_cycles_show() -> None:
    even, odd = mutant(3).run([Product(5, 2, 0xFFFD, 16), Product(5, 3, 0xFFFD, 16)])
    assert odd.cycles == even.cycles + 1 and odd.core_cycles == even.core_cycles + 1


@pytest.mark.parametrize(
    ("bug", "gaps", "status"),
    [
        (4, False, Status.BAD_LAST),
        (6, True, Status.UNSTABLE),
        (10, False, Status.NOT_BUSY),
        (13, False, Status.BAD_CONFIG),
    ],
)
def test_broken_rule_of_the_port_is_named(bug: int, gaps: bool, status: Status) -> None:
    errors = {item.error for item in mutant(bug, gaps=gaps).run([GOOD] * 32, "stream")}
    assert status in errors and errors <= {status, Status.SKIPPED, Status.OK}


def test_busy_that_never_falls_is_noticed() -> None:
    outcomes = mutant(15).run([GOOD, GOOD], "single")
    assert [item.error for item in outcomes] == [Status.OK, Status.HANG]


def test_operands_lost_when_one_stream_runs_ahead_show_with_gaps_only() -> None:
    z = right(SMALL, GOOD)
    assert all(item.z == z for item in mutant(9).run([GOOD] * 64, "stream"))
    assert any(item.z != z for item in mutant(9, gaps=True).run([GOOD] * 64, "stream"))


def test_modulus_taken_with_a_product_under_way_is_noticed() -> None:
    commands: list[wire.Command] = [
        wire.Configure(0xFFFD, 2),
        wire.WireRun([wire.Operands(5, 6, 2, 2)], 2, wire.RunFlag.STREAM | wire.RunFlag.NO_DRAIN),
        wire.Configure(0xFFFB, 2),
    ]
    assert [answer.status for answer in Simulator(SMALL).script(commands)] == [0, 0, 0]
    assert Status.CFG_ACCEPTED in [answer.status for answer in mutant(12).script(commands)]


def test_every_status_has_words() -> None:
    texts = {describe(status) for status in Status}
    assert len(texts) == len(Status) and "unknown" not in " ".join(texts)
    assert describe(99) == "unknown status 99"
