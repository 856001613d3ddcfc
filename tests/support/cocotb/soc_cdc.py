# SPDX-License-Identifier: Apache-2.0
"""The register interface's clock crossing, with a model on either side.

The variable CORE_PS is the period of the core's clock in picoseconds; the bus clock's is 10,000.
CYCLES gives the expected duration of an access in bus clock cycles: minimum and maximum of a single
access, and ten times the mean of back-to-back accesses.
"""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer

CORE_PS, BUS_PS = int(os.environ["CORE_PS"]), 10_000
CYCLES = os.environ["CYCLES"]
#: Cycles of the slower clock that a reset lasts.
RESET = 8
ACCESSES = 500


def _answer(request: tuple[int, ...]) -> tuple[int, int]:
    """Return the word and error that answer a request; they differ between requests."""
    write, address, word, strobes = request
    return word * 0x9E3779B1 + address + (strobes << 20) & 0xFFFFFFFF, (word ^ write) & 1


class CoreSide:
    """The core's side: answers after a random number of cycles and records the requests."""

    def __init__(self, dut: Any, most: int) -> None:
        self.dut, self.most, self.rng = dut, most, random.Random(1)
        self.asked: list[tuple[int, ...]] = []
        dut.core_ack_i.value = 0
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        dut, left = self.dut, -1
        request: tuple[int, ...] = (0, 0, 0, 0)
        while True:
            await RisingEdge(dut.core_clk_i)
            if not dut.core_rst_ni.value:
                left, dut.core_ack_i.value = -1, 0
                continue
            if dut.core_req_o.value:
                assert left < 0, "a request before the answer to the last one"
                names = ("write", "addr", "wdata", "strb")
                request = tuple(int(getattr(dut, f"core_{name}_o").value) for name in names)
                self.asked.append(request)
                left = self.rng.randint(0, self.most)
            dut.core_ack_i.value = int(left == 0)
            word, error = _answer(request) if left == 0 else (self.rng.getrandbits(32), 0)
            dut.core_rdata_i.value, dut.core_error_i.value = word, error
            left -= left >= 0


class CrossingBus:
    """The bus's side; it samples shortly after each edge."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.rng, self.words = dut, random.Random(2), 0
        dut.req_i.value = 0

    async def step(self, cycles: int = 1) -> None:
        await ClockCycles(self.dut.clk_i, cycles)
        await Timer(100, "ps")

    def ask(self) -> tuple[int, ...]:
        """Issue a unique request."""
        self.words += 1
        request = (self.rng.getrandbits(1), self.rng.getrandbits(16), self.words, 15)
        dut = self.dut
        dut.req_i.value = 1
        for name, value in zip(("write", "addr", "wdata", "strb"), request, strict=True):
            getattr(dut, f"{name}_i").value = value
        return request

    async def answered(self, request: tuple[int, ...]) -> int:
        """Wait for the answer and compare it, with other words on the wires; return the cycles."""
        dut, cycles = self.dut, 1
        await self.step()
        dut.req_i.value = 0
        for name, size in (("write", 1), ("addr", 16), ("wdata", 32), ("strb", 4)):
            getattr(dut, f"{name}_i").value = self.rng.getrandbits(size)
        while not dut.ack_o.value:
            await self.step()
            cycles += 1
            assert cycles < 1000, "no answer"
        assert (int(dut.rdata_o.value), int(dut.error_o.value)) == _answer(request)
        return cycles

    async def access(self) -> tuple[tuple[int, ...], int]:
        request = self.ask()
        return request, await self.answered(request)


async def _slower(dut: Any, cycles: int) -> None:
    await ClockCycles(dut.core_clk_i if CORE_PS > BUS_PS else dut.clk_i, cycles)


async def begin(dut: Any, most: int) -> tuple[CrossingBus, CoreSide]:
    Clock(dut.clk_i, BUS_PS, "ps").start()
    Clock(dut.core_clk_i, CORE_PS, "ps").start()
    dut.rst_ni.value, dut.core_rst_ni.value, dut.core_irq_i.value = 0, 0, 0
    bus, core = CrossingBus(dut), CoreSide(dut, most)
    await _slower(dut, RESET)
    await RisingEdge(dut.core_clk_i)
    dut.core_rst_ni.value = 1
    await bus.step()
    dut.rst_ni.value = 1
    await bus.step()
    return bus, core


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def each_request_once_with_its_own_answer(dut: Any) -> None:
    bus, core = await begin(dut, 5)
    made = []
    for _ in range(ACCESSES):
        made.append((await bus.access())[0])
        if bus.rng.random() < 0.5:
            await bus.step(bus.rng.randrange(1, 20))
            assert not dut.ack_o.value
    assert core.asked == made


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def takes_the_cycles_that_are_said(dut: Any) -> None:
    bus, _ = await begin(dut, 0)
    total = sum([(await bus.access())[1] for _ in range(ACCESSES)])
    single = []
    for at in range(ACCESSES):
        await bus.step(60 + at % 7)
        single.append((await bus.access())[1])
    found = f"{min(single)} {max(single)} {round(10 * total / ACCESSES)}"
    dut._log.info("cycles: %s", found)
    assert found == CYCLES, found


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def either_side_may_be_reset_at_any_time(dut: Any) -> None:
    # The accelerator answers in the next cycle; a slower core would need longer resets.
    bus, core = await begin(dut, 0)
    for _ in range(150):
        core.asked.clear()
        request = bus.ask()
        wait = cocotb.start_soon(bus.answered(request))
        await Timer(bus.rng.randrange(1, 14 * max(CORE_PS, BUS_PS)), "ps")
        if bus.rng.random() < 0.5:
            await RisingEdge(dut.core_clk_i)
            dut.core_rst_ni.value = 0
            await _slower(dut, RESET)
            await RisingEdge(dut.core_clk_i)
            dut.core_rst_ni.value = 1
            await wait
            assert core.asked in ([request], [request, request])
        else:
            await bus.step()
            dut.rst_ni.value, dut.req_i.value = 0, 0
            wait.cancel()
            await _slower(dut, RESET)
            await bus.step()
            dut.rst_ni.value = 1
            assert core.asked in ([], [request])
        core.asked.clear()
        await bus.step()
        after = (await bus.access())[0]
        assert core.asked == [after]
        await bus.step(bus.rng.randrange(1, 30))
