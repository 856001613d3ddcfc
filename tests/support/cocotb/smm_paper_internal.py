# SPDX-License-Identifier: Apache-2.0
"""Compares the paper's datapath with its algorithm: slots, PLQ, digits, S after each word of x.

A product of m words in r rows of npe words is a sequence of slots, one a cycle:

    Plq 0 .. r-1       PLQ[h npe + k] = x[h npe + k] y[0] mod 2^w           steps 1 to 5
    3 idle             the last of them is multiplied, added and stored, PLQ[0] is read back
    Y j, M j, ...      for each i, S = (S + x[i] y + q m) / 2^w             steps 6 to 27
    Resolve 0 .. r-1   S is shifted the last time, its words keep a single carry each
    Subtract 0 .. r-1  S - m
    2 idle             its sign; the first row of m is multiplied by 1 or 0
    Restore 0 .. r-1   m is added again if S - m was negative
    Correct 0 .. r-1   the carries that remain are added
    1 idle             row 0 is fetched, to leave

A slot passes the stages R (operands are read), M (the products are formed) and A (they are added)
in successive cycles, so that the result begins to leave 5r + 2mr + 7 cycles after the first slot.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import cocotb
from port_driver import PortBench

from montcore.cores.smm import Smm, SmmElement, SmmSchedule
from montcore.model.spec import montgomery_product


class Kind(IntEnum):
    """Operation of the row of processing elements in a slot; the values are those of the RTL."""

    IDLE = 0
    PLQ = 1
    Y = 2
    M = 3
    RESOLVE = 4
    SUBTRACT = 5
    RESTORE = 6
    CORRECT = 7


class Slot(NamedTuple):
    """One slot: its operation, its row, and i for Y and M slots."""

    kind: Kind = Kind.IDLE
    row: int = 0
    word: int = 0


def slots(words: int, rows: int) -> list[Slot]:
    """Return the slots of one product of `words` words in `rows` rows, in order."""

    def once(kind: Kind) -> list[Slot]:
        return [Slot(kind, row) for row in range(rows)]

    turns = (Kind.Y, Kind.M)
    main = [Slot(kind, row, i) for i in range(words) for row in range(rows) for kind in turns]
    return [
        *once(Kind.PLQ),
        *[Slot()] * 3,
        *main,
        *once(Kind.RESOLVE),
        *once(Kind.SUBTRACT),
        *[Slot()] * 2,
        *once(Kind.RESTORE),
        *once(Kind.CORRECT),
        *[Slot()] * 3,
    ]


class PaperComparison:
    """Compares the core with the algorithm in every cycle of one product."""

    def __init__(self, bench: PortBench, config: Smm, x: int, y: int, m: int, length: int) -> None:
        self.bench, self.config, self.m = bench, config, m
        self.drawn = config.element is SmmElement.PAPER
        self.words, self.rows = config.words(length), config.rows(length)
        self.slots = slots(self.words, self.rows)
        self.x = [x >> config.w * i & ((1 << config.w) - 1) for i in range(self.words)]
        self.y = y
        self.digits: list[int] = []
        self.sums: list[int] = []  # S + x[i] y + q m, for each word of x
        s = 0
        for word in self.x:
            s += word * y
            self.digits.append(-s * pow(m, -1, 1 << config.w) % (1 << config.w))
            self.sums.append(s + self.digits[-1] * m)
            s = self.sums[-1] >> config.w
        self.negative = s < m
        self.paper = bench.dut.g_paper.u_paper
        self.array = (self.paper.g_drawn if self.drawn else self.paper.g_ours).u_array
        self.total = 0  # the rows of S that have been made for a word of x
        self.compared = 0

    def row(self) -> list[int]:
        """Return the row of S that is made, as words, including their carries if there are any."""
        made = int((self.array.sum if self.drawn else self.array.sum_kept).value)
        bits = self.config.w + (0 if self.drawn else 3)
        return [made >> (bits * k) & ((1 << bits) - 1) for k in range(self.config.npe)]

    def look(self) -> None:
        """Compare one cycle."""
        number = self.compared
        if number == len(self.slots) or not (number or self.bench.flag("core_start_o")):
            return
        before = [Slot(), Slot(), *self.slots]
        slot_a, slot_m, slot_r = before[number : number + 3]
        where = f"cycle {number}, slots {slot_r}, {slot_m}, {slot_a}"
        for slot, name in ((slot_r, "kind"), (slot_m, "kind_m_q"), (slot_a, "kind_a_q")):
            assert int(getattr(self.paper, name).value) == slot.kind, f"{name}: {where}"
        if slot_m.kind is Kind.M:
            assert int(self.paper.product.value) == self.digits[slot_m.word], f"q: {where}"
        w, npe = self.config.w, self.config.npe
        last = slot_a.row == self.rows - 1
        if slot_a.kind is Kind.PLQ:
            first = slot_a.row * npe
            low = (1 << w) - 1
            plq = [word * self.y & low for word in self.x[first : first + npe]]
            assert [word & low for word in self.row()][: len(plq)] == plq, f"PLQ: {where}"
        elif slot_a.kind is Kind.M:
            for k, word in enumerate(self.row()):
                self.total += word << w * (slot_a.row * npe + k)
            if last:
                self.total += int(self.array.top_next.value) << w * self.rows * npe
                assert self.total == self.sums[slot_a.word], f"S: {where}"
                self.total = 0
        if before[number - 1] == Slot(Kind.SUBTRACT, self.rows - 1):
            assert bool(int(self.array.restore_o.value)) == self.negative, f"sign: {where}"
        self.compared += 1
        done = self.compared == len(self.slots)
        assert self.bench.flag("core_done_o") == done, f"done: {where}"


def lengths(config: Smm) -> list[int]:
    """Return run-time lengths with every row count up to the built one, full words or not."""
    found = {config.bits, max(2, config.bits - 1), min(config.bits, config.w)}
    for rows in range(1, config.rows(config.bits) + 1):
        words = min(rows * config.npe, config.words(config.bits))
        found.add(max(2, words * config.w - 1))
        found.add(max(2, ((rows - 1) * config.npe + 1) * config.w))
    return sorted(length for length in found if length <= config.bits)


@cocotb.test()
async def every_step_is_as_in_the_algorithm(dut: Any) -> None:
    """Products from idle, at all run-time row counts, of sparse and dense moduli."""
    config = Smm(
        bits=int(dut.Length.value),
        npe=int(dut.NumPe.value),
        w=int(dut.WordBits.value),
        schedule=SmmSchedule.PAPER,
        element=SmmElement.PAPER if int(dut.PaperElement.value) else SmmElement.OURS,
    )
    bench = PortBench(dut, seed=17, word_bits=config.w)
    await bench.start()
    for length in lengths(config):
        words, rows = config.words(length), config.rows(length)
        dense = bench.random.getrandbits(length) | 1 | (1 << (length - 1))
        moduli = {(1 << length) - 1, dense, (1 << (length - 1)) + 1}
        for m in sorted(value for value in moduli if value >= 3 and value % 2):
            assert await bench.load(m, words) == 0
            await bench.idle()
            random_pair = (bench.random.randrange(m), bench.random.randrange(m))
            for x, y in ((m - 1, m - 1), random_pair, (0, 1)):
                comparison = PaperComparison(bench, config, x, y, m, length)
                bench.observers = [comparison.look]
                bench.multiply(x, y, words)
                (answer,) = await bench.results(1)
                z = montgomery_product(x, y, m, words * config.w)
                assert bench.value(answer, words) == z
                assert comparison.compared == 5 * rows + 2 * words * rows + 8
                bench.observers = []
                await bench.idle()
