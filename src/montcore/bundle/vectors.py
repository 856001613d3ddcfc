# SPDX-License-Identifier: Apache-2.0
"""The cases of a bundle's test: stimulus and expected answers as tables for `$readmemh`."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from montcore.cores.core import Core
from montcore.model.spec import montgomery_product
from montcore.sim.types import Status

#: Consecutive products with which the testbench measures the interval, plus one.
LIGHT_STREAM = 6


class CaseKind(IntEnum):
    """The kind of a case (the numbers are those of the testbench)."""

    CONFIGURE = 0
    PRODUCT = 1
    ZEROIZE = 2


@dataclass(frozen=True)
class BenchCase:
    """One line of the tables.

    Attributes:
        x: multiplier, or the modulus of a configuration.
        status: the answer's status; 0 for a product or an accepted modulus.
        measured: whether its latency is measured; all that are take equally long.
    """

    kind: CaseKind
    note: str
    x: int = 0
    y: int = 0
    x_beats: int = 0
    y_beats: int = 0
    status: int = 0
    z: int = 0
    z_beats: int = 0
    measured: bool = False

    def stimulus(self, op_bits: int) -> str:
        """Return the line of the stimulus table."""
        digits = op_bits // 4
        return (
            f"{self.measured << 3 | self.kind:01x}{self.x_beats:03x}{self.y_beats:03x}"
            f"{self.x:0{digits}x}{self.y:0{digits}x}"
        )

    def expected(self, op_bits: int) -> str:
        """Return the line of the table of expected answers."""
        return f"{self.status:01x}{self.z_beats:03x}{self.z:0{op_bits // 4}x}"


@dataclass(frozen=True)
class CaseTables:
    """The cases, and the bits of an operand in the tables."""

    cases: tuple[BenchCase, ...]
    op_bits: int

    def light(self) -> "CaseTables":
        """Return the cases for a slow machine: all except most of the successful products.

        The first modulus keeps as many consecutive products as the interval measurement needs,
        each further modulus keeps one; the first product after a refusal is kept as well.
        """
        kept: list[BenchCase] = []
        room = 0
        for number, case in enumerate(self.cases):
            if case.kind is not CaseKind.PRODUCT:
                first = not any(item.kind is CaseKind.CONFIGURE for item in self.cases[:number])
                room = LIGHT_STREAM if first else 1
            elif case.status == 0 and self.cases[number - 1].status == 0:
                room -= 1
                if room < 0:
                    continue
            kept.append(case)
        return CaseTables(tuple(kept), self.op_bits)

    def texts(self) -> tuple[str, str]:
        """Return the tables of stimulus and of answers."""
        what = "kind (8 more: measured), beats of x, beats of y, x or modulus, y"
        stimulus = self._table(what, BenchCase.stimulus)
        return stimulus, self._table("status, beats of the answer, product", BenchCase.expected)

    def values(self) -> dict[str, object]:
        """Return their sizes, as placeholder values of the test bench."""
        return {"op_bits": self.op_bits, "cases": len(self.cases)}

    def _table(self, header: str, line: Any) -> str:
        lines = [f"// One case a line: {header} (hexadecimal, no gaps)."]
        note = ""
        for case in self.cases:
            if case.note != note:
                note = case.note
                lines.append(f"// {note}")
            lines.append(line(case, self.op_bits))
        return "\n".join(lines) + "\n"


def make_tables(core: Core, modulus: int | None, seed: int) -> CaseTables:
    """Choose the cases: edges and random operands, other moduli and lengths, every refusal.

    Args:
        modulus: the field's prime, used for most products if given.
    """
    width = core.bus_width
    beats = core.beats(core.bits)
    op_bits = -(-(beats + 1) * width // 4) * 4
    return CaseTables(tuple(_cases(core, modulus, random.Random(seed))), op_bits)


def _cases(core: Core, modulus: int | None, rng: random.Random) -> Iterator[BenchCase]:
    bits = core.bits
    full = (1 << bits) - 1
    # Data registers have no reset. Their contents do not matter in hardware, but a four-state
    # simulator propagates X from one addition to the next until zeroize has cleared them.
    yield BenchCase(CaseKind.ZEROIZE, "zeroize after power-up")
    yield BenchCase(CaseKind.PRODUCT, "no modulus", 1, 1, 1, 1, status=Status.NO_MODULUS, z_beats=1)
    main = modulus or (rng.getrandbits(bits) | 1 | 1 << (bits - 1))
    yield from _modulus(core, main, bits, "the prime" if modulus else "random", rng, 16)
    yield from _refused_operands(core, main, rng)
    yield from _modulus(core, full, bits, "all ones", rng, 4)
    clear = rng.getrandbits(bits - 1) | 1 | 1 << max(1, bits - 2)
    yield from _modulus(core, clear, bits, "top bit clear", rng, 4)
    yield from _modulus(core, 3, bits, "three", rng, 2)
    for count in sorted({1, 2, 3, core.beats(bits) - 1} - {0}):
        length = next((n for n in range(bits, 1, -1) if core.beats(n) == count), None)
        if length is not None:
            m = rng.getrandbits(length) | 1 | 1 << (length - 1)
            yield from _modulus(core, m, length, f"{length} bits", rng, 3)
    yield from _refused_moduli(core, rng)
    yield from _modulus(core, main, bits, "the first one again", rng, 4)
    yield BenchCase(CaseKind.ZEROIZE, "zeroize: the modulus is gone")
    yield BenchCase(
        CaseKind.PRODUCT, "zeroize: the modulus is gone", 1, 1, 1, 1, Status.NO_MODULUS, z_beats=1
    )
    yield from _modulus(core, main, bits, "loaded after zeroize", rng, 4)


def _modulus(
    core: Core, m: int, length: int, what: str, rng: random.Random, count: int
) -> Iterator[BenchCase]:
    """Yield a configuration and `count` random products, with edges before them."""
    beats = core.beats(length)
    note = f"modulus: {what}"
    yield BenchCase(CaseKind.CONFIGURE, note, m, 0, beats)
    r = 1 << core.r_bits(length)
    edges = [0, 1, m - 1, m // 2, r % m, r * r % m, (1 << (m.bit_length() - 1)) % m]
    pairs = [(m - 1, m - 1), (0, m - 1), (1, r % m)]
    if count > 4:
        pairs += [(a, b) for a in edges for b in edges if a <= b]
    pairs += [(rng.randrange(m), rng.randrange(m)) for _ in range(count)]
    for x, y in pairs:
        yield _product(core, x, y, m, length, note)


def _product(core: Core, x: int, y: int, m: int, length: int, note: str) -> BenchCase:
    beats = core.beats(length)
    z = montgomery_product(x, y, m, core.r_bits(length))
    full = beats == core.beats(core.bits)
    return BenchCase(CaseKind.PRODUCT, note, x, y, beats, beats, z=z, z_beats=beats, measured=full)


def _refused_operands(core: Core, m: int, rng: random.Random) -> Iterator[BenchCase]:
    beats = core.beats(core.bits)
    limit = (1 << (beats * core.bus_width)) - 1
    good = rng.randrange(m)

    def refused(x: int, y: int, x_beats: int, y_beats: int, status: Status) -> BenchCase:
        return BenchCase(CaseKind.PRODUCT, note, x, y, x_beats, y_beats, status, z_beats=1)

    note = "operands not below the modulus"
    for x, y in ((m, good), (good, m), (limit, limit), (good, limit)):
        yield refused(x, y, beats, beats, Status.OPERAND_RANGE)
    yield _product(core, good, m - 1, m, core.bits, "and a good one")
    note = "operand packets of a wrong length"
    lengths = [(beats + 1, beats), (beats, beats + 1), (beats + 1, beats + 1)]
    if beats > 1:
        lengths += [(beats - 1, beats), (beats, beats - 1), (1, beats + 1)]
    for x_beats, y_beats in lengths:
        yield refused(0, 0, x_beats, y_beats, Status.OPERAND_LENGTH)
    yield _product(core, m - 1, good, m, core.bits, "and a good one")


def _refused_moduli(core: Core, rng: random.Random) -> Iterator[BenchCase]:
    bits, width = core.bits, core.bus_width
    beats = core.beats(bits)
    note = "moduli that are refused"

    def refused(m: int, count: int, status: Status) -> BenchCase:
        return BenchCase(CaseKind.CONFIGURE, note, m, 0, count, status=status)

    yield refused(0, beats, Status.MODULUS_EVEN)
    yield refused(rng.getrandbits(bits) & ~1, beats, Status.MODULUS_EVEN)
    yield refused(1, beats, Status.MODULUS_ONE)
    yield BenchCase(CaseKind.PRODUCT, note, 1, 1, beats, beats, Status.NO_MODULUS, z_beats=1)
    yield refused(1 | 1 << (beats * width), beats + 1, Status.MODULUS_LENGTH)
    if beats * width > bits:
        yield refused(1 | 1 << bits, beats, Status.MODULUS_LENGTH)
    yield BenchCase(CaseKind.PRODUCT, note, 1, 1, 1, 1, Status.NO_MODULUS, z_beats=1)
