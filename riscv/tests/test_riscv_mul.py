# SPDX-License-Identifier: Apache-2.0
"""The multiplication routines of riscv under QEMU, against Python's integers."""

from collections.abc import Iterator
from random import Random

import pytest
from riscv_tools import check_calls, emulator

from montcore_riscv.calls import (
    MULTIPLIERS,
    Call,
    MemoryLayout,
    product_call,
    random_limbs,
    random_operand,
)
from montcore_riscv.toolchain import SCHEDULES

#: The routines, each with every schedule that it supports.
BOTH = ("mc_mul_rows", "mc_mul_columns", "mc_mul_products", "mc_mul_reduced")
VARIANTS = [
    *((name, schedule) for name in BOTH for schedule in ("pipelined", "iterative")),
    *((name, "pipelined") for name in MULTIPLIERS if name not in BOTH),
    *(("mc_mul_raw", schedule) for schedule in SCHEDULES),
]
#: What MONT_KARATSUBA_LIMBS is by default.
KARATSUBA_LIMBS = 16


def random_products(function: str, arena: int, count: int, seed: int) -> Iterator[Call]:
    random = Random(seed)
    for _ in range(count):
        n = random_limbs(random)
        yield product_call(function, arena, n, random_operand(random, n), random_operand(random, n))


@pytest.mark.parametrize(("function", "schedule"), VARIANTS)
@pytest.mark.parametrize("count", [1000, pytest.param(4000, marks=pytest.mark.nightly)])
def test_products_of_all_lengths_are_right(function: str, schedule: str, count: int) -> None:
    under = emulator(schedule)
    assert check_calls(under, random_products(function, under.arena, count, 1)) == count


@pytest.mark.parametrize(("function", "schedule"), VARIANTS)
def test_every_length_up_to_4096_bits_of_all_ones(function: str, schedule: str) -> None:
    # The longest carry chains: a public implementation loses some carries.
    under = emulator(schedule)
    ones = [(n, (1 << 64 * n) - 1) for n in range(1, 65)]
    calls = (product_call(function, under.arena, n, value, value) for n, value in ones)
    assert check_calls(under, calls) == 64


@pytest.mark.parametrize(("function", "schedule"), VARIANTS)
def test_the_operands_may_be_one_and_the_same(function: str, schedule: str) -> None:
    under = emulator(schedule)
    random = Random(2)
    operands = [(n, random_operand(random, n)) for n in range(1, 33)]
    calls = (product_call(function, under.arena, n, a, a, same=True) for n, a in operands)
    assert check_calls(under, calls) == 32


@pytest.mark.parametrize(("function", "schedule"), VARIANTS)
def test_no_limbs_write_nothing(function: str, schedule: str) -> None:
    under = emulator(schedule)
    layout = MemoryLayout(under.arena)
    at = [layout.number(0x1234, 1) for _ in range(3)]
    memory = layout.memory()
    check_calls(under, [Call(function, (*at, 0), memory, 0, len(memory), memory)])


def test_karatsuba_with_equal_halves_and_every_sign_of_the_differences() -> None:
    under = emulator()
    n = KARATSUBA_LIMBS
    half = 1 << 32 * n
    halves = [0, 1, half // 2, half - 2, half - 1]
    numbers = [low + high * half for low in halves for high in halves]
    calls = (
        product_call("mc_mul_karatsuba", under.arena, n, a, b) for a in numbers for b in numbers
    )
    assert check_calls(under, calls) == 625


@pytest.mark.parametrize("arch", ["rv32im", "rv32imc"])
def test_other_instruction_sets_give_the_same_products(arch: str) -> None:
    under = emulator(arch=arch)
    assert check_calls(under, random_products("mc_mul_raw", under.arena, 300, 3)) == 300
