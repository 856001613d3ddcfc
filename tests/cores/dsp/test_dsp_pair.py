# SPDX-License-Identifier: Apache-2.0
"""Two operations in one row of `dsp`: triangles of squares, their bounds, every sum in the row."""

import random
from pathlib import Path

import dsp_pair_model as model
import pytest
from icarus import run_sources

from montcore.cores.dsp import Dsp
from montcore.cores.technology import Tech
from montcore.model import dsp
from montcore.model.spec import n0_inverse
from montcore.modexp.design import COMMON_MODULES, LENGTH_BITS, PAIR_ROW_MODULES
from montcore.sim.build import RtlBuild
from montcore.support.paths import module_files

nightly = pytest.mark.nightly


def triangle(a: int, m: int, digits: int, bits: int, lower: bool) -> tuple[int, int]:
    """Return the square of a by a triangle in radix 2^bits, and the largest S on the way."""
    inverse = n0_inverse(m, 2 * bits)
    scaled, mask = (inverse * m + 1) >> 2 * bits, (1 << bits) - 1
    total = digit = before = most = 0
    for i in range(digits + 2):
        place = bits * i
        word = (a >> place & mask) << place
        rest = a & ((1 << place) - 1) if lower else a >> place + bits << place + bits
        multiple = (a >> place & mask) * (word + 2 * rest) if i < digits else 0
        total = (total >> bits) + multiple + before * scaled
        before, digit = digit, total & mask
        most = max(most, total)
    return (total << bits) + before, most


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(("bits", "length"), [(1, 3), (2, 3), (3, 3), (2, 4)])
def test_sums_of_triangles_stay_below_the_bound(bits: int, length: int, lower: bool) -> None:
    """All odd moduli and all operands below 2 Mt, in small radices: S, and the result."""
    digits = -(-(length + 2 * bits + 2) // bits)
    for m in range(3, 1 << length, 2):
        most = 2 * n0_inverse(m, 2 * bits) * m
        assert 2 * most < 1 << bits * digits
        for a in range(most):
            result, largest = triangle(a, m, digits, bits, lower)
            assert largest < 1 << bits * (digits + 1)
            assert result < most and (result * pow(2, bits * digits, m) - a * a) % m == 0


@pytest.mark.parametrize("lower", [False, True])
def test_squares_by_triangles_are_squares_at_the_bound(lower: bool) -> None:
    """Lengths without a bit to spare, moduli for which Mt is largest, largest operands."""
    rng, closest = random.Random(2), 0.0
    for length in (15, 32, 49, 270):  # n words and 36 bits more than the length
        digits = dsp.sizes(length, 1).digits
        for number in range(60):
            m = rng.getrandbits(length) | 1 << length - 1 | 1
            if number % 2:  # M' is just below 2^34
                m = pow(1 + 2 * (number // 2), -1, 1 << 34) | (1 << length) - (1 << 34)
                if m.bit_length() != length or length < 35:
                    continue
            most = 2 * n0_inverse(m, 34) * m
            a = most - 1 if number % 3 else rng.randrange(most)
            row = dsp.DspRow()
            found = model.square(a, m, digits, lower=lower, row=row)
            assert (found * pow(2, 17 * digits, m) - a * a) % m == 0 and found < most
            closest = max(closest, max(row.sums) / 2 ** (17 * (digits + 1)))
    # The bound is tight for the upper triangle, whose largest parts come first.
    assert (0.2 if lower else 0.99) < closest < 1


def test_parts_are_words_of_the_doubled_number_and_a_diagonal() -> None:
    rng = random.Random(1)
    for _ in range(300):
        digits = rng.randrange(1, 9)
        a = rng.getrandbits(17 * digits - 1)
        for j in range(digits):  # words of ones, whose diagonal carries
            if rng.random() < 0.4:
                a |= dsp.MASK << 17 * j
        a &= (1 << 17 * digits - 1) - 1
        for lower in (False, True):
            parts = [model.part(a, i, lower=lower) for i in range(digits)]
            total = sum((a >> 17 * i & dsp.MASK) * part << 17 * i for i, part in enumerate(parts))
            assert total == a * a and max(parts) <= 2 * a
            for i, part in enumerate(parts):
                words = model.words_of_part(a, i, digits, lower=lower)
                assert all(0 <= word <= dsp.MASK for word in words)
                assert sum(word << 17 * j for j, word in enumerate(words)) == part


def test_two_squares_take_three_half_iterations_a_word() -> None:
    for bits, alpha in ((1024, 17), (1024, 16), (1536, 17), (2048, 17), (256, 5)):
        size = dsp.sizes(bits, alpha)
        found = model.pair_intervals(size)
        # Before and after lockstep the parts of r + 1 iterations are alone.
        least = (3 * size.digits + 2 * size.half + 1) * size.half
        assert least <= found.squares <= least + 2 * size.half
        assert found.products <= 2 * size.free_interval + 2
        assert found.squares < 0.86 * found.products
    assert model.pair_intervals(dsp.sizes(1024, 17)) == model.PairIntervals(
        squares=392, products=506
    )


@pytest.mark.parametrize(
    ("bits", "alpha", "tech"),
    [
        (140, 3, Tech.GENERIC),
        (140, 3, Tech.FPGA),
        *((*more, Tech.GENERIC) for more in ((40, 1), (40, 3), (72, 2), (100, 2), (256, 5))),
    ],
)
@nightly  # every run has powers in this row (test_modexp_pair.py) and random sequences
def test_every_sum_in_every_block_is_as_in_the_model(
    tmp_path: Path, bits: int, alpha: int, tech: Tech
) -> None:
    core = Dsp(bits=bits, alpha=alpha)
    unit = core.lazy_unit()
    assert unit is not None
    parameters = {
        **core.sv_parameters(),
        "Tech": int(tech),
        "BeatBits": unit.beats(bits).bit_length(),
        "LengthBits": LENGTH_BITS,
    }
    files = tuple(module_files((*COMMON_MODULES, *PAIR_ROW_MODULES, "modexp_dsp_pair")))
    build = RtlBuild("montcore_modexp_dsp_pair", files, parameters, ports=())
    run_sources(tmp_path, "dsp_pair", build)
