# SPDX-License-Identifier: Apache-2.0
"""Secrets of RSA: no branch or address, no cycle depends on them, and nothing of them is left."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from riscv_rsa import (
    FAULT,
    PARTS,
    RsaCall,
    failing,
    made_key,
    placed,
    work_words,
)
from riscv_tools import check_calls, close, interpreted, machine, rsa_emulator, secret_words

from montcore_riscv.calls import Call, MemoryLayout
from montcore_riscv.elf import ElfProgram
from montcore_riscv.interpreter import A0, RA, STACK_TOP, Interpreter, SecretLeakError
from montcore_riscv.machine import Machine
from montcore_riscv.toolchain import RISCV_DIR
from montcore_riscv.words import Word

nightly = pytest.mark.nightly
#: Most bytes of stack of a private operation, and of its callers.
MOST_STACK = 1300
#: Most cycles on VexRiscv, and the measured ones of the README.
PUBLIC = {1024: 345_000, 2048: 1_250_000}
PRIVATE = {1024: 7_250_000, 2048: 46_000_000}
CYCLES = {
    ("vexriscv", "public"): {1024: 340_806, 2048: 1_242_614, 3072: 2_714_790},
    ("vexriscv", "private"): {1024: 7_175_776, 2048: 45_707_719, 3072: 143_201_779},
    ("cv32e40p", "public"): {1024: 456_660, 2048: 1_724_908, 3072: 3_810_308},
    ("cv32e40p", "private"): {1024: 9_453_202, 2048: 62_820_579},
    ("picorv32", "public"): {1024: 1_295_746, 2048: 4_835_482, 3072: 10_637_234},
    ("picorv32", "private"): {1024: 27_382_260, 2048: 177_452_507},
}
#: Most bytes of rsa/, constants not counted, and those of the inverse of curves/divsteps.c.
MOST_BYTES = 8_000
#: Registers that a call need not keep.
LOST = (5, 6, 7, *range(10, 18), *range(28, 32))


#: What a product writes: words of the result, and address and words of a work area.
Written = tuple[int, int, int]


def modulus(register: int) -> Callable[[Interpreter], Written]:
    """Return what a product with the modulus at a register writes."""

    def written(run: Interpreter) -> Written:
        work, n = run.get(run.public(register) + 8, 2)
        assert isinstance(work, int) and isinstance(n, int)
        return 2 * n, work, 4 * n

    return written


def number(register: int, each: int) -> Callable[[Interpreter], Written]:
    """Return what a routine with the limbs of its operands in a register writes."""
    return lambda run: (each * run.public(register), 0, 0)


#: The routines that the proofs are about.
PROVED: dict[str, Callable[[Interpreter], Written]] = {
    "mc_montmul_raw": modulus(13),
    "mc_montsqr_raw": modulus(12),
    "mc_mul_raw": number(13, 4),
    "mc_sqr_raw": number(12, 4),
    "mc_redc_raw": lambda run: (2 * run.public(13), run.public(11), 4 * run.public(13)),
    "mc_mod_sub_raw": number(14, 2),
}


def opaque(run: Interpreter) -> None:
    """Let products, squares and reductions give words of which nothing is known.

    That they keep secrets out of branches, addresses and the stack is proved of each
    (test_riscv_proofs.py).
    """

    def call(run: Interpreter, written: Callable[[Interpreter], Written]) -> int:
        words, work, work_words = written(run)
        run.store(run.public(A0), run.words.many(words))
        run.store(work, run.words.many(work_words))
        for register in LOST:
            run.x[register] = run.words.new()
        return run.public(RA)

    for name, written in PROVED.items():
        run.proved[run.program.address(name)] = partial(call, written=written)


def words_of(place: tuple[int, int]) -> set[int]:
    """Return the addresses of the words of a piece of memory: its address and bytes."""
    address, size = place
    return set(range(address, address + size, 4))


def private_run(program: ElfProgram, wanted: RsaCall) -> tuple[Interpreter, set[int], set[int]]:
    """Run an operation with its key and its random numbers secret.

    Returns:
        The run, the addresses of secret words of the key, and those of the result.
    """
    found, arena = placed(program, wanted), program.address("arena")
    source, size = found.parts["random"]
    secrets = [*(found.parts[name] for name in PARTS), (source + 4, size - 4)]
    run = interpreted(program, found.call, arena, secrets, 0, opaque)
    at_work, work = found.parts["work"]
    assert run.get(at_work, work // 4) == [0] * (work // 4)
    return run, set().union(*map(words_of, secrets)), words_of(found.parts["result"])


@pytest.mark.parametrize("bits", [1024, pytest.param(1152, marks=nightly)])
def test_nothing_depends_on_the_key_and_nothing_of_it_is_left(bits: int) -> None:
    program, key = rsa_emulator().program, made_key(bits)
    given = bytes(1) + Random(1).randbytes(key.size - 1)
    run, secret, result = private_run(program, RsaCall("private", key, given, bytes(key.size)))
    # Result and status depend on secrets; otherwise they would have been lost.
    assert all(isinstance(run.memory[at], Word) for at in result)
    assert isinstance(run.x[10], Word)
    assert not run.stack_secrets()
    assert secret_words(run) == secret | result
    assert STACK_TOP - run.lowest <= MOST_STACK
    # Nor is there a division: there are cores without, and its time would depend on its operands.
    executed = run.executed().values()
    assert not any(item.kind == "mul" and item.funct > 3 for item in executed)


def test_a_branch_on_the_key_would_be_seen() -> None:
    """As one on the modulus is, which is public."""
    program, key = rsa_emulator().program, made_key(1024)
    found = placed(program, RsaCall("private", key, bytes(128), bytes(128)))
    secrets = [(found.parts["n"][0], 128)]
    with pytest.raises(SecretLeakError, match="a branch depends"):
        interpreted(program, found.call, program.address("arena"), secrets, 0)


# ---- division -----------------------------------------------------------------------------------


def divisor(random: Random, words: int) -> int:
    """Return a divisor with its highest bit set: random, or with many ones or zeros."""
    top = 1 << 32 * words - 1
    return top | random.choice(
        (
            random.getrandbits(32 * words),
            0,
            2 * top - 1,
            random.getrandbits(16),
            2 * top - 1 - random.getrandbits(16),
            (top >> 31) - 1,
        )
    )


def division(arena: int, random: Random, words: int, digits: int) -> Call:
    m = divisor(random, words)
    high = random.choice((0, m - 1, random.randrange(m), m - 1 - random.getrandbits(8)))
    low = random.choice((0, (1 << 32 * digits) - 1, random.getrandbits(32 * digits)))
    a = high << 32 * digits | low
    layout = MemoryLayout(arena)
    quotient = layout.data(b"\xcc" * (4 * digits))
    at_a = layout.data(a.to_bytes(4 * (words + digits), "little"))
    at_m = layout.data(m.to_bytes(4 * words, "little"))
    memory = layout.replaced(quotient, (a // m).to_bytes(4 * digits, "little"))
    at, left = at_a - arena, (a % m).to_bytes(4 * (words + digits), "little")
    memory = memory[:at] + left + memory[at + len(left) :]
    arguments = (quotient, at_a, digits, at_m, words)
    return Call("mc_rsa_divide", arguments, layout.memory(), 0, len(memory), memory)


@pytest.mark.parametrize("count", [1_000, pytest.param(100_000, marks=nightly)])
def test_quotients_and_remainders(count: int) -> None:
    under, random = rsa_emulator(), Random(count)
    calls = (
        division(under.arena, random, random.randint(2, 6), random.randint(1, 8))
        for _ in range(count)
    )
    assert check_calls(under, calls) == count


# ---- cycles -------------------------------------------------------------------------------------


vexriscv = partial(machine, "vexriscv", rsa=True)


def cycles(under: Machine, wanted: list[RsaCall]) -> list[int]:
    """Return the cycles of operations, each run once; results and statuses are checked."""
    calls = [placed(under.program, item).call for item in wanted]
    found = []
    for call, run in zip(calls, under.run(calls, repeats=1), strict=True):
        assert (run.value, run.memory) == (call.value, call.expected)
        found.append(run.cycles)
    return found


def private(bits: int, seed: int = 0) -> RsaCall:
    key, random = made_key(bits, seed), Random(seed)
    value = random.randrange(key.n)
    given, result = (number.to_bytes(key.size, "big") for number in (value, key.private(value)))
    return RsaCall("private", key, given, result, random=random.randbytes(16))


def public(bits: int) -> RsaCall:
    wanted = private(bits)
    return RsaCall("public", wanted.key, wanted.result, wanted.given)


@pytest.mark.parametrize("count", [2, pytest.param(30, marks=nightly)])
def test_cycles_do_not_depend_on_the_key(count: int) -> None:
    wanted = [private(1024, seed) for seed in range(count)]
    if count > 2:  # nor on whether it is right
        wanted += [failing(replace(wanted[0], numbers={part: bytes(64)}), FAULT) for part in PARTS]
    assert len(set(cycles(vexriscv(), wanted))) == 1


@pytest.mark.parametrize("count", [100, pytest.param(1_000, marks=nightly)])
@pytest.mark.parametrize(("words", "digits"), [(2, 3), (4, 4), (8, 9)])
def test_cycles_of_a_division_do_not_depend_on_its_operands(
    words: int, digits: int, count: int
) -> None:
    under, random = vexriscv(), Random(words)
    calls = [division(under.arena, random, words, digits) for _ in range(count)]
    found = set()
    for call, run in zip(calls, under.run(calls, repeats=1), strict=True):
        assert run.memory == call.expected
        found.add(run.cycles)
    assert len(found) == 1


@pytest.mark.parametrize("bits", PUBLIC)
def test_a_public_operation_stays_within_its_cycles(bits: int) -> None:
    (found,) = cycles(vexriscv(), [public(bits)])
    assert found <= PUBLIC[bits]


@nightly
@pytest.mark.parametrize("bits", PRIVATE)
def test_a_private_operation_stays_within_its_cycles(bits: int) -> None:
    """With set-up of all moduli, blinding, recombination and check."""
    (found,) = cycles(vexriscv(), [private(bits)])
    assert found <= PRIVATE[bits]


@nightly
@pytest.mark.parametrize(("cpu", "operation"), CYCLES)
def test_the_table_of_the_readme(cpu: str, operation: str) -> None:
    make = {"public": public, "private": private}[operation]
    stated = CYCLES[cpu, operation]
    row = "".join(f" | {stated[bits]:,}" if bits in stated else " |" for bits in (1024, 2048, 3072))
    assert f"| {cpu} | {operation}{row} |" in (RISCV_DIR / "README.md").read_text(encoding="utf-8")
    found = cycles(machine(cpu, rsa=True), [make(bits) for bits in stated])
    for count, expected in zip(found, stated.values(), strict=True):
        close(count, expected)


def test_code_and_work_area_stay_within_their_bytes() -> None:
    program = rsa_emulator().program
    start, end = (
        program.address(name) + program.function_bytes(name)
        for name in ("mc_redc_raw", "mc_invert")
    )
    assert 0 < end - start <= MOST_BYTES
    assert [4 * work_words(2048, private) for private in (False, True)] == [2_240, 6_592]
