# SPDX-License-Identifier: Apache-2.0
"""The rules of the common port other than correct products, as functions of a core.

Each raises an `AssertionError` if the core breaks it. The tests of the cores use them too.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product

from montcore.cores.core import Core
from montcore.model.spec import montgomery_product
from montcore.sim.build import RtlBuild
from montcore.sim.sequence import SequenceOp
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product, Status
from montcore.sim.wire import (
    Abort,
    Command,
    Configure,
    Operands,
    RecordKind,
    RunFlag,
    Snapshot,
    WireRun,
)
from montcore.verification import sequences
from montcore.verification.multiplier_port import MultiplierPort, split


def build(core: Core) -> RtlBuild:
    """Return what a core is simulated as: one executable for all rules, with its state."""
    return replace(RtlBuild.of_core(core), savable=True)


def simulator(core: Core, seed: int = 0) -> Simulator:
    """Return the simulator of a core."""
    return Simulator(core, seed=seed, rtl=build(core))


class RulesBench:
    """Commands for one core with a random modulus of the full length."""

    def __init__(self, core: Core, seed: int = 1) -> None:
        rng = random.Random(seed)
        self.core = core
        self.beats = core.beats(core.bits)
        self.width = core.bus_width
        self.m = rng.getrandbits(core.bits) | 1 | (1 << (core.bits - 1))
        self.x, self.y = rng.randrange(self.m), rng.randrange(self.m)

    @property
    def z(self) -> int:
        """The product."""
        r_bits = self.core.r_bits(self.core.bits)
        return montgomery_product(self.x, self.y, self.m, r_bits)

    def configure(self) -> Configure:
        """Return the packet of the modulus."""
        return Configure(self.m, self.beats)

    def run(self) -> WireRun:
        """One product."""
        return WireRun(
            [Operands(self.x, self.y, self.beats, self.beats)], self.beats, RunFlag.FORCE
        )

    def pair(self) -> WireRun:
        """Two products, the second queued behind the first."""
        return WireRun([*self.run().products] * 2, self.beats, RunFlag.STREAM | RunFlag.FORCE)

    def moments(self) -> range:
        """Return the cycles from the modulus or the operands of a pair to beyond its results."""
        last = self.core.core_cycles(self.core.bits) + self.core.interval(self.core.bits)
        return range(last + 4 * self.beats + 24)

    def some_moments(self) -> range:
        """Return these cycles, or some 50 of many."""
        every = self.moments()
        # An odd step does not stay in one phase of an iteration of two cycles.
        return every[:: len(every) // 50 | 1]


def nothing_leaves_after_zeroize(core: Core) -> None:
    """After zeroize in any cycle, core_start_o, core_done_o, cfg_done_o and Z stay inactive.

    Counted from a modulus and from operands, with a second product queued.
    """
    bench = RulesBench(core)
    moments = bench.moments()
    commands: list[Command] = []
    for after in moments:
        commands += [Abort(after), bench.configure(), bench.run()]
        commands += [bench.configure(), Abort(after), bench.pair()]
    answers = simulator(core).script(commands)
    aborts = [item for item in answers if item.kind == RecordKind.ABORT]
    assert len(aborts) == 2 * len(moments)
    broken = {n // 2: Status(item.status).name for n, item in enumerate(aborts) if item.status}
    assert not broken, f"what zeroize left to come out, by the cycle it came in: {broken}"


def products_after_a_break_are_right(core: Core) -> None:
    """After zeroize or reset in any cycle of a set-up or of two products, the next one is right."""
    bench = RulesBench(core)
    moments = bench.moments()
    for reset in (False, True):
        commands: list[Command] = []
        for after in moments:
            clean = (bench.configure(), bench.run())
            commands += [Abort(after, reset), bench.configure(), bench.pair(), *clean]
            commands += [bench.configure(), Abort(after, reset), bench.pair(), *clean]
        answers = simulator(core).script(commands)
        numbers = [item.z for item in answers if item.kind == RecordKind.PRODUCT]
        assert {*numbers} <= {None, bench.z} and numbers.count(bench.z) >= 2 * len(moments)


def packets_right_after_a_break_are_answered(core: Core) -> None:
    """Another modulus, up to 3 cycles after zeroize or reset in any cycle, and a product are right.

    The break comes in each cycle of a set-up and of a product, or in some 50 of a long one.
    """
    unit = MultiplierPort(core, build(core))
    now, then = (
        [
            SequenceOp(kind, tuple(split(value, bench.beats, bench.width)))
            for kind, value in (("c", bench.m), ("x", bench.x), ("y", bench.y))
        ]
        for bench in (RulesBench(core, 1), RulesBench(core, 2))
    )
    rest, ops = SequenceOp("idle"), now[:1]
    for after, delay in product(RulesBench(core).some_moments(), range(4)):
        for kind, part in product(("zeroize", "reset"), (slice(1), slice(1, 3))):
            broken = [SequenceOp("wait", number=after)] if after else []
            ops += [*now[part], *broken, SequenceOp(kind, drop=True)]
            now, then = then, now
            ops += [replace(now[0], delay=delay), rest, *now[1:], rest]
    found = sequences.run(unit, ops, 1)
    assert not found.fault, found.fault


def states_after(core: Core, seed: int, moments: Iterable[int | None]) -> list[bytes | None]:
    """Return the whole state after zeroize in each cycle of a product; None: without zeroize."""
    bench = RulesBench(core, seed)
    commands: list[Command] = []
    for after in moments:
        commands += [bench.configure(), bench.run()]
        commands += [Abort(after)] if after is not None else []
        commands += [bench.run(), Snapshot()]
    answers = simulator(core).script(commands, snapshot=True)
    return [item.state for item in answers if item.kind == RecordKind.SNAPSHOT]


def zeroize_leaves_nothing_that_depends_on_the_numbers(core: Core) -> None:
    """After zeroize the whole state is the same whatever the numbers were.

    It comes in each cycle of a product, or in some 50 of a long one, and long after it.
    """
    moments = [*RulesBench(core).some_moments(), 100_000]
    runs = [states_after(core, seed, moments) for seed in (1, 2, 3)]
    left = [after for after, *states in zip(moments, *runs, strict=True) if len({*states}) > 1]
    assert not left, f"zeroize leaves something, {left} cycles after the operands"
    assert states_after(core, 1, [None]) != states_after(core, 2, [None])


def cycle_formulas_hold(core: Core) -> None:
    """The cycles of set-ups, and of products from idle and back to back, are the formulas'."""
    rng = random.Random(7)
    for length in (core.bits, core.bits // 2, 9, 2):
        m = rng.getrandbits(length) | 1 | (1 << (length - 1))
        products = [Product(rng.randrange(m), rng.randrange(m), m, length) for _ in range(24)]
        single = simulator(core).run(products, "single")
        assert {item.core_cycles for item in single} == {core.core_cycles(length)}
        assert len({item.cycles for item in single}) == 1
        setups = {item.setup.z_first - item.setup.x_last for item in single if item.setup}
        assert setups == {core.setup_cycles(length)} or not core.setup_cycles(length)
        stream = simulator(core).run(products, "stream")
        if length == core.bits:
            assert {item.interval for item in stream[12:]} == {core.interval(length)}


def model_agrees_with_the_hardware_cycle_by_cycle(core: Core) -> None:
    """The cycle model has the hardware's results and cycles."""
    rng = random.Random(8)
    products = []
    for length in (core.bits, core.bits - 1, core.bits // 2, 2):
        for _ in range(6):
            m = rng.getrandbits(length) | 1 | (1 << (length - 1))
            products.append(Product(rng.randrange(m), rng.randrange(m), m, length))
    for item, outcome in zip(products, simulator(core).run(products), strict=True):
        model = core.run_model(item.x, item.y, item.m, item.length)
        assert (model.z, model.cycles, model.core_cycles) == (
            outcome.z,
            outcome.cycles,
            outcome.core_cycles,
        )


#: Rules for every core beside those that random sequences cover (test_sim_sequences.py).
RULES: tuple[Callable[[Core], None], ...] = (
    products_after_a_break_are_right,
    packets_right_after_a_break_are_answered,
    zeroize_leaves_nothing_that_depends_on_the_numbers,
    cycle_formulas_hold,
    model_agrees_with_the_hardware_cycle_by_cycle,
)
