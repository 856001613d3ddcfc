# SPDX-License-Identifier: Apache-2.0
"""The rules of the curve engine's port, and its response to invalid packets and curves."""

import json
import os
from typing import Any

import cocotb
from ecc_tools import small_curve
from smm_port import Bench

from montcore.cores import get_core
from montcore.ecc.curves import Curve, Family, Point
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import EngineRequest, curve_packet, operand_packets
from montcore.ecc.isa import EngineStatus
from montcore.ecc.program import Operation

#: Variable that names the build: core, bits, settings, contexts.
DESIGN = "MONTCORE_BENCH_DESIGN"

#: Upper bound on the cycles of an operation on a small curve, with any pauses.
LIMIT = 60_000
ERROR_EVEN, ERROR_LENGTH, ERROR_CONSTANT = 1, 3, 4


def design() -> EngineDesign:
    """Return the build that the environment names."""
    name, bits, settings, contexts = json.loads(os.environ[DESIGN])
    return EngineDesign(get_core(name).configure(settings, bits), contexts)


class EccBench(Bench):
    """An engine with a driver on each stream, including the source of random words."""

    def __init__(self, dut: Any, seed: int) -> None:
        self.design = design()
        #: Complete packets accepted but not yet answered: curve, x, y.
        self.open = {"cfg": 0, "x": 0, "y": 0}
        super().__init__(dut, seed, word_bits=self.design.width)
        self.random_pause = 0.0  # probability that there is no word in a cycle
        self.observers = [self._next_word, self._keep_account]
        self.curve = small_curve(Family.ANY_A, 13)
        dut.random_fail_i.value = 0
        self._next_word()

    def _next_word(self) -> None:
        """Offer another word, or none, in the next cycle."""
        self.dut.random_valid_i.value = int(self.random.random() >= self.random_pause)
        self.dut.random_data_i.value = self.random.getrandbits(self.word_bits)

    def _keep_account(self) -> None:
        """Check in each cycle that every answer belongs to a pending request."""
        asked = min(self.open["x"], self.open["y"])
        done, answers = self.flag("cfg_done_o"), self.flag("z_valid_o")
        assert not done or self.open["cfg"] == 1, "cfg_done_o with no curve to answer for"
        assert not answers or asked, "z_valid_o with no pair of packets to answer for"
        if not self.flag("busy_o"):
            waits = self.open["cfg"] > done
            assert not asked and not waits, "busy_o is low with work under way"
        for name in self.open:
            moves = self.flag(f"{name}_valid_i") and self.flag(f"{name}_ready_o")
            assert not moves or name != "cfg" or not asked, "a curve is taken with work under way"
            self.open[name] += moves and self.flag(f"{name}_last_i")
        self.open["cfg"] -= done
        if answers and self.flag("z_ready_i") and self.flag("z_last_o"):
            self.open["x"] -= 1
            self.open["y"] -= 1

    def forget(self) -> None:
        """Discard all queued, accepted and answered packets."""
        super().forget()
        self.open = dict.fromkeys(self.open, 0)

    def send_curve(self, curve: Curve) -> None:
        """Queue the packet of a curve."""
        packet, beats = curve_packet(self.design, curve)
        self.cfg.send(self.split(packet, beats))

    async def load_packet(self, words: list[int]) -> int:
        """Send a packet of any length to the curve's stream and return its status."""
        count = len(self.cfg_errors)
        self.cfg.send(words)
        await self.until(lambda: len(self.cfg_errors) > count, LIMIT)
        return self.cfg_errors[-1]

    async def load_curve(self, curve: Curve) -> int:
        """Send a curve and return its status."""
        packet, beats = curve_packet(self.design, curve)
        return await self.load_packet(self.split(packet, beats))

    def ask(self, item: EngineRequest) -> None:
        """Queue an operation."""
        (x, x_beats), (y, y_beats) = operand_packets(self.design, self.curve, item)
        self.x.send(self.split(x, max(1, x_beats)))
        self.y.send(self.split(y, y_beats))

    async def told(self, count: int = 1) -> list[tuple[int, ...]]:
        """Wait for some answers and return their beats."""
        await self.until(lambda: len(self.answers) >= count, LIMIT * count)
        found, self.answers = self.answers[:count], self.answers[count:]
        assert not any(answer.error for answer in found), "z_error_o is always low"
        return [answer.words for answer in found]

    def base(self, k: int) -> tuple[int, ...]:
        """Return the answer to k times the base point."""
        point: Point = self.curve.multiply(k, self.curve.base)
        return (EngineStatus.INFINITY, 0, 0) if point is None else (EngineStatus.OK, *point)


async def begin(dut: Any, seed: int) -> EccBench:
    """Return a bench whose engine has cleared its memories."""
    bench = EccBench(dut, seed)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.until(lambda: not bench.flag("busy_o"), LIMIT)
    return bench


def times(k: int) -> EngineRequest:
    """Return the request for k times the base point."""
    return EngineRequest(Operation.BASE, (k,))


@cocotb.test()
async def gaps_and_back_pressure(dut: Any) -> None:
    """Answers are correct and in order under any pauses of producers, consumer and source."""
    bench = await begin(dut, 41)
    n = bench.curve.n
    plan = [(0.5, 0.0, 0.0, 1.0, 0.0), (0.0, 0.6, 0.4, 0.3, 0.5), (0.0, 0.0, 0.0, 0.1, 0.9)]
    for cfg_gap, x_gap, y_gap, ready, pause in plan:
        bench.cfg.gap, bench.x.gap, bench.y.gap = cfg_gap, x_gap, y_gap
        bench.z_ready, bench.random_pause = ready, pause
        assert await bench.load_curve(bench.curve) == 0
        scalars = [bench.random.randrange(2 * n) for _ in range(2)]
        for k in scalars:
            bench.ask(times(k))
        # A request that is answered at once, between slow ones.
        bench.ask(EngineRequest(Operation.BASE, (2 * n,)))
        bench.ask(EngineRequest(Operation.MULTIPLY_ADD, (3, 5), (7,)))
        refused = (EngineStatus.RANGE, 0, 0)
        wanted = [*(bench.base(k) for k in scalars), refused, (EngineStatus.OK, 22 % n, 0)]
        assert await bench.told(len(wanted)) == wanted
        await bench.until(lambda: not bench.flag("busy_o"), LIMIT)
    assert not bench.answers


@cocotb.test()
async def operands_apart_in_time(dut: Any) -> None:
    """The scalar arrives long before or long after the operation."""
    bench = await begin(dut, 42)
    assert await bench.load_curve(bench.curve) == 0
    for first, second in (("x", "y"), ("y", "x")):
        bench.ask(EngineRequest(Operation.MULTIPLY_ADD, (3, 5), (7,)))
        sooner, later = getattr(bench, first), getattr(bench, second)
        kept = list(later.beats)
        later.beats.clear()
        while sooner.beats:
            await bench.cycle()
        for _ in range(60):
            await bench.cycle()
        assert not bench.answers and bench.flag("busy_o")
        later.beats.extend(kept)
        assert await bench.told() == [(EngineStatus.OK, 22 % bench.curve.n, 0)]


@cocotb.test()
async def a_consumer_that_never_takes(dut: Any) -> None:
    """A waiting answer stays valid; the streams deassert ready and lose nothing."""
    bench = await begin(dut, 43)
    assert await bench.load_curve(bench.curve) == 0
    bench.z_ready = 0.0
    count = bench.design.contexts + 2
    for k in range(count):
        bench.ask(EngineRequest(Operation.MULTIPLY_ADD, (k, 1), (1,)))
    await bench.until(lambda: bench.flag("z_valid_o"), LIMIT)
    for _ in range(3000):
        await bench.cycle()
    assert bench.x.beats and bench.y.beats, "operands were taken for which there is no room"
    assert bench.flag("z_valid_o") and bench.flag("busy_o")
    bench.z_ready = 1.0
    assert await bench.told(count) == [(EngineStatus.OK, k + 1, 0) for k in range(count)]


@cocotb.test()
async def packets_of_the_wrong_length(dut: Any) -> None:
    """Each gets exactly one answer, and the next operation is correct."""
    bench = await begin(dut, 44)
    assert await bench.load_curve(bench.curve) == 0
    wrong = [((1, 1), (1,)), ((1,), (1, 1)), ((1,) * 20, (1,)), ((1,), (1,) * 20), ((1,), (7,))]
    wrong += [((1,), (9,)), ((3, 5), (6,)), ((3,), (6, 7)), ((3, 5, 7), (6, 7))]
    for x, y in wrong:
        bench.x.send(list(x))
        bench.y.send(list(y))
        bench.ask(EngineRequest(Operation.MULTIPLY_ADD, (3, 5), (7,)))
        right = (EngineStatus.OK, 22 % bench.curve.n, 0)
        assert await bench.told(2) == [(EngineStatus.LENGTH, 0, 0), right], f"{x} and {y}"
    await bench.until(lambda: not bench.flag("busy_o"), LIMIT)
    assert not bench.answers


@cocotb.test()
async def curves_that_are_refused(dut: Any) -> None:
    """Even or too long numbers, a wrong beat count, a point off the curve: no curve is loaded."""
    bench = await begin(dut, 45)
    packet, beats = curve_packet(bench.design, bench.curve)
    words = bench.split(packet, beats)
    wrong = [
        (words[:1], ERROR_LENGTH),
        (words[:-1], ERROR_LENGTH),
        ([*words, 0], ERROR_LENGTH),
        ([*words, *words], ERROR_LENGTH),
        ([words[0] | 0x3FF, *words[1:]], ERROR_LENGTH),
        ([*words[:2], words[2] ^ 1, *words[3:]], ERROR_EVEN),
        ([*words[:-1], words[-1] ^ 1], ERROR_CONSTANT),
    ]
    for bad, error in wrong:
        assert await bench.load_packet(bad) == error
        bench.ask(times(3))
        assert await bench.told() == [(EngineStatus.CURVE,)], "without a curve the status alone"
    assert await bench.load_packet(words) == 0
    bench.ask(EngineRequest(Operation.MULTIPLY_ADD, (3, 5), (7,)))
    assert await bench.told() == [(EngineStatus.OK, 22 % bench.curve.n, 0)]


@cocotb.test()
async def another_curve_between_operations(dut: Any) -> None:
    """A curve offered during an operation waits for its end."""
    bench = await begin(dut, 46)
    assert await bench.load_curve(bench.curve) == 0
    bench.ask(times(5))
    wanted = bench.base(5)
    await bench.until(lambda: not bench.x.beats and not bench.y.beats, LIMIT)
    bench.curve = small_curve(Family.ZERO_A, 31)
    bench.send_curve(bench.curve)
    for _ in range(100):
        await bench.cycle()
    assert len(bench.cfg_errors) == 1 and not bench.answers
    assert await bench.told() == [wanted]
    await bench.until(lambda: len(bench.cfg_errors) == 2, LIMIT)
    bench.ask(times(7))
    assert await bench.told() == [bench.base(7)]


@cocotb.test()
async def zeroize_and_reset_at_any_moment(dut: Any) -> None:
    """No output follows, no curve is loaded, and the engine works with the next curve."""
    bench = await begin(dut, 47)
    for name, after in (("zeroize_i", 40), ("reset", 900), ("zeroize_i", 3000)):
        assert await bench.load_curve(bench.curve) == 0
        bench.ask(times(3))
        for _ in range(after):
            await bench.cycle()
        if name == "reset":
            await bench.reset()
        else:
            await bench.pulse(name)
            bench.forget()
        for number in range(50):
            await bench.cycle()
            for output in ("z_valid_o", "cfg_done_o", "core_done_o"):
                assert not bench.flag(output), f"{output} {number + 1} cycles after {name}"
        await bench.until(lambda: not bench.flag("busy_o"), LIMIT)
        bench.ask(times(3))
        assert await bench.told() == [(EngineStatus.CURVE,)]


@cocotb.test()
async def a_source_that_fails(dut: Any) -> None:
    """An operation on a secret ends with an error status; one on public numbers needs no source."""
    bench = await begin(dut, 48)
    assert await bench.load_curve(bench.curve) == 0
    dut.random_fail_i.value = 1
    bench.ask(times(3))
    assert await bench.told() == [(EngineStatus.RANDOM, 0, 0)]
    dut.random_fail_i.value = 0
    bench.ask(times(3))
    assert await bench.told() == [bench.base(3)]
