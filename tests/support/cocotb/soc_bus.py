# SPDX-License-Identifier: Apache-2.0
"""The accelerator behind a bus, driven by a bus model with random pauses.

The variable SOC_BUS selects the bus; LENGTH is the built width in bits. With CORE_PS the
accelerator has its own clock, with this period in picoseconds; the bus clock's is 10,000.
"""

import itertools
import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from cocotbext.apb import Apb4Bus, ApbMaster
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from cocotbext.wishbone.driver import WBOp, WishboneMaster

BUS = os.environ["SOC_BUS"]
BITS = int(os.environ["LENGTH"])
CORE_PS = int(os.environ.get("CORE_PS", 0))
LIMIT_MS = 20 if CORE_PS else 1
MAGIC = 0x4D504B41
STATUS, ERROR, INTR, ENABLE, LENGTH, Y_LENGTH, COMMAND = 0x14, 0x18, 0x1C, 0x20, 0x24, 0x28, 0x2C
OPERANDS, SLOT = 0x4000, 0x400
LOAD, POWER, PRODUCT = 1, 2, 3
A_CHANNEL = ("valid", "opcode", "param", "size", "source", "address", "mask", "data", "corrupt")
LANES = {1: (1, 0), 2: (1, 1), 4: (1, 2), 8: (1, 3), 3: (2, 0), 12: (2, 2), 15: (4, 0)}


def _pause(rng: random.Random) -> Iterator[bool]:
    while True:
        yield rng.random() < 0.4


class Axi:
    """AXI4-Lite; every channel pauses independently."""

    def __init__(self, dut: Any) -> None:
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.aclk, dut.aresetn, False)

    async def read(self, address: int) -> tuple[int, bool]:
        answer = await self.bus.read(address & ~3, 4)
        return int.from_bytes(answer.data, "little"), answer.resp == AxiResp.OKAY

    async def write(self, address: int, word: int, strobes: int = 15) -> bool:
        count, first = LANES[strobes]
        data = word.to_bytes(4, "little")[first : first + count]
        answer = await self.bus.write((address & ~3) + first, data)
        return bool(answer.resp == AxiResp.OKAY)

    def pauses(self, rng: random.Random) -> None:
        write, read = self.bus.write_if, self.bus.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel):
            channel.set_pause_generator(_pause(random.Random(rng.random())))
        for channel in (read.ar_channel, read.r_channel):
            channel.set_pause_generator(_pause(random.Random(rng.random())))


class Apb:
    """APB4."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.bus = ApbMaster(Apb4Bus.from_prefix(dut, "s_apb"), dut.pclk)
        self.rng: random.Random | None = None

    async def _idle(self) -> None:
        if self.rng is not None and self.rng.random() < 0.4:
            await ClockCycles(self.dut.pclk, self.rng.randrange(1, 4))

    # The bus model itself fails a test if an access is refused.
    async def read(self, address: int) -> tuple[int, bool]:
        await self._idle()
        data = await self.bus.read(address)
        return int.from_bytes(data, "little"), True

    async def write(self, address: int, word: int, strobes: int = 15) -> bool:
        await self._idle()
        data = word.to_bytes(4, "little")
        await self.bus.write(address, data, strobes)
        return True

    def pauses(self, rng: random.Random) -> None:
        self.rng = rng


class TileLink:
    """TileLink-UL, driven directly: no bus model is available."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.sources = dut, itertools.count()
        self.rng: random.Random | None = None
        for name in A_CHANNEL:
            getattr(dut, f"tl_a_{name}").value = 0
        dut.tl_d_ready.value = 0

    def pauses(self, rng: random.Random) -> None:
        self.rng = rng

    async def ask(
        self, opcode: int, size: int, address: int, mask: int, data: int
    ) -> tuple[int, bool]:
        dut, source = self.dut, next(self.sources) & 255
        for name, value in (("opcode", opcode), ("size", size), ("source", source), ("mask", mask)):
            getattr(dut, f"tl_a_{name}").value = value
        dut.tl_a_address.value, dut.tl_a_data.value, dut.tl_a_valid.value = address, data, 1
        asked = False
        for _ in range(1000 if CORE_PS else 200):
            dut.tl_d_ready.value = int(self.rng is None or self.rng.random() < 0.5)
            await ReadOnly()
            taken = not asked and bool(dut.tl_a_ready.value)
            answered = bool(dut.tl_d_valid.value and dut.tl_d_ready.value)
            if dut.tl_d_valid.value:
                assert asked, "an answer before the question"
                assert int(dut.tl_d_source.value) == source and int(dut.tl_d_size.value) == size
                assert int(dut.tl_d_opcode.value) == (opcode == 4)
                assert int(dut.tl_d_corrupt.value) == (opcode == 4 and int(dut.tl_d_denied.value))
            found = int(dut.tl_d_data.value), not dut.tl_d_denied.value
            await RisingEdge(dut.clock)
            if taken:
                asked, dut.tl_a_valid.value = True, 0
            if answered:
                dut.tl_d_ready.value = 0
                return found
        raise AssertionError("no answer")

    async def read(self, address: int) -> tuple[int, bool]:
        return await self.ask(4, 2, address, 15, 0)

    async def write(self, address: int, word: int, strobes: int = 15) -> bool:
        partial = strobes != 15
        return (await self.ask(int(partial), 2, address, strobes, word))[1]


class Wishbone:
    """Wishbone, classic cycles."""

    def __init__(self, dut: Any) -> None:
        names = ("cyc", "stb", "we", "adr", "sel")
        signals = {name: f"{name}_i" for name in names}
        signals |= {"datwr": "dat_i", "datrd": "dat_o", "ack": "ack_o", "err": "err_o"}
        self.bus = WishboneMaster(
            dut, "wb", dut.wb_clk_i, timeout=1000 if CORE_PS else 50, signals_dict=signals
        )
        self.rng: random.Random | None = None

    def pauses(self, rng: random.Random) -> None:
        self.rng = rng

    async def _ask(self, address: int, word: int | None, strobes: int) -> tuple[int, bool]:
        idle = 0 if self.rng is None else self.rng.randrange(3)
        (answer,) = await self.bus.send_cycle([WBOp(address // 4, word, idle, strobes)])
        return int(answer.datrd or 0) if word is None else 0, answer.ack == 1

    async def read(self, address: int) -> tuple[int, bool]:
        return await self._ask(address, None, 15)

    async def write(self, address: int, word: int, strobes: int = 15) -> bool:
        return (await self._ask(address, word, strobes))[1]


KINDS = {
    "axi4-lite": (Axi, "aclk", "aresetn", 0),
    "apb": (Apb, "pclk", "presetn", 0),
    "wishbone": (Wishbone, "wb_clk_i", "wb_rst_i", 1),
    "tl-ul": (TileLink, "clock", "reset_n", 0),
}


async def begin(dut: Any) -> Any:
    kind, clock, reset, value = KINDS[BUS]
    Clock(getattr(dut, clock), 10, "ns").start()
    getattr(dut, reset).value = value
    if CORE_PS:
        Clock(dut.core_clk, CORE_PS, "ps").start()
        dut.core_rst_n.value = 0
    if BUS == "wishbone":
        # In Icarus Verilog, immediate assignments by the bus model do not reach the ports until
        # these have been set once in the usual way.
        for name in ("cyc", "stb", "we", "adr", "dat", "sel"):
            getattr(dut, f"wb_{name}_i").value = 0
        await ClockCycles(dut.wb_clk_i, 1)
    master = kind(dut)
    await ClockCycles(getattr(dut, clock), 4)
    if CORE_PS:
        await _both(dut, 8)
        await RisingEdge(dut.core_clk)
        dut.core_rst_n.value = 1
        await RisingEdge(getattr(dut, clock))
    getattr(dut, reset).value = 1 - value
    await ClockCycles(getattr(dut, clock), 2)
    await idle(master)
    return master


async def _both(dut: Any, cycles: int) -> None:
    """Wait for a number of cycles of the slower clock."""
    slower = dut.core_clk if CORE_PS > 10_000 else getattr(dut, KINDS[BUS][1])
    await ClockCycles(slower, cycles)


async def idle(master: Any) -> None:
    for _ in range(5000):
        state, done = await master.read(STATUS)
        assert done
        if not state & 1:
            return
    raise AssertionError("busy for ever")


async def put(master: Any, address: int, number: int) -> None:
    for place in range(0, BITS, 32):
        assert await master.write(address + place // 8, number >> place & 0xFFFFFFFF)


async def get(master: Any, address: int) -> int:
    words = [await master.read(address + place // 8) for place in range(0, BITS, 32)]
    assert all(done for _, done in words)
    return sum(word << 32 * at for at, (word, _) in enumerate(words))


async def command(master: Any, op: int, x: int = 1) -> int:
    assert await master.write(COMMAND, op | x << 8 | 2 << 12 | 3 << 16)
    await idle(master)
    return int((await master.read(ERROR))[0])


async def compute(master: Any, rng: random.Random) -> None:
    """Load a modulus, compute a power and a product, and check both."""
    m = rng.getrandbits(BITS) | 1 << (BITS - 1) | 1
    x, e = rng.randrange(m), rng.getrandbits(4) | 9
    await master.write(LENGTH, BITS)
    await put(master, OPERANDS, m)
    assert await command(master, LOAD, 0) == 0
    await put(master, OPERANDS + SLOT, x)
    await put(master, OPERANDS + 2 * SLOT, e)
    await master.write(Y_LENGTH, 4)
    assert await command(master, POWER) == 0
    assert await get(master, OPERANDS + 3 * SLOT) == pow(x, e, m)
    assert await command(master, PRODUCT) == 0
    assert await get(master, OPERANDS + 3 * SLOT) == x * e % m


@cocotb.test(timeout_time=LIMIT_MS, timeout_unit="ms")
async def computes_with_and_without_pauses(dut: Any) -> None:
    master = await begin(dut)
    rng = random.Random(1)
    await compute(master, rng)
    master.pauses(rng)
    await compute(master, rng)


@cocotb.test(timeout_time=LIMIT_MS, timeout_unit="ms", skip=BUS != "axi4-lite")
async def reads_and_writes_of_axi_overlap(dut: Any) -> None:
    master = await begin(dut)
    master.pauses(random.Random(4))
    words = [random.Random(at).getrandbits(32) for at in range(8)]
    writes = [cocotb.start_soon(master.write(OPERANDS + SLOT * at, words[at])) for at in range(8)]
    reads = [cocotb.start_soon(master.read(0)) for _ in range(8)]
    assert [await one for one in writes] == [True] * 8
    assert [await one for one in reads] == [(MAGIC, True)] * 8
    assert [(await master.read(OPERANDS + SLOT * at))[0] for at in range(8)] == words


@cocotb.test(timeout_time=LIMIT_MS, timeout_unit="ms", skip=BUS != "tl-ul")
async def requests_of_tilelink_that_are_illegal_are_denied(dut: Any) -> None:
    master = await begin(dut)
    rng = random.Random(5)
    master.pauses(rng)
    await master.write(Y_LENGTH, 0)
    for _ in range(200):
        opcode, size, offset, mask = (rng.randrange(top) for top in (8, 4, 4, 16))
        lanes = {0: 1 << offset, 1: 3 << offset, 2: 15}.get(size, 0)
        legal = opcode in (0, 1, 4) and size < 3 and offset % (1 << size) == 0
        legal = legal and mask & ~lanes == 0 and (opcode == 1 or mask == lanes)
        before = (await master.read(Y_LENGTH))[0]
        _, done = await master.ask(opcode, size, Y_LENGTH + offset, mask, 0xFFFFFFFF)
        assert done == legal, (opcode, size, offset, mask)
        after = (await master.read(Y_LENGTH))[0]
        bytes_ = sum(255 << 8 * at for at in range(4) if mask >> at & 1)
        wanted = (before | bytes_) & 0x3FFF if legal and opcode < 2 else before
        assert after == wanted
        await master.write(Y_LENGTH, 0)


@cocotb.test(timeout_time=LIMIT_MS, timeout_unit="ms", skip=not CORE_PS)
async def interrupt_crosses(dut: Any) -> None:
    master = await begin(dut)
    await master.write(ENABLE, 1)
    assert not dut.irq.value
    await compute(master, random.Random(6))
    await _both(dut, 4)
    assert dut.irq.value
    await master.write(INTR, 1)
    await _both(dut, 1)
    assert not dut.irq.value


@cocotb.test(timeout_time=LIMIT_MS, timeout_unit="ms", skip=not CORE_PS)
async def either_side_may_be_reset_by_itself(dut: Any) -> None:
    master = await begin(dut)
    rng, reset, value = random.Random(7), *KINDS[BUS][2:]
    for pause in range(12):
        await master.write(LENGTH, 33)
        access = cocotb.start_soon(master.read(Y_LENGTH))
        await ClockCycles(dut.core_clk, 1 + pause)
        await RisingEdge(dut.core_clk)
        dut.core_rst_n.value = 0
        await _both(dut, 8)
        await RisingEdge(dut.core_clk)
        dut.core_rst_n.value = 1
        assert await access == (0, True)
        await idle(master)
        assert await master.read(LENGTH) == (0, True)
        assert await master.write(LENGTH, 40) and await master.read(LENGTH) == (40, True)
    await RisingEdge(getattr(dut, KINDS[BUS][1]))
    getattr(dut, reset).value = value
    await _both(dut, 8)
    await RisingEdge(getattr(dut, KINDS[BUS][1]))
    getattr(dut, reset).value = 1 - value
    assert await master.read(LENGTH) == (40, True)
    await compute(master, rng)
