# SPDX-License-Identifier: Apache-2.0
"""What the RSA tests share: keys, and exponentiators without a simulator or with a fault."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import lcm

from cryptography.hazmat.primitives.asymmetric import rsa

from montcore.cores import get_core
from montcore.modexp import Exponentiation, Exponentiator, ModularProduct, Policy, Power
from montcore.modexp.design import Design
from montcore.rsa.keys import PrivateKey

#: Of a key that is too short for anything but tests.
SMALL_PRIMES = (0xD6FE09F7DE26C45BFAD9D3A90ADD12E3, 0xDBA4A636116CE129DC8D4DD13A3B3BC5)

#: Changes the number that a step gives.
Change = Callable[[int], int]


@cache
def small_exponentiator(bits: int) -> Exponentiator:
    """Return the simulated hardware over a small core."""
    core = get_core("smm")
    return Exponentiator(Design(core.configure({"npe": "4", "w": "32"}, bits)))


@cache
def key_pair(bits: int = 1024) -> rsa.RSAPrivateKey:
    """Return a key of the `cryptography` package, the same for all tests of a process."""
    return rsa.generate_private_key(65537, bits)


def numbers_of(key: rsa.RSAPrivateKey) -> PrivateKey:
    """Return our form of a key."""
    return PrivateKey.of_numbers(key.private_numbers())


class Modelled(Exponentiator):
    """An exponentiator whose numbers are Python's: for what does not depend on the hardware."""

    def __init__(self, bits: int) -> None:
        """A substitute for a unit of a built width."""
        super().__init__(small_exponentiator(bits).design)

    def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
        """Return the power."""
        self.check(power)
        result = pow(power.base, power.exponent, power.modulus)
        return Exponentiation(result, 0, 1, 1, 1)

    def product(self, product: ModularProduct) -> Exponentiation:
        """Return the product."""
        return Exponentiation(product.x * product.y % product.modulus, 0, 1, 1, 1)


class Faulty(Exponentiator):
    """An exponentiator, one of whose steps gives another number than it should.

    Args:
        inner: makes the powers and products.
        step: number of the faulty one, from 0; -1: none.
        change: what the fault makes of its result.
    """

    def __init__(self, inner: Exponentiator, step: int, change: Change) -> None:
        super().__init__(inner.design)
        self._inner, self._step, self._change = inner, step, change
        self.steps = 0

    def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
        """Return the power, or what the fault makes of it."""
        return self._faulted(self._inner.power(power, policy))

    def product(self, product: ModularProduct) -> Exponentiation:
        """Return the product, or what the fault makes of it."""
        return self._faulted(self._inner.product(product))

    def _faulted(self, outcome: Exponentiation) -> Exponentiation:
        self.steps += 1
        if self.steps - 1 != self._step or outcome.result is None:
            return outcome
        return replace(outcome, result=self._change(outcome.result))


def small_key() -> PrivateKey:
    """Return a key of 256 bits, for which the hardware is simulated in no time."""
    p, q = SMALL_PRIMES
    return PrivateKey(p * q, 65537, pow(65537, -1, lcm(p - 1, q - 1)), p, q)
