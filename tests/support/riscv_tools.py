# SPDX-License-Identifier: Apache-2.0
"""What the RISC-V tests share: skips with a reason, and the check of what a call left behind."""

from collections.abc import Iterable
from itertools import tee

import pytest

from montcore.riscv.calls import Call
from montcore.riscv.machine import Machine, get_cpu
from montcore.riscv.qemu import Emulator
from montcore.riscv.toolchain import Target, compiler
from montcore.support.errors import RequestError


def emulator(schedule: str = "pipelined", arch: str = "rv32imac") -> Emulator:
    """Return the library under QEMU, or skip the test."""
    try:
        return Emulator(Target(arch, schedule))
    except RequestError as error:
        pytest.skip(str(error))


def machine(cpu: str, schedule: str | None = None) -> Machine:
    """Return a simulated core with the library, or skip the test."""
    try:
        compiler()
        lack = get_cpu(cpu).missing()
        if lack is not None:
            raise RequestError(lack)
        return Machine(get_cpu(cpu), schedule)
    except RequestError as error:
        pytest.skip(str(error))


def check_calls(under: Emulator, calls: Iterable[Call]) -> int:
    """Run calls and check result, memory around it and calling convention; return how many."""
    sent, kept = tee(calls)
    count = 0
    for call, answer in zip(kept, under.run(sent), strict=True):
        assert answer.memory == call.expected, (call.function, call.arguments, call.memory.hex())
        assert answer.convention_kept, call.function
        assert call.value in (None, answer.value), (call.function, call.memory.hex())
        count += 1
    return count
