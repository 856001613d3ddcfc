# SPDX-License-Identifier: Apache-2.0
"""Memory that the library clears: work areas, table, stack, and buffers on request."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from riscv_tools import check_calls, emulator, interpreted, secret_words

from montcore_riscv.calls import (
    CONTEXT_BYTES,
    Call,
    MemoryLayout,
    RiscvModulus,
    init_call,
    modexp_call,
    montmul_call,
    product_call,
)
from montcore_riscv.qemu import SOURCES
from montcore_riscv.toolchain import RISCV_DIR, SCHEDULES, BuildTarget, build_program

M = (1 << 255) | 0x1234567 << 100 | 1
A, B = M - 2, M // 3
N = 4
TABLE_BYTES = 17 * 8 * N


def place(arena: int) -> RiscvModulus:
    """Return where the modulus and its work area lie in each of the calls below."""
    return RiscvModulus(MemoryLayout(arena), M, N)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", ["mc_modulus_init", "mc_montmul", "mc_montsqr", "mc_modexp"])
def test_checked_routines_clear_what_they_worked_in(name: str, schedule: str) -> None:
    under = emulator(schedule)
    arena = under.arena
    if name == "mc_modulus_init":
        call = init_call(arena, N, M)
    elif name == "mc_modexp":
        call = modexp_call(arena, N, A, 0x90AB_0F01, M, 1, name)
    else:
        call = montmul_call(arena, N, A, B, M, name)
    size = len(call.memory)
    call = replace(call, memory=call.memory + b"\xcc" * TABLE_BYTES)
    run = interpreted(under.program, call, arena, [])
    assert run.x[10] == 0
    work = place(arena).at_work
    assert run.get(work, 4 * N) == [0] * (4 * N)
    if name == "mc_modexp":
        assert run.get(arena + size, TABLE_BYTES // 4) == [0] * (TABLE_BYTES // 4)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_power_leaves_nothing_of_its_exponent_but_the_result(schedule: str) -> None:
    under = emulator(schedule)
    call = modexp_call(under.arena, N, A, 0x90AB_0F01, M, 1, "mc_modexp")
    result, _, exponent = call.arguments[:3]
    run = interpreted(under.program, call, under.arena, [(exponent, 4)])
    assert not run.stack_secrets()
    assert secret_words(run) == {exponent, *range(result, result + 8 * N, 4)}


def test_the_stack_of_karatsuba_is_cleared_on_request() -> None:
    emulator()
    sources = [*(RISCV_DIR / name for name in SOURCES), RISCV_DIR / "test" / "wipe.c"]
    _, program = build_program(sources, BuildTarget())
    arena = program.address("arena")
    for name, left in (("mc_mul_karatsuba", True), ("use_karatsuba", False)):
        call = product_call(name, arena, 16, A, B << 700)
        secrets = [(address, 128) for address in call.arguments[1:3]]
        assert interpreted(program, call, arena, secrets).stack_secrets() is left


def wipes(arena: int) -> Iterator[Call]:
    for start in range(8):
        for size in range(20):
            memory = bytes(range(1, 41))
            wiped = memory[:start] + bytes(size) + memory[start + size :]
            yield Call("mc_wipe", (arena + start, size), memory, 0, 40, wiped)


def test_wipe_clears_its_bytes_and_no_other() -> None:
    under = emulator()
    assert check_calls(under, wipes(under.arena)) == 160


def test_a_secret_modulus_is_cleared() -> None:
    under = emulator()
    layout = MemoryLayout(under.arena)
    modulus = RiscvModulus(layout, M, N)
    memory = layout.memory()
    expected = memory
    for address, size in (
        (modulus.at_rr, 8 * N),
        (modulus.at_work, 16 * N),
        (modulus.address, CONTEXT_BYTES),
    ):
        at = address - under.arena
        assert any(expected[at : at + size])
        expected = expected[:at] + bytes(size) + expected[at + size :]
    call = Call("mc_modulus_wipe", (modulus.address,), memory, 0, len(memory), expected)
    assert check_calls(under, [call]) == 1
