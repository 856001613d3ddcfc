# SPDX-License-Identifier: Apache-2.0
"""Generation of RSA keys: random probable primes, each tested by powers on the hardware.

After FIPS 186-5, A.1.3: every candidate is drawn independently, the upper two bits of p and q are
1, p - 1 and q - 1 have no factor in common with e, p and q differ in their upper 100 bits, and d is
longer than half of n. Candidates are 3 modulo 4, as A.1.3 allows it. So the Miller-Rabin test of w
to a base b is one power: b^((w-1)/2) mod w is 1 or -1. It is computed with the constant sequence.
The host only draws, divides by small primes and compares.
"""

import math
from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa

from montcore.rsa.keys import PUBLIC_EXPONENT
from montcore.rsa.operations import RsaUnit
from montcore.support.errors import CheckFailedError

#: Bound of the primes used for trial division before the test on the hardware.
_SMALL = 1 << 20
#: Bits in which p and q must differ.
_APART_BITS = 100
#: Candidates after which a source of randomness is considered faulty: at 1024 bits one in 36
#: candidates is prime on average, so that this happens by chance once in e^100 times.
_CANDIDATES_A_BIT = 4


def rounds(bits: int) -> int:
    """Return the number of tests for an error below 2^-100 (FIPS 186-5, table B.1)."""
    return 5 if bits >= 1024 else 8


def generate(unit: RsaUnit, bits: int) -> rsa.RSAPrivateKey:
    """Generate a key with the exponent 65537.

    Args:
        unit: the hardware, built for at least `bits` bits, and its source of randomness.
    """
    p = prime(unit, "p", bits - bits // 2)
    q = prime(unit, "q", bits // 2)
    while abs(p - q) >> (bits // 2 - _APART_BITS) == 0:
        q = prime(unit, "q", bits // 2)
    p, q = max(p, q), min(p, q)
    d = pow(PUBLIC_EXPONENT, -1, math.lcm(p - 1, q - 1))
    if d.bit_length() <= bits // 2:
        raise CheckFailedError("the private exponent is too short; generate another key")
    numbers = rsa.RSAPrivateNumbers(
        p,
        q,
        d,
        d % (p - 1),
        d % (q - 1),
        pow(q, -1, p),
        rsa.RSAPublicNumbers(PUBLIC_EXPONENT, p * q),
    )
    return numbers.private_key()


def prime(unit: RsaUnit, name: str, bits: int) -> int:
    """Return a random probable prime, 3 modulo 4, with its upper two bits set."""
    for number in range(_CANDIDATES_A_BIT * bits):
        found = candidate(unit, bits)
        unit.progress(f"prime {name}, candidate {number + 1}")
        if all(is_strong_probable_prime(unit, found) for _ in range(rounds(bits))):
            return found
    raise CheckFailedError("no prime was found among so many candidates: the hardware is faulty")


def candidate(unit: RsaUnit, bits: int) -> int:
    """Return a random candidate for such a prime, without small factors."""
    frame = 3 << (bits - 2) | 3
    while True:
        drawn = int.from_bytes(unit.randomness((bits + 7) // 8), "big")
        found = drawn & (1 << bits) - 1 | frame
        if (found - 1) % PUBLIC_EXPONENT and not has_small_factor(found):
            return found


def has_small_factor(number: int) -> bool:
    """Return whether a number above 2^20 has a factor below that."""
    return math.gcd(_primorial() % number, number) != 1


def is_strong_probable_prime(unit: RsaUnit, number: int) -> bool:
    """Return whether a number passes the Miller-Rabin test to a random base.

    The number must be 3 modulo 4 and at least 7. A prime always passes, a composite number for at
    most a quarter of the bases.
    """
    if number < 7 or number % 4 != 3:
        raise ValueError(f"{number} is not 3 modulo 4")
    size = number.bit_length() // 8 + 9
    base = 2 + int.from_bytes(unit.randomness(size), "big") % (number - 3)
    power = unit.constant_power("primality", base, number >> 1, number)
    return power in (1, number - 1)


@cache
def _primorial() -> int:
    flags = bytearray([1]) * (_SMALL // 2)
    for index in range(1, math.isqrt(_SMALL) // 2 + 1):
        if flags[index]:
            step = 2 * index + 1
            start = step * step // 2
            flags[start::step] = bytes(len(range(start, len(flags), step)))
    factors = [2 * index + 1 for index in range(1, len(flags)) if flags[index]]
    while len(factors) > 1:  # a tree: the factors of each product have similar lengths
        factors = [math.prod(factors[at : at + 2]) for at in range(0, len(factors), 2)]
    return factors[0]
