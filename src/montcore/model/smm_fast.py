# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of `smm` with the fast schedule: hw/smm/rtl/montcore_smm_fast.sv in integers.

A product of m words in r rows consists of 2m passes of r slots, one slot a cycle:

    T = x[0] Y                                      A0 (a fresh sum)
    T = (T >> w) + x[n] Y,  T = T + low(T) M'       A1 B0, A2 B1, ... where M' = (m n0' + 1) / 2^w
    T = T + q m,            q = low(T) n0'          the last pass, then S = T / 2^w < 3 m

low(T) is the lowest word; it is captured in the A pass and used in the B pass two later, so that no
product of the small multiplier (which computes q) lies between two steps. `FastDatapath.step` is
one clock cycle. A slot passes the stages R (operands are read), M (the products are formed), A
(they are added to T) and C (S is compared with m and 2m) in successive cycles.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from montcore.model.result import ModelResult
from montcore.model.smm_array import Array
from montcore.model.smm_passes import IDLE, Pass, PassMultiplier, PassSlot, Row, Sequencer
from montcore.model.spec import check_operands, n0_inverse

#: Number of built rows from which on element 0 computes the last digit (`shares` in the RTL).
SHARED_ROWS = 4


def shares(array: Array) -> bool:
    """Return whether element 0 computes the last digit."""
    return array.rows(array.bits) >= SHARED_ROWS


def early(array: Array) -> bool:
    """Return whether the output register receives the first word of a result with the last row."""
    return not shares(array) and array.npe > 1


@dataclass(frozen=True)
class FastCycle:
    """State of the datapath in one cycle (all values before the clock edge that ends it).

    Attributes:
        number: counted from 0.
        slots: the slots in the stages R, M, A, C.
        tail: newest row of T, a word and its deferred carry (w + 3 bits) for each lane.
        top: word r npe of T.
        low: the register with the captured lowest word of T.
        product: output of the small multiplier: q, two cycles after `low` was captured.
        lane_products: the full products of the lanes in stage A.
        at_least: how often m fits into the last S: 0, 1 or 2 (kept until the next S).
        f_row: the row of F to be output next.
        start: a product begins.
        release: its operands are no longer needed.
        done: output of its result begins.
        z: the word of the result that is offered, or None.
        z_last: whether it is the last one.
        candidates: with `early`, that word of S, S - m and S - 2m, while it is offered.
    """

    number: int
    slots: tuple[PassSlot, PassSlot, PassSlot, PassSlot]
    tail: Row
    top: int
    low: int
    product: int
    lane_products: Row
    at_least: int
    f_row: Row
    start: bool
    release: bool
    done: bool
    z: int | None
    z_last: bool
    candidates: tuple[int, ...]


class FastDatapath:
    """hw/smm/rtl/montcore_smm_fast.sv with one modulus loaded, idle.

    Args:
        array: the built core.
        m: the modulus, odd, 3 <= m < 2^length.
        length: its run-time length in bits.
    """

    def __init__(self, array: Array, m: int, length: int) -> None:
        self.w, self.npe = array.w, array.npe
        self.words, self.rows = array.words(length), array.rows(length)
        self.shared, self.early = shares(array), early(array)
        self._turns = array.rows(array.bits) > 1  # a single row is not rotated
        self.m = m
        self.n0_inverse = n0_inverse(m, self.w)
        self.scaled = (m * self.n0_inverse + 1) >> self.w
        self._m_words = self._split(m, self.words)
        self._sequencer = Sequencer(
            self.words,
            self.rows,
            self._to_rows(self.scaled),
            self._to_rows(m),
            shared=self.shared,
            inverse=(self.n0_inverse, *(0,) * (self.npe - 1)),
        )
        rest = PassSlot(IDLE, 0, first=True, last=True)
        zero = (0,) * self.npe
        self._m_slot = self._a_slot = self._c_slot = rest
        # Stage M.
        self._a_word = 0
        self._b_row: Row = zero
        # Stage A.
        self._lane_products: Row = zero
        self._edge = 0  # high word of the last lane's product in the previous slot
        self._t: deque[Row] = deque([zero] * self.rows, maxlen=self.rows)  # head first, tail last
        self._f: deque[Row] = deque([zero] * self.rows, maxlen=self.rows)
        self._top = self._f_top = 0
        # Element 0 has computed n0' last, which is captured like a digit.
        self._low = self.n0_inverse if self.shared else 0
        self._low_times_factor = 0
        # Stage C.
        self._at_least = 0
        # The output stage.
        self._leaving = False
        self._begin = False
        self._out = 0
        self._borrow = 0
        self._beat: tuple[int, bool] | None = None  # the output register: word, last
        self._begun = False
        self._result = 0  # S
        self._candidates: tuple[int, ...] = ()
        self._number = 0

    def operands(self, x: int, y: int) -> tuple[Sequence[int], tuple[Row, ...]]:
        """Return a product's operands in the form for `step`."""
        return self._split(x, self.words), self._to_rows(y)

    @property
    def busy(self) -> bool:
        """Whether a pass is in stage R or pending, or F is in use."""
        sequencer = self._sequencer
        sends = sequencer.leading or sequencer.trailing or sequencer.now.active
        return sends or sequencer.f_busy or self._beat is not None

    def step(
        self,
        operands: tuple[Sequence[int], tuple[Row, ...]] | None = None,
        z_ready: bool = True,
    ) -> FastCycle:
        """Run one clock cycle and return its state.

        Args:
            operands: the next product's operands if complete in this cycle, otherwise None. They
                are accepted if the next cycle starts a product.
            z_ready: whether the consumer accepts the offered word.
        """
        r_slot = self._sequencer.slot()
        a_slot, c_slot = self._a_slot, self._c_slot
        task = a_slot.task
        head, tail, f_row = self._t[0], self._t[-1], self._f[0]

        # Stage A: T plus the products, word by word; each word keeps its carry on top.
        sums, top = self._accumulate(a_slot)
        low = sums[0] % (1 << self.w) if task.capture and a_slot.first else self._low

        # Stage C and the output stage.
        f_from_tail = c_slot.task.result and self.shared
        complete = (f_from_tail and c_slot.last) or (task.moved and a_slot.last)
        word, borrow = self._output_word() if self._leaving else (None, 0)
        last_word = self._leaving and self._out == self.words - 1
        registered = self.shared or self.early
        taken = self._leaving and (z_ready or (registered and self._beat is None))
        z, z_last = (self._beat or (None, False)) if registered else (word, last_word)
        gone = z_last and z_ready if self.early else taken and last_word
        f_turn = self._turns and taken and (self._out % self.npe == self.npe - 1)

        seen = FastCycle(
            number=self._number,
            slots=(r_slot, self._m_slot, a_slot, c_slot),
            tail=tail,
            top=self._top,
            low=self._low,
            product=self._low_times_factor,
            lane_products=self._lane_products,
            at_least=self._at_least,
            f_row=f_row,
            start=r_slot.task.begins and r_slot.first,
            release=r_slot.task.final_a and r_slot.last,
            done=self._begun if self.shared else self._begin,
            z=z,
            z_last=z_last,
            candidates=self._candidates,
        )

        # The clock edge.
        if c_slot.task.result and c_slot.last:
            self._at_least = self._compare()
        if task.f_from_head or f_from_tail or f_turn:
            self._f.append(tail if self.shared else head)
        if (task.f_from_head and a_slot.last) or (f_from_tail and c_slot.last):
            self._f_top = self._top
        if not a_slot.hold:
            self._t.append(sums)
            if a_slot.last:
                self._top = top
            self._edge = self._lane_products[-1] >> self.w
        self._lane_products = tuple(self._a_word * b for b in self._b_row)
        if r_slot.first or r_slot.load:
            self._a_word = self._multiplier_word(r_slot.task, low, sums[0] % (1 << self.w))
        self._b_row = r_slot.task.rows[r_slot.row] if r_slot.task.rows else (0,) * self.npe
        self._low_times_factor = self._low * self.n0_inverse % (1 << self.w)
        self._low = low
        if word is not None and taken:
            self._beat = word, last_word
            self._candidates = self._words_of_candidates()
        elif z_ready:
            self._beat = None
        if taken:
            self._out = 0 if last_word else self._out + 1
            self._borrow = 0 if last_word else borrow
            self._leaving = not last_word
        if complete:
            self._leaving, self._out, self._borrow = True, 0, 0
            if self.early:
                self._first_word()
        self._begun, self._begin = self._begin, complete
        self._m_slot, self._a_slot, self._c_slot = r_slot, self._m_slot, a_slot
        self._sequencer.advance(operands, gone=gone)
        self._number += 1
        return seen

    def _accumulate(self, slot: PassSlot) -> tuple[Row, int]:
        """Return the new row of T, and the new top word if this is the last slot of a pass."""
        task, w = slot.task, self.w
        mask = (1 << w) - 1
        if task.fresh:
            base, top, above = (0,) * self.npe, 0, 0
        else:
            queue = self._f if task.from_f else self._t
            base = queue[0]
            top = self._f_top if task.from_f else self._top
            above = queue[1][0] if self.rows > 1 else 0
        if slot.last:
            above = top
        highs = (0 if slot.first else self._edge, *(p >> w for p in self._lane_products))
        uppers = (*base[1:], above)
        sums = []
        for lane, product in enumerate(self._lane_products):
            # When shifted, a word is replaced by the one above it; the deferred carry has its
            # weight.
            own = (uppers[lane] & mask) + (base[lane] >> w) if task.shift else base[lane]
            sums.append(own + (product & mask) + highs[lane])
        new_top = highs[-1] + (top >> w if task.shift else top)
        if max(*sums, new_top) >> (w + 3):
            raise AssertionError(f"a word of T outgrows its {w + 3} bits in slot {slot}")
        return tuple(sums), new_top

    def _multiplier_word(self, task: Pass, low: int, new_low: int) -> int:
        match task.multiplier:
            case PassMultiplier.X:
                return self._sequencer.x[task.index]
            case PassMultiplier.LOW:
                return low
            case PassMultiplier.NEW_LOW:
                return new_low
            case PassMultiplier.QUOTIENT:
                return low if self.shared else self._low_times_factor
            case PassMultiplier.ZERO:
                return 0

    def _compare(self) -> int:
        """Return how often m fits into S; the last row of S * 2^w must be in T."""
        words = [word for row in self._t for word in row] + [self._top]
        total = sum(word << (self.w * number) for number, word in enumerate(words))
        if total % (1 << self.w) or total >> self.w >= 3 * self.m:
            raise AssertionError(f"S is not a whole number below 3 m: T = {total:#x}")
        return min((total >> self.w) // self.m, 2)

    def _output_word(self) -> tuple[int, int]:
        """Return the result word to output, and the carry (-1, 0 or 1) to the next one."""
        row, lane = divmod(self._out, self.npe)
        if lane < self.npe - 1:
            word = self._f[0][lane + 1]
        elif row < self.rows - 1:
            word = self._f[1][0]
        else:
            word = self._f_top
        multiple = self._at_least * self.m >> (self.w * self._out)
        mask = (1 << self.w) - 1
        value = (word & mask) + (self._f[0][lane] >> self.w) - (multiple & mask) + self._borrow
        return value & mask, value >> self.w

    def _first_word(self) -> None:
        """Load the output register with the first word of the result that is now in F."""
        words = [*(word for row in self._f for word in row), self._f_top]
        self._result = sum(word << (self.w * number) for number, word in enumerate(words)) >> self.w
        self._candidates = self._words_of_candidates()
        word, self._borrow = self._output_word()
        self._beat = word, self.words == 1
        self._leaving, self._out = self.words > 1, int(self.words > 1)

    def _words_of_candidates(self) -> tuple[int, ...]:
        """Return the present word of S, S - m and S - 2m."""
        mask = (1 << self.w) - 1
        below = self.w * self._out
        return tuple((self._result - multiple * self.m) >> below & mask for multiple in range(3))

    def _split(self, value: int, words: int) -> tuple[int, ...]:
        return tuple(value >> (self.w * n) & ((1 << self.w) - 1) for n in range(words))

    def _to_rows(self, value: int) -> tuple[Row, ...]:
        words = self._split(value, self.rows * self.npe)
        return tuple(words[n : n + self.npe] for n in range(0, len(words), self.npe))


@dataclass
class _Loader:
    """The two operand banks, filled without pauses: hw/common/rtl/montcore_loader.sv."""

    words: int
    left: int  # packets that have not begun or not ended
    full: list[bool] = field(default_factory=lambda: [False, False])
    fill: int = 0
    use: int = 0
    beat: int = 0

    def completes(self) -> bool:
        """Return whether the last beat of a packet is accepted in this cycle."""
        return self.left > 0 and not self.full[self.fill] and self.beat == self.words - 1

    def available(self) -> bool:
        """Return whether a product can begin."""
        return self.full[self.use] or (self.completes() and self.fill == self.use)

    def advance(self, release: bool) -> None:
        """Go to the next cycle."""
        completes, takes = self.completes(), self.left > 0 and not self.full[self.fill]
        if release:
            self.full[self.use] = False
            self.use ^= 1
        if completes:
            self.full[self.fill] = True
            self.fill ^= 1
            self.left -= 1
            self.beat = 0
        elif takes:
            self.beat += 1


@dataclass(frozen=True)
class StreamResult:
    """One product of a stream.

    Attributes:
        result: the product and its cycle counts.
        interval: cycles since the first word of the previous result, None for the first result.
        at_least: how often m was subtracted.
    """

    result: ModelResult
    interval: int | None
    at_least: int


def trace(
    array: Array, products: Iterable[tuple[int, int]], m: int, length: int
) -> Iterator[FastCycle]:
    """Yield every cycle of back-to-back products of one modulus.

    The first beats of the first product are accepted in cycle 0; the last cycle offers the last
    result word.

    Raises:
        ValueError: the modulus or an operand is out of range.
    """
    for cycle, _ in _run(array, list(products), m, length):
        yield cycle


def stream(
    array: Array, products: Iterable[tuple[int, int]], m: int, length: int
) -> list[StreamResult]:
    """Return the results and cycle counts of back-to-back products.

    Raises:
        ValueError: the modulus or an operand is out of range.
    """
    taken: deque[int] = deque()
    started: deque[int] = deque()
    found: list[StreamResult] = []
    words: list[int] = []
    first, before = 0, None
    core_cycles = 0
    for cycle, completes in _run(array, list(products), m, length):
        if completes:
            taken.append(cycle.number)
        if cycle.start:
            started.append(cycle.number)
        if cycle.done:
            first, core_cycles = cycle.number, cycle.number - started.popleft()
        if cycle.z is not None:
            words.append(cycle.z)
        if cycle.z_last:
            z = sum(word << (array.w * number) for number, word in enumerate(words))
            result = ModelResult(z, core_cycles, first - taken.popleft())
            interval = None if before is None else first - before
            found.append(StreamResult(result, interval, cycle.at_least))
            before, words = first, []
    return found


def run(array: Array, x: int, y: int, m: int, length: int) -> ModelResult:
    """Run one product from idle.

    Raises:
        ValueError: the modulus or an operand is out of range.
    """
    return stream(array, [(x, y)], m, length)[0].result


def _run(
    array: Array, products: Sequence[tuple[int, int]], m: int, length: int
) -> Iterator[tuple[FastCycle, bool]]:
    """Yield the cycles, and whether a product's last operand beats are accepted in each."""
    for x, y in products:
        check_operands(x, y, m)
    if m >> length:
        raise ValueError(f"the modulus has more than {length} bits")
    datapath = FastDatapath(array, m, length)
    loader = _Loader(datapath.words, len(products))
    waiting = deque(datapath.operands(x, y) for x, y in products)
    results = 0
    while results < len(products):
        cycle = datapath.step(waiting[0] if waiting and loader.available() else None)
        yield cycle, loader.completes()
        if cycle.start:
            waiting.popleft()
        loader.advance(cycle.release)
        results += cycle.z_last
