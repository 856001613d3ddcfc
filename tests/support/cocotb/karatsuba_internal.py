# SPDX-License-Identifier: Apache-2.0
"""Compares numbers inside `karatsuba`: constants, and with the paper's schedule every product."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cocotb
from port_driver import PortBench

from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.model import karatsuba
from montcore.model.spec import montgomery_product, n0_inverse


@dataclass(frozen=True)
class PaperNumbers:
    """Numbers of one product of the paper's schedule: D, D mod R times M1, E m, and S."""

    first: int
    second: int
    third: int
    total: int
    subtracted: bool

    @classmethod
    def of(cls, x: int, y: int, m: int, bits: int) -> "PaperNumbers":
        """Return the numbers of x y / R mod m, R = 2^bits."""
        mask = (1 << bits) - 1
        first = x * y
        second = (first & mask) * n0_inverse(m, bits)
        third = (second & mask) * m
        total = karatsuba.uncorrected_paper(x, y, m, bits)
        return cls(first, second, third, total, total >= m)


def newton_rounds(m: int, bits: int) -> list[int]:
    """Return the values of n0' = -1 / m mod 2^bits while it is computed."""
    mask = (1 << bits) - 1
    rounds = [1]
    for _ in range((bits - 1).bit_length()):
        rounds.append(rounds[-1] * ((m * rounds[-1] + 2) & mask) & mask)
    return list(dict.fromkeys(rounds))


class PassWatch:
    """Checks each product of one modulus from its start on."""

    def __init__(self, bench: PortBench, config: Karatsuba, m: int) -> None:
        self.bench, self.config, self.m = bench, config, m
        self.waiting: deque[tuple[int, int]] = deque()
        self.due: dict[int, list[tuple[str, Callable[[], int], int]]] = {}
        self.compared = 0
        self.subtracted: set[int] = set()

    def multiply(self, x: int, y: int) -> None:
        """Queue a product."""
        self.bench.multiply(x, y, 2)
        self.waiting.append((x, y))

    def look(self) -> None:
        """Check one cycle."""
        number = self.bench.number
        if self.bench.flag("core_start_o"):
            self._expect(number, *self.waiting.popleft())
        for what, read, value in self.due.pop(number, []):
            found = read()
            assert found == value, f"{what} is {found:#x} and not {value:#x} in cycle {number}"
            self.compared += 1

    def _add(self, cycle: int, what: str, read: Callable[[], int], value: int) -> None:
        self.due.setdefault(cycle, []).append((what, read, value))

    def _expect(self, start: int, x: int, y: int) -> None:
        if staged(self.bench.dut):
            self._expect_staged(start, x, y)
        elif self.config.schedule is KaratsubaSchedule.PAPER:
            self._expect_paper(start, x, y)

    def _expect_paper(self, start: int, x: int, y: int) -> None:
        paper, bits = engine_of(self.bench.dut), self.config.computed_bits
        want = PaperNumbers.of(x, y, self.m, bits)
        self.subtracted.add(int(want.subtracted))
        cycles = karatsuba.PAPER_MULTIPLIER_CYCLES[self.config.depth]

        def product() -> int:
            return int(paper.product_q.value)

        # Seven (ten) cycles after the operands, the product is in its register.
        self._add(start + 1, "x in its register", lambda: int(paper.a_q.value), x)
        self._add(start + cycles + 1, "D", product, want.first)
        self._add(start + 2 * cycles + 3, "E", product, want.second)
        self._add(start + 3 * cycles + 5, "E m", product, want.third)
        self._add(start + 3 * cycles + 6, "S", lambda: int(paper.sum_q.value), want.total)
        self._add(
            start + 3 * cycles + 7,
            "whether m is in S",
            lambda: int(paper.at_least_q.value),
            int(want.subtracted),
        )
        result = self.bench.dut.g_paper.u_paper.z_o
        self._add(start + 3 * cycles + 7, "result", lambda: int(result.value), want.total % self.m)
        self._add(start + 3 * cycles + 8, "done", lambda: int(self.bench.flag("core_done_o")), 1)

    def _expect_staged(self, start: int, x: int, y: int) -> None:
        engine, bits = engine_of(self.bench.dut), self.config.computed_bits
        want = PaperNumbers.of(x, y, self.m, bits)
        self.subtracted.add(int(want.subtracted))
        mask, high = (1 << bits) - 1, (1 << (bits + 2)) - 1
        offset = sum(digit << (power * bits // 4) for power, digit in enumerate((2, 4, 2, 2)))

        def value(name: str) -> Callable[[], int]:
            return lambda: int(getattr(engine, name).value)

        # Each product is in the registers nine cycles after its factors.
        self._add(start + 1, "x in its register", value("a_q"), x)
        self._add(start + 1, "y in its register", value("b_q"), y)
        self._add(start + 10, "low half of D", value("a_q"), want.first & mask)
        above = (want.first >> bits) - offset & high
        self._add(start + 10, "high half of D less the offset", value("high_q"), above)
        self._add(start + 19, "E", value("a_q"), want.second & mask)
        some = int(want.first & mask != 0)
        self._add(start + 19, "whether the low half of D is not zero", value("nonzero_q"), some)
        self._add(start + 28, "S", value("high_q"), want.total)
        less = int(not want.subtracted)
        self._add(start + 28, "whether S is below m", value("less"), less)
        self._add(start + 28, "result", value("z_o"), want.total % self.m)
        self._add(start + 29, "done", lambda: int(self.bench.flag("core_done_o")), 1)


def staged(dut: Any) -> bool:
    """Tell whether a build has the staged datapath."""
    return hasattr(dut, "g_paper") and hasattr(dut.g_paper.u_paper, "g_staged")


def engine_of(dut: Any) -> Any:
    """Return the datapath of a build."""
    if hasattr(dut, "g_fast"):
        return dut.g_fast.u_fast
    paper = dut.g_paper.u_paper
    return paper.g_staged.u_staged if staged(dut) else paper.g_passes


def schedule_of(dut: Any) -> KaratsubaSchedule:
    """Return the schedule of a build."""
    if int(dut.PaperSchedule.value):
        return KaratsubaSchedule.PAPER
    return KaratsubaSchedule.FAST if int(dut.Units.value) == 4 else KaratsubaSchedule.LEAN


class Newton:
    """Collects the values of n0' while it is computed."""

    def __init__(self, register: Any) -> None:
        self.register = register
        self.seen: list[int] = []

    def look(self) -> None:
        """Check one cycle."""
        if self.register.value.is_resolvable:
            value = int(self.register.value)
            if not self.seen or self.seen[-1] != value:
                self.seen.append(value)


@cocotb.test()
async def every_number_is_as_in_the_model(dut: Any) -> None:
    config = Karatsuba(
        bits=int(dut.Length.value), depth=int(dut.Depth.value), schedule=schedule_of(dut)
    )
    bench = PortBench(dut, word_bits=config.half)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.idle()
    paper = config.schedule is KaratsubaSchedule.PAPER
    engine = engine_of(dut)
    subtracted: set[int] = set()
    # m = 1 mod 2^half brings S near 3 m.
    top = 1 << config.bits
    moduli = [top - 1, top - (1 << config.half) + 1 if config.bits % 2 == 0 else top - 1]
    moduli += [bench.random.getrandbits(config.bits) | 1 | top >> 1 for _ in range(6)]
    for m in moduli:
        newton = Newton(engine.inverse_q)
        bench.observers = [newton.look]
        assert await bench.load(m, 2) == 0
        await bench.idle()
        if staged(dut):
            # The last value is registered in the first two cycles of a product.
            for _ in range(2):
                await bench.cycle()
        rounds = newton_rounds(m, config.computed_bits if paper else config.half)
        assert newton.seen[-len(rounds) :] == rounds, f"{newton.seen} instead of {rounds}"
        if not paper:
            assert int(engine.scaled_q.value) == pow(2, -config.half, m), "wrong M'"
        watch = PassWatch(bench, config, m)
        bench.observers = [watch.look]
        near = [(m - 1 - bench.random.randrange(8), m - 1 - bench.random.randrange(8))] * 2
        pairs = [(bench.random.randrange(m), bench.random.randrange(m)) for _ in range(8)]
        pairs += [(0, 0), (0, m - 1), (m - 1, m - 1), *near]
        for x, y in pairs:
            watch.multiply(x, y)
        answers = await bench.results(len(pairs))
        for (x, y), answer in zip(pairs, answers, strict=True):
            z = montgomery_product(x, y, m, config.computed_bits)
            assert bench.value(answer, 2) == z, f"{x:#x} * {y:#x} mod {m:#x}"
        await bench.idle()
        assert not watch.due and (not paper or watch.compared >= 8 * len(pairs))
        subtracted |= watch.subtracted
    assert not paper or subtracted >= {0, 1}


@cocotb.test()
async def modulus_that_waits_through_a_clear_is_taken_whole(dut: Any) -> None:
    """Offered from the first cycle of a zeroize on, which also a reset may end."""
    bits = int(dut.Length.value)
    config = Karatsuba(bits=bits, depth=int(dut.Depth.value), schedule=schedule_of(dut))
    bench = PortBench(dut, word_bits=config.half)
    await bench.start()
    for reset in (False, True):
        m = bench.random.getrandbits(bits) | 1 | 1 << (bits - 1)
        await bench.pulse("zeroize_i")
        bench.cfg.send(bench.split(m, 2))
        if reset:
            await bench.cycle()
            dut.rst_ni.value = 0
            await bench.cycle()
            dut.rst_ni.value = 1
        await bench.until(lambda: not bench.cfg.beats)
        bench.multiply(m - 2, 3, 2)
        (answer,) = await bench.results(1)
        assert bench.value(answer, 2) == montgomery_product(m - 2, 3, m, config.computed_bits)
