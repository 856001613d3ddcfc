# SPDX-License-Identifier: Apache-2.0
"""Helpers of the RISC-V tests: skips with a reason, and checks of the state after a call."""

import struct
from collections.abc import Callable, Iterable
from functools import cache
from itertools import tee

import pytest

from montcore.support.errors import RequestError
from montcore_riscv.calls import Call
from montcore_riscv.elf import ElfProgram
from montcore_riscv.interpreter import A0, RA, Interpreter
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


#: Routines whose time is known to be constant, and verdicts that a status may tell.
LEAVES = tuple(f"mc_p256_{what}" for what in ("mul", "sqr", "add", "sub"))
LEAVES += tuple(f"mc_25519_{what}" for what in ("mul", "sqr", "add", "sub", "scale"))
LEAVES += ("mc_montmul_raw", "mc_montsqr_raw", "mc_mod_add_raw", "mc_mod_sub_raw")
VERDICTS = ("mc_in_range", "mc_neither_zero", "mc_not_null", "mc_on_curve")


def symbolic(
    program: ElfProgram, call: Call, secrets: Iterable[tuple[int, int]], words: int
) -> Interpreter:
    """Run a call of a curve with some of its memory secret, and numbers of so many words.

    Arithmetic gives secret words of which nothing is known, as does the hash function. Verdicts on
    secrets are that they are good.
    """
    run = Interpreter(program)
    run.put(program.address("arena"), struct.unpack(f"<{len(call.memory) // 4}I", call.memory))
    for address, size in secrets:
        run.secrets(address, size // 4)

    def gives(register: int, count: int, value: int | None) -> Callable[[Interpreter], int]:
        def leaf(run: Interpreter) -> int:
            if count:
                run.secrets(run.public(register), count)
            for changed in (*range(5, 8), *range(10, 18), *range(28, 32)):
                run.x[changed] = run.words.new()
            run.x[A0] = value if value is not None else run.x[A0]
            return run.public(RA)

        return leaf

    run.proved = {program.address(name): gives(A0, words, None) for name in LEAVES}
    run.proved |= {program.address(name): gives(A0, 0, 1) for name in VERDICTS}
    run.proved[program.address("test_sha512")] = gives(A0 + 1, 16, 0)
    run.call(call.function, call.arguments, [(program.address("arena"), len(call.memory) + 64)])
    return run
