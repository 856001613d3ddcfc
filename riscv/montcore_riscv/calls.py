# SPDX-License-Identifier: Apache-2.0
"""Calls of the library's routines with the memory they need, and the expected memory contents."""

import struct
from dataclasses import dataclass
from random import Random

#: Guard bytes around each operand, which no routine may modify, and their value.
GUARD_BYTES = 16

#: Size of the library's mc_modulus.
CONTEXT_BYTES = 24

#: Bits of a window of mc_modexp.
WINDOW_BITS = 4
_GUARD = b"\xee"

#: The multiplication routines, with descriptions.
MULTIPLIERS = {
    "mc_mul_rows": "this library, by rows of eight words",
    "mc_mul_columns": "this library, by columns of limbs",
    "mc_mul_karatsuba": "this library, halved by Karatsuba",
    "mc_mul_paper": "the paper's schedule",
    "mc_mul_school": "operand scanning",
    "mc_mul_products": "product scanning, unrolled",
    "mc_mul_reduced": "product scanning, unrolled, words of 28 bits",
}

#: The routine whose words have fewer bits than a register, and the number of bits.
REDUCED = "mc_mul_reduced"
REDUCED_BITS = 28


@dataclass(frozen=True)
class Call:
    """One call of a routine.

    Attributes:
        function: its name.
        arguments: addresses or numbers, up to eight.
        memory: initial contents of the free memory.
        out_at: offset in the free memory of the part that is read back.
        out_bytes: size of that part.
        expected: its expected contents after the call.
        value: expected return value, or None if it returns nothing.
    """

    function: str
    arguments: tuple[int, ...]
    memory: bytes = b""
    out_at: int = 0
    out_bytes: int = 0
    expected: bytes = b""
    value: int | None = None


class MemoryLayout:
    """Places operands in the free memory one after the other, with guards between them."""

    def __init__(self, arena: int) -> None:
        """Start at address `arena`."""
        self._arena = arena
        self._memory = bytearray(_GUARD * GUARD_BYTES)

    def number(self, value: int, limbs: int) -> int:
        """Add a number of 64-bit limbs and return its address."""
        return self.data(value.to_bytes(8 * limbs, "little"))

    def end(self) -> int:
        """Return the address of the next item to be added."""
        return self._arena + len(self._memory)

    def data(self, content: bytes) -> int:
        """Add bytes and return their address."""
        address = self._arena + len(self._memory)
        self._memory += content + _GUARD * (GUARD_BYTES + -len(content) % 4)
        return address

    def memory(self) -> bytes:
        """Return the memory laid out so far."""
        return bytes(self._memory)

    def call(
        self,
        function: str,
        arguments: tuple[int, ...],
        result_at: int,
        result: bytes,
        value: int | None = None,
        part: slice = slice(None),
    ) -> Call:
        """Return a call that leaves a result at an address, and the rest as it was.

        Args:
            function: its name.
            arguments: its arguments.
            result_at: address of the result.
            result: the expected result.
            value: expected return value, or None if it returns nothing.
            part: part of the memory that is compared, all of it by default.
        """
        memory, expected = self.memory(), self.replaced(result_at, result)
        start, stop, _ = part.indices(len(memory))
        return Call(function, arguments, memory, start, stop - start, expected[part], value)

    def replaced(self, address: int, content: bytes) -> bytes:
        """Return the memory with other content at one address."""
        at = address - self._arena
        memory = bytes(self._memory)
        return memory[:at] + content + memory[at + len(content) :]


def reduced_words(value: int, count: int) -> bytes:
    """Return a number as `count` words of `REDUCED_BITS` bits, as they are in memory."""
    mask = (1 << REDUCED_BITS) - 1
    return pack_words(*(value >> REDUCED_BITS * at & mask for at in range(count)))


def product_call(function: str, arena: int, n: int, a: int, b: int, same: bool = False) -> Call:
    """Return the call r = a * b of n limbs each; with `same`, b is a, at the same address."""
    if same:
        b = a
    layout = MemoryLayout(arena)
    if function == REDUCED:
        length = words = -(-64 * n // REDUCED_BITS)
        factors = [reduced_words(value, words) for value in (a, b)]
        product = reduced_words(a * b, 2 * words)
    else:
        length, words = n, 2 * n
        factors = [value.to_bytes(8 * n, "little") for value in (a, b)]
        product = (a * b).to_bytes(16 * n, "little")
    r, at_a = layout.data(b"\xcc" * (8 * words)), layout.data(factors[0])
    at_b = at_a if same else layout.data(factors[1])
    return layout.call(function, (r, at_a, at_b, length), r, product)


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


def pack_words(*words: int) -> bytes:
    """Return 32-bit words in their order in memory."""
    return struct.pack(f"<{len(words)}I", *words)


def square_call(arena: int, n: int, a: int) -> Call:
    """Return the call r = a^2 of n limbs."""
    layout = MemoryLayout(arena)
    r = layout.data(b"\xcc" * (16 * n))
    at_a = layout.number(a, n)
    return layout.call("mc_sqr_raw", (r, at_a, n), r, (a * a).to_bytes(16 * n, "little"))


def _status(function: str) -> int | None:
    """Return what a routine of modular arithmetic returns; one without checks returns nothing."""
    return None if function.endswith("_raw") else 0


def _mod_call(
    function: str, arena: int, n: int, a: int, b: int, m: int, result: int, same: str
) -> Call:
    layout = MemoryLayout(arena)
    at = {"": layout.data(b"\xcc" * (8 * n))}
    at |= {name: layout.number(value, n) for name, value in (("a", a), ("b", b), ("m", m))}
    content = result.to_bytes(8 * n, "little")
    arguments = (at[same], at["a"], at["b"], at["m"], n)
    return layout.call(function, arguments, at[same], content, _status(function))


def mod_add_call(
    arena: int, n: int, a: int, b: int, m: int, function: str = "mc_mod_add", same: str = ""
) -> Call:
    """Return the call r = a + b mod m; with `same` r is at the address of "a" or "b"."""
    return _mod_call(function, arena, n, a, b, m, (a + b) % m, same)


def mod_sub_call(
    arena: int, n: int, a: int, b: int, m: int, function: str = "mc_mod_sub", same: str = ""
) -> Call:
    """Return the call r = a - b mod m, likewise."""
    return _mod_call(function, arena, n, a, b, m, (a - b) % m, same)


class RiscvModulus:
    """A modulus in the library's form, laid out in the free memory."""

    def __init__(self, layout: MemoryLayout, m: int, n: int) -> None:
        """Lay out the modulus m of n limbs, prepared as mc_modulus_init would."""
        self.m, self.n = m, n
        self.r = 1 << 64 * n
        self.at_m = layout.number(m, n)
        self.at_rr = layout.number(self.r * self.r % m, n)
        n0 = -pow(m, -1, 1 << 64) % (1 << 64)
        # The work area is at the end, so that its content can be excluded from comparisons.
        self.at_work = layout.end() + CONTEXT_BYTES + GUARD_BYTES
        self.address = layout.data(
            pack_words(self.at_m, self.at_rr, self.at_work, n, n0 & 0xFFFFFFFF, n0 >> 32)
        )
        assert self.at_work == layout.data(b"\xaa" * (16 * n))

    def redc(self, value: int) -> int:
        """Return value * R^-1 mod m."""
        return value * pow(self.r, -1, self.m) % self.m


def montmul_call(
    arena: int, n: int, a: int, b: int, m: int, function: str = "mc_montmul", same: str = ""
) -> Call:
    """Return the call r = a * b / R mod m.

    Args:
        arena: address of the free memory.
        n: limbs.
        a: first factor, below m.
        b: second factor; ignored by mc_montsqr, which squares a.
        m: the modulus, odd.
        function: mc_montmul or mc_montsqr, or one of their _raw variants.
        same: "a", "b" or "ab" for operands at the address of the result ("ab" needs a = b).
    """
    layout = MemoryLayout(arena)
    modulus = RiscvModulus(layout, m, n)
    square = "sqr" in function
    # The part read back begins after the work area, whose content does not matter.
    start = layout.number(a if "a" in same else b, n) if same else layout.data(b"\xcc" * (8 * n))
    at_a = start if "a" in same else layout.number(a, n)
    operands = [at_a]
    if not square:
        operands.append(start if "b" in same else layout.number(b, n))
    result = modulus.redc(a * (a if square else b)).to_bytes(8 * n, "little")
    part = slice(start - arena - GUARD_BYTES, None)
    arguments = (start, *operands, modulus.address)
    return layout.call(function, arguments, start, result, _status(function), part)


def modexp_call(
    arena: int,
    n: int,
    a: int,
    e: int,
    m: int,
    words: int,
    function: str = "mc_modexp",
    window: int | None = None,
    same: bool = False,
) -> Call:
    """Return the call r = a^e mod m with an exponent of the given number of 32-bit words.

    Args:
        arena: address of the free memory.
        n: limbs.
        a: the base, below m.
        e: the exponent.
        m: the modulus, odd.
        words: 32-bit words of the exponent.
        function: mc_modexp, mc_modexp_public, mc_modexp_window, or one of their _raw variants.
        window: the last argument of mc_modexp_window.
        same: whether the base is at the address of the result.
    """
    layout = MemoryLayout(arena)
    modulus = RiscvModulus(layout, m, n)
    r = layout.number(a, n)
    at_a = r if same else layout.number(a, n)
    at_e = layout.data(e.to_bytes(4 * words, "little"))
    table = layout.end()  # its content is not checked
    result = pow(a, e, m).to_bytes(8 * n, "little")
    part = slice(r - arena - GUARD_BYTES, table - arena)
    last = () if window is None else (window,)
    arguments = (r, at_a, at_e, words, modulus.address, table, *last)
    return layout.call(function, arguments, r, result, _status(function), part)


def init_call(arena: int, n: int, m: int) -> Call:
    """Return the call that prepares a modulus."""
    layout = MemoryLayout(arena)
    given = RiscvModulus(layout, m, n)
    ready = layout.memory()
    memory = layout.replaced(given.at_rr, b"\xcc" * (8 * n))
    at = given.address - arena
    memory = memory[:at] + b"\xcc" * CONTEXT_BYTES + memory[at + CONTEXT_BYTES :]
    work_end = given.at_work - arena
    return Call(
        "mc_modulus_init",
        (given.address, given.at_m, n, given.at_rr, given.at_work),
        memory,
        0,
        work_end,
        ready[:work_end],
        0,
    )
