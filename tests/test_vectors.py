# SPDX-License-Identifier: Apache-2.0
"""Readers of test vectors, and the named fields."""

from collections import Counter
from pathlib import Path

import pytest

from montcore.errors import RequestError
from montcore.fields import FIELDS, get_field
from montcore.vectors import P256_ORDER, read_curves, read_products

_CURVES_OF_FIELDS = {"prime192v1", "prime256v1"} | {
    f"secp{name}" for name in ("192k1", "224r1", "224k1", "256k1", "384r1", "521r1")
}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("openssl-bnmod.txt", {"ModMul": 400, "ModExp": 91, "ModSqrt": 80}),
        ("boringssl-p256-montgomery.txt", {"MulMont": 31, "OrdMulMont": 26}),
        ("boringssl-mod_inv.txt", {"ModInv": 28}),
    ],
)
def test_every_record_of_the_public_files_is_read_and_true(
    vectors_dir: Path, name: str, counts: dict[str, int]
) -> None:
    vectors = read_products(vectors_dir / name)
    assert Counter(vector.kind for vector in vectors) == counts
    for vector in vectors:
        if vector.m > 1:
            scale = pow(2, -vector.r_bits, vector.m) if vector.r_bits else 1
            assert vector.x * vector.y * scale % vector.m == vector.result, vector.line


def test_openssl_file_has_negative_numbers_and_even_moduli(vectors_dir: Path) -> None:
    vectors = read_products(vectors_dir / "openssl-bnmod.txt")
    assert any(vector.x < 0 for vector in vectors)
    assert sum(vector.m % 2 == 0 for vector in vectors) == 220


def test_fields_are_those_of_the_curves_that_openssl_prints(vectors_dir: Path) -> None:
    curves = read_curves(vectors_dir / "prime_curves.json")
    assert len(curves) == 25 and curves["prime256v1"].n == P256_ORDER
    primes = {curve.p for curve in curves.values()}
    assert all(field.p in primes for field in FIELDS)
    for name, curve in curves.items():
        if name in _CURVES_OF_FIELDS:
            assert get_field(name).p == curve.p
    assert set(curves) >= _CURVES_OF_FIELDS


def test_field_names_of_the_command_line() -> None:
    names = ["p192r1", "p192k1", "p224r1", "p224k1", "p256r1", "p256k1", "p384r1", "p521r1"]
    assert sorted(field.name for field in FIELDS) == sorted(names)
    for name in names:
        assert get_field(name).bits == int(name[1:4]) == get_field(name).p.bit_length()
    p256 = get_field("p256r1")
    for alias in ("secp256r1", "P-256", "PRIME256V1", "p256", "NIST-P-256", " p256r1 "):
        assert get_field(alias) is p256
    with pytest.raises(RequestError, match="no field 'p257'"):
        get_field("p257")


GOOD = "ModMul = 6\nA = 2\nB = 3\nM = b\n"


def test_users_own_file(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text(f"# mine\n\n{GOOD}\n\nModMul=0x1\n A = -0xA \nB=1\n# why not\nM=0B")
    first, second = read_products(file)
    assert (first.x, first.y, first.m, first.result, first.line) == (2, 3, 11, 6, 3)
    assert (second.x, second.y, second.m, second.result, second.line) == (-10, 1, 11, 1, 9)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (GOOD.replace("= 3", "= 3g"), 3, "'3g' is not a hexadecimal number"),
        (GOOD.replace("= 3", "= 1_0"), 3, "'1_0' is not a hexadecimal number"),
        (GOOD.replace("B = 3\n", ""), 1, "no 'B'"),
        (GOOD + "C = 4\n", 5, "'C' does not belong"),
        (GOOD + "A = 4\n", 5, "'A' twice"),
        (GOOD + "\nhello\n", 6, "expected 'Key = value'"),
        (GOOD + "\nM =\n", 6, "expected 'Key = value'"),
        (GOOD + "\nA = 1\nB = 2\n", 6, "none of ModMul"),
        (GOOD + "\nTest = Bogus\nA = 1\n", 6, "no test 'Bogus'"),
        (GOOD.replace("M = b", "M = -b"), 4, "the modulus is negative"),
        ("ModExp = 1\nA = 1\nE = -1\nM = 3\n", 3, "the exponent is negative"),
    ],
)
def test_malformed_file_names_the_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    with pytest.raises(RequestError, match=what) as caught:
        read_products(file)
    assert str(caught.value).startswith(f"{file}, line {line}: ")
    assert "\n" not in str(caught.value)


def test_file_without_products_or_none_at_all(tmp_path: Path) -> None:
    file = tmp_path / "empty.txt"
    with pytest.raises(RequestError, match="cannot be read: No such file"):
        read_products(file)
    with pytest.raises(RequestError, match="cannot be read: Is a directory"):
        read_products(tmp_path)
    file.write_text("# nothing\n\nTitle = nothing\n")
    with pytest.raises(RequestError, match="no record of a product"):
        read_products(file)
    file.write_bytes(GOOD.encode() + b"\n\xff\xfe\n")
    with pytest.raises(RequestError, match="line 6: the file is not text"):
        read_products(file)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n "a": {"p" 3},\n', 2),
        ('{\n "good": 3}', 2),
        ("[]", 1),
        ('{\n\n"c": {"p": "0x3"}}', 3),
    ],
)
def test_malformed_curve_file_names_the_line(tmp_path: Path, text: str, line: int) -> None:
    file = tmp_path / "curves.json"
    file.write_text(text)
    with pytest.raises(RequestError, match=f"curves.json, line {line}: "):
        read_curves(file)
    with pytest.raises(RequestError, match="cannot be read"):
        read_curves(tmp_path / "missing.json")
