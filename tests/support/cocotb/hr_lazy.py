# SPDX-License-Identifier: Apache-2.0
"""Drives `montcore_modexp_hr` alone: the value and the cycle of every word of a result."""

import os
import random
from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from port_driver import registers

from montcore.model.row_high import LIMIT, STAGES, HighSizes, beats, lazy_product

PERIOD_NS = 10
#: Environment variable: the largest modulus that is tested with all operands.
MOST = "MONTCORE_BENCH_MOST"
#: Upper bound on the cycles of any wait.
PATIENCE = 3000


class Unit:
    """The unit in simulation.

    Inputs change at falling edges, after the outputs of the cycle have been read, so that a result
    word can be fed back in the cycle in which it appears.
    """

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.w, self.radix = int(dut.WordBits.value), int(dut.Radix.value)
        self.built = int(dut.Length.value)
        self.sizes = HighSizes(self.radix, self.w, beats(self.w, self.built))
        self.length = self.built
        self.m = 0
        self.number = 0

    @property
    def beats(self) -> int:
        """Beats of an operand."""
        return beats(self.w, self.length)

    @property
    def words(self) -> int:
        """Words of the modulus."""
        return -(-self.length // self.w)

    @property
    def n(self) -> int:
        """Iterations of a product."""
        return self.sizes.iterations(self.words)

    def flag(self, name: str) -> bool:
        """Return an output of one bit."""
        return bool(int(getattr(self.dut, name).value))

    def split(self, value: int) -> list[int]:
        """Return the beats of a number."""
        return [value >> self.w * place & ((1 << self.w) - 1) for place in range(self.beats)]

    async def start(self) -> None:
        """Start the clock, reset and clear."""
        for name in ("zeroize_i", "cfg_valid_i", "cfg_data_i", "cfg_last_i", "xy_valid_i"):
            getattr(self.dut, name).value = 0
        for name in ("x_data_i", "y_data_i", "xy_last_i", "canonical_i"):
            getattr(self.dut, name).value = 0
        self.dut.z_ready_i.value = 1
        self.dut.length_i.value = 1
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        await self.reset()
        await self.zeroize()

    async def reset(self) -> None:
        """Reset for two cycles."""
        self.dut.rst_ni.value = 0
        await self.cycle()
        await self.cycle()
        self.dut.rst_ni.value = 1
        await self.cycle()

    async def zeroize(self) -> None:
        """Clear everything; no output may be valid meanwhile."""
        self.dut.zeroize_i.value = 1
        await self.cycle()
        self.dut.zeroize_i.value = 0
        for _ in range(PATIENCE):
            assert not self.flag("z_valid_o") and not self.flag("cfg_done_o")
            if not self.flag("busy_o"):
                return
            await self.cycle()
        raise AssertionError("the unit is not cleared")

    async def cycle(self) -> None:
        """Advance to the next falling edge."""
        await RisingEdge(self.dut.clk_i)
        await FallingEdge(self.dut.clk_i)
        self.number += 1

    async def load(self, m: int, length: int) -> int:
        """Load a modulus; return the cycles until its constants are computed."""
        self.m, self.length = m, length
        self.dut.length_i.value = length
        await self.cycle()
        await self.cycle()
        assert int(self.dut.beats_o.value) == self.beats
        assert int(self.dut.radix_o.value) == int(self.dut.power_o.value) == self.radix * self.n
        words = self.split(m)
        self.dut.cfg_valid_i.value = 1
        for place, word in enumerate(words):
            self.dut.cfg_data_i.value = word
            self.dut.cfg_last_i.value = int(place == len(words) - 1)
            assert self.flag("cfg_ready_o")
            await self.cycle()
        self.dut.cfg_valid_i.value = 0
        for cycles in range(PATIENCE):
            if self.flag("cfg_done_o"):
                return cycles
            assert not self.flag("xy_ready_o")
            await self.cycle()
        raise AssertionError("the constants of a modulus are not made")

    async def multiply(self, operands: Iterator[tuple[int, int]]) -> list[int]:
        """Start products as early as possible; check the value and cycle of each result word."""
        waiting: deque[tuple[int, int]] = deque()
        begun: list[int] = []
        results: list[int] = []
        x: list[int] = []
        y: list[int] = []
        word = 0
        pair = next(operands, None)
        for _ in range(PATIENCE * 100):
            if self.flag("z_valid_o"):
                at, wanted = waiting[0]
                assert self.number == at + self.n + STAGES + word, "a word comes too late or early"
                found = int(self.dut.z_data_o.value)
                assert found == self.split(wanted)[word], f"word {word} of {wanted:#x}: {found:#x}"
                word += 1
                if word == self.beats:
                    results.append(wanted)
                    waiting.popleft()
                    word = 0
            elif word:
                raise AssertionError("a gap in a result")
            ready = self.flag("xy_ready_o")
            if not x and pair is not None and ready:
                x, y = self.split(pair[0]), self.split(pair[1])
                waiting.append((self.number, lazy_product(self.radix, self.n, *pair, self.m)))
                begun.append(self.number)
                pair = next(operands, None)
            self.dut.xy_valid_i.value = int(bool(x))
            if x:
                assert ready, "the unit is not ready for a beat of an operand that has begun"
                self.dut.xy_last_i.value = int(len(x) == 1)
                self.dut.x_data_i.value, self.dut.y_data_i.value = x.pop(0), y.pop(0)
            elif not waiting:
                break
            await self.cycle()
        pauses = {later - earlier for earlier, later in pairwise(begun)}
        assert pauses <= {self.n}, f"products begin after {pauses} cycles"
        await self.cycle()
        assert not self.flag("z_valid_o") and not self.flag("busy_o")
        return results

    async def squares(self, value: int, count: int) -> int:
        """Square a number repeatedly; each result word is fed back in the cycle it appears."""
        source = self.split(value)
        for step in range(count + 1):
            wanted = lazy_product(self.radix, self.n, value, value, self.m)
            begun = self.number
            for place in range(self.beats):
                if step:
                    assert self.flag("z_valid_o"), f"word {place} of square {step} is late"
                    source[place] = int(self.dut.z_data_o.value)
                assert step == count or self.flag("xy_ready_o")
                self.dut.xy_valid_i.value = int(step < count)
                self.dut.xy_last_i.value = int(place == self.beats - 1)
                self.dut.x_data_i.value = self.dut.y_data_i.value = source[place]
                await self.cycle()
            self.dut.xy_valid_i.value = 0
            assert source == self.split(value), f"square {step} is wrong"
            if step == count:
                return value
            value = wanted
            while self.number < begun + self.n + STAGES:
                assert not self.flag("z_valid_o")
                await self.cycle()
        raise AssertionError("no square")


def most(m: int) -> int:
    """Return the largest operand that is allowed."""
    return (m * LIMIT.numerator - 1) // LIMIT.denominator


def moduli(rng: random.Random, length: int) -> list[int]:
    """Return moduli of a length: all ones, the smallest, and random ones."""
    top = 1 << (length - 1)
    return [2 * top - 1, top + 1, rng.getrandbits(length) | top | 1]


@cocotb.test()
async def all_operands_of_small_moduli(dut: Any) -> None:
    unit = Unit(dut)
    await unit.start()
    for m in range(3, int(os.environ[MOST]) + 1, 2):
        await unit.load(m, m.bit_length())
        every = ((x, y) for x in range(most(m) + 1) for y in range(most(m) + 1))
        results = await unit.multiply(every)
        assert len(results) == (most(m) + 1) ** 2 and 0 < min(results) <= max(results) <= most(m)


@cocotb.test()
async def every_word_is_as_in_the_model(dut: Any) -> None:
    unit, rng = Unit(dut), random.Random(21)
    await unit.start()
    setups: dict[int, set[int]] = {}
    for length in dict.fromkeys((unit.built, unit.built - 1, min(unit.built, unit.w - 2), 8)):
        for m in moduli(rng, length):
            setups.setdefault(unit.beats, set()).add(await unit.load(m, length))
            pairs = [(most(m), most(m)), (0, 0), (0, most(m)), (m, 1), (m - 1, m - 1)]
            pairs += [(rng.randrange(most(m)), rng.randrange(most(m))) for _ in range(4)]
            assert len(await unit.multiply(iter(pairs))) == len(pairs)
    assert all(len(cycles) == 1 for cycles in setups.values()), "a set-up's time depends on data"


@cocotb.test()
async def results_go_back_in_as_they_come_out(dut: Any) -> None:
    unit, rng = Unit(dut), random.Random(22)
    await unit.start()
    for length in dict.fromkeys((unit.built, unit.built - 1, min(unit.built, unit.w - 2), 8)):
        above = 0
        for m in moduli(rng, length)[::2]:
            await unit.load(m, length)
            wanted = [most(m)]
            for _ in range(8):
                wanted.append(lazy_product(unit.radix, unit.n, wanted[-1], wanted[-1], m))
            found = await unit.squares(wanted[0], 8)
            assert found == wanted[-1]
            above += sum(value >= m for value in wanted[1:])
            # The last product, with 1, leaves the Montgomery domain; its result is below 2 m.
            (last,) = await unit.multiply(iter([(found, 1)]))
            assert last < 2 * m
            assert (last << unit.radix * unit.n) % m == found % m
        assert above, "every result was canonical: nothing was shown"


@cocotb.test()
async def works_after_zeroize_and_reset_at_any_moment(dut: Any) -> None:
    unit, rng = Unit(dut), random.Random(23)
    await unit.start()
    length = unit.built
    for after in range(1, unit.n + STAGES + unit.beats + 3, 5):
        m = rng.getrandbits(length) | 1 << (length - 1) | 1
        await unit.load(m, length)
        x, y = unit.split(most(m)), unit.split(m - 1)
        for place in range(after):
            unit.dut.xy_valid_i.value = int(place < unit.beats)
            unit.dut.xy_last_i.value = int(place == unit.beats - 1)
            unit.dut.x_data_i.value = x[min(place, unit.beats - 1)]
            unit.dut.y_data_i.value = y[min(place, unit.beats - 1)]
            await unit.cycle()
        unit.dut.xy_valid_i.value = 0
        if after % 2:
            await unit.reset()
        await unit.zeroize()
        left = {**registers(dut.u_x, "u_x."), **registers(dut.u_divide.u_m, "u_m.")}
        for j in range(unit.sizes.built):
            block = dut.u_row.g_block[j].u_block
            left |= {f"{name} of {j}": str(getattr(block, name).value) for name in ("b_q", "n_q")}
        found = [name for name, value in left.items() if "1" in value or "x" in value.lower()]
        assert len(left) > 2 * unit.sizes.built and not found, f"zeroize leaves {found}"
        await unit.load(m, length)
        (z,) = await unit.multiply(iter([(m - 1, most(m))]))
        assert (z << unit.radix * unit.n) % m == (m - 1) * most(m) % m
