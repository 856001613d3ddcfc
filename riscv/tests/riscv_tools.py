# SPDX-License-Identifier: Apache-2.0
"""Helpers of the RISC-V tests: skips with a reason, and checks of the state after a call."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import tee

import pytest

from montcore.support.errors import RequestError
from montcore_riscv.calls import Call
from montcore_riscv.elf import ElfProgram
from montcore_riscv.interpreter import A0, RA, STACK_TOP, Interpreter
from montcore_riscv.machine import Machine, available_cpu
from montcore_riscv.qemu import Emulator
from montcore_riscv.toolchain import RISCV_DIR, BuildTarget, compiler
from montcore_riscv.words import Word


@cache
def emulator(
    schedule: str = "pipelined", arch: str = "rv32imac", curves: bool = False, rsa: bool = False
) -> Emulator:
    """Return the library under QEMU, or skip the test."""
    try:
        return Emulator(BuildTarget(arch, schedule, curves=curves, rsa=rsa))
    except RequestError as error:
        pytest.skip(str(error))


curve_emulator = partial(emulator, curves=True)
rsa_emulator = partial(emulator, rsa=True)


def machine(
    cpu: str, schedule: str | None = None, curves: bool = False, rsa: bool = False
) -> Machine:
    """Return a simulated core with the library, or skip the test."""
    try:
        compiler()
        return Machine(available_cpu(cpu), schedule, curves, rsa)
    except RequestError as error:
        pytest.skip(str(error))


def close(measured: int, stated: int) -> None:
    """Check a number of the README; another release of the compiler may move it a little."""
    assert abs(measured / stated - 1) < 0.005, (measured, stated)
    assert f"{stated:,}" in (RISCV_DIR / "README.md").read_text(encoding="utf-8")


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
    program: ElfProgram,
    call: Call,
    arena: int,
    secrets: Iterable[tuple[int, int]],
    room: int = 1 << 16,
    prepare: Callable[[Interpreter], None] = lambda run: None,
) -> Interpreter:
    """Run a call in the interpreter.

    Args:
        program: program with the routine.
        call: the call.
        arena: address of its memory.
        secrets: address and bytes of each piece of the memory that is secret.
        room: bytes behind its memory that may be written.
        prepare: called before the run.
    """
    run = Interpreter(program)
    run.put_bytes(arena, call.memory)
    for address, size in secrets:
        assert address % 4 == size % 4 == 0
        run.secrets(address, size // 4)
    prepare(run)
    run.call(call.function, call.arguments, [(arena, len(call.memory) + room)])
    return run


def secret_words(run: Interpreter) -> set[int]:
    """Return the addresses of words that depend on a secret, those of the stack aside."""
    end = STACK_TOP // 2  # the program and its data are below
    return {at for at, value in run.memory.items() if isinstance(value, Word) and at < end}


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

    def gives(register: int, count: int, value: int | None) -> Callable[[Interpreter], int]:
        def leaf(run: Interpreter) -> int:
            if count:
                run.secrets(run.public(register), count)
            for changed in (*range(5, 8), *range(10, 18), *range(28, 32)):
                run.x[changed] = run.words.new()
            run.x[A0] = value if value is not None else run.x[A0]
            return run.public(RA)

        return leaf

    proved = {name: gives(A0, words, None) for name in LEAVES}
    proved |= {name: gives(A0, 0, 1) for name in VERDICTS}
    proved["test_sha512"] = gives(A0 + 1, 16, 0)

    def prepare(run: Interpreter) -> None:
        run.proved = {program.address(name): leaf for name, leaf in proved.items()}

    return interpreted(program, call, program.address("arena"), secrets, 64, prepare)
