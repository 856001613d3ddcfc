# SPDX-License-Identifier: Apache-2.0
"""Simulation for the synthesis layer: cycle counts of the RTL, function of a netlist."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from montcore.cores.base import AnyCore
from montcore.errors import CheckFailedError
from montcore.sim import Outcome, Product, Simulator, Status, describe
from montcore.sim.build import RtlBuild
from montcore.synth.gate_model import GateBuild
from montcore.synth.osu018 import Netlist

_STREAM_PRODUCTS = 6


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
    """Return requests that every core has to refuse, with the status that it must answer."""
    m = random.Random(seed).getrandbits(length) | 1 | (1 << (length - 1))
    return [
        (Product(m, 0, m, length), Status.OPERAND_RANGE),
        (Product(1, m, m, length), Status.OPERAND_RANGE),
        (Product(0, 0, m - 1, length), Status.MODULUS_EVEN),
        (Product(0, 0, 1, length), Status.MODULUS_ONE),
    ]


def expected(core: AnyCore, config: Any, product: Product) -> int:
    """Return x * y * R^-1 mod m, the specification of every core."""
    r = 1 << core.r_bits(config, product.length)
    return product.x * product.y * pow(r, -1, product.m) % product.m


def compare(
    core: AnyCore,
    config: Any,
    products: Sequence[Product],
    outcomes: Sequence[Outcome],
    what: str,
) -> None:
    """Compare simulated products with the specification.

    Args:
        core, config: what was simulated.
        products: what it was asked for.
        outcomes: what it answered, in the same order.
        what: what an error message calls the thing simulated.

    Raises:
        CheckFailedError: a product is wrong or was refused.
    """
    for product, outcome in zip(products, outcomes, strict=True):
        want = expected(core, config, product)
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
    core: AnyCore,
    config: Any,
    length: int,
    seed: int,
    rtl: RtlBuild,
    number: int = 4,
    what: str = "the RTL",
) -> Cycles:
    """Simulate products, singly, streamed and refused, compare them, and return the cycle counts.

    Args:
        core: the core.
        config: its configuration.
        length: run-time length in bits.
        seed: seed of the products.
        rtl: what to simulate.
        number: products to run singly.
        what: what an error message calls the thing simulated.

    Raises:
        CheckFailedError: a product is wrong, or a cycle count depends on the data.
    """
    singles = sample_products(length, number, seed)
    rng = random.Random(seed + 1)
    m = singles[-1].m
    stream = [
        Product(rng.randrange(m), rng.randrange(m), m, length) for _ in range(_STREAM_PRODUCTS)
    ]
    simulator = Simulator(core, config, rtl=rtl)
    single = simulator.run(singles, mode="single")
    compare(core, config, singles, single, what)
    streamed = simulator.run(stream, mode="stream")
    compare(core, config, stream, streamed, f"{what} (streamed)")
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


def check_netlist(
    core: AnyCore,
    config: Any,
    netlist: Netlist,
    rtl: Cycles,
    *,
    number: int,
    seed: int,
    length: int,
    progress: Callable[[str], None],
    top: str = "",
) -> int:
    """Simulate a mapped netlist at gate level and return the number of products checked.

    `top` is its top module if that is not the core's own.

    Raises:
        CheckFailedError: a product is wrong, or the netlist takes other cycle counts than the RTL.
    """
    progress(f"gate-level simulation of {netlist.recipe}")
    what = f"the netlist {netlist.verilog.name}"
    build = GateBuild(top or core.top_of(config), (netlist.verilog,), macros=netlist.macros)
    cycles = measure_cycles(core, config, length, seed, build, number, what)
    if cycles != rtl:
        raise CheckFailedError(f"{what} takes {cycles}, the RTL {rtl}")
    return number + _STREAM_PRODUCTS + len(refused_products(length, seed))
