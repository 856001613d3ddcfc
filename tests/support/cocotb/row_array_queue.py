# SPDX-License-Identifier: Apache-2.0
"""An array whose results are not accepted: operands are held off in time, nothing is lost."""

from typing import Any

import cocotb
from port_driver import PortBench

from montcore.model.spec import montgomery_product

ERROR_OPERAND_RANGE = 4


@cocotb.test()
async def results_wait_and_operands_with_them(dut: Any) -> None:
    array = dut.g_array.u_array
    room = int(array.Results.value)
    bits = int(array.Bits.value)
    bench = PortBench(dut, 5, word_bits=bits)
    await bench.start()
    m = bench.random.getrandbits(bits) | 1 | 1 << (bits - 1)
    assert await bench.load(m, 1) == 0
    await bench.idle()
    pairs = [(bench.random.randrange(m), bench.random.randrange(m)) for _ in range(3 * room)]
    # Some products that are answered with an error, in order.
    for place in range(5, len(pairs), 11):
        pairs[place] = (m, pairs[place][1])
    bench.z_ready = 0.0
    for x, y in pairs:
        bench.multiply(x, y, 1)
    for _ in range(8 * room):
        await bench.cycle()
    # One more than the queue holds, because the result at the port has left the queue.
    assert len(bench.starts) == room + 1, f"{len(bench.starts)} products begun"
    bench.z_ready = 0.4
    for (x, y), answer in zip(pairs, await bench.results(len(pairs)), strict=True):
        if x == m:
            assert answer.error and answer.words == (ERROR_OPERAND_RANGE,)
        else:
            assert bench.value(answer, 1) == montgomery_product(x, y, m, bits + 2)
    await bench.idle()


@cocotb.test()
async def products_never_wait_for_a_ready_consumer(dut: Any) -> None:
    bits = int(dut.g_array.u_array.Bits.value)
    bench = PortBench(dut, 6, word_bits=bits)
    await bench.start()
    m = bench.random.getrandbits(bits) | 1
    assert await bench.load(m, 1) == 0
    await bench.idle()
    for _ in range(200):
        bench.multiply(bench.random.randrange(m), bench.random.randrange(m), 1)
    await bench.results(200)
    gaps = {after - before for before, after in zip(bench.starts, bench.starts[1:], strict=False)}
    assert gaps == {int(dut.g_array.u_array.CyclesPerRow.value)} and len(bench.starts) == 200
