# SPDX-License-Identifier: Apache-2.0
"""Helpers of the RSA tests: keys, and exponentiators without a simulator or with a fault."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import lcm

from cryptography.hazmat.primitives.asymmetric import rsa

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import (
    Exponentiation,
    Exponentiator,
    ModularProduct,
    Policy,
    Power,
)
from montcore.rsa.keys import PrivateKey

#: Primes of a key that is too short for anything but tests.
SMALL_PRIMES = (0xD6FE09F7DE26C45BFAD9D3A90ADD12E3, 0xDBA4A636116CE129DC8D4DD13A3B3BC5)

#: Changes the result of a step.
Change = Callable[[int], int]


@cache
def small_exponentiator(bits: int) -> Exponentiator:
    """Return the simulated hardware over a small core."""
    return Exponentiator(ExponentiatorDesign(get_core("dsp").configure({"alpha": "6"}, bits)))


@cache
def key_pair(bits: int = 1024) -> rsa.RSAPrivateKey:
    """Return a key of the `cryptography` package, the same for all tests of a process."""
    return rsa.generate_private_key(65537, bits)


def numbers_of(key: rsa.RSAPrivateKey) -> PrivateKey:
    """Return a key in montcore's form."""
    return PrivateKey.of_numbers(key.private_numbers())


class Modelled(Exponentiator):
    """An exponentiator that computes in Python, for tests that do not depend on the hardware."""

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


class Watched(Exponentiator):
    """An exponentiator that keeps what it was asked for, and one of whose steps may be wrong.

    Args:
        inner: computes the powers and products.
        step: index of the faulty step, from 0; -1: none.
        change: the fault's effect on its result.

    Attributes:
        asked: the powers and products, in order.
        policies: those of the powers, in order.
    """

    def __init__(
        self, inner: Exponentiator, step: int = -1, change: Change = lambda value: value ^ 4
    ) -> None:
        super().__init__(inner.design)
        self._inner, self._step, self._change = inner, step, change
        self.asked: list[Power | ModularProduct] = []
        self.policies: list[Policy] = []

    @property
    def products(self) -> list[ModularProduct]:
        """The products, in order."""
        return [item for item in self.asked if isinstance(item, ModularProduct)]

    def secrets(self, e: int) -> list[Power]:
        """Return the powers whose exponent is not the public one; their sequence is constant."""
        powers = [item for item in self.asked if isinstance(item, Power)]
        secret = [at for at, power in enumerate(powers) if power.exponent != e]
        assert {self.policies[at] for at in secret} <= {Policy.CONSTANT}
        return [powers[at] for at in secret]

    def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
        """Return the power, possibly changed by the fault."""
        self.policies.append(policy)
        return self._faulted(power, self._inner.power(power, policy))

    def product(self, product: ModularProduct) -> Exponentiation:
        """Return the product, possibly changed by the fault."""
        return self._faulted(product, self._inner.product(product))

    def _faulted(self, item: Power | ModularProduct, outcome: Exponentiation) -> Exponentiation:
        self.asked.append(item)
        if len(self.asked) - 1 != self._step or outcome.result is None:
            return outcome
        return replace(outcome, result=self._change(outcome.result))


def key_of(p: int, q: int) -> PrivateKey:
    """Return the key with two primes and the usual public exponent."""
    return PrivateKey(p * q, 65537, pow(65537, -1, lcm(p - 1, q - 1)), p, q)


def small_key() -> PrivateKey:
    """Return a 256-bit key, for which the hardware is simulated quickly."""
    return key_of(*SMALL_PRIMES)
