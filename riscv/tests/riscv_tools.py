# SPDX-License-Identifier: Apache-2.0
"""Helpers of the RISC-V tests: skips with a reason, and checks of the state after a call."""

from collections.abc import Iterable
from functools import cache
from itertools import tee

import pytest

from montcore.support.errors import RequestError
from montcore_riscv.calls import Call
from montcore_riscv.elf import ElfProgram
from montcore_riscv.interpreter import Interpreter
from montcore_riscv.machine import Machine, get_cpu
from montcore_riscv.qemu import Emulator
from montcore_riscv.toolchain import BuildTarget, compiler


def emulator(schedule: str = "pipelined", arch: str = "rv32imac") -> Emulator:
    """Return the library under QEMU, or skip the test."""
    try:
        return Emulator(BuildTarget(arch, schedule))
    except RequestError as error:
        pytest.skip(str(error))


@cache
def curve_emulator(schedule: str = "pipelined") -> Emulator:
    """Return the library with its curves under QEMU, or skip the test."""
    try:
        return Emulator(BuildTarget(schedule=schedule, curves=True))
    except RequestError as error:
        pytest.skip(str(error))


def machine(cpu: str, schedule: str | None = None, curves: bool = False) -> Machine:
    """Return a simulated core with the library, or skip the test."""
    try:
        compiler()
        lack = get_cpu(cpu).missing()
        if lack is not None:
            raise RequestError(lack)
        return Machine(get_cpu(cpu), schedule, curves)
    except RequestError as error:
        pytest.skip(str(error))


def check_calls(under: Emulator, calls: Iterable[Call]) -> int:
    """Run calls; check result, surrounding memory and calling convention; return their number."""
    sent, kept = tee(calls)
    count = 0
    for call, answer in zip(kept, under.run(sent), strict=True):
        assert answer.memory == call.expected, (call.function, call.arguments, call.memory.hex())
        assert answer.convention_kept, call.function
        assert call.value in (None, answer.value), (call.function, call.memory.hex())
        count += 1
    return count


def interpreted(
    program: ElfProgram, call: Call, arena: int, secrets: Iterable[tuple[int, int]]
) -> Interpreter:
    """Run a call with some of its memory secret: address and bytes of each piece."""
    run = Interpreter(program)
    words = range(0, len(call.memory), 4)
    run.put(arena, (int.from_bytes(call.memory[at : at + 4], "little") for at in words))
    for address, size in secrets:
        run.secrets(address, size // 4)
    run.call(call.function, call.arguments, [(arena, len(call.memory) + (1 << 16))])
    return run
