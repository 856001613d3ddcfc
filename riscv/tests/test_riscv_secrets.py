# SPDX-License-Identifier: Apache-2.0
"""No branch and no address of the library depends on a secret; how deep its stack goes."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from riscv_tools import emulator, interpreted

from montcore_riscv.calls import (
    REDUCED,
    REDUCED_BITS,
    Call,
    mod_add_call,
    mod_sub_call,
    modexp_call,
    montmul_call,
    product_call,
    square_call,
)
from montcore_riscv.elf import read_program
from montcore_riscv.interpreter import STACK_TOP, SecretLeakError
from montcore_riscv.toolchain import SCHEDULES, compiler
from montcore_riscv.words import Word

M = (1 << 255) | 0x1234567 << 100 | 1
A, B = M - 2, M // 3
N = 4
BYTES = 8 * N
#: The routines that multiply, and the most stack that each may take.
MULTIPLIERS = {
    "mc_mul_rows": 80,
    "mc_mul_columns": 36,
    "mc_mul_paper": 60,
    "mc_mul_school": 0,
    "mc_mul_products": 24,
}
#: Bytes of an operand in words of 28 bits.
REDUCED_BYTES = 4 * -(-64 * N // REDUCED_BITS)

#: Each routine with its call, which arguments point at secrets, and the most stack it may take.
CASES: dict[str, tuple[Callable[[int], Call], dict[int, int], int]] = {
    **{
        name: (
            lambda arena, name=name: product_call(name, arena, N, A, B),  # type: ignore[misc]
            {1: BYTES, 2: BYTES},
            stack,
        )
        for name, stack in MULTIPLIERS.items()
    },
    REDUCED: (
        lambda arena: product_call(REDUCED, arena, N, A, B),
        {1: REDUCED_BYTES, 2: REDUCED_BYTES},
        24,
    ),
    "mc_mul_karatsuba": (
        lambda arena: product_call("mc_mul_karatsuba", arena, 16, A, B << 700),
        {1: 128, 2: 128},
        8 * 16 + 32 * 1 + 80,
    ),
    "mc_sqr_raw": (lambda arena: square_call(arena, N, A), {1: BYTES}, 80),
    "mc_mod_add_raw": (
        lambda arena: mod_add_call(arena, N, A, B, M, "mc_mod_add_raw"),
        {1: BYTES, 2: BYTES},
        0,
    ),
    "mc_mod_sub_raw": (
        lambda arena: mod_sub_call(arena, N, B, A, M, "mc_mod_sub_raw"),
        {1: BYTES, 2: BYTES},
        0,
    ),
    "mc_montmul_raw": (
        lambda arena: montmul_call(arena, N, A, B, M, "mc_montmul_raw"),
        {1: BYTES, 2: BYTES},
        80,
    ),
    "mc_montsqr_raw": (
        lambda arena: montmul_call(arena, N, A, 0, M, "mc_montsqr_raw"),
        {1: BYTES},
        80,
    ),
    "mc_modexp_window_raw": (
        lambda arena: modexp_call(arena, N, A, 0x90AB_0F01, M, 1, "mc_modexp_window_raw", window=5),
        {1: BYTES, 2: 4},
        240,
    ),
    "mc_modexp_public_raw": (
        lambda arena: modexp_call(arena, N, A, 65537, M, 1, "mc_modexp_public_raw"),
        {1: BYTES},
        208,
    ),
    "mc_modexp_raw": (
        lambda arena: modexp_call(arena, N, A, 0x90AB_0F01, M, 1, "mc_modexp_raw"),
        {1: BYTES, 2: 4},
        256,
    ),
}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", CASES)
def test_no_branch_and_no_address_depends_on_a_secret(name: str, schedule: str) -> None:
    under = emulator(schedule)
    make, secret_arguments, most_stack = CASES[name]
    call = make(under.arena)
    secrets = [(call.arguments[number], size) for number, size in secret_arguments.items()]
    run = interpreted(under.program, call, under.arena, secrets)
    # The result depends on the secrets; otherwise they would have been lost.
    assert all(isinstance(word, Word) for word in run.get(call.arguments[0], BYTES // 4))
    assert STACK_TOP - run.lowest <= most_stack
    # Its differences stay on the stack until mc_wipe_stack (test_riscv_wipe.py).
    assert run.stack_secrets() is (name == "mc_mul_karatsuba")


LEAKS = {
    "a branch": "leak: lw t0, 0(a0); beqz t0, 1f; nop; 1: ret",
    "an address": "leak: lw t0, 0(a0); andi t0, t0, 4; add t0, t0, a0; lw t1, 0(t0); ret",
    "a branch on a word that is public in part": (
        "leak: sb zero, 0(a0); lw t0, 0(a0); beqz t0, 1f; nop; 1: ret"
    ),
    "a jump": "leak: lw t0, 0(a0); andi t0, t0, 4; add t0, t0, ra; jr t0",
}


@pytest.mark.parametrize("what", LEAKS)
def test_a_routine_that_leaks_is_caught(what: str, tmp_path: Path) -> None:
    emulator()
    source = tmp_path / "leak.S"
    lines = LEAKS[what].replace(";", "\n")
    source.write_text(f".globl leak\n.type leak, @function\n{lines}\n.size leak, .-leak\n")
    path = tmp_path / "leak.elf"
    flags = ["-march=rv32im", "-mabi=ilp32", "-nostdlib", "-static", "-Wl,-e,leak"]
    subprocess.run([compiler(), *flags, str(source), "-o", str(path)], check=True, timeout=60)
    arena = 0x40000
    call = Call("leak", (arena,), bytes(64))
    program, kind = read_program(path), " ".join(what.split()[:2])
    with pytest.raises(SecretLeakError, match=f"leak, instruction at .*: {kind} depends"):
        interpreted(program, call, arena, [(arena, 4)])
    assert interpreted(program, call, arena, []).count > 0
