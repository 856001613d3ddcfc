# SPDX-License-Identifier: Apache-2.0
"""Random accesses over any bus, each answer compared with the contract of the registers.

Besides the variables of soc_bus.py: LINES, as for pka_bench.cpp, and CYCLES, the most of a command.
"""

import os
import random
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from cocotb.utils import get_sim_time
from pka_contract import EXPONENTIATOR, Contract
from soc_bus import BITS, BUS, KINDS, LANES, STATUS, begin


class ContractApb:
    """APB4, driven directly: the bus model must know before whether an access will be refused."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut

    async def _ask(self, address: int, word: int | None, strobes: int) -> tuple[int, bool]:
        dut = self.dut
        dut.s_apb_paddr.value, dut.s_apb_pwrite.value = address, word is not None
        dut.s_apb_pwdata.value, dut.s_apb_pstrb.value = word or 0, strobes
        dut.s_apb_psel.value, dut.s_apb_penable.value = 1, 0
        await RisingEdge(dut.pclk)
        dut.s_apb_penable.value = 1
        for _ in range(50):
            await ReadOnly()
            ready, error = bool(dut.s_apb_pready.value), bool(dut.s_apb_pslverr.value)
            data = int(dut.s_apb_prdata.value) if word is None and ready else 0
            await RisingEdge(dut.pclk)
            if ready:
                dut.s_apb_psel.value, dut.s_apb_penable.value = 0, 0
                return data, not error
        raise AssertionError("no answer")

    async def read(self, address: int) -> tuple[int, bool]:
        """Return the word that is read, and whether it was."""
        return await self._ask(address, None, 0)

    async def write(self, address: int, word: int, strobes: int) -> bool:
        """Return whether a word was written."""
        return (await self._ask(address, word, strobes))[1]


async def answer(dut: Any, master: Any, line: str) -> tuple[bool, str]:
    """Do what a line says; return whether it was refused, and its answer."""
    _, clock, reset, value = KINDS[BUS]
    kind, *words = line.split()
    # TileLink denies a word at an address that is not a multiple of four; the others ignore it.
    lowest = 3 if BUS == "tl-ul" else 0
    if kind in ("run", "reset"):
        getattr(dut, reset).value = value if kind == "reset" else 1 - value
        await ClockCycles(getattr(dut, clock), int(words[0]))
        getattr(dut, reset).value = 1 - value
        await ClockCycles(getattr(dut, clock), 2)
    elif kind == "irq":
        return False, str(int(dut.irq.value))
    elif kind == "idle":
        start = get_sim_time("ns")
        while (await master.read(STATUS))[0] & 1:
            if get_sim_time("ns") - start > 10 * int(words[0]):
                return False, "-1"
        return False, str(int(get_sim_time("ns") - start) // 10)
    elif kind == "r":
        data, done = await master.read(int(words[0], 16) & ~lowest)
        return not done, f"{data:x}"
    else:
        address, *rest = (int(word, 16) for word in words)
        return not await master.write(address & ~lowest, *rest), "0"
    return False, "0"


@cocotb.test()
async def keeps_the_contract_of_the_registers(dut: Any) -> None:
    master = await begin(dut)
    if BUS == "apb":
        master = ContractApb(dut)
    else:
        master.pauses(random.Random(1))
    model = Contract(EXPONENTIATOR, "dsp", BITS, {}, int(os.environ["CYCLES"]))
    played = list[str]()
    for line in os.environ["LINES"].split("\n"):
        if line.startswith("w") and BUS == "axi4-lite" and int(line.split()[3], 16) not in LANES:
            continue  # what the bus model cannot write
        played = [*played, line] if not line.startswith("reset") else [line]
        refused, said = await answer(dut, master, line)
        assert model.take(line, refused, said), (refused, said, "; ".join(played))
