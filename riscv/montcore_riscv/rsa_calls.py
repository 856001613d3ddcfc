# SPDX-License-Identifier: Apache-2.0
"""Calls of the RSA operations: keys and buffers in memory, and what each call leaves there."""

import hashlib
from dataclasses import dataclass, fields
from random import Random

from montcore_riscv.calls import Call, MemoryLayout, pack_words

#: Statuses of montcore_riscv.h and montcore_operations.h.
OK, BAD_LENGTH, BAD_MODULUS, OUT_OF_RANGE = 0, 1, 3, 4
BAD_KEY, BAD_SIGNATURE, BAD_RANDOM, BAD_HASH, BAD_WORK, FAULT = 5, 7, 8, 9, 10, 11

#: Hash functions of signatures of PKCS#1 v1.5, by their number in montcore_rsa.h.
HASHES = ("sha256", "sha384", "sha512")

#: Bytes that blind a private operation.
BLIND_BYTES = 16


def public_words(bits: int) -> int:
    """Return MC_RSA_PUBLIC_WORDS."""
    return 48 + 16 * -(-bits // 64)


def private_words(bits: int) -> int:
    """Return MC_RSA_PRIVATE_WORDS."""
    limbs = -(-bits // 64)
    return 48 + 10 * limbs + 80 * ((limbs + 1) // 2)


@dataclass(frozen=True)
class RsaNumbers:
    """A private key; the order of the fields is that of mc_rsa_private_key."""

    n: int
    e: int
    p: int
    q: int
    dp: int
    dq: int
    qinv: int

    @classmethod
    def of(cls, p: int, q: int, e: int = 65537) -> "RsaNumbers":
        """Return the key of two primes."""
        dp, dq = pow(e, -1, p - 1), pow(e, -1, q - 1)
        return cls(p * q, e, p, q, dp, dq, pow(q, -1, p))

    @property
    def size(self) -> int:
        """Bytes of n."""
        return -(-self.n.bit_length() // 8)

    def private(self, value: int) -> int:
        """Return value^d mod n, by the Chinese remainder theorem."""
        at_p, at_q = pow(value, self.dp, self.p), pow(value, self.dq, self.q)
        return at_q + self.q * ((at_p - at_q) * self.qinv % self.p)


def prime_below(start: int, e: int = 65537) -> int:
    """Return the largest prime up to a number that may be part of a key with e."""
    value = start | 1
    while pow(3, value - 1, value) != 1 or not probably_prime(value) or (value - 1) % e == 0:
        value -= 2
    return value


def probably_prime(value: int) -> bool:
    """Tell whether an odd number passes Miller and Rabin's test for the first prime bases."""
    odd, twos = value - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(base, odd, value)
        if power not in (1, value - 1):
            for _ in range(twos - 1):
                power = power * power % value
                if power == value - 1:
                    break
            else:
                return False
    return True


def made_key(bits: int, seed: int = 0, e: int = 65537) -> RsaNumbers:
    """Return a key of so many bits from a fixed seed; p and q have half of them, rounded up."""
    random, half = Random(f"rsa {bits} {seed}"), (bits + 1) // 2
    while True:
        p, q = (prime_below(random.getrandbits(half) | 1 << half - 1, e) for _ in range(2))
        if p != q and (p * q).bit_length() == bits and pow(2, half - 1) < min(p, q):
            return RsaNumbers.of(p, q, e)


class RsaMemory:
    """Key, buffers, work area and sources of one operation, laid out in the free memory."""

    def __init__(self, arena: int, key: RsaNumbers, private: bool, pad: int = 0) -> None:
        """Lay out a key, private or public.

        Args:
            arena: address of the free memory.
            key: the key.
            private: whether it is an mc_rsa_private_key.
            pad: leading zeros of each number.
        """
        self.arena, self.numbers = arena, key
        self.layout = MemoryLayout(arena)
        #: Address and bytes of each number.
        self.parts: dict[str, tuple[int, int]] = {}
        for field in fields(key) if private else fields(key)[:2]:
            value: int = getattr(key, field.name)
            content = value.to_bytes(pad + -(-value.bit_length() // 8), "big")
            self.parts[field.name] = self.layout.data(content), len(content)
        self.key = self.layout.data(
            pack_words(*(word for part in self.parts.values() for word in part))
        )
        self.work_words = (private_words if private else public_words)(key.n.bit_length())

    def random(self, numbers: bytes) -> int:
        """Add what test_random hands out; return its address."""
        return self.layout.data(len(numbers).to_bytes(4, "little") + numbers)

    def work(self, words: int | None = None) -> int:
        """Add the work area; return the address of mc_rsa_work."""
        count = self.work_words if words is None else words
        self.work_at = self.layout.data(b"\xa5" * 4 * count)
        return self.layout.data(pack_words(self.work_at, count))

    def call(self, function: str, arguments: tuple[int, ...], at: int, result: bytes, status: int,
             random: int | None = None) -> Call:
        """Return a call that leaves a result, a cleared work area, and the rest as it was."""
        raise NotImplementedError


def digest_info(name: str, message: bytes) -> bytes:
    """Return the hash of a message."""
    return hashlib.new(name, message).digest()
