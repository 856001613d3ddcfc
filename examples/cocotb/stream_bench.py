# SPDX-License-Identifier: Apache-2.0
"""A multiplier behind AXI4-Stream, with random pauses on every stream.

BITS is the built width, WIDTH the bits of a beat, R_BITS the Montgomery radix at that width.
"""

import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

BITS, WIDTH, R_BITS = (int(os.environ[name]) for name in ("BITS", "WIDTH", "R_BITS"))
BYTES = (WIDTH + 7) // 8
MODULUS_EVEN, OPERAND_RANGE = 1, 4


def pauses(rng: random.Random) -> Iterator[bool]:
    """Yield in which cycles a stream pauses."""
    while True:
        yield rng.random() < 0.4


def frame(number: int, rng: random.Random) -> AxiStreamFrame:
    """Return a number as beats; bits above a beat's width are random."""
    beats = -(-BITS // WIDTH)
    data = b""
    for beat in range(beats):
        word = number >> beat * WIDTH & ((1 << WIDTH) - 1)
        word |= rng.getrandbits(8) << WIDTH
        data += (word & ((1 << 8 * BYTES) - 1)).to_bytes(BYTES, "little")
    return AxiStreamFrame(data)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def products_and_refusals(dut: Any) -> None:
    """Products, an even modulus, and an operand that is not below the modulus."""
    rng = random.Random(1)
    Clock(dut.aclk, 10, "ns").start()
    dut.aresetn.value = 0
    dut.zeroize.value = 0

    def source(name: str) -> AxiStreamSource:
        made = AxiStreamSource(AxiStreamBus.from_prefix(dut, name), dut.aclk, dut.aresetn, False)
        made.set_pause_generator(pauses(random.Random(rng.random())))
        return made

    cfg, x, y = source("s_axis_cfg"), source("s_axis_x"), source("s_axis_y")
    sinks = []
    for name in ("m_axis_z", "m_axis_status"):
        sinks.append(
            AxiStreamSink(AxiStreamBus.from_prefix(dut, name), dut.aclk, dut.aresetn, False)
        )
        sinks[-1].set_pause_generator(pauses(random.Random(rng.random())))
    z, status = sinks
    await ClockCycles(dut.aclk, 4)
    dut.aresetn.value = 1

    async def answer(sink: AxiStreamSink) -> tuple[int, int]:
        found = await with_timeout(sink.recv(), 100, "us")
        user = found.tuser if isinstance(found.tuser, int) else max(found.tuser or [0])
        words = [found.tdata[at : at + BYTES] for at in range(0, len(found.tdata), BYTES)]
        beats = [int.from_bytes(bytes(word), "little") for word in words]
        return sum(beat << at * WIDTH for at, beat in enumerate(beats)), user

    for _ in range(3):
        m = rng.getrandbits(BITS) | 1 << (BITS - 1) | 1
        # A second modulus waits for the status of the first, which is refused.
        await cfg.send(frame(m - 1, rng))
        await cfg.send(frame(m, rng))
        assert (await answer(status))[0] == MODULUS_EVEN
        assert (await answer(status))[0] == 0
        pairs = [(rng.randrange(m), rng.randrange(m)) for _ in range(4)]
        for one, other in [*pairs, (m, 1)]:
            await x.send(frame(one, rng))
            await y.send(frame(other, rng))
        inverse = pow(2, -R_BITS, m)
        for one, other in pairs:
            assert await answer(z) == (one * other * inverse % m, 0)
        value, user = await answer(z)
        assert (value & 7, user) == (OPERAND_RANGE, 1)
