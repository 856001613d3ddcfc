# SPDX-License-Identifier: Apache-2.0
"""Compares the row of `dsp` with its model: value and cycle of every quotient digit and S pair."""

from collections.abc import Sequence
from typing import Any

import cocotb
from port_driver import PortBench

from montcore.cores.dsp import BUS_WIDTH, Clocking, Dsp
from montcore.model import dsp as model
from montcore.model.spec import montgomery_product, n0_inverse

PAIR = (1 << (2 * model.RADIX_BITS)) - 1
RANDOM_PRODUCTS = 3


def config_of(dut: Any) -> Dsp:
    """Return the configuration of the simulated top module."""
    double = hasattr(dut, "clk2x_i")
    return Dsp(
        bits=int(dut.Length.value),
        alpha=int(dut.Alpha.value),
        clocking=Clocking.DOUBLE if double else Clocking.SINGLE,
    )


class Watch:
    """Checks the sums of all blocks for one modulus, from its set-up on.

    Attributes:
        halves: S after each half-iteration, in order, and whether it is an operation's first.
        digits: the word of S that becomes the next quotient digit, after each iteration.
    """

    def __init__(self, bench: PortBench, config: Dsp, m: int, length: int) -> None:
        self.bench, self.config, self.m = bench, config, m
        self.size = config.sizes(length)
        self.inverse = n0_inverse(m, model.INVERSE_BITS)
        self.scaled = (self.inverse * m + 1) >> model.INVERSE_BITS
        self.core = bench.dut.u_core
        self.row = self.core.u_engine.u_row
        self.blocks = [self.row.g_block[k].u_block for k in range(config.alpha)]
        self.halves: list[tuple[bool, int]] = []
        self.digits: list[int] = []
        self.seen_digits = 0
        self.counts = [0] * config.alpha
        self.begins: list[int] = []
        self.tick = 0
        self._reduction(1, self.inverse)  # M'' = (1 + M' m) / 2^34

    def multiply(self, x: int, y: int, words: int) -> None:
        """Queue a product and its reduction."""
        self.bench.multiply(x, y, words)
        n, m = self.size.digits, self.m
        row = model.DspRow()
        lazy = model.product(y, x, m, n, row)
        quotients = [0, 0, *row.digits]
        self._queue(
            self.size.product_halves,
            [(x >> model.RADIX_BITS * i & model.MASK) * y for i in range(n)] + [0, 0],
            [quotient * self.scaled for quotient in quotients],
        )
        assert self.digits[-n - 2 :] == row.digits
        # Block 0 reads the low words of M' for every pair number; the other blocks read m.
        block = 34 * self.size.half
        low = sum(self.inverse << (34 * slot) for slot in range(self.size.half))
        low += m >> block << block
        # Only the words of the row are kept; higher bits are lost.
        room = (1 << (34 * self.size.half * self.config.alpha)) - 1
        words_of_z = [lazy >> model.RADIX_BITS * i & model.MASK for i in range(2)]
        self._queue(model.DIGIT_HALVES, [word * low for word in words_of_z], [], room)
        quotient = self.digits[-2] | self.digits[-1] << model.RADIX_BITS
        assert quotient == lazy * self.inverse % (1 << model.INVERSE_BITS)
        assert self._reduction(lazy, quotient) == model.reduce(lazy, m)

    def _reduction(self, value: int, quotient: int) -> int:
        """Queue (value + quotient m) / 2^34 and return it."""
        words = [quotient >> model.RADIX_BITS * i & model.MASK for i in range(2)]
        # The row has all of value but its lowest word, which the low word of q m complements to
        # 2^17; if it is 0, the 1 remains in the lowest word.
        total = self._queue(
            model.REDUCTION_HALVES,
            [0, (value >> model.RADIX_BITS) + 1],
            [word * self.m for word in words],
        )
        assert total & model.MASK == int(value & model.MASK == 0)
        return total >> model.RADIX_BITS

    def _queue(
        self,
        halves: Sequence[model.Half],
        of_operand: Sequence[int],
        of_modulus: Sequence[int],
        room: int = -1,
    ) -> int:
        """Queue S after each half-iteration and the digit of each iteration; return the last S.

        Args:
            halves: the half-iterations.
            of_operand: the product that is added in each iteration with an operand.
            of_modulus: the one in each iteration with the modulus.
            room: the bits of S that the row keeps.
        """
        total, before = 0, -1
        for number, (i, modulus) in enumerate(halves):
            if i != before:
                total >>= model.RADIX_BITS
            total = total + (of_modulus if modulus else of_operand)[i] & room
            self.halves.append((number == 0, total))
            if number == len(halves) - 1 or halves[number + 1].iteration != i:
                self.digits.append(total & model.MASK)
            before = i
        return total

    def look(self) -> None:
        """Check one cycle."""
        if not int(self.core.tick_i.value) or int(self.core.clear.value):
            return
        self.tick += 1
        half = self.size.half
        for k, block in enumerate(self.blocks):
            if not int(block.add_i.value):
                continue
            number, slot = divmod(self.counts[k], half)
            self.counts[k] += 1
            begins, total = self.halves[number]
            if k == 0 and begins and slot == 0:
                self.begins += [self.tick - number * half] * (number - len(self.begins) + 1)
            where = f"half-iteration {number}, block {k}, pair {slot}"
            want = total >> (34 * (k * half + slot)) & PAIR
            found = int(block.sum_o.value)
            assert found == want, f"S is {found:#x} and not {want:#x}: {where}"
            if k == 0 and not begins and slot == 0:
                self.begins.append(self.begins[-1])
            due = self.begins[number] + (number + k) * half + slot
            assert self.tick == due, f"tick {self.tick} and not {due}: {where}"
        if int(self.row.digit_valid_o.value):
            want, found = self.digits[self.seen_digits], int(self.row.digit_o.value)
            assert found == want, f"digit {self.seen_digits} is {found:#x} and not {want:#x}"
            self.seen_digits += 1

    def check_complete(self) -> None:
        """Check that no expected value is missing."""
        assert self.seen_digits == len(self.digits)
        assert self.counts == [len(self.halves) * self.size.half] * self.config.alpha


def lengths(config: Dsp) -> list[int]:
    """Return a run-time length for each number of pairs that a block can have."""
    found = {}
    for words in range(1, -(-config.bits // BUS_WIDTH) + 1):
        length = min(config.bits, BUS_WIDTH * words)
        found[config.sizes(length).half] = length
    return [*found.values(), min(config.bits, BUS_WIDTH)]


@cocotb.test()
async def every_number_is_as_in_the_model(dut: Any) -> None:
    config = config_of(dut)
    bench = PortBench(dut, word_bits=BUS_WIDTH)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.idle()
    for length in dict.fromkeys(lengths(config)):
        words = config.sizes(length).bits + BUS_WIDTH - 1 >> 5
        top = 1 << length
        for m in (top - 1, bench.random.getrandbits(length) | 1 | top >> 1, 3, top - (1 << 31) + 1):
            if m < 3:
                continue
            watch = Watch(bench, config, m, length)
            bench.observers = [watch.look]
            assert await bench.load(m, words) == 0
            pairs = [(m - 1, m - 1), (0, m - 1)]
            for _ in range(RANDOM_PRODUCTS):
                pairs.append((bench.random.randrange(m), bench.random.randrange(m)))
            for x, y in pairs:
                watch.multiply(x, y, words)
            answers = await bench.results(len(pairs))
            await bench.idle()
            bench.observers = []
            watch.check_complete()
            r_bits = 17 * config.sizes(length).digits + 34
            for (x, y), answer in zip(pairs, answers, strict=True):
                wanted = montgomery_product(x, y, m, r_bits)
                assert bench.value(answer, words) == wanted, f"{x:#x} * {y:#x} mod {m:#x}"
            cycles = (1 if config.double else 2) * config.sizes(length).row_cycles
            taken = [done - start for start, done in zip(bench.starts, bench.dones, strict=True)]
            assert taken == [cycles] * len(pairs)
            bench.starts, bench.dones = [], []
