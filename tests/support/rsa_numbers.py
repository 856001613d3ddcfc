# SPDX-License-Identifier: Apache-2.0
"""Small RSA keys for tests, with all numbers that a private operation needs."""

import random
from dataclasses import dataclass
from pathlib import Path

import gmpy2  # type: ignore[import-untyped]
from programs import output_of


@dataclass(frozen=True)
class Key:
    """A key with all derived numbers."""

    p: int
    q: int
    e: int

    @property
    def n(self) -> int:
        return self.p * self.q

    @property
    def d(self) -> int:
        return pow(self.e, -1, (self.p - 1) * (self.q - 1))

    @property
    def numbers(self) -> list[int]:
        """The numbers of PKCS #1: n, e, d, p, q, dp, dq, qinv."""
        rest = [self.d % (self.p - 1), self.d % (self.q - 1), pow(self.q, -1, self.p)]
        return [self.n, self.e, self.d, self.p, self.q, *rest]

    def line(self) -> str:
        """Return the bench's command line for the key."""
        numbers = [f"key {self.n.bit_length()} {self.n:x} {self.e.bit_length()} {self.e:x}"]
        numbers += [f"{prime.bit_length()} {prime:x}" for prime in (self.p, self.q)]
        return " ".join([*numbers, *(f"{value:x}" for value in self.numbers[5:])])


def prime(bits: int, e: int, rng: random.Random) -> int:
    """Return a probable prime of that length, with the two top bits set."""
    while True:
        found = rng.getrandbits(bits) | 3 << (bits - 2) | 1
        if (found - 1) % e and gmpy2.is_prime(found):
            return found


def key(p_bits: int, q_bits: int, seed: int, e: int = 65537) -> Key:
    """Return a key with primes of these lengths."""
    rng = random.Random(seed)
    return Key(prime(p_bits, e, rng), prime(q_bits, e, rng), e)


def pss_key(path: Path, bits: int, **rule: str) -> Path:
    """Write a key for PSS alone by openssl, with rules such as ``md="sha256"``; return the path."""
    options = [f"rsa_pss_keygen_{name}:{value}" for name, value in rule.items()]
    words = [word for option in options for word in ("-pkeyopt", option)]
    words += ["-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", str(path)]
    output_of("openssl", "genpkey", "-algorithm", "RSA-PSS", *words)
    return path


def sequence(*numbers: int) -> bytes:
    """Return the DER of numbers, such as those of an RSAPrivateKey of PKCS #1 after a 0."""
    return _element(
        0x30, b"".join(_element(2, n.to_bytes(n.bit_length() // 8 + 1, "big")) for n in numbers)
    )


def _element(tag: int, content: bytes) -> bytes:
    """Return an element of DER."""
    size = len(content)
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, *([size] if size < 128 else [0x80 | len(length), *length])]) + content
