# SPDX-License-Identifier: Apache-2.0
"""The rules of the common port other than correct products, as functions of a core."""

import random
from collections.abc import Callable
from dataclasses import replace

from montcore.cores.core import ConfiguredCore
from montcore.model.spec import montgomery_product
from montcore.sim import Product, RtlBuild, Simulator, Status
from montcore.sim.wire import (
    Abort,
    Command,
    Configure,
    Operands,
    RecordKind,
    Run,
    RunFlag,
    Snapshot,
)


def simulator(core: ConfiguredCore, seed: int = 0) -> Simulator:
    """Return the simulator of a core: one executable for all rules, which can output its state."""
    return Simulator(core, seed=seed, rtl=replace(RtlBuild.of_core(core), savable=True))


class Bench:
    """Commands for one core with a random modulus of the full length."""

    def __init__(self, core: ConfiguredCore, seed: int = 1) -> None:
        rng = random.Random(seed)
        self.core = core
        self.beats = core.beats(core.bits)
        self.width = core.bus_width
        self.m = rng.getrandbits(core.bits) | 1 | (1 << (core.bits - 1))
        self.x, self.y = rng.randrange(self.m), rng.randrange(self.m)

    @property
    def z(self) -> int:
        r_bits = self.core.r_bits(self.core.bits)
        return montgomery_product(self.x, self.y, self.m, r_bits)

    def configure(self) -> Configure:
        return Configure(self.m, self.beats)

    def run(self, *, flags: RunFlag = RunFlag.FORCE, x_beats: int = 0, y_beats: int = 0) -> Run:
        """One product; beats added to (or, negative, taken from) its packets."""

        def cut(value: int, beats: int) -> int:
            return value & ((1 << (beats * self.width)) - 1)

        x_total, y_total = self.beats + x_beats, self.beats + y_beats
        operands = Operands(cut(self.x, x_total), cut(self.y, y_total), x_total, y_total)
        return Run([operands], self.beats, flags)


def operand_packet_of_wrong_length_is_refused_and_forgotten(core: ConfiguredCore) -> None:
    bench = Bench(core)
    wrong = [(1, 0), (0, 1), (3, 0), (0, 3), (1, 1), (2, 5)]
    if bench.beats > 1:
        wrong += [(-1, 0), (0, -1), (-1, -1), (1 - bench.beats, 0), (-1, 2)]
    commands: list[Command] = [bench.configure()]
    for x_beats, y_beats in wrong:
        commands += [bench.run(x_beats=x_beats, y_beats=y_beats), bench.run()]
    answers = simulator(core).script(commands)[1:]
    assert {item.status for item in answers[::2]} == {Status.OPERAND_LENGTH}
    assert {item.z for item in answers[1::2]} == {bench.z}


def wrong_packets_between_right_ones_in_a_stream(core: ConfiguredCore) -> None:
    bench = Bench(core)
    good, long = bench.run().products[0], bench.run(x_beats=2).products[0]
    big = Operands(bench.m, bench.y, bench.beats, bench.beats)
    products = [good, long, good, big, big, good, good, long, long, good] * 4
    wanted = [0, 5, 0, 4, 4, 0, 0, 5, 5, 0] * 4
    for gaps in (RunFlag(0), RunFlag.GAPS):
        run = Run(products, bench.beats, RunFlag.STREAM | gaps)
        answers = simulator(core, seed=4).script([bench.configure(), run])[1:]
        assert [item.status for item in answers] == wanted
        assert {item.z for item in answers if item.status == 0} == {bench.z}


def operands_next_to_the_modulus_are_told_apart(core: ConfiguredCore) -> None:
    """M - 1 is accepted and M refused: first after a modulus, and right after a wrong packet.

    Above the first word M - 1 and M are the same, so a comparison of the first word with anything
    but the first word of this modulus gives a wrong answer for one of them.
    """
    wrong = [(2, 0), (0, 2), (2, 2), (1, 3)]
    beats = core.beats(core.bits)
    if beats > 1:
        wrong += [(-1, 0), (0, -1), (-1, -1), (1 - beats, 0), (0, 1 - beats)]
    for gaps in (RunFlag(0), RunFlag.GAPS):
        commands: list[Command] = []
        wanted: list[tuple[int, int | None]] = []
        for seed in range(6):
            bench = Bench(core, seed)
            last, big = (Operands(x, bench.y, beats, beats) for x in (bench.m - 1, bench.m))
            z = montgomery_product(last.x, last.y, bench.m, core.r_bits(core.bits))
            accepted, refused = (Status.OK, z), (Status.OPERAND_RANGE, None)
            bad = (Status.OPERAND_LENGTH, None)
            products = [last] if seed % 2 else [big, last]
            wanted += [accepted] if seed % 2 else [refused, accepted]
            for x_beats, y_beats in wrong:
                packet = bench.run(x_beats=x_beats, y_beats=y_beats).products[0]
                products += [packet, last, packet, big]
                wanted += [bad, accepted, bad, refused]
            commands += [bench.configure(), Run(products, beats, RunFlag.STREAM | gaps)]
        found = simulator(core, seed=5).script(commands)
        products_out = [item for item in found if item.kind == RecordKind.PRODUCT]
        assert [(item.status, item.z) for item in products_out] == wanted


def refused_modulus_leaves_none_loaded(core: ConfiguredCore) -> None:
    bench = Bench(core)
    even, one, too_long = bench.m - 1, 1, (1 << (bench.width * (bench.beats + 2))) - 1
    commands: list[Command] = [bench.run()]
    for m, beats in ((even, 0), (0, 0), (one, 0), (too_long, 2)):
        commands += [bench.configure(), Configure(m, bench.beats + beats), bench.run()]
    commands += [bench.configure(), bench.run()]
    answers = simulator(core).script(commands)
    assert answers[0].status == Status.NO_MODULUS
    refused = [item.status for item in answers[2:-2:3]]
    assert refused == [1, 1, Status.MODULUS_ONE, Status.MODULUS_LENGTH]
    assert {item.status for item in answers[3:-2:3]} == {Status.NO_MODULUS}
    assert answers[-1].z == bench.z


def modulus_with_a_bit_above_the_built_width_is_refused(core: ConfiguredCore) -> None:
    bench = Bench(core)
    assert bench.beats * bench.width > core.bits
    answers = simulator(core).script(
        [Configure(bench.m | 1 << core.bits, bench.beats), bench.run()]
    )
    assert [item.status for item in answers] == [Status.MODULUS_LENGTH, Status.NO_MODULUS]


def abort_at_any_moment_leaves_a_core_that_works(core: ConfiguredCore, reset: bool) -> None:
    bench = Bench(core)
    total = core.core_cycles(core.bits) + 4 * bench.beats + 24
    commands: list[Command] = []
    for after in range(0, total, max(1, total // 60)):
        commands += [bench.configure(), Abort(after, reset), bench.run()]
        commands += [bench.configure(), bench.run()]
        commands += [Abort(after, reset), bench.configure(), bench.run()]
    answers = simulator(core).script(commands)
    aborts = [item for item in answers if item.kind == RecordKind.ABORT]
    assert len(aborts) == 2 * len(range(0, total, max(1, total // 60)))
    assert {item.status for item in aborts} == {0}
    for start in range(0, len(answers), 8):
        setup, cut, _, again, whole, _, _, gone = answers[start : start + 8]
        assert (setup.status, again.status) == (0, 0)
        assert cut.status == Status.ABORTED or cut.z == bench.z
        assert whole.z == bench.z
        assert gone.status == Status.NO_MODULUS
    first = answers[1]
    assert first.status == Status.ABORTED


def nothing_leaves_after_zeroize(core: ConfiguredCore) -> None:
    """After zeroize in any cycle, core_start_o, core_done_o, cfg_done_o and Z stay inactive.

    Counted from a modulus and from operands, with a second product queued.
    """
    bench = Bench(core)
    pair = Run([*bench.run().products] * 2, bench.beats, RunFlag.STREAM | RunFlag.FORCE)
    last = core.core_cycles(core.bits) + core.interval(core.bits)
    moments = range(last + 4 * bench.beats + 24)
    commands: list[Command] = []
    for after in moments:
        commands += [Abort(after), bench.configure(), bench.run()]
        commands += [bench.configure(), Abort(after), pair]
    answers = simulator(core).script(commands)
    aborts = [item for item in answers if item.kind == RecordKind.ABORT]
    assert len(aborts) == 2 * len(moments)
    broken = {n // 2: Status(item.status).name for n, item in enumerate(aborts) if item.status}
    assert not broken, f"what zeroize left to come out, by the cycle it came in: {broken}"


def no_modulus_is_loaded_after_zeroize(core: ConfiguredCore) -> None:
    bench = Bench(core)
    answers = simulator(core).script(
        [bench.configure(), Abort(3), bench.run(), bench.run(), bench.configure(), bench.run()]
    )
    assert [item.status for item in answers] == [0, Status.ABORTED, 0, Status.NO_MODULUS, 0, 0]
    assert answers[-1].z == bench.z


def state_after_zeroize(core: ConfiguredCore, seed: int, after: int | None) -> bytes:
    """Return the whole state after a product; `after` None: without zeroize."""
    bench = Bench(core, seed)
    commands: list[Command] = [bench.configure(), bench.run()]
    if after is not None:
        commands.append(Abort(after))
    commands += [bench.run(), Snapshot()]
    state = simulator(core).script(commands, snapshot=True)[-1].state
    assert state is not None
    return state


def zeroize_leaves_nothing_that_depends_on_the_numbers(core: ConfiguredCore) -> None:
    for after in (2, 9, core.core_cycles(core.bits) // 2, 100_000):
        states = {state_after_zeroize(core, seed, after) for seed in (1, 2, 3)}
        assert len(states) == 1, f"zeroize {after} cycles after the operands"
    assert len({state_after_zeroize(core, seed, None) for seed in (1, 2)}) == 2


def next_modulus_waits_for_the_products_under_way(core: ConfiguredCore) -> None:
    bench, other = Bench(core, 1), Bench(core, 2)
    flags = RunFlag.STREAM | RunFlag.NO_DRAIN
    commands: list[Command] = []
    for _ in range(3):
        for item in (bench, other):
            commands += [item.configure(), Run([item.run().products[0]] * 3, item.beats, flags)]
    answers = simulator(core).script([*commands, bench.configure()])
    assert {item.status for item in answers} == {0}
    results = [item.z for item in answers if item.kind == RecordKind.PRODUCT]
    assert results == ([bench.z] * 3 + [other.z] * 3) * 3


def operands_may_wait_while_the_modulus_is_set_up(core: ConfiguredCore) -> None:
    for gaps in (RunFlag(0), RunFlag.GAPS):
        commands: list[Command] = []
        wanted: list[int | None] = []
        for seed in range(12):
            bench = Bench(core, seed)
            commands.append(Configure(bench.m, bench.beats, deferred=True))
            products = [bench.run().products[0]] * 3
            commands.append(Run(products, bench.beats, RunFlag.STREAM | gaps))
            wanted += [bench.z] * 3
            commands.append(Configure(bench.m - 1, bench.beats, deferred=True))
            commands.append(bench.run())
            wanted.append(None)
        answers = simulator(core).script(commands)
        products_out = [item for item in answers if item.kind == RecordKind.PRODUCT]
        assert [item.z for item in products_out] == wanted
        statuses = [item.status for item in answers if item.kind == RecordKind.CONFIG]
        assert statuses == [Status.OK, Status.MODULUS_EVEN] * 12


def cycle_formulas_hold(core: ConfiguredCore) -> None:
    rng = random.Random(7)
    for length in (core.bits, core.bits // 2, 9, 2):
        m = rng.getrandbits(length) | 1 | (1 << (length - 1))
        products = [Product(rng.randrange(m), rng.randrange(m), m, length) for _ in range(24)]
        single = simulator(core).run(products, "single")
        assert {item.core_cycles for item in single} == {core.core_cycles(length)}
        assert len({item.cycles for item in single}) == 1
        stream = simulator(core).run(products, "stream")
        if length == core.bits:
            assert {item.interval for item in stream[12:]} == {core.interval(length)}


def model_agrees_with_the_hardware_cycle_by_cycle(core: ConfiguredCore) -> None:
    rng = random.Random(8)
    products = []
    for length in (core.bits, core.bits - 1, core.bits // 2, 2):
        for _ in range(6):
            m = rng.getrandbits(length) | 1 | (1 << (length - 1))
            products.append(Product(rng.randrange(m), rng.randrange(m), m, length))
    for product, outcome in zip(products, simulator(core).run(products), strict=True):
        model = core.run_model(product.x, product.y, product.m, product.length)
        assert (model.z, model.cycles, model.core_cycles) == (
            outcome.z,
            outcome.cycles,
            outcome.core_cycles,
        )


def zeroize_at_any_moment_leaves_a_core_that_works(core: ConfiguredCore) -> None:
    abort_at_any_moment_leaves_a_core_that_works(core, reset=False)


def reset_at_any_moment_leaves_a_core_that_works(core: ConfiguredCore) -> None:
    abort_at_any_moment_leaves_a_core_that_works(core, reset=True)


#: Rules for every core; `modulus_with_a_bit_above_the_built_width_is_refused` applies only to
#: builds whose beats hold more than the built width.
RULES: tuple[Callable[[ConfiguredCore], None], ...] = (
    operand_packet_of_wrong_length_is_refused_and_forgotten,
    wrong_packets_between_right_ones_in_a_stream,
    operands_next_to_the_modulus_are_told_apart,
    refused_modulus_leaves_none_loaded,
    no_modulus_is_loaded_after_zeroize,
    zeroize_leaves_nothing_that_depends_on_the_numbers,
    next_modulus_waits_for_the_products_under_way,
    operands_may_wait_while_the_modulus_is_set_up,
    cycle_formulas_hold,
    model_agrees_with_the_hardware_cycle_by_cycle,
    zeroize_at_any_moment_leaves_a_core_that_works,
    reset_at_any_moment_leaves_a_core_that_works,
)
