# SPDX-License-Identifier: Apache-2.0
"""Compares the registers of the paper's datapath with its model, cycle by cycle."""

from typing import Any

import cocotb
import smm_paper_model as smm_paper
from port_driver import Bench
from smm_paper_model import SlotKind

from montcore.cores.smm import Smm, SmmElement, SmmSchedule
from montcore.model.spec import montgomery_product


class Comparison:
    """Compares the core with the model's trace in every cycle of one product."""

    def __init__(self, bench: Bench, config: Smm, x: int, y: int, m: int, length: int) -> None:
        self.bench, self.config = bench, config
        self.drawn = config.element is SmmElement.PAPER
        self.expected = smm_paper.trace(config, x, y, m, length)
        self.paper = bench.dut.g_paper.u_paper
        self.array = (self.paper.g_drawn if self.drawn else self.paper.g_ours).u_array
        self.lanes = [self.array.g_pe[k].u_pe for k in range(config.npe)]
        self.under_way = False
        self.compared = 0

    def row(self, value: Any) -> tuple[int, ...]:
        """Return a packed row of S as words, including their carries if there are any."""
        number, bits = int(value), self.config.w + (0 if self.drawn else 3)
        return tuple(number >> (bits * k) & ((1 << bits) - 1) for k in range(len(self.lanes)))

    def product(self, lane: Any) -> int:
        """Return the value of a lane's PP_reg; its carry-save form includes a constant."""
        if self.drawn:
            return int(lane.product_q.value)
        pair = int(lane.sum_q.value) + int(lane.carry_q.value)
        return pair - (1 << (2 * self.config.w))

    def look(self) -> None:
        """Compare one cycle."""
        if self.bench.flag("core_start_o"):
            self.under_way = True
        if not self.under_way:
            return
        seen = next(self.expected)
        slot_r, slot_m, slot_a = seen.slots
        w, paper, array = self.config.w, self.paper, self.array
        where = f"cycle {seen.number}, slots {', '.join(map(str, seen.slots))}"

        def same(what: str, rtl: object, model: object) -> None:
            assert rtl == model, f"{what} is {rtl} and not {model}: {where}"

        for slot, name in ((slot_r, "kind"), (slot_m, "kind_m_q"), (slot_a, "kind_a_q")):
            same(f"{name} of a slot", int(getattr(paper, name).value), slot.kind.value)
        if seen.number >= 2:
            made = self.row((array.sum if self.drawn else array.sum_kept).value)
            same("row of S at hand", self.row(array.base.value), seen.base)
            if slot_a.kind is SlotKind.PLQ:
                same("PLQ", [v % (1 << w) for v in made], [v % (1 << w) for v in seen.sums])
            else:
                same("row of S being made", made, seen.sums)
            for k, lane in enumerate(self.lanes):
                same(f"PP_reg of lane {k}", self.product(lane), seen.products[k])
            if self.drawn and seen.number >= 3:
                waiting = (array.carry_1_q, array.carry_2_q)
                carries = tuple(int(value.value) & 1 for value in waiting)
                same("carries out of the last lane", carries, seen.carries)
        if slot_a.kind.value >= SlotKind.M.value and not slot_a.fresh:
            same("top word", int(array.top_q.value), seen.top)
        if slot_m.kind is SlotKind.M:
            same("quotient digit", int(paper.product.value), seen.q)
        if seen.restore is not None:
            same("sign of S - m", bool(int(array.restore_o.value)), seen.restore)
        same("done", self.bench.flag("core_done_o"), seen.done)
        self.compared += 1
        self.under_way = not seen.done


def lengths(config: Smm) -> list[int]:
    """Return run-time lengths with every row count up to the built one, full words or not."""
    found = {config.bits, max(2, config.bits - 1), min(config.bits, config.w)}
    for rows in range(1, config.rows(config.bits) + 1):
        words = min(rows * config.npe, config.words(config.bits))
        found.add(max(2, words * config.w - 1))
        found.add(max(2, ((rows - 1) * config.npe + 1) * config.w))
    return sorted(length for length in found if length <= config.bits)


@cocotb.test()
async def every_register_is_as_in_the_model(dut: Any) -> None:
    """Products from idle, at all run-time row counts, of sparse and dense moduli."""
    config = Smm(
        bits=int(dut.Length.value),
        npe=int(dut.NumPe.value),
        w=int(dut.WordBits.value),
        schedule=SmmSchedule.PAPER,
        element=SmmElement.PAPER if int(dut.PaperElement.value) else SmmElement.OURS,
    )
    bench = Bench(dut, seed=17, word_bits=config.w)
    await bench.start()
    for length in lengths(config):
        words, rows = config.words(length), config.rows(length)
        dense = bench.random.getrandbits(length) | 1 | (1 << (length - 1))
        moduli = {(1 << length) - 1, dense, (1 << (length - 1)) + 1}
        for m in sorted(value for value in moduli if value >= 3 and value % 2):
            assert await bench.load(m, words) == 0
            await bench.idle()
            random_pair = (bench.random.randrange(m), bench.random.randrange(m))
            for x, y in ((m - 1, m - 1), random_pair, (0, 1)):
                comparison = Comparison(bench, config, x, y, m, length)
                bench.observers = [comparison.look]
                bench.multiply(x, y, words)
                (answer,) = await bench.results(1)
                z = montgomery_product(x, y, m, words * config.w)
                assert bench.value(answer, words) == z
                assert comparison.compared == 5 * rows + 2 * words * rows + 8
                bench.observers = []
                await bench.idle()
