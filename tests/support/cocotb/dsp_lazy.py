# SPDX-License-Identifier: Apache-2.0
"""The row of `dsp` as the exponentiator's unit: independent products that are offered at once."""

import random
from itertools import pairwise
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from montcore.cores.dsp import Dsp
from montcore.model import dsp as model

PRODUCTS = 6
LIMIT = 60_000


def pairs_of(value: int, count: int) -> list[int]:
    """Return a number as pairs of words, lowest first."""
    return [value >> 34 * i & (1 << 34) - 1 for i in range(count)]


class Unit:
    """Drives `montcore_modexp_dsp`, one clock cycle at a time, and collects its results."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.cycle, self.beats = 0, 0
        self.starts: list[int] = []
        self.results: list[int] = []

    async def tick(self) -> None:
        """Advance one cycle; inputs change at the falling edge."""
        await FallingEdge(self.dut.clk_i)
        self.cycle += 1
        assert self.cycle < LIMIT, "the unit hangs"
        if int(self.dut.u_engine.start_o.value) and int(self.dut.tick.value):
            self.starts.append(self.cycle)
        if int(self.dut.z_valid_o.value):
            if self.beats == 0:
                self.results.append(0)
            self.results[-1] |= int(self.dut.z_data_o.value) << 34 * self.beats
            self.beats = (self.beats + 1) % int(self.dut.beats_o.value)

    async def accepted(self, ready: Any) -> None:
        """Advance past the edge that accepts a beat; no ready output depends on an input."""
        while not int(ready.value):
            await self.tick()
        await self.tick()

    async def load(self, m: int, count: int) -> None:
        """Load a modulus."""
        dut = self.dut
        for beat in pairs_of(m, count):
            dut.cfg_valid_i.value, dut.cfg_data_i.value = 1, beat
            await self.accepted(dut.cfg_ready_o)
        dut.cfg_valid_i.value = 0
        while not int(dut.cfg_done_o.value):
            await self.tick()

    async def multiply(self, x: int, y: int, count: int, canonical: bool) -> None:
        """Send the operands of a product as soon as they are accepted."""
        dut = self.dut
        dut.canonical_i.value, dut.xy_valid_i.value = int(canonical), 1
        for index, (low, high) in enumerate(
            zip(pairs_of(x, count), pairs_of(y, count), strict=True)
        ):
            dut.x_data_i.value, dut.y_data_i.value = low, high
            dut.xy_last_i.value = int(index == count - 1)
            await self.accepted(dut.xy_ready_o)
        dut.xy_valid_i.value = 0


@cocotb.test()
async def independent_products_leave_no_gap(dut: Any) -> None:
    """Lazy, reduced and mixed products: right results, at the interval of the model."""
    bits, alpha = int(dut.Length.value), int(dut.Alpha.value)
    config = Dsp(bits=bits, alpha=alpha)
    size, rng, unit = config.sizes(bits), random.Random(5), Unit(dut)
    for name in ("rst_ni", "zeroize_i", "cfg_valid_i", "cfg_last_i", "xy_valid_i", "xy_last_i"):
        getattr(dut, name).value = 0
    dut.z_ready_i.value, dut.length_i.value = 1, bits
    Clock(dut.clk_i, 10, "ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_ni.value, dut.zeroize_i.value = 1, 1
    await unit.tick()
    dut.zeroize_i.value = 0
    await unit.tick()
    while int(dut.busy_o.value):
        await unit.tick()
    m = rng.getrandbits(bits) | 1 << bits - 1 | 1
    await unit.load(m, size.pairs)
    for kinds in ([False] * PRODUCTS, [True] * PRODUCTS, [False, True, True, False, True, False]):
        unit.starts, unit.results = [], []
        operands = [(rng.randrange(m), rng.randrange(m)) for _ in kinds]
        for (x, y), canonical in zip(operands, kinds, strict=True):
            await unit.multiply(x, y, size.pairs, canonical)
        while int(dut.busy_o.value):
            await unit.tick()
        multiply = model.lazy_multiplier(m, size.digits).product
        wanted = [
            multiply(x, y, canonical=kind) for (x, y), kind in zip(operands, kinds, strict=True)
        ]
        assert unit.results == wanted, (kinds, unit.results, wanted, m, unit.starts)
        intervals = [late - early for early, late in pairwise(unit.starts)]
        ticks = [size.reduced_interval if kind else size.free_interval for kind in kinds[:-1]]
        assert intervals == [2 * count for count in ticks], (intervals, ticks)
