# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact integer model of `smm` with the paper's schedule, hw/smm/rtl/montcore_smm_paper.sv.

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
in successive cycles, so that the result begins to leave 5r + 2mr + 7 cycles after the first slot. A
word of S is kept with its carries on top (w + 3 bits) until its next use: c1 + c2 after a Y slot,
c1 + c2 + c3 + c4 after an M slot; later a single carry, and above it whether the word would
propagate another one.

With the elements drawn in the paper, the carries of the two adders propagate along the row and from
row to row (hw/smm/rtl/montcore_smm_drawn_array.sv): a word of S has just w bits. The slots are the
same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from montcore.cores.smm import Smm, SmmElement
from montcore.model.spec import ModelResult, check_operands, n0_inverse

Row = tuple[int, ...]


class SlotKind(Enum):
    """Operation of the row of processing elements in a slot; the values are those of the RTL."""

    IDLE = 0
    PLQ = 1
    Y = 2
    M = 3
    RESOLVE = 4
    SUBTRACT = 5
    RESTORE = 6
    CORRECT = 7


#: Slots that add to a row of S, which is fetched while they are in stage M.
_FETCHING = (SlotKind.Y, SlotKind.RESOLVE, SlotKind.SUBTRACT, SlotKind.RESTORE, SlotKind.CORRECT)
#: Slots that add the single carries left by the previous pass.
_CHAINED = (SlotKind.SUBTRACT, SlotKind.RESTORE, SlotKind.CORRECT)
#: Slots whose row of S is written back.
_STORING = (SlotKind.M, SlotKind.RESOLVE, SlotKind.SUBTRACT, SlotKind.RESTORE, SlotKind.CORRECT)


@dataclass(frozen=True)
class PaperSlot:
    """One slot.

    Attributes:
        kind: its operation.
        row: index of the row.
        last: whether it is the last row of its pass.
        word: i, for Y and M slots.
        fresh: whether the sum starts from zero.
        result: whether it fetches the first row of the finished result.
    """

    kind: SlotKind = SlotKind.IDLE
    row: int = 0
    last: bool = False
    word: int = 0
    fresh: bool = False
    result: bool = False

    def __str__(self) -> str:
        word = str(self.word) if self.kind in (SlotKind.Y, SlotKind.M) else ""
        return f"{self.kind.name.lower()}{word}.{self.row}"


@dataclass(frozen=True)
class Cycle:
    """State of the datapath in one cycle (before the clock edge that ends it).

    Attributes:
        number: counted from 0, the cycle of core_start_o.
        slots: the slots in the stages R, M and A.
        products: the full products in PP_reg, one for each lane (stage A).
        base: the current row of S, words with carries (w + 3 bits).
        sums: the new row computed from it, as stored (in a Plq slot only the low words are valid).
        top: {c_msb, s_(m-1)}, w + 1 bits.
        carries: carries out of the two adders of the last lane, one cycle ago; none with our
            elements.
        q: the quotient digit, or None before the first one.
        restore: whether m is to be added again; None except in the one cycle in which this is
            signalled.
        done: output of the result begins.
    """

    number: int
    slots: tuple[PaperSlot, PaperSlot, PaperSlot]
    products: Row
    base: Row
    sums: Row
    top: int
    carries: Row
    q: int | None
    restore: bool | None
    done: bool


def slots(words: int, rows: int) -> Iterator[PaperSlot]:
    """Yield the slots of one product of `words` words in `rows` rows, in order."""

    def once(kind: SlotKind) -> Iterator[PaperSlot]:
        return (PaperSlot(kind, row, row == rows - 1) for row in range(rows))

    yield from once(SlotKind.PLQ)
    yield from [PaperSlot(fresh=True)] * 3
    for word in range(words):
        for row in range(rows):
            for kind in (SlotKind.Y, SlotKind.M):
                yield PaperSlot(kind, row, row == rows - 1, word, fresh=word == 0)
    yield from once(SlotKind.RESOLVE)
    yield from once(SlotKind.SUBTRACT)
    yield from [PaperSlot()] * 2
    yield from once(SlotKind.RESTORE)
    yield from once(SlotKind.CORRECT)
    yield PaperSlot(result=True)
    yield from [PaperSlot()] * 2


class _Datapath:
    """The registers of the datapath for one product; `step` is one clock cycle."""

    def __init__(self, array: Smm, x: int, y: int, m: int, length: int) -> None:
        self.w, self.npe = array.w, array.npe
        self.mask = (1 << self.w) - 1
        self.words, self.rows = array.words(length), array.rows(length)
        self.n0_inverse = n0_inverse(m, self.w)
        self.x, self.y, self.m = (self._split(value) for value in (x, y, m))
        nothing = (0,) * self.npe
        self.plq = [nothing] * self.rows
        self.products = self.base = nothing
        self.memory = [nothing] * self.rows
        self.top = 0
        # C_add1 and C_add2: the high words of the last lane, of this and of the alternate turn.
        self.edges = (0, 0)
        self.carry = 0  # carry out of the previous row, of S as it is read
        self.sign_carry = 0  # likewise, of S - m as it is computed
        self.restoring = False
        self.sign_due = False
        self.q: int | None = None

    def _split(self, value: int) -> list[Row]:
        """Return a number as rows of words."""
        flat = [value >> (self.w * n) & self.mask for n in range(self.rows * self.npe)]
        return [tuple(flat[n : n + self.npe]) for n in range(0, len(flat), self.npe)]

    def _word(self, rows: list[Row], index: int) -> int:
        """Return one word of some rows."""
        return rows[index // self.npe][index % self.npe]

    def _multiply(self, slot: PaperSlot) -> Row:
        """Return what PP_reg takes (stage M)."""
        factors = {
            SlotKind.PLQ: lambda: (self._word(self.y, 0), self.x),
            SlotKind.Y: lambda: (self._word(self.x, slot.word), self.y),
            SlotKind.M: lambda: (self.q or 0, self.m),
            SlotKind.RESTORE: lambda: (int(self.restoring), self.m),
        }
        if slot.kind not in factors:
            return (0,) * self.npe
        factor, rows = factors[slot.kind]()
        return tuple(factor * word for word in rows[slot.row])

    def _chain(self, carry: int, row: Row) -> tuple[list[int], int]:
        """Return the carry into each word of a row with single carries, and the one out of it."""
        into = []
        for word in row:
            into.append(carry)
            carry = word >> self.w & 1 | (word >> (self.w + 1) & carry)
        return into, carry & 1

    def _add(self, slot: PaperSlot) -> tuple[Row, int]:
        """Return the new words and the top word (stage A)."""
        w, mask, kind = self.w, self.mask, slot.kind
        high = [product >> w for product in self.products]
        inner = kind in (SlotKind.Y, SlotKind.M) and slot.row > 0
        below = [self.edges[1] if inner else 0, *high[:-1]]
        if kind is SlotKind.PLQ:
            below = [0] * self.npe
        chained, _ = self._chain(0 if slot.row == 0 else self.carry, self.base)
        sums = []
        for k, (word, product) in enumerate(zip(self.base, self.products, strict=True)):
            total = (product & mask) + below[k]
            if kind in (SlotKind.Y, SlotKind.RESOLVE):
                total += (word & mask) + (word >> w)
            elif kind in _CHAINED:
                total += (word & mask) + chained[k]
            else:
                total += word
            if kind is SlotKind.SUBTRACT:
                total += (~self.m[slot.row][k] & mask) + int(slot.row == 0 and k == 0)
            assert total < 1 << (w + 3), "a word has more carries than there is room for"
            if kind in _CHAINED and word >> (w + 1) & chained[k]:
                total -= 1 << w  # already counted by the previous word
            if kind is SlotKind.RESOLVE or kind in _CHAINED:
                assert total < 1 << (w + 1), "a word has more than a single carry"
                total |= int(total & mask == mask) << (w + 1)
            sums.append(total)
        top = self.top
        if kind is SlotKind.Y and slot.last:
            top = (0 if slot.fresh else self.top >> w) + high[-1]
        elif kind is SlotKind.M and slot.last:
            top = self.top + high[-1]
        return tuple(sums), top

    def _carries(self) -> Row:
        """Return the pending carries of the row."""
        return ()

    def _carried(self) -> bool:
        """Return, a stage after the last Subtract slot, whether S or S - m had a carry."""
        # The carries of the difference have been passed on row by row.
        return bool(self.sign_carry or self.carry)

    def _carry_on(self, slot: PaperSlot, sums: Row) -> None:
        """Keep the carries out of the new row (stage A)."""
        start = 0 if slot.row == 0 else self.carry
        if slot.kind in _CHAINED:
            _, self.carry = self._chain(start, self.base)
        if slot.kind is SlotKind.SUBTRACT:
            start = 0 if slot.row == 0 else self.sign_carry
            _, self.sign_carry = self._chain(start, sums)

    def _next_base(self, slot: PaperSlot, sums: Row, top: int) -> Row:
        """Return the row of S that the slot in stage M will add to."""
        if slot.kind is SlotKind.PLQ or (slot.fresh and slot.kind is not SlotKind.M):
            return (0,) * self.npe
        fetching = slot.kind in _FETCHING or slot.result
        row = self.memory[slot.row] if fetching and self.rows > 1 else sums
        if slot.kind not in (SlotKind.Y, SlotKind.RESOLVE):
            return row
        above = top if slot.last else self.memory[slot.row + 1][0]
        lows = [word & self.mask for word in (*row[1:], above)]
        return tuple(word >> self.w << self.w | low for word, low in zip(row, lows, strict=True))

    def step(self, number: int, stages: tuple[PaperSlot, PaperSlot, PaperSlot]) -> Cycle:
        """Run one clock cycle and return its state."""
        _, slot_m, slot_a = stages
        sums, top = self._add(slot_a)
        restore = None
        if self.sign_due:
            restore = not (self._carried() or self.top >> self.w)
        seen = Cycle(
            number=number,
            slots=stages,
            products=self.products,
            base=self.base,
            sums=sums,
            top=self.top,
            carries=self._carries(),
            q=self.q,
            restore=restore,
            done=slot_a.result,
        )

        if slot_a.kind is SlotKind.PLQ:
            self.plq[slot_a.row] = tuple(word & self.mask for word in sums)
        if slot_a.kind in _STORING:
            self.memory[slot_a.row] = sums
        next_base = self._next_base(slot_m, sums, top)
        products = self._multiply(slot_m)
        if slot_m.kind is SlotKind.Y and slot_m.row == 0:
            # The digit for the next M slots: S is in the current row from the next cycle on.
            s0 = (next_base[0] & self.mask) + (next_base[0] >> self.w)
            total = s0 + self._word(self.plq, slot_m.word)
            self.q = total * self.n0_inverse & self.mask
        self._carry_on(slot_a, sums)
        if restore is not None:
            self.restoring = restore
        self.sign_due = slot_a.kind is SlotKind.SUBTRACT and slot_a.last
        self.edges = (self.products[-1] >> self.w, self.edges[0])
        self.products, self.base, self.top = products, next_base, top
        return seen

    def result(self) -> int:
        """Return the number in the rows of S, without carries."""
        rows = [self.base] if self.rows == 1 else self.memory
        flat = [word & self.mask for row in rows for word in row]
        return sum(word << (self.w * n) for n, word in enumerate(flat[: self.words]))


class _Drawn(_Datapath):
    """The datapath with the elements drawn in the paper."""

    def __init__(self, array: Smm, x: int, y: int, m: int, length: int) -> None:
        super().__init__(array, x, y, m, length)
        # Carries out of adder1 and adder2 of the last lane: now, one and two cycles ago.
        self.out, self.waiting = (0, 0), ((0, 0), (0, 0))

    def _add(self, slot: PaperSlot) -> tuple[Row, int]:
        """Return the new words and the top word (stage A)."""
        w, mask, kind = self.w, self.mask, slot.kind
        turn, later = kind in (SlotKind.Y, SlotKind.M), slot.row > 0
        high = [product >> w for product in self.products]
        second = [self.edges[1] if turn and later else 0, *high[:-1]]
        if kind is SlotKind.PLQ:
            second = [0] * self.npe
        first_carry, second_carry = 0, 0
        if later and turn:
            first_carry, second_carry = self.waiting[1]
        elif later and kind in (SlotKind.SUBTRACT, SlotKind.RESTORE):
            first_carry, second_carry = self.waiting[0]
        if kind is SlotKind.SUBTRACT:
            second = [~word & mask for word in self.m[slot.row]]
            first_carry |= int(slot.row == 0)
        sums = []
        for word, product, other in zip(self.base, self.products, second, strict=True):
            total = (product & mask) + other + first_carry
            first_carry, between = total >> w, total & mask
            total = between + word + second_carry
            second_carry, low = total >> w, total & mask
            sums.append(low)
        self.out = first_carry, second_carry
        top = self.top
        if kind is SlotKind.Y and slot.last:
            top = (0 if slot.fresh else self.top >> w) + high[-1] + sum(self.out)
        elif kind is SlotKind.M and slot.last:
            top = self.top + high[-1] + sum(self.out)
        assert top < 1 << (w + 1), "the top word has more than a single carry"
        return tuple(sums), top

    def _carries(self) -> Row:
        """Return the pending carries of the row."""
        return self.waiting[0]

    def _carried(self) -> bool:
        """Return, a stage after the last Subtract slot, whether S - m had a carry."""
        return any(self.waiting[0])

    def _carry_on(self, slot: PaperSlot, sums: Row) -> None:
        """Keep the carries out of the new row (stage A)."""
        self.waiting = (self.out, self.waiting[0])


def _run(datapath: _Datapath) -> Iterator[Cycle]:
    order = list(slots(datapath.words, datapath.rows))
    before = (PaperSlot(fresh=True), PaperSlot(fresh=True))
    stages = (*before, *order)
    for number in range(len(order)):
        yield datapath.step(number, (stages[number + 2], stages[number + 1], stages[number]))


def trace(array: Smm, x: int, y: int, m: int, length: int) -> Iterator[Cycle]:
    """Yield every cycle of one product from idle, from core_start_o to core_done_o.

    Args:
        array: the built core.
        x: multiplier, 0 <= x < m.
        y: multiplicand, 0 <= y < m.
        m: modulus, odd, 3 <= m < 2^length.
        length: run-time length of the modulus in bits, at most the built width.

    Raises:
        ValueError: an operand is out of range.
    """
    return _run(_datapath(array, x, y, m, length))


def _datapath(array: Smm, x: int, y: int, m: int, length: int) -> _Datapath:
    check_operands(x, y, m)
    kind = _Drawn if array.element is SmmElement.PAPER else _Datapath
    return kind(array, x, y, m, length)


def run(array: Smm, x: int, y: int, m: int, length: int) -> ModelResult:
    """Run one product from idle (arguments as for `trace`).

    Raises:
        ValueError: an operand is out of range.
    """
    datapath = _datapath(array, x, y, m, length)
    done = next(cycle for cycle in _run(datapath) if cycle.done)
    return ModelResult(z=datapath.result(), core_cycles=done.number, cycles=done.number + 1)
