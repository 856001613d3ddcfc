# SPDX-License-Identifier: Apache-2.0
"""Drives a core's unit for lazy products alone: value and cycle of each result, for every core."""

import json
import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from port_driver import registers
from port_units import DESIGN, MOST, named

from montcore.cores.dsp import Dsp
from montcore.cores.hr import Hr
from montcore.cores.mx import Mx
from montcore.model.dsp import INVERSE_BITS
from montcore.model.row_high import LIMIT, STAGES
from montcore.model.spec import n0_inverse

PERIOD_NS = 10
#: Upper bound on the cycles of any wait.
PATIENCE = 60_000
#: Up to this many bits a unit is tested at several lengths and with several moduli.
SMALL_BITS = 64


class Facts(NamedTuple):
    """What a product of a kind must be like.

    Attributes:
        latency: cycles from the first beat of the operands to that of the result; None: it depends
            on the products before.
        interval: cycles from one product to the next.
    """

    latency: int | None
    interval: int


class LazyBench:
    """The unit in simulation.

    Inputs change at falling edges, after the outputs of the cycle have been read, so that a beat of
    a result can be fed back in the cycle in which it appears.
    """

    def __init__(self, dut: Any) -> None:
        core = named(*json.loads(os.environ[DESIGN]))
        assert isinstance(core, Dsp | Hr | Mx)
        unit = core.lazy_unit()
        assert unit is not None
        self.dut, self.core, self.unit = dut, core, unit
        self.random = Random(7)
        self.length, self.m = core.bits, 3
        self.cycles = 0
        self.shown: int | None = None  # beat of a result in this cycle
        self.beats: list[int] = []  # of the result that is output
        self.starts: list[int] = []  # cycle in which each product starts
        self.firsts: list[int] = []  # cycle of the first beat of each result
        self.results: list[int] = []
        self.two_vectors = False  # whether a result had a second vector

    @property
    def count(self) -> int:
        """Beats of an operand."""
        return self.unit.beats(self.length)

    @property
    def largest(self) -> int:
        """The largest operand."""
        if isinstance(self.core, Dsp):
            return 2 * n0_inverse(self.m, INVERSE_BITS) * self.m - 1
        limit = LIMIT if isinstance(self.core, Hr) else 2
        return (self.m * limit.numerator - 1) // limit.denominator

    def facts(self, canonical: bool) -> Facts:
        """Return what products of a kind must be like."""
        core, length = self.core, self.length
        if isinstance(core, Dsp):
            size = core.sizes(length)
            return Facts(None, 2 * (size.reduced_interval if canonical else size.free_interval))
        if isinstance(core, Hr):
            n = core.lazy_sizes.iterations(core.words(length))
            return Facts(n + STAGES, n)
        lazy = core.interval(length) + 4
        return (
            Facts(lazy + self.count + 1, lazy + 2 * self.count + 1)
            if canonical
            else Facts(lazy, lazy)
        )

    def product(self, x: int, y: int, canonical: bool) -> int:
        """Return the product by the unit's arithmetic."""
        return self.unit.arithmetic(self.m, self.length).product(x, y, canonical=canonical)

    def split(self, value: int) -> list[int]:
        """Return a number as beats; of two vectors, where a beat holds two, chosen at random."""
        w, places = self.unit.width, range(self.count)
        mask, most = (1 << w) - 1, (1 << w * self.count) - 1
        if not self.unit.extra_width:
            return [value >> w * place & mask for place in places]
        top = int(value > most and (value > 2 * most or self.random.random() < 0.5))
        rest = value - top * (most + 1)
        carry = self.random.randint(max(0, rest - most), min(rest, most))
        if rest <= most and self.random.random() < 0.2:
            carry = 0
        found = [
            (rest - carry >> w * place & mask) | (carry >> w * place & mask) << w
            for place in places
        ]
        found[-1] |= top << 2 * w
        return found

    def join(self, beats: Sequence[int]) -> int:
        """Return the number that beats stand for."""
        if self.unit.number is not None:
            return self.unit.number(beats)
        return sum(beat << self.unit.width * place for place, beat in enumerate(beats))

    def flag(self, name: str) -> bool:
        """Return an output of one bit."""
        return bool(int(getattr(self.dut, name).value))

    async def start(self) -> None:
        """Start the clock, reset and clear."""
        for name in ("cfg_valid", "cfg_data", "cfg_last", "xy_valid", "xy_last", "canonical"):
            getattr(self.dut, f"{name}_i").value = 0
        for name in ("x_data_i", "y_data_i", "zeroize_i", "rst_ni"):
            getattr(self.dut, name).value = 0
        self.dut.length_i.value, self.dut.z_ready_i.value = self.length, 1
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        for _ in range(3):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1
        await self.zeroize()

    async def cycle(self) -> None:
        """Advance one cycle and look at the results."""
        await FallingEdge(self.dut.clk_i)
        self.cycles += 1
        self.shown = None
        if isinstance(self.core, Dsp) and self.flag("tick") and self.flag("engine_start"):
            self.starts.append(self.cycles)
        if not self.flag("z_valid_o"):
            assert not self.beats or isinstance(self.core, Dsp), "a gap in a result"
            return
        assert not self.flag("z_error_o")
        self.shown = int(self.dut.z_data_o.value)
        self.two_vectors |= bool(self.shown >> self.unit.width)
        if not self.beats:
            self.firsts.append(self.cycles)
        self.beats.append(self.shown)
        if len(self.beats) == self.count:
            self.results.append(self.join(self.beats))
            self.beats = []

    async def until(self, condition: Callable[[], bool]) -> int:
        """Advance until a condition holds; return the number of cycles."""
        for cycles in range(PATIENCE):
            if condition():
                return cycles
            await self.cycle()
        raise AssertionError("the unit hangs")

    async def zeroize(self) -> None:
        """Clear everything; nothing may be output meanwhile."""
        self.dut.zeroize_i.value = 1
        await FallingEdge(self.dut.clk_i)
        self.dut.zeroize_i.value = 0
        self.beats = []
        self.clear()
        assert self.flag("busy_o")
        await self.until(lambda: not self.flag("busy_o"))
        assert not self.firsts and not self.flag("cfg_done_o")

    def clear(self) -> None:
        """Forget the products until now."""
        self.starts, self.firsts, self.results = [], [], []

    async def load(self, m: int, length: int) -> int:
        """Load a modulus; return the cycles until its constants are computed."""
        self.m, self.length = m, length
        dut, arithmetic = self.dut, self.unit.arithmetic(m, length)
        dut.length_i.value = length
        for _ in range(2):
            await self.cycle()
        assert int(dut.beats_o.value) == self.count
        assert (int(dut.radix_o.value), int(dut.power_o.value)) == (
            arithmetic.radix,
            arithmetic.power,
        )
        assert 1 << self.unit.width * int(dut.leave_o.value) == arithmetic.leave
        dut.cfg_valid_i.value = 1
        for place in range(self.count):
            dut.cfg_data_i.value = m >> self.unit.width * place & (1 << self.unit.width) - 1
            dut.cfg_last_i.value = int(place == self.count - 1)
            await self.until(lambda: self.flag("cfg_ready_o"))
            await self.cycle()
        dut.cfg_valid_i.value = 0
        return await self.until(lambda: self.flag("cfg_done_o"))

    async def feed(
        self, x: list[int] | None, y: list[int] | None, canonical: bool, count: int | None = None
    ) -> None:
        """Feed operands, or some beats of them; None: the result, as it is output."""
        dut, back = self.dut, x is None or y is None
        dut.canonical_i.value = int(canonical)
        for place in range(self.count if count is None else count):
            if back:
                dut.xy_valid_i.value = 0
                await self.until(lambda: self.shown is not None)
                assert self.flag("xy_ready_o"), f"beat {place} of a result cannot go back"
            dut.x_data_i.value = self.shown if x is None else x[place]
            dut.y_data_i.value = self.shown if y is None else y[place]
            dut.xy_valid_i.value, dut.xy_last_i.value = 1, int(place == self.count - 1)
            await self.until(lambda: self.flag("xy_ready_o"))
            if place == 0 and not isinstance(self.core, Dsp):
                self.starts.append(self.cycles)
            await self.cycle()
        dut.xy_valid_i.value = 0

    async def multiply(
        self,
        pairs: Sequence[tuple[int, int]],
        kinds: Sequence[bool],
        pauses: tuple[int, ...] = (0,),
    ) -> list[int]:
        """Start products, lazy or canonical, as early as possible or after pauses.

        Their values and cycles are checked.
        """
        self.clear()
        for (x, y), canonical in zip(pairs, kinds, strict=True):
            for _ in range(self.random.choice(pauses)):
                await self.cycle()
            await self.feed(self.split(x), self.split(y), canonical)
        await self.until(lambda: not self.flag("busy_o"))
        wanted = [self.product(*pair, kind) for pair, kind in zip(pairs, kinds, strict=True)]
        assert self.results == wanted, f"{pairs} {kinds} modulo {self.m}"
        facts = [self.facts(canonical) for canonical in kinds]
        taken = [first - start for start, first in zip(self.starts, self.firsts, strict=True)]
        for fact, latency in zip(facts, taken, strict=True):
            assert fact.latency in (None, latency), f"{latency} cycles instead of {fact.latency}"
        if pauses == (0,):
            intervals = [later - earlier for earlier, later in pairwise(self.starts)]
            assert intervals == [fact.interval for fact in facts[:-1]]
        return self.results


async def begin(dut: Any) -> LazyBench:
    """Return the unit, cleared."""
    unit = LazyBench(dut)
    await unit.start()
    return unit


def lengths(unit: LazyBench) -> list[int]:
    """Return the built length, and for a small unit others of as many words and fewer."""
    built, w = unit.core.bits, unit.unit.width
    found = (built, built - 1, w + 1, w - 2, 8) if built <= SMALL_BITS else (built,)
    return [length for length in dict.fromkeys(found) if length <= built]


def moduli(unit: LazyBench, length: int) -> list[int]:
    """Return moduli: a dense one, and for a small unit all ones, the smallest of its length, 3."""
    top = 1 << (length - 1)
    found = [unit.random.getrandbits(length) | top | 1]
    return [*found, 2 * top - 1, top + 1, 3] if unit.core.bits <= SMALL_BITS else found


@cocotb.test()
async def all_operands_of_small_moduli(dut: Any) -> None:
    unit = await begin(dut)
    for m in range(3, int(os.environ[MOST]) + 1, 2):
        await unit.load(m, m.bit_length())
        numbers = range(unit.largest + 1)
        pairs = [(x, y) for x in numbers for y in numbers]
        unit.random.shuffle(pairs)
        kinds = [unit.random.random() < 0.3 for _ in pairs]
        assert max(await unit.multiply(pairs, kinds)) <= unit.largest


@cocotb.test()
async def every_result_is_as_in_the_model(dut: Any) -> None:
    """Extreme and random numbers, lazy, canonical and mixed, without pauses and with some."""
    unit = await begin(dut)
    rng = unit.random
    setups: dict[int, set[int]] = {}
    for length in lengths(unit):
        for m in moduli(unit, length):
            setups.setdefault(unit.unit.beats(length), set()).add(await unit.load(m, length))
            top = 1 << unit.unit.width * unit.count
            edges = {0, 1, m - 1, m, m + 1, top - 1, top, unit.largest}
            numbers = [number for number in sorted(edges) if number <= unit.largest]
            numbers += [rng.randrange(unit.largest + 1) for _ in range(4)]
            pairs = [(number, rng.choice(numbers)) for number in numbers]
            mixed = [rng.random() < 0.5 for _ in pairs]
            await unit.multiply(pairs, [False] * len(pairs))
            await unit.multiply(pairs, mixed)
            await unit.multiply(pairs[:4], [True] * 4)
            await unit.multiply(pairs[4:], mixed[4:], (0, 0, 1, 5))
    assert all(len(cycles) == 1 for cycles in setups.values()), "a set-up's time depends on data"


@cocotb.test()
async def results_go_back_in_as_they_come_out(dut: Any) -> None:
    """Squares and products of the last result; then it leaves the Montgomery domain."""
    unit = await begin(dut)
    above = False
    for length in lengths(unit):
        for m in moduli(unit, length)[:2]:
            await unit.load(m, length)
            unit.clear()
            factor = unit.random.randrange(unit.largest + 1)
            beats = unit.split(factor)
            await unit.feed(beats, unit.split(unit.largest), False)
            wanted = [unit.product(factor, unit.largest, False)]
            for number in range(12):
                x, y = ((None, None), (None, beats), (beats, None))[number % 3]
                await unit.feed(x, y, False)
                z = wanted[-1]
                wanted.append(unit.product(z, z if number % 3 == 0 else factor, False))
            leave = unit.unit.arithmetic(m, length).leave
            one = [
                leave >> unit.unit.width * n & (1 << unit.unit.width) - 1 for n in range(unit.count)
            ]
            await unit.feed(None, one, True)
            await unit.until(lambda: not unit.flag("busy_o"))
            *results, last = unit.results
            assert results == wanted, f"modulo {m}"
            radix = unit.unit.arithmetic(m, length).radix
            assert last < 2 * m and (last << radix) % m == wanted[-1] % m
            above |= any(result >= m for result in results)
            found = {later - earlier for earlier, later in pairwise(unit.firsts[:-1])}
            assert len(found) == 1 and unit.facts(False).latency in (None, *found)
    assert above, "every result was canonical: nothing was shown"
    assert unit.two_vectors == bool(unit.unit.extra_width)


@cocotb.test()
async def nothing_is_left_by_zeroize_at_any_moment(dut: Any) -> None:
    """And by zeroize after a reset; a product after it is right."""
    unit = await begin(dut)
    length = unit.core.bits
    if length > SMALL_BITS:
        return
    await unit.load(3, length)
    fact = unit.facts(False)
    for moment in range(1, (fact.latency or 2 * fact.interval) + unit.count + 3, 5):
        states = []
        for _ in range(2):
            m = unit.random.getrandbits(length) | 1 << (length - 1) | 1
            await unit.load(m, length)
            fed = min(moment, unit.count)
            await unit.feed(unit.split(unit.largest), unit.split(m - 1), False, fed)
            for _ in range(moment - fed):
                await unit.cycle()
            if moment % 2:
                dut.rst_ni.value = 0
                for _ in range(2):
                    await FallingEdge(dut.clk_i)
                dut.rst_ni.value = 1
                await FallingEdge(dut.clk_i)
            await unit.zeroize()
            states.append({**registers(dut), "z_data_o": str(dut.z_data_o.value)})
        left = [name for name in states[0] if states[0][name] != states[1][name]]
        assert not left, f"zeroize after {moment} cycles leaves {left}"
        await unit.load(m, length)
        await unit.multiply([(m - 1, unit.largest)], [False])
