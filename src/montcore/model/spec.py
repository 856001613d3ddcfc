# SPDX-License-Identifier: Apache-2.0
"""Specification of every core, in plain integer arithmetic, and what a model of one returns."""

from dataclasses import dataclass

#: The numbers of each step of a product, by their names in the formulas of the module.
Steps = list[dict[str, int]]


def check_operands(x: int, y: int, m: int) -> None:
    """Check the precondition of every multiplier: m odd, m >= 3, 0 <= x, y < m.

    Raises:
        ValueError: the precondition does not hold.
    """
    if m < 3 or m % 2 == 0:
        raise ValueError(f"the modulus must be odd and at least 3, not {m:#x}")
    if not (0 <= x < m and 0 <= y < m):
        raise ValueError("the operands must lie in [0, m)")


def montgomery_product(x: int, y: int, m: int, r_bits: int) -> int:
    """Return x * y * R^-1 mod m with R = 2^r_bits.

    Args:
        x: multiplier, 0 <= x < m.
        y: multiplicand, 0 <= y < m.
        m: modulus, odd and at least 3.
        r_bits: log2 of the Montgomery radix.

    Raises:
        ValueError: the precondition does not hold.
    """
    check_operands(x, y, m)
    return x * y * r_inverse(m, r_bits) % m


def r_inverse(m: int, r_bits: int) -> int:
    """Return R^-1 mod m with R = 2^r_bits; m must be odd."""
    return pow(2, -r_bits, m)


def to_montgomery(value: int, m: int, r_bits: int) -> int:
    """Return value * R mod m with R = 2^r_bits: the Montgomery form of `value`."""
    return (value << r_bits) % m


def from_montgomery(value: int, m: int, r_bits: int) -> int:
    """Return value * R^-1 mod m with R = 2^r_bits: the number whose Montgomery form it is."""
    return value * r_inverse(m, r_bits) % m


def r_squared(m: int, r_bits: int) -> int:
    """Return R^2 mod m with R = 2^r_bits: a product with it converts a number into the domain."""
    return pow(2, 2 * r_bits, m)


def n0_inverse(m: int, word_bits: int) -> int:
    """Return n0' = -m^-1 mod 2^word_bits, the quotient constant of word-serial cores."""
    return -pow(m, -1, 1 << word_bits) % (1 << word_bits)


@dataclass(frozen=True)
class ModelResult:
    """One product from a cycle-exact model.

    Attributes:
        z: the canonical product, x * y * R^-1 mod m.
        core_cycles: cycles from start to done inside the datapath.
        cycles: cycles from the last operand beat accepted to the first result beat valid.
    """

    z: int
    core_cycles: int
    cycles: int
