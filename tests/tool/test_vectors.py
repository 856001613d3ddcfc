# SPDX-License-Identifier: Apache-2.0
"""Readers of test vectors, and the named fields."""

import os
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from signature_vectors import (
    SignatureVector,
    read_ecdsa_signatures,
    read_eddsa_signatures,
    read_exchanges,
    read_rsa_signatures,
)

from montcore.model.fields import FIELDS, get_field
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT, VECTORS_DIR
from montcore.verification.vectors import (
    P256_ORDER,
    find_vectors,
    product_sets,
    read_curves,
    read_powers,
    read_products,
    set_names,
)

_CURVES_OF_FIELDS = {"prime192v1", "prime256v1"} | {
    f"secp{name}" for name in ("192k1", "224r1", "224k1", "256k1", "384r1", "521r1")
}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("openssl-bnmod.txt", {"ModMul": 202, "ModExp": 79, "ModSqrt": 16}),
        ("boringssl-p256-montgomery.txt", {"MulMont": 31, "OrdMulMont": 26}),
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
    assert sum(vector.m % 2 == 0 for vector in vectors) == 6


def test_fields_are_those_of_the_curves_that_openssl_prints(vectors_dir: Path) -> None:
    curves = read_curves(vectors_dir / "prime-curves.txt")
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
    file.write_text(
        f"# mine\n\n{GOOD}\n\nModMul=0x1\n A = -0xA \nB=1\n# why not\nM=0B\n\nModInv=6\nA=2\nM=b"
    )
    first, second, third = read_products(file)
    assert (first.x, first.y, first.m, first.result, first.line) == (2, 3, 11, 6, 3)
    assert (second.x, second.y, second.m, second.result, second.line) == (-10, 1, 11, 1, 9)
    assert (third.x, third.y, third.m, third.result, third.kind) == (2, 6, 11, 1, "ModInv")


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


def test_a_record_has_the_modulus_of_the_one_above_if_it_states_none(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text(f"{GOOD}\nModMul = 6\nA = 2\nB = 3\n\n{GOOD.replace('M = b', 'M = d')}")
    assert [product.m for product in read_products(file)] == [0xB, 0xB, 0xD]
    file.write_text(GOOD.replace("M = b\n", ""))
    with pytest.raises(RequestError, match="line 1: the record has no 'M'"):
        read_products(file)


KEY = "RsaKey = k\nN = 23\nE = 5\n"
OTHER_KEY = "EcKey = k\nGroup = g\nX = 1\nY = 2\n"
SIGNATURE = 'Signature = 0aff\nHash = sha1\nMessage = ""\nVerdict = invalid\nId = 7\n'
OF_KEY = "Signature = 0b\nMessage = 00\n"


def test_signatures_and_curves_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text(f"{KEY}\n{SIGNATURE}\n{KEY}D = 1d\nHash = sha512\n\n{OF_KEY}")
    first, second = read_rsa_signatures(file)
    assert (first.key.n, first.key.e, first.key.d, second.key.d) == (0x23, 5, None, 0x1D)
    assert (first.signature, first.message, first.id) == (b"\x0a\xff", b"", 7)
    assert (first.hash, first.verdict, second.hash) == ("sha1", "invalid", "sha512")
    assert (second.id, second.verdict) == (8, "invalid")  # that of the record above
    with pytest.raises(RequestError, match="no record of a product"):
        read_products(file)
    with pytest.raises(RequestError, match="no record of a curve"):
        read_curves(file)


CURVE = "Curve = c\nP = 3\nA = 1\nB = 1\nX = 0\nY = 1\nN = 4\nH = one\n"


MALFORMED: dict[Callable[[Path], object], list[tuple[str, int, str]]] = {
    read_products: [
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
    read_rsa_signatures: [
        (SIGNATURE, 1, "the signature is by no RsaKey"),
        (f"{KEY}\n{OTHER_KEY}\n{SIGNATURE}", 10, "the signature is by no RsaKey"),
        (f"{KEY}\n{OF_KEY}", 5, "neither the signature nor its key"),
        (f"{KEY}\n{SIGNATURE.replace('0aff', '0af')}", 5, "'0af' is not pairs of hexadecimal"),
        (f"{KEY}\n{SIGNATURE.replace('invalid', 'good')}", 8, "'good' is not one of valid"),
        (f"{KEY}\n{SIGNATURE.replace('7', '-7')}", 9, "'-7' is not a decimal number"),
        (KEY.replace("E = 5\n", ""), 1, "the record has no 'E'"),
        (KEY.replace("5", "x"), 3, "'x' is not a hexadecimal number"),
    ],
    read_curves: [("Curve = c\nP = 3\n", 1, "the record has no 'A'"), (CURVE, 8, "'one'")],
}


@pytest.mark.parametrize(
    ("read", "text", "line", "what"),
    [(read, *case) for read, cases in MALFORMED.items() for case in cases],
)
def test_malformed_file_names_the_line(
    tmp_path: Path, read: Callable[[Path], object], text: str, line: int, what: str
) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    with pytest.raises(RequestError, match=what) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}, line {line}: ") and "\n" not in str(caught.value)
    with pytest.raises(RequestError, match="cannot be read"):
        read(tmp_path / "missing.txt")


def test_powers_of_openssl_are_true(vectors_dir: Path) -> None:
    powers = read_powers(vectors_dir / "openssl-bnmod.txt")
    assert len(powers) == 79
    assert all(pow(v.base, v.exponent, v.m) == v.result for v in powers if v.m)


def accepted(verify: Callable[[], None]) -> bool:
    try:
        verify()
    except InvalidSignature:
        return False
    return True


def verdicts(vectors: list[SignatureVector[Any]], checked: list[bool]) -> Counter[str]:
    """Return how often each verdict occurs; check those that are valid or invalid."""
    for vector, valid in zip(vectors, checked, strict=True):
        assert vector.verdict == "acceptable" or valid == (vector.verdict == "valid"), vector.id
    return Counter(vector.verdict for vector in vectors)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("wycheproof-rsa-1024", {"acceptable": 33}),
        ("wycheproof-rsa-2048", {"valid": 32, "acceptable": 11}),
        ("wycheproof-rsa-verify-2048", {"valid": 9, "invalid": 249, "acceptable": 1}),
    ],
)
def test_rsa_signatures_are_what_another_library_finds(name: str, counts: dict[str, int]) -> None:
    vectors = read_rsa_signatures(find_vectors(name))
    checked = []
    for vector in vectors:
        n, e, d = vector.key.n, vector.key.e, vector.key.d
        assert d is None or pow(pow(2, e, n), d, n) == 2
        key = rsa.RSAPublicNumbers(e, n).public_key()
        algorithm = getattr(hashes, vector.hash.upper())()
        call = partial(key.verify, vector.signature, vector.message, PKCS1v15(), algorithm)
        checked.append(accepted(call))
        if d is not None:
            assert checked[-1], vector.id
    assert verdicts(vectors, checked) == counts


def test_ecdsa_signatures_are_what_another_library_finds() -> None:
    vectors = read_ecdsa_signatures(find_vectors("wycheproof-ecdsa-p256"))
    checked = []
    for vector in vectors:
        assert (vector.key.group, vector.hash) == ("secp256r1", "sha256")
        key = ec.EllipticCurvePublicNumbers(vector.key.x, vector.key.y, ec.SECP256R1())
        r, s = (int.from_bytes(vector.signature[i : i + 32], "big") for i in (0, 32))
        der = encode_dss_signature(r, s)
        algorithm = ec.ECDSA(hashes.SHA256())
        valid = accepted(partial(key.public_key().verify, der, vector.message, algorithm))
        checked.append(valid and len(vector.signature) == 64)
    assert verdicts(vectors, checked) == {"valid": 173, "invalid": 89}


def count_of(name: str) -> int:
    """Return the number of records of a set, excluding keys."""
    path = find_vectors(name)
    if name in product_sets():
        return len(read_products(path))
    if name == "prime-curves":
        return len(read_curves(path))
    if "x25519" in name:
        return len(read_exchanges(path))
    if "eddsa" in name:
        return len(read_eddsa_signatures(path))
    return len(read_ecdsa_signatures(path) if "ecdsa" in name else read_rsa_signatures(path))


def test_the_table_of_the_sets_is_true() -> None:
    """Name, source, licence and count of every set; and a user of each that exists."""
    table = {}
    for line in (REPO_ROOT / "vectors" / "README.md").read_text().splitlines():
        if match := re.match(r"\| \[([\w-]+)\]\(\1\.txt\) \|", line):
            _, source, licence, count, _, used = (cell.strip() for cell in line.split("|")[1:-1])
            table[match.group(1)] = int(count)
            assert source and licence
            users = re.findall(r"`((?:tests|src|riscv)/[\w/]+\.py)`", used)
            assert users
            for user in users:
                text = (REPO_ROOT / user).read_text()
                # test_rsa.py writes the length of the key into the name.
                assert match.group(1) in text or re.sub(r"\d+$", "{bits}", match.group(1)) in text
    assert sorted(table) == set_names()
    assert table == {name: count_of(name) for name in table}
    assert sum(path.stat().st_size for path in VECTORS_DIR.iterdir()) < 1_000_000


def test_a_file_goes_before_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prime-curves").mkdir()
    assert find_vectors("prime-curves") == VECTORS_DIR / "prime-curves.txt"
    assert find_vectors(tmp_path) == tmp_path
    (tmp_path / "openssl-bnmod").write_text(GOOD)
    assert len(read_products(find_vectors("openssl-bnmod"))) == 1
    with pytest.raises(RequestError, match=r"neither a file .* boringssl-p256-montgomery, "):
        find_vectors("nosuch")


def test_nothing_is_looked_for_beside_the_checkout() -> None:
    assert VECTORS_DIR == REPO_ROOT / "vectors" or "MONTCORE_VECTORS" in os.environ
    outside = re.compile(r"REPO_ROOT\.parent|parents\[4\]")
    for folder in ("src", "tests", "tools"):
        for path in (REPO_ROOT / folder).rglob("*.py"):
            assert path == Path(__file__) or not outside.search(path.read_text()), path
