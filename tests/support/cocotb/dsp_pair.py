# SPDX-License-Identifier: Apache-2.0
"""Two operations in a row of `dsp`: every sum in every block and tick, as in the model."""

import random
from collections.abc import Sequence
from typing import Any

import cocotb
import dsp_pair_model as model
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from montcore.cores.dsp import Dsp
from montcore.model import dsp as dsp_model
from montcore.model.spec import n0_inverse

PAIR = (1 << 34) - 1
LIMIT = 400_000
#: Ticks from a half-iteration at the first block to its first sum.
SUM_TICKS = 4
SQUARE, PRODUCT = model.PairKind.SQUARE, model.PairKind.PRODUCT


def pairs_of(value: int, count: int) -> list[int]:
    """Return a number as pairs of words, lowest first."""
    return [value >> 34 * i & PAIR for i in range(count)]


class PairChain:
    """Products of one operation, each but the first one of the result before it."""

    def __init__(self, m: int, size: dsp_model.DspSizes, lower: bool, rng: random.Random) -> None:
        self.m, self.size, self.lower = m, size, lower
        self.most = 2 * n0_inverse(m, dsp_model.INVERSE_BITS) * m
        self.rng = rng
        self.kinds: Sequence[model.PairKind] = ()
        self.operands: list[tuple[int, int]] = []
        self.results: list[int] = []
        self.rows: list[dsp_model.DspRow] = []

    def prepare(self, kinds: Sequence[model.PairKind], start: int) -> None:
        """Compute a chain from a first number below 2 Mt."""
        self.kinds, self.operands, self.results, self.rows = kinds, [], [], []
        number, digits = start, self.size.digits
        for kind in kinds:
            other = number if kind is SQUARE else self.rng.randrange(self.most)
            row = dsp_model.DspRow()
            self.operands.append((number, other))
            if kind is SQUARE and self.size.half > 1:
                number = model.square(number, self.m, digits, lower=self.lower, row=row)
            else:
                number = dsp_model.product(other, number, self.m, digits, row)
            self.results.append(number)
            self.rows.append(row)


class PairUnit:
    """Drives `montcore_modexp_dsp_pair`, one clock cycle at a time, and checks its row."""

    def __init__(
        self, dut: Any, chains: tuple[PairChain, PairChain], size: dsp_model.DspSizes
    ) -> None:
        self.dut, self.chains, self.size = dut, chains, size
        self.cycle = self.ticks = 0
        self.alpha = int(dut.Alpha.value)
        self.blocks = [dut.u_engine.u_row.g_block[k].u_block for k in range(self.alpha)]
        self.expected: dict[tuple[int, int], tuple[int, int]] = {}
        self.twos = 0

    async def tick(self) -> None:
        """Advance one cycle; inputs change at the falling edge."""
        await FallingEdge(self.dut.clk_i)
        self.cycle += 1
        assert self.cycle < LIMIT, "the unit hangs"
        if int(self.dut.tick.value):
            self.ticks += 1

    async def load(self, side: int, m: int) -> None:
        """Load a modulus."""
        dut = self.dut
        for beat in pairs_of(m, self.size.pairs):
            dut.cfg_valid_i.value, dut.cfg_data_i.value = 1 << side, beat << 34 * side
            while not int(dut.cfg_ready_o.value) >> side & 1:
                await self.tick()
            await self.tick()
        dut.cfg_valid_i.value = 0
        while not int(dut.cfg_done_o.value) >> side & 1:
            await self.tick()

    async def rest(self) -> None:
        """Advance until nothing is in progress."""
        for _ in range(4):
            await self.tick()
        while int(self.dut.busy_o.value):
            await self.tick()

    def expect(self, arrivals: tuple[int, int]) -> tuple[list[int], list[int]]:
        """Fill in what each block adds in which tick; return when the results begin."""
        kinds = (self.chains[0].kinds, self.chains[1].kinds)
        issues, results = model.schedule(self.size, kinds, arrivals)
        size, half = self.size, self.size.half
        self.expected.clear()
        totals, steps, carry = [0, 0], [-1, -1], 0
        for issue in issues:
            side, (i, modulus) = issue.side, issue.half
            chain = self.chains[side]
            x, y = chain.operands[issue.product]
            scaled = (n0_inverse(chain.m, 34) * chain.m + 1) >> 34
            digits = [0, 0, *chain.rows[issue.product].digits]
            total = totals[side]
            if (issue.product, i) != (steps[side] // (1 << 20), steps[side] % (1 << 20)):
                total = 0 if i == 0 else total >> 17
                steps[side] = issue.product << 20 | i
            square = issue.part or (modulus and self.is_square(side, issue.product))
            border = 0
            if square:
                border = ((i + 1 + 2 * half) if side else i) // (2 * half)
            low = (1 << 34 * half * border) - 1
            if modulus:
                multiple = digits[i] * scaled
                if side and square and i < size.digits:
                    # The carry that a block held, and the one of this half-iteration.
                    self.twos += carry + ((total & low) + (multiple & low) > low) == 2
            elif issue.part:
                multiple = (x >> 17 * i & dsp_model.MASK) * model.part(x, i, lower=side == 1)
                if side:
                    carry = int((total & low) + multiple > low)
            else:
                multiple = (x >> 17 * i & dsp_model.MASK) * y if i < size.digits else 0
            total += multiple
            totals[side] = total
            # A part is in the blocks of its side of the border.
            blocks = range(self.alpha)
            if issue.part:
                blocks = range(border) if side else range(border, self.alpha)
            for k in blocks:
                for slot in range(half):
                    when = issue.tick + SUM_TICKS + k * half + slot
                    assert (when, k) not in self.expected
                    self.expected[when, k] = (side, total >> 34 * (k * half + slot) & PAIR)
        return results

    def is_square(self, side: int, product: int) -> bool:
        """Return whether a product is computed by a triangle."""
        return self.size.half > 1 and self.chains[side].kinds[product] is SQUARE

    def look(self) -> None:
        """Check the additions of one tick."""
        for k, block in enumerate(self.blocks):
            wanted = self.expected.get((self.ticks, k))
            if not int(block.add_i.value):
                assert wanted is None, f"tick {self.ticks}, block {k}: no addition"
                continue
            found = int(block.second_i.value), int(block.sum_o.value)
            near = sorted(t for t, b in self.expected if b == k and abs(t - self.ticks) < 12)
            assert wanted == found, f"{near} tick {self.ticks}, block {k}: {found} and not {wanted}"

    async def run(self, delay: int) -> None:
        """Run both chains from rest; the operands of 1 come `delay` ticks after those of 0."""
        dut, count = self.dut, self.size.pairs
        await self.rest()
        while not int(dut.tick.value):
            await self.tick()
        self.ticks = 0
        results = self.expect((0, delay))
        firsts: tuple[list[int], list[int]] = ([], [])
        numbers: tuple[list[int], list[int]] = ([], [])
        beats, product = [0, 0], [0, 0]
        # The blocks above the last word of a result add after it.
        end = max(when for when, _ in self.expected)
        while self.ticks <= end or any(
            len(numbers[k]) < len(self.chains[k].kinds) or beats[k] for k in (0, 1)
        ):
            now = bool(int(dut.tick.value))
            valid = last = square = x = y = 0
            for k, chain in enumerate(self.chains):
                z_valid = int(dut.z_valid_o.value) >> k & 1
                offered = 0
                if product[k] == 0 and self.ticks >= (0, delay)[k] and chain.kinds:
                    offered = 1
                elif z_valid:
                    offered = 1
                    if beats[k] == 0:
                        firsts[k].append(self.ticks)
                        numbers[k].append(0)
                    data = int(dut.z_data_o.value) >> 34 * k & PAIR
                    numbers[k][-1] |= data << 34 * beats[k]
                if not offered:
                    continue
                if product[k] < len(chain.kinds):
                    valid |= 1 << k
                    pair_x, pair_y = (
                        pairs_of(v, count)[beats[k]] for v in chain.operands[product[k]]
                    )
                    x, y = x | pair_x << 34 * k, y | pair_y << 34 * k
                    square |= int(chain.kinds[product[k]] is SQUARE) << k
                last |= int(beats[k] == count - 1) << k
                if now:
                    beats[k] += 1
                    if beats[k] == count:
                        beats[k], product[k] = 0, product[k] + 1
            dut.xy_valid_i.value, dut.xy_last_i.value, dut.square_i.value = valid, last, square
            dut.x_data_i.value, dut.y_data_i.value = x, y
            if now:
                self.look()
            await self.tick()
            assert self.ticks < 20_000
        dut.xy_valid_i.value = 0
        for k in (0, 1):
            assert numbers[k] == self.chains[k].results, f"results of {k}"
            assert firsts[k] == results[k], f"ticks of {k}: {firsts[k]} and not {results[k]}"
        self.expected.clear()


#: Chains of both operations, and the ticks by which the second one is late.
CASES: tuple[tuple[str, str, int], ...] = (
    ("p", "", 0),
    ("", "s", 0),
    ("sspss", "sspss", 0),
    ("pp", "pps", 2),
    ("ssp", "ppss", 1),
    ("pss", "ss", 40),
    ("sss", "s", 60),
)
#: Words with which the carry that a block holds and the next one of its chain can both be 1.
TWO_CARRIES = 11


@cocotb.test()
async def every_sum_is_as_in_the_model(dut: Any) -> None:
    """Chains of squares and products beside each other, for dense, sparse and short moduli."""
    bits, alpha = int(dut.Length.value), int(dut.Alpha.value)
    config, rng = Dsp(bits=bits, alpha=alpha), random.Random(9)
    names = ("rst_ni", "zeroize_i", "cfg_valid_i", "cfg_last_i", "xy_valid_i", "xy_last_i")
    for name in (*names, "begin_i", "end_i", "wipe_i", "forget_i", "canonical_i", "square_i"):
        getattr(dut, name).value = 0
    dut.length_i.value = bits
    Clock(dut.clk_i, 10, "ns").start()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    twos = 0
    top = 1 << bits
    dense = rng.getrandbits(bits) | top >> 1 | 1
    size = config.sizes(bits)
    for moduli in ((dense, top - 1), ((1 << bits // 2) + 1, top - (1 << 31) + 1)):
        chains = (PairChain(moduli[0], size, False, rng), PairChain(moduli[1], size, True, rng))
        unit = PairUnit(dut, chains, size)
        dut.zeroize_i.value = 1
        await unit.tick()
        dut.zeroize_i.value = 0
        await unit.rest()
        for side in (0, 1):
            await unit.load(side, moduli[side])
        for case, (first, second, delay) in enumerate(CASES):
            if moduli[0] != dense and "s" not in min(first, second):
                continue  # with sparse moduli only squares of both
            for chain, letters in zip(chains, (first, second), strict=True):
                kinds = [SQUARE if letter == "s" else PRODUCT for letter in letters]
                start = chain.most - 1 if case % 3 == 0 else rng.randrange(chain.most)
                chain.prepare(kinds, start)
            dut._log.info(f"chains {first} and {second}, {delay} ticks late")
            await unit.run(delay)
        twos += unit.twos
    if alpha > 1 and size.half > 1 and size.digits >= TWO_CARRIES:
        assert twos > 0, "no block has received two carries"
