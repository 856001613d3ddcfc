# SPDX-License-Identifier: Apache-2.0
"""Compares the registers of the fast datapath with its model, cycle by cycle."""

from collections import deque
from typing import Any

import cocotb
from smm_port import Bench

from montcore.model import smm_fast
from montcore.model.spec import montgomery_product


class Comparison:
    """Steps the model along with the core and compares their registers in every cycle."""

    def __init__(self, bench: Bench, m: int, length: int) -> None:
        self.bench, self.config = bench, bench.config
        self.model = smm_fast.FastDatapath(self.config, m, length)
        self.waiting: deque[Any] = deque()
        self.compared = 0
        self.at_least: list[int] = []
        self._low_known = self._product_known = False
        fast = bench.dut.g_fast.u_fast
        array = fast.u_array
        self.fast, self.array = fast, array
        self.lanes = [array.g_pe[k].u_pe for k in range(self.config.npe)]

    def multiply(self, x: int, y: int) -> None:
        """Queue a product in the core and in the model."""
        self.bench.multiply(x, y, self.model.words)
        self.waiting.append(self.model.operands(x, y))

    def row(self, value: Any) -> tuple[int, ...]:
        """Return a packed row of T or F as words."""
        number, bits = int(value), self.config.w + 3
        return tuple(number >> (bits * k) & ((1 << bits) - 1) for k in range(self.config.npe))

    def look(self) -> None:
        """Compare one cycle."""
        bench, fast, array = self.bench, self.fast, self.array
        operands = self.waiting[0] if self.waiting and int(fast.available_i.value) else None
        # The model advances with the handshake that the core sees in this cycle.
        seen = self.model.step(operands, z_ready=bool(int(bench.dut.z_ready_i.value)))
        where = f"cycle {bench.number}, slots {', '.join(map(str, seen.slots))}"

        def same(what: str, rtl: object, model: object) -> None:
            assert rtl == model, f"{what} is {rtl} and not {model}: {where}"

        same("T's newest row", self.row(array.tail_q.value), seen.tail)
        same("top word", int(array.top_q.value), seen.top)
        for k, lane in enumerate(self.lanes):
            pair = int(lane.g_plain.sum_q.value) + int(lane.g_plain.carry_q.value)
            same(f"product of lane {k}", pair, seen.lane_products[k] + (1 << (2 * self.config.w)))
        if self._product_known and not self.model.shared:
            same(
                "small product",
                int(fast.g_multiplier.g_plain.u_quotient.product_o.value),
                seen.product,
            )
        if self._low_known:
            same("low(T)", int(fast.low_q.value), seen.low)
            self._product_known = True
        a_slot = seen.slots[2]
        self._low_known = self._low_known or (a_slot.task.capture and a_slot.first)
        same("start", bench.flag("core_start_o"), seen.start)
        same("done", bench.flag("core_done_o"), seen.done)
        same("release", int(fast.release_o.value), seen.release)
        same("z valid", bench.flag("z_valid_o"), seen.z is not None)
        if seen.z is not None:
            same("first row of F", self.row(array.f_row_o.value), seen.f_row)
            same("z", int(bench.dut.z_data_o.value), seen.z)
            same("z last", bench.flag("z_last_o"), seen.z_last)
            if self.model.early:
                held = int(fast.u_output.g_early.u_words.words_q.value)
                mask = (1 << self.config.w) - 1
                words = tuple(held >> (self.config.w * i) & mask for i in range(3))
                same("words of S, S - M and S - 2 M", words, seen.candidates)
            verdict = int(fast.at_least_1.value) + int(fast.at_least_2.value)
            same("multiples of m in S", verdict, seen.at_least)
            if seen.z_last:
                self.at_least.append(seen.at_least)
        if seen.start:
            self.waiting.popleft()
        self.compared += 1


def lengths(bench: Bench) -> list[int]:
    """Return run-time lengths with every row count up to the built one, full words or not."""
    config = bench.config
    found = {config.bits, max(2, config.bits - 1), min(config.bits, config.w)}
    for rows in range(1, config.rows(config.bits) + 1):
        words = min(rows * config.npe, config.words(config.bits))
        found.add(max(2, min(config.bits, words * config.w - 1)))
        first = (rows - 1) * config.npe + 1
        found.add(max(2, min(config.bits, first * config.w)))
    return sorted(found)


async def compare(bench: Bench, m: int, length: int, pairs: list[tuple[int, int]]) -> Comparison:
    """Run products of one modulus and compare every cycle from the first operand until idle."""
    words = bench.config.words(length)
    assert await bench.load(m, words) == 0
    await bench.idle()
    await bench.cycle()
    scaled = smm_fast.FastDatapath(bench.config, m, length).scaled
    assert scaled_modulus(bench, words) == scaled, "the scaled modulus in the memory is wrong"
    comparison = Comparison(bench, m, length)
    bench.observers = [comparison.look]
    for x, y in pairs:
        comparison.multiply(x, y)
    answers = await bench.results(len(pairs))
    for (x, y), answer in zip(pairs, answers, strict=True):
        z = montgomery_product(x, y, m, words * bench.config.w)
        assert bench.value(answer, words) == z, f"{x:#x} * {y:#x} mod {m:#x}"
    await bench.idle()
    bench.observers = []
    assert comparison.compared >= len(pairs) * 2 * words * bench.config.rows(length)
    return comparison


def scaled_modulus(bench: Bench, words: int) -> int:
    """Return the scaled modulus as stored in the row memory (region 2)."""
    config = bench.config
    rows = config.rows(config.bits)
    value = 0
    for n in range(words):
        row, lane = divmod(n, config.npe)
        ram = bench.dut.g_fast.u_memory.g_rows.u_rows.g_lane[lane].u_ram
        if hasattr(ram, "g_macro"):
            word = int(ram.g_macro.u_macro.rows_q[2 * rows + row].value)
        else:
            word = int(ram.g_flops.rows_q.value) >> (config.w * (2 * rows + row))
            word &= (1 << config.w) - 1
        value |= word << (config.w * n)
    return value


def dense(bench: Bench, length: int) -> int:
    """Return a random odd modulus whose top bit is set."""
    return bench.random.getrandbits(length) | 1 | (1 << (length - 1))


async def begin(dut: Any, seed: int) -> Bench:
    """Return a bench whose core has been zeroized, so that no register is unknown."""
    bench = Bench(dut, seed)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.idle()
    return bench


@cocotb.test()
async def single_products(dut: Any) -> None:
    """Starting from idle, every register matches the model, for all run-time row counts."""
    bench = await begin(dut, seed=11)
    for length in lengths(bench):
        largest, m = (1 << length) - 1, dense(bench, length)
        await compare(bench, largest, length, [(largest - 1, largest - 1)])
        await compare(bench, m, length, [(bench.random.randrange(m), bench.random.randrange(m))])


@cocotb.test()
async def overlapping_products(dut: Any) -> None:
    """Back-to-back products, and products with back-pressure and gaps."""
    bench = await begin(dut, seed=12)
    for length in lengths(bench):
        for gap, ready in ((0.0, 1.0), (0.3, 0.4)):
            bench.x.gap = bench.y.gap = gap
            bench.z_ready = ready
            m = dense(bench, length)
            pairs = [(bench.random.randrange(m), bench.random.randrange(m)) for _ in range(4)]
            await compare(bench, m, length, pairs)


@cocotb.test()
async def every_number_of_subtractions(dut: Any) -> None:
    """S below M, below 2 M and below 3 M all occur, and the comparison is correct for each."""
    bench = await begin(dut, seed=13)
    length = bench.config.bits
    seen: set[int] = set()
    for attempt in range(400):
        # A dense modulus and large operands make S large; with small words S soon reaches 2 M.
        m = (1 << length) - 1 - 2 * (attempt % 4)
        pairs = [(m - 1 - bench.random.randrange(3), bench.random.randrange(m)) for _ in range(4)]
        seen.update((await compare(bench, m, length, pairs)).at_least)
        if seen == {0, 1, 2} or (bench.config.w > 8 and seen >= {0, 1}):
            return
    raise AssertionError(f"only {sorted(seen)} subtractions occurred")
