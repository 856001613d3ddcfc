# SPDX-License-Identifier: Apache-2.0
"""Properties over inputs that Hypothesis chooses: the specification, and the reader of vectors."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, composite, integers
from signature_vectors import read_rsa_signatures

from montcore.cores import get_core
from montcore.model.spec import (
    from_montgomery,
    montgomery_product,
    n0_inverse,
    r_squared,
    to_montgomery,
)
from montcore.support.errors import RequestError
from montcore.verification.cases import vector_cases
from montcore.verification.vectors import ProductVector, read_curves, read_products

# Equal inputs in each run, no files left behind, and no deadline, because cores may be busy.
settings.register_profile("montcore", derandomize=True, database=None, deadline=None)
settings.load_profile("montcore")

BITS = 160
MODULI = integers(1, 2 ** (BITS - 1) - 1).map(lambda half: 2 * half + 1)


@composite
def setting(draw: DrawFn) -> tuple[int, int, int, int]:
    """Draw a modulus, two numbers below it, and a radix 2^r above it."""
    m = draw(MODULI)
    below = integers(0, m - 1)
    return m, draw(below), draw(below), m.bit_length() + draw(integers(0, 40))


@given(setting())
def test_the_product_has_the_residue_and_the_range(drawn: tuple[int, int, int, int]) -> None:
    m, x, y, r = drawn
    z = montgomery_product(x, y, m, r)
    assert 0 <= z < m and (z << r) % m == x * y % m
    assert montgomery_product(y, x, m, r) == z


@given(setting())
def test_montgomery_form_goes_there_and_back(drawn: tuple[int, int, int, int]) -> None:
    m, x, y, r = drawn
    there = to_montgomery(x, m, r)
    assert from_montgomery(there, m, r) == x
    assert montgomery_product(x, r_squared(m, r), m, r) == there
    inside = montgomery_product(there, to_montgomery(y, m, r), m, r)
    assert from_montgomery(inside, m, r) == x * y % m


@given(MODULI, integers(1, 128))
def test_n0_inverse_is_minus_the_inverse(m: int, w: int) -> None:
    assert 0 < n0_inverse(m, w) < 1 << w and (n0_inverse(m, w) * m + 1) % (1 << w) == 0


@given(MODULI, integers(), integers(), integers(0, 9), integers(0, 300))
def test_a_stated_product_is_the_core_s_product_exactly_if_it_is_true(
    m: int, x: int, y: int, wrong: int, r_bits: int
) -> None:
    core = get_core("smm")
    config = core.configure({}, BITS)
    result = (x * y * pow(2, -r_bits, m) + wrong) % m
    stated = ProductVector(1, "ModMul", x, y, m, result, r_bits)
    [case], refused = vector_cases(config, [stated])
    product = case.product
    found = montgomery_product(product.x, product.y, m, config.r_bits(BITS))
    assert not refused and (found == case.z) == (wrong % m == 0)


@composite
def spelled(draw: DrawFn, number: int) -> str:
    """Draw a spelling of a hexadecimal number."""
    digits = draw(st.sampled_from([f"{abs(number):x}", f"{abs(number):X}"]))
    zeros = "0" * draw(integers(0, 3))
    return f"{'-' if number < 0 else ''}{draw(st.sampled_from(['', '0x', '0X']))}{zeros}{digits}"


@composite
def own_file(draw: DrawFn) -> tuple[str, list[tuple[int, int, int, int]]]:
    """Draw a file of ModMul records in free form, and the numbers in it."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    gap = st.sampled_from(["", " ", "\t", "  "])
    lines, numbers = [], []
    for _ in range(draw(integers(1, 4))):
        values = {key: draw(integers(-(2**70), 2**70)) for key in ("ModMul", "A", "B")}
        values["M"] = draw(integers(0, 2**70))
        for key in draw(st.permutations(sorted(values))):
            around = [draw(gap) for _ in range(4)]
            text = draw(spelled(values[key]))
            lines.append(f"{around[0]}{key}{around[1]}={around[2]}{text}{around[3]}")
            lines += draw(st.lists(st.just("# ModMul = comment"), max_size=1))
        lines += [draw(gap) for _ in range(draw(integers(1, 3)))]
        numbers.append((values["A"], values["B"], values["M"], values["ModMul"]))
    return end.join(lines), numbers


@given(own_file())
def test_a_file_is_read_however_it_is_spelled(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, list[tuple[int, int, int, int]]]
) -> None:
    text, numbers = drawn
    file = written(tmp_path_factory, text.encode())
    assert [(v.x, v.y, v.m, v.result) for v in read_products(file)] == numbers


PIECES = (
    *("ModMul", "ModExp", "A", "B", "M", "E", "Test", "Curve", "RsaKey", "Signature", "Hash", "Id"),
    *("=", " = ", "\n", "\n\n", "#", "0x", "-", "_", "f", "1", "0", '""', "\x85", "²", "٣"),
)


@given(
    st.binary(max_size=60) | st.lists(st.sampled_from(PIECES)).map(lambda p: "".join(p).encode())
)
def test_any_file_is_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = written(tmp_path_factory, content)
    for read in (read_products, read_curves, read_rsa_signatures):
        try:
            assert read(file)
        except RequestError as error:
            assert str(error).startswith(str(file)) and "\n" not in str(error)


def written(factory: pytest.TempPathFactory, content: bytes) -> Path:
    file = factory.getbasetemp() / "hypothesis.txt"
    file.write_bytes(content)
    return file
