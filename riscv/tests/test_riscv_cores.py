# SPDX-License-Identifier: Apache-2.0
"""The multiplication routines on simulated cores: products, cycles, code size, constant time."""

from random import Random

import pytest
from riscv_tools import machine

from montcore_lab.papers.riscv2021 import published as riscv2021
from montcore_riscv.bench import bench, cycles_of, multiplier_cell
from montcore_riscv.calls import MULTIPLIERS, product_call, random_operand

#: Most cycles for 256, 512 and 1024 bits, and most code bytes, on each core.
BOUNDS = {
    "vexriscv": ((884, 3_090, 11_640), 640),
    "rocket-fast": ((884, 3_043, 11_066), 640),
    "rocket-e31": ((950, 3_400, 13_400), 640),
}


def cycles(cpu: str, function: str, bits: tuple[int, ...]) -> list[int]:
    under = machine(cpu)
    found = [multiplier_cell(under, function, length, 2).cycles for length in bits]
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
def test_mul_stays_within_its_cycles_and_bytes(cpu: str) -> None:
    most, most_bytes = BOUNDS[cpu]
    found = cycles(cpu, "mc_mul_raw", (256, 512, 1024))
    assert all(count <= bound for count, bound in zip(found, most, strict=True)), found
    assert machine(cpu).program.function_bytes("mc_mul_raw") <= most_bytes


@pytest.mark.nightly
def test_the_papers_schedule_takes_the_papers_cycles() -> None:
    # Within 3 %: this shows that the core is representative of the paper's.
    found = cycles("rocket-e31", "mc_mul_paper", tuple(riscv2021.CYCLES))
    for count, stated in zip(found, riscv2021.CYCLES.values(), strict=True):
        assert abs(count / stated - 1) < 0.03, (count, stated)


def test_rows_in_strips_are_the_fastest_and_mul_is_the_fastest_by_columns() -> None:
    found = {name: cycles("vexriscv", name, (512,))[0] for name in MULTIPLIERS}
    assert sorted(found, key=lambda name: found[name])[:2] == ["mc_mul_rows", "mc_mul_raw"]


@pytest.mark.parametrize(
    ("cpu", "most"),
    [("vexriscv", 11_200), pytest.param("rocket-e31", 12_000, marks=pytest.mark.nightly)],
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
    under = machine(cpu)
    random = Random(5)
    n = 4
    calls = [
        product_call(
            "mc_mul_raw", under.arena, n, random_operand(random, n), random_operand(random, n)
        )
        for _ in range(pairs)
    ]
    assert len(set(cycles_of(under, calls))) == 1


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
