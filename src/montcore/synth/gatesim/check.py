# SPDX-License-Identifier: Apache-2.0
"""Simulation for the synthesis layer: cycle counts of the RTL, function of a netlist.

A netlist is compared with the specification on products of the built length and of a shorter one,
singly and in a stream; on requests that must be refused; on packets of a wrong length; with gaps in
every operand stream and back-pressure on the results; and after zeroize at several times.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from montcore.cores.core import Core
from montcore.sim import wire
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.sim.types import Outcome, Product, Status, describe
from montcore.support.errors import CheckFailedError

_STREAM_PRODUCTS = 6
_SHORT_PRODUCTS = 3
_GAP_PRODUCTS = 4
#: Times of zeroize, in quarters of the time from the first operand beat to the result.
_ZEROIZE_QUARTERS = (0, 1, 3)


@dataclass(frozen=True)
class Cycles:
    """Cycle counts by simulation of the RTL (see `SynthResult`)."""

    cycles: int
    core_cycles: int | None
    interval: int | None


def sample_products(length: int, number: int, seed: int) -> list[Product]:
    """Return products of odd moduli below 2^length: extremes first, then random ones.

    The moduli have the top bit set or clear; operands include 0, 1 and M - 1.
    """
    rng = random.Random(seed)
    top = (1 << length) - 1
    middle = rng.getrandbits(length - 1) | 1 | (1 << (length - 2))
    products = [
        Product(top - 1, top - 1, top, length),
        Product(0, top - 1, top, length),
        Product(middle - 1, 1, middle, length),
        Product(2, 2, 3, length),
    ]
    while len(products) < number:
        m = max(3, rng.getrandbits(length) | 1)
        if len(products) % 2:
            m |= 1 << (length - 1)
        products.append(Product(rng.randrange(m), rng.randrange(m), m, length))
    return products[:number]


def refused_products(length: int, seed: int) -> list[tuple[Product, Status]]:
    """Return requests that every core must refuse, each with the required status."""
    m = random.Random(seed).getrandbits(length) | 1 | (1 << (length - 1))
    return [
        (Product(m, 0, m, length), Status.OPERAND_RANGE),
        (Product(1, m, m, length), Status.OPERAND_RANGE),
        (Product(0, 0, m - 1, length), Status.MODULUS_EVEN),
        (Product(0, 0, 1, length), Status.MODULUS_ONE),
    ]


def expected(core: Core, product: Product) -> int:
    """Return x * y * R^-1 mod m, the specification of every core."""
    r = 1 << core.r_bits(product.length)
    return product.x * product.y * pow(r, -1, product.m) % product.m


def compare(
    core: Core,
    products: Sequence[Product],
    outcomes: Sequence[Outcome],
    what: str,
) -> None:
    """Compare simulated products with the specification."""
    for product, outcome in zip(products, outcomes, strict=True):
        want = expected(core, product)
        if outcome.error or outcome.z != want:
            got = f"status {outcome.error}" if outcome.z is None else f"0x{outcome.z:x}"
            raise CheckFailedError(
                f"{what} is wrong: x=0x{product.x:x} y=0x{product.y:x} m=0x{product.m:x} gives "
                f"{got} instead of 0x{want:x}"
            )


def _only(values: set[Any], name: str, what: str) -> Any:
    if len(values) != 1:
        raise CheckFailedError(f"{what}: {name} depends on the data: {sorted(values)}")
    return values.pop()


def measure_cycles(
    core: Core,
    length: int,
    seed: int,
    rtl: RtlBuild,
    number: int = 4,
    what: str = "the RTL",
) -> Cycles:
    """Simulate products, singly, streamed and refused, compare them; return the cycle counts."""
    singles = sample_products(length, number, seed)
    rng = random.Random(seed + 1)
    m = singles[-1].m
    stream = [
        Product(rng.randrange(m), rng.randrange(m), m, length) for _ in range(_STREAM_PRODUCTS)
    ]
    simulator = Simulator(core, rtl=rtl)
    single = simulator.run(singles, mode="single")
    compare(core, singles, single, what)
    streamed = simulator.run(stream, mode="stream")
    compare(core, stream, streamed, f"{what} (streamed)")
    refused = refused_products(length, seed)
    answers = simulator.run([product for product, _ in refused], mode="single")
    for (product, status), answer in zip(refused, answers, strict=True):
        if answer.error != status:
            raise CheckFailedError(
                f"{what} is wrong: x=0x{product.x:x} y=0x{product.y:x} m=0x{product.m:x} gives "
                f"status {answer.error} ({describe(answer.error)}) instead of {status}"
            )
    gaps = {item.interval for item in streamed[2:] if item.interval is not None}
    return Cycles(
        cycles=_only({item.cycles for item in single}, "cycles", what),
        core_cycles=_only({item.core_cycles for item in single}, "core_cycles", what),
        interval=_only(gaps, "interval", what) if gaps else None,
    )


def check_port(core: Core, length: int, seed: int, rtl: RtlBuild, what: str) -> int:
    """Run the port checks not covered by `measure_cycles`; return the products compared.

    Covers shorter run-time lengths, packets of a wrong length, gaps and back-pressure on every
    stream, and zeroize while a modulus is received and at several times during a product, each
    followed by products that must be correct.
    """
    rng = random.Random(seed)
    simulator = Simulator(core, rtl=rtl, seed=seed)
    short = sample_products(max(2, length // 2), _SHORT_PRODUCTS, seed)
    for mode in ("single", "stream"):
        compare(core, short, simulator.run(short, mode), f"{what} (shorter, {mode})")
    long = sample_products(length, _GAP_PRODUCTS, seed + 2)
    m = long[0].m
    long = [Product(rng.randrange(m), rng.randrange(m), m, length) for _ in long]
    paused = Simulator(core, rtl=rtl, seed=seed, gaps=True)
    compare(core, long, paused.run(long, "stream"), f"{what} (with gaps)")
    checked = 2 * len(short) + len(long)
    return checked + _check_script(core, long[:2], simulator, what)


def _check_script(core: Core, products: Sequence[Product], simulator: Simulator, what: str) -> int:
    """Send wrong packets and zeroize; the products have one modulus, of the built length."""
    length, m = products[0].length, products[0].m
    beats = core.beats(length)
    limit = simulator.limit(length)
    right = [wire.Operands(item.x, item.y, beats, beats) for item in products]
    configure = wire.Configure(m, beats, limit)
    commands: list[wire.Command] = [configure]
    wanted: list[tuple[Status, int | None]] = [(Status.OK, None)]

    def good(item: wire.Operands, product: Product) -> None:
        commands.append(wire.WireRun([item], beats, limit=limit))
        wanted.append((Status.OK, expected(core, product)))

    wrong = [wire.Operands(0, 0, beats + 1, beats), wire.Operands(0, 0, beats, beats + 1)]
    if beats > 1:
        wrong.append(wire.Operands(0, 0, beats - 1, beats))
    for number, packets in enumerate(wrong):
        commands.append(wire.WireRun([packets], beats, limit=limit))
        wanted.append((Status.OPERAND_LENGTH, None))
        good(right[number % len(right)], products[number % len(right)])
    cycles = beats + core.core_cycles(length)
    for quarters in _ZEROIZE_QUARTERS:
        commands += [
            wire.Abort(1 + cycles * quarters // 4),
            wire.WireRun(right[:1], beats, limit=limit),
            wire.WireRun(right[1:], beats, wire.RunFlag.FORCE, limit),
            configure,
        ]
        statuses = (Status.ABORTED, Status.OK, Status.NO_MODULUS, Status.OK)
        wanted += [(status, None) for status in statuses]
        good(right[1], products[1])
    commands += [wire.Abort(beats // 2), configure, configure]
    wanted += [(status, None) for status in (Status.ABORTED, Status.OK, Status.OK)]
    good(right[0], products[0])
    answers = simulator.script(commands)
    for number, (want, answer) in enumerate(zip(wanted, answers, strict=True)):
        if (answer.status, answer.z) != want:
            told = describe(answer.status) if answer.z is None else f"0x{answer.z:x}"
            raise CheckFailedError(
                f"{what} is wrong with wrong packets or zeroize: answer {number} is '{told}', "
                f"modulus 0x{m:x}"
            )
    return sum(answer.z is not None for answer in answers)


def check_netlist(
    core: Core,
    build: RtlBuild,
    rtl: Cycles,
    *,
    number: int,
    seed: int,
    length: int,
    progress: Callable[[str], None],
) -> int:
    """Simulate a mapped netlist at gate level and return the number of products checked.

    Args:
        rtl: cycle counts of the RTL at `length`.
    """
    name = build.sources[0].name
    progress(f"gate-level simulation of {name}")
    what = f"the netlist {name}"
    cycles = measure_cycles(core, length, seed, build, number, what)
    if cycles != rtl:
        raise CheckFailedError(f"{what} takes {cycles}, the RTL {rtl}")
    checked = number + _STREAM_PRODUCTS + len(refused_products(length, seed))
    return checked + check_port(core, length, seed, build, what)
