# SPDX-License-Identifier: Apache-2.0
"""The multiplication routines on simulated cores: products, cycles, code size, constant time."""

from random import Random

import pytest
from riscv_tools import emulator, machine

from montcore_lab.papers.riscv2021 import published as riscv2021
from montcore_riscv.bench import (
    ARITHMETIC,
    ROWS,
    arithmetic_call,
    arithmetic_cell,
    bench,
    cycles_of,
    multiplier_cell,
)
from montcore_riscv.calls import MULTIPLIERS, product_call, random_operand

#: Most cycles of routines for 256, 512 and 1024 bits.
BOUNDS: dict[str, dict[str, tuple[int, int, int]]] = {
    "vexriscv": {
        "mc_mul_raw": (708, 2_490, 9_450),
        "mc_sqr_raw": (520, 1_560, 5_330),
        "mc_montmul_raw": (1_616, 5_400, 19_760),
        "mc_montsqr_raw": (1_425, 4_460, 15_630),
    },
    "rocket-fast": {"mc_mul_raw": (680, 2_440, 9_280), "mc_montsqr_raw": (1_355, 4_310, 15_260)},
    "rocket-e31": {"mc_mul_raw": (925, 3_340, 12_790), "mc_montsqr_raw": (1_777, 5_820, 20_850)},
}
#: Most bytes of all routines for numbers in either build, those of mod_add and mod_sub not counted.
MOST_BYTES = {"pipelined": 3_200, "small": 1_600}
CODE = ("mc_mul_raw", *ROWS[1:], "mc_sqr_raw", "mc_montmul_raw", "mc_montsqr_raw", "mc_redc_raw")


def cycles(cpu: str, function: str, bits: tuple[int, ...]) -> list[int]:
    under = machine(cpu)
    cell = multiplier_cell if function.startswith("mc_mul") else arithmetic_cell
    found = [cell(under, function, length, pairs=2).cycles for length in bits]
    assert None not in found
    return [count or 0 for count in found]


@pytest.mark.parametrize(
    "cpu",
    [
        "vexriscv",
        pytest.param("rocket-fast", marks=pytest.mark.nightly),
        pytest.param("rocket-e31", marks=pytest.mark.nightly),
    ],
)
def test_the_routines_stay_within_their_cycles(cpu: str) -> None:
    for routine, most in BOUNDS[cpu].items():
        found = cycles(cpu, routine, (256, 512, 1024))
        assert all(count <= bound for count, bound in zip(found, most, strict=True)), found


@pytest.mark.parametrize("schedule", MOST_BYTES)
def test_the_code_stays_within_its_bytes(schedule: str) -> None:
    program = emulator(schedule).program
    sizes = [program.function_bytes(name) for name in CODE if name in program.symbols]
    assert sum(sizes) <= MOST_BYTES[schedule], sizes


@pytest.mark.nightly
def test_the_papers_schedule_takes_the_papers_cycles() -> None:
    # Within 3 %: this shows that the core is representative of the paper's.
    found = cycles("rocket-e31", "mc_mul_paper", tuple(riscv2021.CYCLES))
    for count, stated in zip(found, riscv2021.CYCLES.values(), strict=True):
        assert abs(count / stated - 1) < 0.03, (count, stated)


@pytest.mark.parametrize("cpu", ["vexriscv", pytest.param("rocket-e31", marks=pytest.mark.nightly)])
def test_rows_are_the_fastest_and_columns_of_limbs_next(cpu: str) -> None:
    found = {name: cycles(cpu, name, (512,))[0] for name in MULTIPLIERS}
    best = ["mc_mul_rows", "mc_mul_karatsuba", "mc_mul_columns"]  # 512 bits are not halved
    assert sorted(found, key=lambda name: found[name])[:3] == best


@pytest.mark.parametrize(
    ("cpu", "most"),
    [("vexriscv", 9_500), pytest.param("rocket-e31", 12_000, marks=pytest.mark.nightly)],
)
def test_karatsuba_pays_from_1024_bits_on(cpu: str, most: int) -> None:
    (found,) = cycles(cpu, "mc_mul_karatsuba", (1024,))
    assert found < cycles(cpu, "mc_mul_raw", (1024,))[0]
    assert found <= most


@pytest.mark.parametrize(
    ("cpu", "pairs"),
    [
        ("vexriscv", 100),
        pytest.param("vexriscv", 1000, marks=pytest.mark.nightly),
        pytest.param("picorv32", 1000, marks=pytest.mark.nightly),
        pytest.param("cv32e40p", 1000, marks=pytest.mark.nightly),
        pytest.param("rocket-e31", 1000, marks=pytest.mark.nightly),
        pytest.param("rocket-fast", 1000, marks=pytest.mark.nightly),
    ],
)
def test_cycles_do_not_depend_on_operands(cpu: str, pairs: int) -> None:
    under, random, n = machine(cpu), Random(5), 4
    modulus = random.getrandbits(64 * n) | 1 << (64 * n - 1) | 1
    for routine in ("mc_mul_rows", "mc_mul_columns", *ARITHMETIC):
        numbers = [(random_operand(random, n), random_operand(random, n)) for _ in range(pairs)]
        if routine in MULTIPLIERS:
            calls = [product_call(routine, under.arena, n, a, b) for a, b in numbers]
        else:
            calls = [arithmetic_call(routine, under.arena, n, a, b, modulus) for a, b in numbers]
        assert len(set(cycles_of(under, calls))) == 1, routine


def test_bench_shows_the_paper_beside_what_it_measured() -> None:
    machine("vexriscv")
    result = bench([256], ["vexriscv"], pairs=2)
    assert {cell.routine for cell in result.cells} == set(MULTIPLIERS)
    assert all(cell.cycles for cell in result.cells)
    assert result.as_object()["paper"] == {
        "core": "SiFive E31",
        "cycles": {"256": 1460, "512": 5625, "1024": 21857},
        "code_bytes": 640,
    }
