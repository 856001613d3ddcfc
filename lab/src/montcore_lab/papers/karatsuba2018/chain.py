# SPDX-License-Identifier: Apache-2.0
"""Scalar multiplication as counted in karatsuba-2018: a chain of dependent products."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.model.spec import r_inverse
from montcore.sim.simulator import Simulator
from montcore.sim.types import Outcome, Product
from montcore.support.errors import CheckFailedError
from montcore.support.words import settings_words
from montcore.synth.flow import rtl
from montcore_lab.papers.elaborated import Designs
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.subject import Figures, Subject, measured_by

BITS = 256
_SEED = 1280
#: Products of the stream that determines the number of chains in flight.
_TRIAL = 200


@dataclass(frozen=True)
class Chain(Subject):
    """A chain of squares on a core at 256 bits: alone, and with further chains that fill the core.

    Attributes:
        core: name of the core.
        settings: non-default parameters, name and value.
    """

    core: str
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """Core and settings."""
        return self.core + settings_words(self.settings).replace(" --set", "")

    @property
    def command(self) -> str:
        """The command that measures it again."""
        what = f"chain of {karatsuba2018.SCALAR_PRODUCTS} on {self.name}"
        return measured_by("karatsuba-2018", what)

    def configured(self) -> Core:
        """Return the configured core."""
        return get_core(self.core).configure(dict(self.settings), BITS)

    def sources(self) -> Sequence[Path]:
        """Return the RTL that the configuration may contain."""
        return self.configured().sources()

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters."""
        return self.configured().sv_parameters()

    def designs(self) -> Designs:
        """Return the design that is simulated."""
        return [(rtl(self.configured()), None)]

    def measure(self) -> Figures:
        """Simulate one chain, product by product, then as many as keep the core busy.

        Raises:
            CheckFailedError: a product is wrong, or an operand was accepted before the result that
                it equals had left.
        """
        core = self.configured()
        simulator = Simulator(core)
        alone = simulator.run(_chains(core, 1), "single")
        _check(core, _chains(core, 1), alone)
        trial = simulator.run(_chains(core, _TRIAL)[:_TRIAL], "stream")
        flight = next(number for number in range(1, _TRIAL) if _fits(trial, number))
        products = _chains(core, flight)
        together = simulator.run(products, "stream")
        _check(core, products, together)
        if not _fits(together, flight):
            raise CheckFailedError(
                f"{self.name}: {flight} chains are not sufficient for back-to-back products"
            )
        cycles = _left(together[-1]) - _taken(together[0])
        return {
            "chain_cycles": sum(outcome.core_cycles for outcome in alone),
            "chain_port_cycles": sum(outcome.cycles for outcome in alone),
            "chains": flight,
            "together_cycles": cycles,
            "cycles_a_chain": cycles / flight,
        }


def _chains(core: Core, flight: int) -> list[Product]:
    """Return the products of interleaved chains: x, then x^2 / R, its square, and so on."""
    rng = random.Random(_SEED)
    m = rng.getrandbits(BITS) | 1 << (BITS - 1) | 1
    inverse = r_inverse(m, core.r_bits(BITS))
    values = [rng.randrange(m) for _ in range(flight)]
    found = []
    for _ in range(karatsuba2018.SCALAR_PRODUCTS):
        found += [Product(x, x, m, BITS) for x in values]
        values = [x * x * inverse % m for x in values]
    return found


def _check(core: Core, products: Sequence[Product], outcomes: Sequence[Outcome]) -> None:
    inverse = r_inverse(products[0].m, core.r_bits(BITS))
    for product, outcome in zip(products, outcomes, strict=True):
        if outcome.z != product.x * product.y * inverse % product.m:
            raise CheckFailedError(f"{core.name}: a product of the chain is wrong")


def _left(outcome: Outcome) -> int:
    """Return the cycle since reset in which a result's last beat was taken."""
    assert outcome.timing is not None
    return outcome.timing.origin + outcome.timing.z_last


def _taken(outcome: Outcome) -> int:
    """Return the cycle since reset in which an operand's first beat was taken."""
    assert outcome.timing is not None
    return outcome.timing.origin + min(outcome.timing.x_first, outcome.timing.y_first)


def _fits(outcomes: Sequence[Outcome], flight: int) -> bool:
    """Return whether each result left before the operand `flight` products later was accepted."""
    pairs = zip(outcomes, outcomes[flight:], strict=False)
    return all(_left(one) < _taken(later) for one, later in pairs)
