# SPDX-License-Identifier: Apache-2.0
"""Drives `montcore_modexp_mx` alone and checks the value and the cycle of every result.

A result is two vectors, whose sum is that of the model. Results are fed back in the cycle in which
they appear, as the exponentiator does.
"""

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
import mx_lazy
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from montcore.model import row_lazy

PERIOD_NS = 10
#: Upper bound on the cycles of clearing the unit or loading a modulus.
LIMIT = 200
#: Up to this many bits, every pair of operands is multiplied for every modulus.
SMALL_BITS = 4


@dataclass(frozen=True)
class Product:
    """Operands as beats, None for the result being output, and the kind of product."""

    x: list[int] | None
    y: list[int] | None
    canonical: bool = False
    pause: int = 0


class Unit:
    """The unit, one clock cycle at a time; inputs change and outputs are sampled mid-cycle."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.random = dut, random.Random(7)
        self.w, self.length = int(dut.WordBits.value), int(dut.Length.value)
        self.built = -(-self.length // self.w)
        self.now, self.words, self.m = 0, self.built, 0
        self.due: deque[tuple[int, int]] = deque()  # first cycle and value of each result
        self.beats: list[int] = []  # of the result being output
        self.carried = 0  # results with a second vector
        self.free = 0  # first cycle in which operands are accepted

    async def start(self) -> None:
        """Start the clock, reset and clear."""
        for name in ("cfg_valid", "cfg_data", "cfg_last", "xy_valid", "x_data", "y_data"):
            getattr(self.dut, f"{name}_i").value = 0
        for name in ("xy_last", "canonical", "zeroize"):
            getattr(self.dut, f"{name}_i").value = 0
        self.dut.length_i.value, self.dut.z_ready_i.value, self.dut.rst_ni.value = 1, 1, 0
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        for _ in range(3):
            await RisingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1
        await self.zeroize()

    async def zeroize(self) -> None:
        """Clear the unit, and check that no further output appears."""
        await FallingEdge(self.dut.clk_i)
        self.dut.xy_valid_i.value, self.dut.zeroize_i.value = 0, 1
        await FallingEdge(self.dut.clk_i)
        self.dut.zeroize_i.value = 0
        self.due.clear()
        self.beats = []
        for _ in range(LIMIT):
            if not int(self.dut.busy_o.value):
                break
            assert not int(self.dut.z_valid_o.value)
            assert not int(self.dut.xy_ready_o.value) and not int(self.dut.cfg_ready_o.value)
            await FallingEdge(self.dut.clk_i)
        assert not int(self.dut.busy_o.value), "it is not cleared"
        assert not int(self.dut.z_data_o.value)
        self.now = self.free = 0

    async def load(self, m: int, words: int) -> None:
        """Load a modulus with a length in words."""
        dut, self.m, self.words = self.dut, m, words
        dut.length_i.value = min(self.length, self.w * words)
        for place in range(words):
            dut.cfg_valid_i.value, dut.cfg_last_i.value = 1, int(place == words - 1)
            dut.cfg_data_i.value = m >> self.w * place & ((1 << self.w) - 1)
            await RisingEdge(dut.clk_i)
            await FallingEdge(dut.clk_i)
        dut.cfg_valid_i.value = 0
        for _ in range(LIMIT):
            if int(dut.cfg_done_o.value):
                break
            await FallingEdge(dut.clk_i)
        assert int(dut.cfg_done_o.value), "the modulus is not loaded"
        assert (int(dut.beats_o.value), int(dut.leave_o.value)) == (words, 0)
        assert int(dut.radix_o.value) == int(dut.power_o.value) == self.w * words + 2
        self.now = self.free = 0

    def split(self, value: int) -> list[int]:
        """Return a number below 2^(k + 1) as beats of two vectors that are chosen at random."""
        k = self.w * self.words
        most = (1 << k) - 1
        if value <= most and self.random.random() < 0.2:
            return mx_lazy.beats(self.w, self.words, value)
        if value > most and (value > 2 * most or self.random.random() < 0.5):
            total = self.random.randrange(value - most)
            return mx_lazy.beats(self.w, self.words, total | 1 << k, value - most - 1 - total)
        total = self.random.randint(max(0, value - most), min(value, most))
        return mx_lazy.beats(self.w, self.words, total, value - total)

    def expect(self, begin: int, x: int, y: int, canonical: bool) -> int:
        """Note the result of a product that began in a cycle; return it."""
        times = mx_lazy.Times.of(self.w, self.words)
        r_bits = self.w * self.words + 2
        z = row_lazy.multiplier(self.m, r_bits).product(x, y, canonical=canonical)
        assert z < 2 * self.m and (z << r_bits) % self.m == x * y % self.m
        first = begin + (times.canonical if canonical else times.lazy)
        self.due.append((first, z))
        self.free = first + self.words if canonical else first
        return z

    def look(self) -> int | None:
        """Check the result output of a cycle; return its beat, if there is one."""
        begun = bool(self.due) and self.now >= self.due[0][0]
        assert bool(int(self.dut.z_valid_o.value)) == begun, f"beat in cycle {self.now}: {begun}"
        if not begun:
            return None
        shown = int(self.dut.z_data_o.value)
        self.beats.append(shown)
        if len(self.beats) == self.words:
            _, z = self.due.popleft()
            assert row_lazy.number(self.w, self.beats) == z, f"result in cycle {self.now}"
            self.carried += any(beat >> self.w for beat in self.beats)
            self.beats = []
        return shown

    async def cycle(self, product: Product | None = None, place: int = 0) -> None:
        """Run and check one cycle; feed a beat of operands if there is one."""
        dut = self.dut
        await FallingEdge(dut.clk_i)
        shown = self.look()
        assert not int(dut.z_error_o.value)
        ready = bool(int(dut.xy_ready_o.value))
        assert ready == (place > 0 or self.now >= self.free), f"ready in cycle {self.now}: {ready}"
        dut.xy_valid_i.value = int(product is not None)
        if product is not None:
            for stream, beats in ((dut.x_data_i, product.x), (dut.y_data_i, product.y)):
                stream.value = shown if beats is None else beats[place]
            dut.xy_last_i.value = int(place == self.words - 1)
            dut.canonical_i.value = int(product.canonical)
        await RisingEdge(dut.clk_i)
        self.now += 1

    async def give(self, product: Product, x: int, y: int) -> int:
        """Feed the operands of a product; return the expected result."""
        free = self.free
        found = self.expect(self.now, x, y, product.canonical)
        self.free, free = free, self.free
        for place in range(self.words):
            await self.cycle(product, place)
        self.free = free
        return found

    async def run(self, products: list[Product]) -> None:
        """Run products, each started as early as possible or after a pause."""
        last = 0
        for product in products:
            # A result is fed back while it is output; the unit is free again at that time.
            pause = 0 if product.x is None or product.y is None else product.pause
            while self.now < self.free + pause:
                await self.cycle()
            x, y = (
                last if beats is None else row_lazy.number(self.w, beats)
                for beats in (product.x, product.y)
            )
            last = await self.give(product, x, y)
        while self.due:
            await self.cycle()
        await self.cycle()


def edges(m: int, k: int) -> list[int]:
    """Return operands below 2 m that are likely to cause a carry or a bit above the words."""
    found = {0, 1, m - 1, m, m + 1, 2 * m - 1, (1 << k) - 1, 1 << k}
    return sorted(value for value in found if value < 2 * m)


@cocotb.test()
async def every_result_is_as_in_the_model(dut: Any) -> None:
    unit = Unit(dut)
    await unit.start()
    rng, k = unit.random, unit.w * unit.built
    if k <= SMALL_BITS:
        for m in range(3, 1 << k, 2):
            await unit.load(m, unit.built)
            pairs = [(x, y) for x in range(2 * m) for y in range(2 * m)]
            rng.shuffle(pairs)
            await unit.run(
                [Product(unit.split(x), unit.split(y), rng.random() < 0.3) for x, y in pairs]
            )
    for words in dict.fromkeys((unit.built, 1, max(1, unit.built - 1))):
        bits = unit.w * words
        for m in ((1 << bits) - 1, rng.getrandbits(bits) | 1 << (bits - 1) | 1, 3):
            await unit.load(m, words)
            products = []
            for x in edges(m, bits):
                y = rng.choice(edges(m, bits))
                kind, pause = rng.random() < 0.4, rng.choice((0, 0, 1, 5))
                products.append(Product(unit.split(x), unit.split(y), kind, pause))
            await unit.run(products)


@cocotb.test()
async def results_go_back_in_as_they_come_out(dut: Any) -> None:
    """Squares and products of the last result; its two vectors are never added outside the unit."""
    unit = Unit(dut)
    await unit.start()
    rng = unit.random
    for words in dict.fromkeys((unit.built, 1)):
        bits = unit.w * words
        dense, short = rng.getrandbits(bits) | 1 << (bits - 1) | 1, (1 << bits - 2) - 1
        for m in ((1 << bits) - 1, dense, short):
            await unit.load(m, words)
            factor = unit.split(rng.randrange(m) + m)
            products = [Product(factor, unit.split(2 * m - 1))]
            for _ in range(8):
                products += [Product(None, None), Product(None, factor), Product(factor, None)]
            # Leave the Montgomery domain: multiply by 1, and reduce below m.
            one = mx_lazy.beats(unit.w, words, 1)
            await unit.run([*products, Product(None, one, canonical=True)])
    assert unit.carried > 0, "no result had a second vector: nothing was shown"


@cocotb.test()
async def nothing_is_left_by_zeroize(dut: Any) -> None:
    """Zeroize at any moment of a product; a product after it is correct."""
    unit = Unit(dut)
    await unit.start()
    m = (1 << unit.w * unit.built) - 1
    operands = Product(unit.split(2 * m - 1), unit.split(m + 1))
    whole = mx_lazy.Times.of(unit.w, unit.built).lazy + unit.built
    for moment in range(0, whole + 2, 3):
        await unit.load(m, unit.built)
        await unit.give(operands, 2 * m - 1, m + 1)
        while unit.now < unit.built + moment:
            await unit.cycle()
        await unit.zeroize()
    await unit.load(m, unit.built)
    await unit.run([operands])
