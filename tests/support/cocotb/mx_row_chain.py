# SPDX-License-Identifier: Apache-2.0
"""Drives `montcore_mx_row` alone: unreduced results below 2 m are fed back as operands."""

import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from montcore.model import rows

PERIOD_NS = 10


class RowBench:
    """The row, driven as its front end does."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.w, self.words = int(dut.WordBits.value), int(dut.Words.value)
        self.k = self.w * self.words

    async def start(self) -> None:
        """Start the clock and reset."""
        for name in ("clear_i", "m_we_i", "m_index_i", "m_data_i", "all_i", "begin_i"):
            getattr(self.dut, name).value = 0
        for name in ("y_word_i", "digit_i", "phase_i", "take_i", "rst_ni"):
            getattr(self.dut, name).value = 0
        self.dut.words_i.value = self.words
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        for _ in range(3):
            await RisingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1

    def word(self, value: int, place: int) -> int:
        """Return one word of a number."""
        return value >> (self.w * place) & ((1 << self.w) - 1)

    async def load(self, m: int) -> None:
        """Write the modulus."""
        for place in range(self.words):
            self.dut.m_we_i.value = 1
            self.dut.m_index_i.value = place
            self.dut.m_data_i.value = self.word(m, place)
            await RisingEdge(self.dut.clk_i)
        self.dut.m_we_i.value = 0

    async def multiply(self, x: int, y: int) -> int:
        """Return the sum of the two result vectors."""
        dut, end = self.dut, 2 * (self.k + 2)
        total = 0
        # Cycle 0 is block 0's first; inputs driven in a cycle take effect in the next.
        for cycle in range(-1, end + self.words + 2):
            following = cycle + 1
            dut.begin_i.value = int(following == 0)
            # The head receives the bits above the words.
            dut.y_word_i.value = self.word(y, following) if following <= self.words else 0
            running = following < end and following % 2 == 0
            dut.digit_i.value = x >> (following // 2) & 1 if running else 0
            dut.phase_i.value = following % 2
            dut.take_i.value = int(cycle == end)
            await FallingEdge(dut.clk_i)
            place = cycle - end - 1
            assert int(dut.first_o.value) == int(place == 0)
            if place >= 0:
                total += (int(dut.a_o.value) + int(dut.b_o.value)) << (self.w * place)
            await RisingEdge(dut.clk_i)
        return total


@cocotb.test()
async def powers_without_a_subtraction(dut: Any) -> None:
    bench = RowBench(dut)
    await bench.start()
    rng = random.Random(11)
    k, unreduced = bench.k, 0
    for m in ((1 << k) - 1, rng.getrandbits(k) | 1 | 1 << (k - 1), rng.getrandbits(k - 5) | 1):
        await bench.load(m)
        r = 1 << (k + 2)
        base, exponent = rng.randrange(m), rng.getrandbits(12) | 1 << 11
        # The largest possible chained operand: the canonical one plus m.
        power = r % m + m
        factor = base * r % m + m
        for digit in f"{exponent:b}":
            for other in ("power", "factor")[: 1 + int(digit)]:
                y = power if other == "power" else factor
                result = await bench.multiply(power, y)
                assert result == rows.uncorrected(rows.MX, power, y, m, k + 2)
                assert result < 2 * m and result * r % m == power * y % m
                unreduced += result >= m
                power = result
        # A product by 1 leaves the Montgomery domain; the result is canonical except that it may
        # be m.
        assert await bench.multiply(power, 1) in (pow(base, exponent, m), m)
        assert power * pow(r, -1, m) % m == pow(base, exponent, m)
    assert unreduced > 0, "every result was canonical: nothing was shown"
