# SPDX-License-Identifier: Apache-2.0
"""Calls of the library's routines with the memory they need, and what they must leave behind."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

#: Bytes around each operand that no routine may touch, and what they hold.
GUARD_BYTES = 16
_GUARD = b"\xee"

#: The routines that multiply, best first, with what they are.
MULTIPLIERS = {
    "mc_mul_raw": "this library",
    "mc_mul_paper": "the paper's schedule",
    "mc_mul_school": "operand scanning",
}

WORDS = (0, 1, 0xFFFFFFFF, 0x80000000)


@dataclass(frozen=True)
class Call:
    """One call of a routine.

    Attributes:
        function: its name.
        arguments: addresses or numbers, up to eight.
        memory: what the free memory starts with.
        out_at: offset in the free memory of what is read back.
        out_bytes: how much of it.
        expected: what must stand there after the call.
        value: what the call must return, or None where it returns nothing.
    """

    function: str
    arguments: tuple[int, ...]
    memory: bytes = b""
    out_at: int = 0
    out_bytes: int = 0
    expected: bytes = b""
    value: int | None = None


class Layout:
    """Puts operands into the free memory one after the other, guards between them."""

    def __init__(self, arena: int) -> None:
        """Start at address `arena`."""
        self._arena = arena
        self._memory = bytearray(_GUARD * GUARD_BYTES)

    def number(self, value: int, limbs: int) -> int:
        """Add a number of 64-bit limbs and return its address."""
        return self.data(value.to_bytes(8 * limbs, "little"))

    def data(self, content: bytes) -> int:
        """Add bytes and return their address."""
        address = self._arena + len(self._memory)
        self._memory += content + _GUARD * (GUARD_BYTES + -len(content) % 4)
        return address

    def memory(self) -> bytes:
        """Return the memory laid out so far."""
        return bytes(self._memory)

    def replaced(self, address: int, content: bytes) -> bytes:
        """Return the memory with other content in one place."""
        at = address - self._arena
        memory = bytes(self._memory)
        return memory[:at] + content + memory[at + len(content) :]


def product_call(function: str, arena: int, n: int, a: int, b: int, same: bool = False) -> Call:
    """Return the call r = a * b of n limbs each; with `same`, b is a, in the same place."""
    layout = Layout(arena)
    r = layout.data(b"\xcc" * (16 * n))
    at_a = layout.number(a, n)
    at_b = at_a if same else layout.number(b, n)
    memory = layout.memory()
    product = a * (a if same else b)
    expected = layout.replaced(r, product.to_bytes(16 * n, "little"))
    return Call(function, (r, at_a, at_b, n), memory, 0, len(memory), expected)


def random_operand(random: Random, n: int) -> int:
    """Return a number of n limbs: random, all ones, one bit, or with words 0 and ~0."""
    bits = 64 * n
    kind = random.randrange(6)
    if kind == 0:
        return (1 << bits) - 1
    if kind == 1:
        return 1 << random.randrange(bits)
    if kind <= 3:
        return random.getrandbits(bits)
    data = bytearray(random.randbytes(8 * n))
    choice = random.getrandbits(6 * n) if kind == 4 else random.getrandbits(4 * n) * 0x10
    for word in range(2 * n):
        pick = choice >> 3 * word & 7
        if pick < 3:
            data[4 * word : 4 * word + 4] = b"\0\0\0\0"
        elif pick < 6:
            data[4 * word : 4 * word + 4] = b"\xff\xff\xff\xff"
    return int.from_bytes(data, "little")


def random_limbs(random: Random, most: int = 64) -> int:
    """Return a number of limbs from 1 to `most`, small ones more often."""
    return min(random.randint(1, most), random.randint(1, most), random.randint(1, most))


def pattern_operands(n: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs of numbers of n limbs whose words are among `WORDS`."""
    words = 2 * n
    numbers = [
        sum(WORDS[pattern >> 2 * i & 3] << 32 * i for i in range(words))
        for pattern in range(4**words)
    ]
    for a in numbers:
        for b in numbers:
            yield a, b


def pack_words(*words: int) -> bytes:
    """Return 32-bit words as they stand in memory."""
    return struct.pack(f"<{len(words)}I", *words)
