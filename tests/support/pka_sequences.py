# SPDX-License-Identifier: Apache-2.0
"""Random accesses to the accelerator's registers, and simulators that the contract judges."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pka_bench as pka
from pka_bench import PkaBench, number, result, slot_at, write
from pka_contract import EXPONENTIATOR, MULTIPLIER, MULTIPLY, Contract

from montcore.cores.core import Core

#: Addresses at which there is nothing: behind the registers, between and behind the slots.
ELSEWHERE = (0x3C, 0x3FFC, 0x6000, 0x8800, 0xB800, 0xC000, 0xFFFC)

#: Commands that are tried while another one is under way.
OFTEN = (pka.LOAD, pka.PRODUCT, MULTIPLY, pka.CLEAR, pka.LOCK)


@dataclass
class Writer:
    """Draws sequences for a build; it remembers the last modulus, so that most commands fit."""

    rng: random.Random
    units: int
    bits: int
    limit: int
    length: int = 2
    m: int = 3

    def sequence(self) -> list[str]:
        """Return lines from a reset on, at the end of which everything is read."""
        lines = ["reset 4"]
        if self._often(8):
            lines += [*self._idle(), *self._load()]
        for _ in range(self.rng.randrange(2, 14)):
            lines += self.rng.choices(
                (self._load, self._compute, self._key, self._access, self._control, self._result),
                (3, 6, 3 * (self.units == EXPONENTIATOR), 4, 2, 2),
            )[0]()
        lines += [*self._idle(), f"r {pka.STATUS:x}", f"r {pka.ERROR:x}", f"r {pka.INTR:x}", "irq"]
        return [*lines, *(line for slot in range(8) for line in result(self.bits, slot))]

    def _often(self, tenths: int) -> bool:
        return self.rng.randrange(10) < tenths

    def _idle(self) -> list[str]:
        return [f"idle {self.limit}"]

    def _near(self, m: int, bits: int) -> int:
        """Return a number that is mostly below m: random, small, equal or next to m in a word."""
        word = 1 << 32 * self.rng.randrange(-(-bits // 32))
        some = (0, 1, m - 1, m, m + 1, m + word, m - word, (1 << bits) - 1)
        value = self.rng.randrange(m or 1) if self._often(6) else self.rng.choice(some)
        return max(value, 0) | (self.rng.getrandbits(self.bits) << bits if self._often(1) else 0)

    def _command(self, op: int, slots: tuple[int, int, int], policy: int = 0) -> Iterator[str]:
        """Yield a command, then its end and its error, or accesses while it may be under way."""
        if self._often(1):
            slots = (self.rng.randrange(16), self.rng.randrange(16), self.rng.randrange(16))
        word = op | policy << 4 | slots[0] << 8 | slots[1] << 12 | slots[2] << 16
        if self._often(1):  # the lowest byte starts it, with what the others have been
            yield write(pka.COMMAND, word, 14)
            yield write(pka.COMMAND, op | policy << 4, 1)
        else:
            yield write(pka.COMMAND, word | self.rng.getrandbits(9) << 23)
        if self._often(6):
            yield from self._idle()
            yield f"r {pka.ERROR:x}"
        else:
            yield f"run {2 ** self.rng.randrange(12)}"
            yield from self._busy()

    def _busy(self) -> Iterator[str]:
        """Yield what is allowed or refused while a command is under way."""
        some = (
            f"r {pka.STATUS:x}",
            f"r {pka.ERROR:x}",
            f"r {pka.INTR:x}",
            f"r {slot_at(self.rng.randrange(8)):x}",
            write(slot_at(self.rng.randrange(8)), self.rng.getrandbits(32)),
            write(pka.COMMAND, self.rng.choice(OFTEN) | 0x32100),
            write(pka.CONTROL, self.rng.choice((1, 1 | pka.KEEP))),
            f"reset {self.rng.randrange(1, 4)}",
            write(pka.INTR, 3),
            write(pka.LENGTH, self.rng.randrange(self.bits)),
            "irq",
        )
        yield from self.rng.sample(some, self.rng.randrange(4))

    def _bits(self) -> int:
        good = {2, 3, 31, 32, 33, 64, 65, self.bits - 1, self.bits, self.bits, self.bits}
        bad = (0, 1, self.bits + 1, 0x3FFF)
        return self.rng.choice([b for b in good if b <= self.bits] if self._often(9) else bad)

    def _modulus(self, bits: int) -> int:
        full = self.rng.getrandbits(bits) | 1 << max(bits - 1, 0) | 1
        some = (full - 1, 0, 1, full >> bits // 2 | 1, full | 1 << bits, (1 << bits) - 1)
        return full if self._often(8) else self.rng.choice(some)

    def _load(self) -> Iterator[str]:
        bits = self._bits()
        m, slot = self._modulus(min(bits, self.bits)), self.rng.randrange(8)
        self.m, self.length = m, min(max(bits, 1), self.bits)
        yield write(pka.LENGTH, bits)
        yield from number(slot_at(slot), m, self.bits)
        yield from self._command(pka.LOAD, (slot, 1, 2))

    def _exponent(self) -> tuple[int, int]:
        """Return an exponent and its length, mostly a short one."""
        bits = self.rng.choice((1, 4, 17, 17, 33)) if self._often(9) else self._bits()
        e = self.rng.choice((0, 1, 3, (1 << bits) - 1, self.rng.getrandbits(bits + 1)))
        return e, bits

    def _compute(self) -> Iterator[str]:
        x, y, z = (self.rng.randrange(8) for _ in range(3))
        op = self.rng.choice((pka.POWER, pka.PRODUCT)) if self.units == EXPONENTIATOR else MULTIPLY
        op = self.rng.randrange(16) if self._often(1) else op
        yield from number(slot_at(x), self._near(self.m, self.length), self.bits)
        value = self._near(self.m, self.length)
        if op == pka.POWER:
            value, e_bits = self._exponent()
            yield write(pka.Y_LENGTH, e_bits)
        yield from number(slot_at(y), value, self.bits)
        policy = 0
        if op == pka.POWER or self._often(1):
            policy = self.rng.choice((0, 0, 1, 2, 3))
        yield from self._command(op, (x, y, z), policy)

    def _key(self) -> Iterator[str]:
        """Yield a lock, or uses of a key, in any order."""
        if self._often(4):
            bits, (e, e_bits) = self._bits(), self._exponent()
            m = self._modulus(min(bits, self.bits))
            yield from (write(pka.LENGTH, bits), write(pka.Y_LENGTH, e_bits))
            if self._often(8):  # or what is there: nothing
                yield from number(pka.KEY, m, self.bits)
                yield from number(slot_at(9), e, self.bits)
            yield from self._command(pka.LOCK, (0, 1, 2))
            self.m, self.length = m, min(max(bits, 1), self.bits)
        yield from self._command(pka.KEY_LOAD, (0, 1, 2))
        x, z = self.rng.randrange(8), self.rng.randrange(8)
        yield from number(slot_at(x), self._near(self.m, self.length), self.bits)
        yield from self._command(pka.KEY_POWER, (x, 0, z), self.rng.choice((0, 0, 0, 2, 1)))

    def _access(self) -> Iterator[str]:
        """Yield accesses of any kind, to any address, with any strobes."""
        for _ in range(self.rng.randrange(1, 6)):
            address = self.rng.choice(
                (
                    4 * self.rng.randrange(16),
                    4 * self.rng.randrange(16),
                    slot_at(self.rng.randrange(8)) + self.rng.randrange(self.bits // 8),
                    slot_at(8 + self.rng.randrange(3)) + self.rng.randrange(self.bits // 8 + 8),
                    self.rng.choice(ELSEWHERE),
                    slot_at(self.rng.randrange(8)) + (self.bits + 31) // 32 * 4,
                    self.rng.randrange(1 << 16),
                )
            )
            strobes = self.rng.choice((15, 15, 1, 2, 4, 8, 3, 12, 0, 5, 14))
            if self._often(5):
                yield f"r {address:x}"
            else:
                yield write(address, self.rng.getrandbits(32), strobes)

    def _control(self) -> Iterator[str]:
        """Yield a zeroize, a reset, or a change of the interrupt."""
        kind = self.rng.randrange(10)
        if kind < 5:
            yield write(pka.CONTROL, self.rng.choice((1, 1 | pka.KEEP, 1 | pka.KEEP, pka.KEEP)))
        elif kind < 7:
            yield f"reset {self.rng.randrange(1, 6)}"
        else:
            yield from (write(pka.ENABLE, self.rng.randrange(4)), "irq", write(pka.INTR, 3), "irq")
        yield from self._idle() if self._often(5) else self._busy()

    def _result(self) -> Iterator[str]:
        for slot in self.rng.sample(range(8), 2):
            yield from result(self.bits, slot)
        yield from (f"r {pka.STATUS:x}", f"r {pka.INTR:x}", "irq")


@dataclass(frozen=True)
class Tried:
    """A simulator, and what its contract depends on."""

    bench: PkaBench
    limit: int  # cycles within which every command and every clearing ends
    contract: type[Contract] = Contract

    @property
    def core(self) -> Core:
        """The multiplier."""
        core = self.bench.design.core or self.bench.design.multiplier
        assert core is not None
        return core

    @property
    def units(self) -> int:
        """EXPONENTIATOR or MULTIPLIER."""
        return MULTIPLIER if self.bench.design.core is None else EXPONENTIATOR

    def sequence(self, seed: int) -> list[str]:
        """Return a random sequence."""
        return Writer(random.Random(seed), self.units, self.core.bits, self.limit).sequence()

    def wrong(self, lines: list[str]) -> str:
        """Play lines; return the first whose answer is wrong, with the answer, or nothing."""
        core = self.core
        r_bits = {bits: core.r_bits(bits) for bits in range(2, core.bits + 1)}
        model = self.contract(self.units, core.name, core.bits, r_bits, self.limit)
        for line, answer in zip(lines, self.bench.run(lines), strict=True):
            if not model.take(line, answer.status != 0, answer.said):
                return f"{line} -> {answer.status} {answer.said}"
        return ""

    def failing(self, first: int, count: int) -> str:
        """Play sequences of seeds; return what is wrong and the lines that show it, or nothing."""
        for seed in range(first, first + count, 50):
            parts = [self.sequence(at) for at in range(seed, min(seed + 50, first + count))]
            if wrong := self.wrong([line for part in parts for line in part]):
                for at, lines in enumerate(parts, seed):
                    if self.wrong(lines):
                        lines = self.shrunk(lines)
                        return f"sequence {at}: {self.wrong(lines)}\n" + "\n".join(lines)
                return f"sequences from {seed} on, only together: {wrong}"
        return ""

    def shrunk(self, lines: list[str]) -> list[str]:
        """Return the lines without which a failing sequence does not fail."""
        size = len(lines) // 2
        while size:
            for place in range(len(lines) - size, 0, -size):  # the first is the reset
                fewer = lines[:place] + lines[place + size :]
                if self.wrong(fewer):
                    lines = fewer
            size //= 2
        return lines
