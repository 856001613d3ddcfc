# SPDX-License-Identifier: Apache-2.0
"""Compares the registers of the rows' blocks with the models, cycle by cycle."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import cocotb
from smm_port import Bench

from montcore.model import row_high, row_radix4, row_ripple, rows
from montcore.model.spec import montgomery_product
from montcore.support.paths import PREFIX

#: One comparison: name, how to read the core's value, the model's value.
Check = tuple[str, Callable[[], int], int]

#: Cycles from core_start_o to block 0's first cycle of the product.
LEAD = {"mx": 1, "cs": 1, "op": 2}
#: Select lines of a digit of `cs4` and of a digit of A in `hr`.
LINES = {-1: 0b100, 0: 0b000, 1: 0b001, 2: 0b010}
#: Select lines of a quotient digit of `hr`.
QUOTIENT_LINES = {-2: 0b100, -1: 0b010, 0: 0b000, 1: 0b001}
ALGORITHMS = {"mx": rows.MX, "cs": rows.CS, "op": rows.OP}
VECTORS = {"mx": ("s_q", "c_q"), "cs": ("s_q", "c1_q", "c2_q"), "op": ("s_q", "c_q")}
#: Registers of the result vectors in an array.
ARRAY_VECTORS = {"mx": ("s_q", "c_q"), **dict.fromkeys(("cs", "op"), ("s_q", "c1_q", "c2_q"))}


class Subject:
    """A core in simulation: its sizes, and the registers that hold a product in each cycle."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.name = str(dut._name).removeprefix(PREFIX)
        self.w = int(dut.WordBits.value)
        self.built = -(-int(dut.Length.value) // self.w)
        self.array = self.name in VECTORS and bool(int(dut.Array.value))

    @property
    def beat_bits(self) -> int:
        """Bits of a beat."""
        return self.w * self.built if self.array else self.w

    def checks(self, x: int, y: int, m: int, words: int) -> Iterator[tuple[int, Check]]:
        """Yield what to compare for a product, with the cycle counted from core_start_o."""
        if self.array:
            return self._of_array(x, y, m)
        if self.name == "hr":
            return self._of_high(x, y, m, words)
        if self.name == "cs4":
            return self._of_radix4(x, y, m, words)
        if self.name == "rc":
            return self._of_ripple(x, y, m, words)
        return self._of_row(x, y, m, words)

    def _of_row(self, x: int, y: int, m: int, words: int) -> Iterator[tuple[int, Check]]:
        algorithm = ALGORITHMS[self.name]
        row = self.dut.g_row.u_row
        k = self.w * words
        for seen in rows.ModelRow(algorithm, self.w, self.built, m).trace(x, y, k):
            # Block j begins j cycles after block 0; before that it has another product.
            for j in range(words + 1):
                cycle = seen.number + LEAD[self.name]
                if j <= seen.number < algorithm.row_cycles(k) + j:
                    yield cycle, (f"q of block {j}", _bit(row.q, j), seen.q[j])
                if not j < seen.number <= algorithm.row_cycles(k) + j:
                    continue
                for name, value in zip(
                    VECTORS[self.name], (seen.s[j], seen.c[j], seen.c2[j]), strict=False
                ):
                    block = row.g_block[j].u_block
                    at = _number(getattr(block, name))
                    yield cycle, (f"{name} of block {j}", at, value)

    def _of_radix4(self, x: int, y: int, m: int, words: int) -> Iterator[tuple[int, Check]]:
        row, k = self.dut.u_row, self.w * words
        end = row_radix4.CS4.row_cycles(k)
        for seen in row_radix4.trace(self.w, self.built, x, y, m, k):
            # As below, one block at a time; the digit is encoded one-hot in three lines, {-1, 2,
            # 1}.
            cycle = seen.number + 1
            for j in range(min(words + 1, self.built)):
                block = row.g_block[j].u_block
                if j <= seen.number < end + j:
                    digit = (f"q of block {j}", _number(block.q_i), LINES[seen.q[j]])
                    yield cycle, digit
                if j < seen.number <= end + j:
                    yield cycle, (f"s_q of block {j}", _number(block.s_q), seen.s[j])
                    yield cycle, (f"c_q of block {j}", _number(block.c_q), seen.c[j])
            if 0 < seen.number <= end:
                yield cycle, ("the lowest cells", _number(row.u_digit.low_q), seen.low)
            if self.built < seen.number <= end + self.built:
                head = seen.head % (1 << row_radix4.HEAD_BITS)
                yield cycle, ("the head", _number(row.head_q), head)

    def sizes(self) -> row_high.HighSizes:
        """Return the sizes of `hr`."""
        return row_high.HighSizes(int(self.dut.Radix.value), self.w, self.built)

    def r_bits(self, words: int) -> int:
        """Return log2 of R."""
        if self.name == "hr":
            return self.sizes().radix * self.sizes().iterations(words)
        return self.w * words + (1 if self.name == "rc" else 2)

    def begins(self, bench: Bench) -> bool:
        """Whether a product begins; `hr` signals it once the operands are complete."""
        if self.name == "hr":
            return bool(int(self.dut.u_front.go_q.value))
        return bench.flag("core_start_o")

    def _of_high(self, x: int, y: int, m: int, words: int) -> Iterator[tuple[int, Check]]:
        return high_checks(self.dut.u_row, self.sizes(), x, y, m, words)

    def _of_ripple(self, x: int, y: int, m: int, words: int) -> Iterator[tuple[int, Check]]:
        row, k = self.dut.u_row, self.w * words
        end = row_ripple.RC.row_cycles(k)
        for seen in row_ripple.trace(self.w, self.built, x, y, m, k):
            for j in range(words + 1):
                cycle, block = seen.number + 1, row.g_block[j].u_block
                if j < seen.number < end + j:
                    yield cycle, (f"q of block {j}", _bit(row.q, j), seen.q[j])
                if j < seen.number <= end + j:
                    yield cycle, (f"s_q of block {j}", _number(block.s_q), seen.s[j])
                if j + 1 < seen.number <= end + j:
                    first, second = seen.carry[j]
                    both = 2 * second + first
                    yield cycle, (f"carries of block {j}", _number(block.carry_q), both)

    def _of_array(self, x: int, y: int, m: int) -> Iterator[tuple[int, Check]]:
        algorithm, grid = ALGORITHMS[self.name], self.dut.g_array.u_grid
        per_row = algorithm.cycles_per_digit
        for i, step in enumerate(rows.array_steps(algorithm, self.w, self.built, x, y, m)):
            for j in range(self.built + 1):
                block = grid.g_block[j]
                begins = per_row * i + j
                if j < self.built:
                    digit = (f"q of block {j} in row {i}", _bit(block.q, i), step.digit)
                    yield begins + per_row - 1, digit
                for cycle, blocks in enumerate(step.cycles, begins + 1):
                    for name, value in zip(ARRAY_VECTORS[self.name], blocks[j], strict=False):
                        rows_of_block = getattr(block.u_block, name)
                        width = int(block.u_block.Width.value)  # the last block is narrower
                        what = f"{name} of block {j} in row {i}"
                        yield cycle, (what, _row(rows_of_block, i, width), value)


def high_checks(
    row: Any, sizes: row_high.HighSizes, x: int, y: int, m: int, words: int
) -> Iterator[tuple[int, Check]]:
    """Yield what to compare in the row of `hr`; cycles count from the first digit's."""
    end = sizes.iterations(words)
    scaled = row_high.scaled(m, sizes.radix)
    for seen in row_high.HighRow(sizes, scaled).trace(x, y, words):
        cycle = seen.number + 2
        for j in range(min(words + 1, sizes.built)):
            block = row.g_block[j].u_block
            if j <= seen.number < end + j:
                a, q = _lines(seen.a[j], LINES), _lines(seen.q[j], QUOTIENT_LINES)
                yield cycle, (f"a of block {j}", _number(block.a_i), a)
                yield cycle, (f"q of block {j}", _number(block.q_i), q)
            if j < seen.number <= end + j:
                yield cycle, (f"s_q of block {j}", _number(block.s_q), seen.s[j])
                yield cycle, (f"c_q of block {j}", _number(block.c_q), seen.c[j])
                yield cycle, (f"up_q of block {j}", _number(block.up_q), seen.up[j])
        if 0 < seen.number <= end:
            yield cycle, ("the lowest columns", _number(row.u_lowest.low_q), seen.low)
            q = _lines(seen.digits, QUOTIENT_LINES)
            yield cycle, ("their digits", _number(row.u_lowest.q_q), q)


def _lines(digits: tuple[int, ...], lines: dict[int, int]) -> int:
    """Return the select lines of several digits, lowest first."""
    return sum(lines[digit] << 3 * place for place, digit in enumerate(digits))


def _number(signal: Any) -> Callable[[], int]:
    return lambda: int(signal.value)


def _row(signal: Any, row: int, width: int) -> Callable[[], int]:
    """Read one row of a vector that holds several."""
    return lambda: int(signal.value[width * (row + 1) - 1 : width * row])


def _bit(signal: Any, place: int) -> Callable[[], int]:
    return lambda: int(signal.value[place])


class Watch:
    """Compares the products of one modulus from their starts on."""

    def __init__(self, bench: Bench, subject: Subject, m: int, words: int) -> None:
        self.bench, self.subject, self.m, self.words = bench, subject, m, words
        self.waiting: deque[tuple[int, int]] = deque()
        self.due: dict[int, list[Check]] = {}
        self.compared = 0

    def multiply(self, x: int, y: int) -> None:
        """Queue a product."""
        self.bench.multiply(x, y, 1 if self.subject.array else self.words)
        self.waiting.append((x, y))

    def look(self) -> None:
        """Check one cycle."""
        number = self.bench.number
        if self.waiting and self.subject.begins(self.bench):
            x, y = self.waiting.popleft()
            for after, check in self.subject.checks(x, y, self.m, self.words):
                self.due.setdefault(number + after, []).append(check)
        for what, read, value in self.due.pop(number, []):
            found = read()
            assert found == value, f"{what} is {found:#x} and not {value:#x} in cycle {number}"
            self.compared += 1


@cocotb.test()
async def every_register_is_as_in_the_model(dut: Any) -> None:
    subject = Subject(dut)
    w, built = subject.w, subject.built
    bench = Bench(dut, word_bits=subject.beat_bits)
    await bench.start()
    await bench.idle()
    length = int(dut.Length.value)
    for bits in (length, length - 1, min(length, w)):
        words = built if subject.array else -(-bits // w)
        beats = 1 if subject.array else words
        for m in ((1 << bits) - 1, bench.random.getrandbits(bits) | 1 | 1 << (bits - 1)):
            bench.observers = []
            assert await bench.load(m, beats) == 0
            await bench.idle()
            watch = Watch(bench, subject, m, words)
            bench.observers = [watch.look]
            pairs = [(m - 1, m - 1), (0, m - 1), (1, 1)]
            pairs += [(bench.random.randrange(m), bench.random.randrange(m)) for _ in range(4)]
            answers = []
            # In `hr`, a product with few words is run again while the previous one leaves.
            at_a_time = 1 if subject.name == "hr" else len(pairs)
            for at in range(0, len(pairs), at_a_time):
                for x, y in pairs[at : at + at_a_time]:
                    watch.multiply(x, y)
                answers += await bench.results(at_a_time)
            for (x, y), answer in zip(pairs, answers, strict=True):
                z = montgomery_product(x, y, m, subject.r_bits(words))
                assert bench.value(answer, beats) == z, f"{x:#x} * {y:#x} mod {m:#x}"
            await bench.idle()
            assert not watch.due and not watch.waiting
            assert watch.compared > len(pairs) * w * words
