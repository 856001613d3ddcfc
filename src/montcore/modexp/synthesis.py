# SPDX-License-Identifier: Apache-2.0
"""The exponentiator's flow: its cycles are those of one constant power of built length."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiation, Exponentiator, Policy, Power
from montcore.modexp.unit import UnitFlow, same_cycles
from montcore.support.errors import CheckFailedError
from montcore.synth.gatesim.gate_model import GateBuild

#: Number of powers in the check of an exponentiator's RTL, and bits of their exponents.
POWERS, EXPONENT_BITS = 12, 40


@dataclass(frozen=True)
class ExponentiatorFlow(UnitFlow):
    """Synthesis and checks of an exponentiator."""

    design: ExponentiatorDesign

    def simulate(self, seed: int) -> int:
        """Return the cycles of one power of the built length with policy constant."""
        rng, bits = random.Random(seed), self.design.length
        m = _modulus(rng, bits)
        power = Power(rng.randrange(m), (1 << bits) - 1, m)
        outcome = Exponentiator(self.design).power(power, Policy.CONSTANT)
        _compare([power], [outcome], "the RTL")
        return outcome.cycles

    def check_netlist(self, build: GateBuild, seed: int) -> int:
        """Compare powers with short exponents, so that a large netlist can be simulated."""
        design, rng = self.design, random.Random(seed)
        powers = [
            Power(rng.randrange(m), 0b1011, m)
            for m in (_modulus(rng, length) for length in (design.length, design.length // 2))
        ]
        powers.append(Power(2, 3, 11))
        netlist, rtl = Exponentiator(design, rtl=build), Exponentiator(design)
        found, wanted = netlist.run(powers), rtl.run(powers)
        if design.pair:
            # Exponents of two windows: squares in lockstep, and products that take turns.
            moduli = [_modulus(rng, design.length) for _ in range(2)]
            two = [Power(rng.randrange(m), 0b111011, m) for m in moduli]
            powers += two
            found += netlist.pair(two)
            wanted += rtl.pair(two)
        what = f"the netlist {build.sources[0].name}"
        _compare(powers, found, what)
        times = [[(item.cycles, item.interval) for item in items] for items in (found, wanted)]
        same_cycles(what, *times)
        return len(powers)

    def verify(self, seed: int) -> dict[str, int]:
        """Compare random powers of all policies with Python's."""
        rng, unit, checked = random.Random(seed), Exponentiator(self.design), 0
        bits = self.design.length
        for policy in Policy:
            powers = []
            for number in range(POWERS // len(Policy)):
                length = bits if number % 2 == 0 else max(8, bits // 2)
                m = _modulus(rng, length)
                exponent = rng.getrandbits(min(EXPONENT_BITS, length)) | 1
                powers.append(Power(rng.randrange(m), exponent, m))
            _compare(powers, unit.run(powers, policy), f"modexp over {self.design.core.name}")
            checked += len(powers)
        return {"checked": checked}


def _modulus(rng: random.Random, bits: int) -> int:
    return rng.getrandbits(bits) | 1 << (bits - 1) | 1


def _compare(powers: Sequence[Power], outcomes: Sequence[Exponentiation], what: str) -> None:
    for power, outcome in zip(powers, outcomes, strict=True):
        wanted = pow(power.base, power.exponent, power.modulus)
        if outcome.result != wanted:
            raise CheckFailedError(
                f"{what} is wrong: {power} gives {outcome.result} (status {outcome.error}) "
                f"instead of {wanted}"
            )
