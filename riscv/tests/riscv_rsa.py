# SPDX-License-Identifier: Apache-2.0
"""Calls of the RSA operations: what they are given in memory, and what they leave there."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from random import Random

import gmpy2  # type: ignore[import-untyped]

from montcore_riscv.calls import GUARD_BYTES, Call, MemoryLayout, pack_words
from montcore_riscv.elf import ElfProgram

#: Statuses of montcore_riscv.h and montcore_operations.h.
OK, BAD_LENGTH, BAD_MODULUS, OUT_OF_RANGE = 0, 1, 3, 4
BAD_KEY, BAD_SIGNATURE, BAD_RANDOM, BAD_HASH, BAD_WORK, FAULT = 5, 7, 8, 9, 10, 11
#: Hash functions of PKCS#1 v1.5 by their number.
HASHES = ("sha256", "sha384", "sha512")
#: What blinds a private operation.
BLIND = bytes(range(1, 17))
#: The work area begins a page: then what a power reads all the time and the stack share no line of
#: VexRiscv's cache of 4 KB, which would cost up to 2 %.
PAGE = 4096
#: Parts of a private key that its check covers.
PARTS = ("p", "q", "dp", "dq", "qinv")


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
    def bits(self) -> int:
        """Bits of n."""
        return self.n.bit_length()

    @property
    def size(self) -> int:
        """Bytes of n."""
        return -(-self.bits // 8)

    def private(self, value: int) -> int:
        """Return value^d mod n, by the Chinese remainder theorem."""
        at_p, at_q = pow(value, self.dp, self.p), pow(value, self.dq, self.q)
        return at_q + self.q * ((at_p - at_q) * self.qinv % self.p)

    def number(self, name: str) -> bytes:
        """Return a number of the key; p and what belongs to it all have the bytes of p."""
        value: int = getattr(self, name)
        bits = value.bit_length() if name in "ne" else (self.bits + 1) // 2
        return value.to_bytes(-(-max(value.bit_length(), bits) // 8), "big")


@cache
def made_key(bits: int, seed: int = 0, e: int = 65537) -> RsaNumbers:
    """Return a key of so many bits from a fixed seed; p and q have half of them, rounded up."""
    random, half = Random(f"rsa {bits} {seed}"), (bits + 1) // 2
    while True:
        p, q = (int(gmpy2.next_prime(random.getrandbits(half) | 1 << half - 1)) for _ in range(2))
        fits = (p * q).bit_length() == bits and p.bit_length() == q.bit_length() == half
        if fits and (p - 1) % e and (q - 1) % e:
            return RsaNumbers.of(p, q, e)


def work_words(bits: int, private: bool) -> int:
    """Return MC_RSA_PRIVATE_WORDS or MC_RSA_PUBLIC_WORDS."""
    limbs = -(-bits // 64)
    return 48 + 10 * limbs + 80 * ((limbs + 1) // 2) if private else 48 + 16 * limbs


@dataclass(frozen=True)
class RsaCall:
    """One operation; `placed` puts it into memory.

    Attributes:
        name: the operation, without mc_rsa_.
        key: the key.
        given: input, signature, or for the signing operations the hash.
        result: what is expected in the result; for a verification nothing.
        status: expected status.
        hash: hash that a verification is given.
        function: number of the hash function of PKCS#1.
        salt: bytes of a salt of PSS.
        hash_bytes: bytes of a hash of PSS.
        hash_fails: whether the hash function says that it failed.
        random: what the source of numbers hands out.
        words: words of the work area, by default as many as there must be.
        numbers: numbers of the key that differ, as bytes.
        begins: whether the work area is written, and so cleared.
        in_place: whether the result replaces the input.
    """

    name: str
    key: RsaNumbers
    given: bytes
    result: bytes = b""
    status: int = OK
    hash: bytes = b""
    function: int = 0
    salt: int = 32
    hash_bytes: int = 32
    hash_fails: bool = False
    random: bytes = BLIND
    words: int | None = None
    numbers: Mapping[str, bytes] | None = None
    begins: bool = True
    in_place: bool = False

    @property
    def private(self) -> bool:
        """Whether the private key is used."""
        return self.name == "private" or self.name.endswith("sign")


@dataclass(frozen=True)
class Placed:
    """An operation in memory: its call, and address and bytes of what it works with."""

    call: Call
    parts: Mapping[str, tuple[int, int]]


def placed(program: ElfProgram, wanted: RsaCall) -> Placed:
    """Lay out an operation, such that all memory but the source of numbers is compared."""
    arena = program.address("arena")
    layout, parts = MemoryLayout(arena), {}
    names = [field.name for field in fields(wanted.key)]
    for name in names if wanted.private else names[:2]:
        content = (wanted.numbers or {}).get(name, wanted.key.number(name))
        parts[name] = layout.data(content), len(content)
    key = layout.data(pack_words(*(word for name in parts for word in parts[name])))
    given = layout.data(wanted.given)
    size = len(wanted.result)
    result = given if wanted.in_place else layout.data(b"\xcc" * size)
    hash_at = layout.data(wanted.hash)
    fails = layout.data(pack_words(int(wanted.hash_fails)))
    pss = layout.data(
        pack_words(program.address("test_sha256"), fails, wanted.hash_bytes, wanted.salt)
    )
    needed = work_words(wanted.key.bits, wanted.private)
    words = needed if wanted.words is None else wanted.words
    layout.data(bytes(-(layout.end() + GUARD_BYTES + 8 + GUARD_BYTES) % PAGE))
    work = layout.data(pack_words(layout.end() + 8 + GUARD_BYTES, words))
    at_work = layout.data(b"\xa5" * (4 * words))
    assert at_work % PAGE == 0
    parts |= {"work": (at_work, 4 * words), "result": (result, size)}
    end = layout.end() - arena
    source = layout.data(len(wanted.random).to_bytes(4, "little") + wanted.random)
    parts["random"] = source, 4 + len(wanted.random)
    sources = program.address("test_random"), source
    count = len(wanted.given)
    arguments: tuple[int, ...] = {
        "public": (result, given, count, key, work),
        "private": (result, given, count, key, *sources, work),
        "pkcs1_sign": (result, given, wanted.function, key, *sources, work),
        "pkcs1_verify": (given, count, hash_at, wanted.function, key, work),
        "pss_sign": (result, given, pss, key, *sources, work),
        "pss_verify": (given, count, hash_at, pss, key, work),
    }[wanted.name]
    expected = layout.replaced(result, wanted.result) if size else layout.memory()
    if wanted.begins:
        at = at_work - arena
        expected = expected[:at] + bytes(4 * needed) + expected[at + 4 * needed :]
    name = f"mc_rsa_{wanted.name}"
    call = Call(name, arguments, layout.memory(), 0, end, expected[:end], wanted.status)
    return Placed(call, parts)


def failing(wanted: RsaCall, status: int, begins: bool = True) -> RsaCall:
    """Return an operation that is refused, with a result of zeros."""
    return replace(wanted, status=status, begins=begins, result=bytes(len(wanted.result)))


# ---- encodings ----------------------------------------------------------------------------------


def mgf1(seed: bytes, size: int) -> bytes:
    """Return MGF1 with SHA-256."""
    parts = (hashlib.sha256(seed + at.to_bytes(4, "big")) for at in range(-(-size // 32)))
    return b"".join(part.digest() for part in parts)[:size]


def pss_block(bits: int, digest: bytes, salt: bytes, change: str = "") -> bytes:
    """Return a block of PSS with SHA-256 for n of so many bits, or a wrong one.

    Args:
        bits: bits of n.
        digest: the message's hash.
        salt: the salt.
        change: what is wrong: "trailer", "padding", "one", "top", "hash", or "first" for a
            first byte of n that is not of the block.
    """
    size = -(-(bits - 1) // 8)
    h = hashlib.sha256(bytes(8) + digest + salt).digest()
    if change == "hash":
        h = bytes([h[0] ^ 1]) + h[1:]
    fill = bytearray(size - len(salt) - len(h) - 2)
    if change == "padding":
        fill[-1] = 1
    db = bytes(fill) + (b"\x03" if change == "one" else b"\x01") + salt
    masked = bytearray(a ^ b for a, b in zip(db, mgf1(h, len(db)), strict=True))
    masked[0] &= 0xFF >> 8 * size - (bits - 1)
    if change == "top":
        masked[0] |= (0xFF >> 8 * size - (bits - 1)) + 1
    block = bytes(masked) + h + (b"\xbd" if change == "trailer" else b"\xbc")
    first = b"\x01" if change == "first" else b"\x00"
    return block if size == -(-bits // 8) else first + block
