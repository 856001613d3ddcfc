# SPDX-License-Identifier: Apache-2.0
"""Squares, modular and Montgomery arithmetic of riscv under QEMU, against Python and vectors."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from riscv_tools import check_calls, emulator

from montcore.verification.vectors import read_powers, read_products
from montcore_lab.papers.riscv2021.table import PRIMES, padded
from montcore_riscv.calls import (
    Call,
    MemoryLayout,
    RiscvModulus,
    init_call,
    mod_add_call,
    mod_sub_call,
    modexp_call,
    montmul_call,
    product_call,
    random_limbs,
    random_operand,
    square_call,
)
from montcore_riscv.toolchain import SCHEDULES

BAD_LENGTH, OVERLAP, BAD_MODULUS, OUT_OF_RANGE = 1, 2, 3, 4


def random_modulus(random: Random, most: int = 16) -> tuple[int, int]:
    """Return limbs and an odd modulus: of every kind, the top bits often clear."""
    n = random_limbs(random, most)
    m = random_operand(random, n)
    if random.randrange(4) == 0:
        m >>= random.randrange(64 * n)
    return n, max(m | 1, 3)


def random_below(random: Random, m: int, n: int) -> int:
    return (0, 1, m - 1, random_operand(random, n) % m)[random.randrange(4)]


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("count", [1000, pytest.param(4000, marks=pytest.mark.nightly)])
def test_squares_of_all_lengths_are_right(schedule: str, count: int) -> None:
    under = emulator(schedule)
    random = Random(1)
    operands = [(n, (1 << 64 * n) - 1) for n in range(1, 65)]
    operands += [
        (n, random_operand(random, n)) for n in (random_limbs(random) for _ in range(count))
    ]
    assert check_calls(under, (square_call(under.arena, n, a) for n, a in operands)) == 64 + count


@pytest.mark.parametrize("name", PRIMES)
def test_products_in_the_fields_of_isogenies_are_right(name: str) -> None:
    under, p = emulator(), PRIMES[name]
    assert pow(3, p - 1, p) == pow(5, p - 1, p) == 1
    n, random = padded(p) // 64, Random(name)
    pairs = [(p - 1, p - 1)] + [(random.randrange(p), random.randrange(p)) for _ in range(50)]
    assert check_calls(under, (montmul_call(under.arena, n, a, b, p) for a, b in pairs)) == 51


def modular_calls(arena: int, count: int, seed: int) -> Iterator[Call]:
    random = Random(seed)
    for _ in range(count):
        n, m = random_modulus(random)
        a, b = random_below(random, m, n), random_below(random, m, n)
        yield mod_add_call(arena, n, a, b, m)
        yield mod_sub_call(arena, n, a, b, m)
        yield montmul_call(arena, n, a, b, m, same=random.choice(("", "", "a", "b")))
        yield montmul_call(arena, n, a, a, m, same="ab")
        yield montmul_call(arena, n, a, 0, m, "mc_montsqr", random.choice(("", "a")))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_modular_and_montgomery_arithmetic_is_right(schedule: str) -> None:
    under = emulator(schedule)
    assert check_calls(under, modular_calls(under.arena, 1500, 2)) == 7500


def test_a_modulus_is_prepared() -> None:
    under = emulator()
    random = Random(4)
    moduli = [(n, (1 << 64 * n) - 1) for n in range(1, 17)] + [(1, 3), (2, 3), (5, 3)]
    moduli += [random_modulus(random) for _ in range(200)]
    assert check_calls(under, (init_call(under.arena, *entry) for entry in moduli)) == len(moduli)


#: Exponents of every kind: none, one, all bits, a public one, its neighbours, and random ones.
EXPONENTS = (0, 1, 2, 3, 65537, 65536)


def power_calls(arena: int, count: int, seed: int) -> Iterator[Call]:
    random = Random(seed)
    for _ in range(count):
        n, m = random_modulus(random, 6)
        words, same = random.randint(1, 4), random.random() < 0.2
        most = (1 << 32 * words) - 1
        e = random.choice((*EXPONENTS, most, random.getrandbits(32 * words)))
        a, window = random_below(random, m, n), random.randint(1, 6)
        yield modexp_call(arena, n, a, e, m, words, same=same)
        yield modexp_call(arena, n, a, e, m, words, "mc_modexp_window", window, same)
        yield modexp_call(arena, n, a, e, m, words, "mc_modexp_public", same=same)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_powers_are_right(schedule: str) -> None:
    under = emulator(schedule)
    assert check_calls(under, power_calls(under.arena, 50, 5)) == 150


#: Calls of each public routine in the nightly tests, in equal parts for the schedules.
MANY = 1_000_000


def mixed_calls(routine: str, arena: int, count: int, seed: int) -> Iterator[Call]:
    """Yield calls of one routine: all lengths to 768 bits, edges, results over operands."""
    random = Random(f"{routine} {seed}")
    for _ in range(count):
        n, m = random_modulus(random, 12)
        a, b = random_below(random, m, n), random_below(random, m, n)
        over = random.choice(("", "", "a", "b"))
        if routine == "mc_mul":
            x, y = random_operand(random, n), random_operand(random, n)
            yield replace(product_call(routine, arena, n, x, y, same=over == "a"), value=0)
        elif routine == "mc_sqr":
            call = square_call(arena, n, random_operand(random, n))
            yield replace(call, function=routine, value=0)
        elif routine == "mc_mod_add":
            yield mod_add_call(arena, n, a, b, m, same=over)
        elif routine == "mc_mod_sub":
            yield mod_sub_call(arena, n, a, b, m, same=over)
        elif routine == "mc_modulus_init":
            yield init_call(arena, n, m)
        elif routine == "mc_montmul":
            yield montmul_call(arena, n, a, b, m, same=over)
        elif routine == "mc_montsqr":
            yield montmul_call(arena, n, a, 0, m, routine, over and "a")
        else:
            n, m = random_modulus(random, 3)
            window = random.randint(1, 6) if routine == "mc_modexp_window" else None
            e = random.choice((*EXPONENTS, (1 << 32) - 1, random.getrandbits(32)))
            a = random_below(random, m, n)
            yield modexp_call(arena, n, a, e, m, 1, routine, window, same=over == "a")


ROUTINES = (
    *("mc_mul", "mc_sqr", "mc_mod_add", "mc_mod_sub", "mc_modulus_init"),
    *("mc_montmul", "mc_montsqr", "mc_modexp", "mc_modexp_window", "mc_modexp_public"),
)


@pytest.mark.parametrize("routine", ROUTINES)
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    "count", [500, pytest.param(-(-MANY // len(SCHEDULES)), marks=pytest.mark.nightly)]
)
def test_every_public_routine_is_right(routine: str, schedule: str, count: int) -> None:
    under = emulator(schedule)
    assert check_calls(under, mixed_calls(routine, under.arena, count, 8)) == count


def vector_limbs(m: int) -> int:
    return max(1, -(-m.bit_length() // 64))


def test_openssl_products(vectors_dir: Path) -> None:
    """Each record by two Montgomery products: a * b / R, then times R^2 / R."""
    under = emulator()
    calls = []
    records = [
        vector
        for vector in read_products(vectors_dir / "openssl-bnmod.txt")
        if vector.kind == "ModMul" and vector.m % 2 == 1 and vector.m >= 3
    ]
    for vector in records:
        m, n = vector.m, vector_limbs(vector.m)
        r = 1 << 64 * n
        a, b = vector.x % m, vector.y % m
        half = a * b * pow(r, -1, m) % m
        calls.append(montmul_call(under.arena, n, a, b, m))
        last = montmul_call(under.arena, n, half, r * r % m, m)
        assert vector.result.to_bytes(8 * n, "little") in last.expected
        calls.append(last)
    assert len(records) > 150
    assert check_calls(under, calls) == len(calls)


def test_openssl_powers(vectors_dir: Path) -> None:
    under = emulator()
    calls = []
    for vector in read_powers(vectors_dir / "openssl-bnmod.txt"):
        m, e = vector.m, vector.exponent
        if m % 2 and m >= 3:
            words = max(1, -(-e.bit_length() // 32))
            n = vector_limbs(m)
            call = modexp_call(under.arena, n, vector.base % m, e, m, words)
            assert vector.result.to_bytes(8 * n, "little") in call.expected
            calls.append(call)
    assert len(calls) > 50
    assert check_calls(under, calls) == len(calls)


def test_p256_products_in_montgomery_form(vectors_dir: Path) -> None:
    under = emulator()
    calls = []
    for vector in read_products(vectors_dir / "boringssl-p256-montgomery.txt"):
        assert vector.r_bits == 256
        call = montmul_call(under.arena, 4, vector.x % vector.m, vector.y % vector.m, vector.m)
        assert vector.result.to_bytes(32, "little") in call.expected
        calls.append(call)
    assert len(calls) > 50
    assert check_calls(under, calls) == len(calls)


def refused(call: Call, status: int) -> Call:
    """Return a call that must change nothing and return a status."""
    return Call(
        call.function, call.arguments, call.memory, 0, len(call.memory), call.memory, status
    )


def test_what_cannot_be_done_gives_a_status_and_changes_nothing() -> None:
    under = emulator()
    arena = under.arena
    layout = MemoryLayout(arena)
    modulus = RiscvModulus(layout, 0xFFFFFFFFFFFFFFC5, 1)
    m = modulus.m
    r, a, e = layout.data(b"\xcc" * 64), layout.number(m - 1, 1), layout.number(5, 1)
    large, even = layout.number(m, 1), layout.number(m - 1, 1)
    one, table = layout.number(1, 1), layout.data(b"\xcc" * 17 * 8)
    at_mod, memory = modulus.address, layout.memory()

    def bad(function: str, status: int, *arguments: int) -> Call:
        return refused(Call(function, arguments, memory), status)

    calls = [
        bad("mc_mul", BAD_LENGTH, r, a, a, 0),
        bad("mc_mul", BAD_LENGTH, r, a, a, 257),
        bad("mc_mul", OVERLAP, a, a, e, 1),
        bad("mc_mul", OVERLAP, e - 12, a, e, 1),
        bad("mc_sqr", BAD_LENGTH, r, a, 0),
        bad("mc_sqr", OVERLAP, a + 4, a, 1),
        bad("mc_mod_add", BAD_LENGTH, r, a, a, modulus.at_m, 0),
        bad("mc_mod_add", OVERLAP, a + 4, a, a, modulus.at_m, 1),
        bad("mc_mod_add", OVERLAP, modulus.at_m, a, a, modulus.at_m, 1),
        bad("mc_mod_add", OUT_OF_RANGE, r, large, a, modulus.at_m, 1),
        bad("mc_mod_sub", OUT_OF_RANGE, r, a, large, modulus.at_m, 1),
        bad("mc_modulus_init", BAD_LENGTH, at_mod, modulus.at_m, 0, r, table),
        bad("mc_modulus_init", BAD_MODULUS, at_mod, even, 1, r, table),
        bad("mc_modulus_init", BAD_MODULUS, at_mod, one, 1, r, table),
        bad("mc_modulus_init", OVERLAP, at_mod, modulus.at_m, 1, modulus.at_m, table),
        bad("mc_montmul", OUT_OF_RANGE, r, a, large, at_mod),
        bad("mc_montmul", OVERLAP, modulus.at_m, a, a, at_mod),
        bad("mc_montmul", OVERLAP, modulus.at_work, a, a, at_mod),
        bad("mc_montmul", OVERLAP, a + 4, a, a, at_mod),
        bad("mc_montsqr", OUT_OF_RANGE, r, large, at_mod),
        bad("mc_montsqr", OVERLAP, modulus.at_rr, a, at_mod),
        bad("mc_modexp", BAD_LENGTH, r, a, e, 0, at_mod, table),
        bad("mc_modexp", BAD_LENGTH, r, a, e, 513, at_mod, table),
        bad("mc_modexp", OUT_OF_RANGE, r, large, e, 1, at_mod, table),
        bad("mc_modexp_window", BAD_LENGTH, r, a, e, 1, at_mod, table, 0),
        bad("mc_modexp_window", BAD_LENGTH, r, a, e, 1, at_mod, table, 9),
        bad("mc_modexp_public", OUT_OF_RANGE, r, large, e, 1, at_mod, table),
        bad("mc_modexp_public", OVERLAP, r, a, e, 1, at_mod, r),
        bad("mc_modexp", OVERLAP, e, a, e, 1, at_mod, table),
        bad("mc_modexp", OVERLAP, r, a, e, 1, at_mod, modulus.at_work),
        bad("mc_modexp", OVERLAP, r, a, e, 1, at_mod, r),
    ]
    assert check_calls(under, calls) == len(calls)
