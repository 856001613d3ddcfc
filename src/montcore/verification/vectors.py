# SPDX-License-Identifier: Apache-2.0
"""Reads test vectors: the sets of numbers in vectors/, and a user's own file.

There is one format: records of ``Key = value`` lines, separated by blank lines; ``#`` starts a
comment; numbers are hexadecimal (with or without 0x, possibly negative). A record is one of

    ModMul, A, B, M     A * B = ModMul (mod M)
    ModExp, A, E, M     A ^ E = ModExp (mod M)
    ModSqrt, A, P       ModSqrt ^ 2 = A (mod P)
    ModInv, A, M        ModInv * A = 1 (mod M)
    Test = MulMont, A, B, Result        A * B * 2^-256 = Result (mod p of P-256)
    Test = OrdMulMont, A, B, Result     the same modulo the order of P-256
    Curve = name, P, A, B, X, Y, N, H   y^2 = x^3 + A x + B (mod P); (X, Y) has order N, cofactor H
    RsaKey = name, N, E, perhaps D and Hash     an RSA key, public without D
    EcKey = name, Group, X, Y, perhaps D and Hash   a point of the curve Group, its private key
    EdKey = name, Scheme, Seed, Public, perhaps Hash    a key of ed25519 or ed448, as bytes
    Signature = bytes, Message, perhaps Hash, Verdict and Id

Bytes are pairs of hexadecimal digits, ``""`` for none. A signature is by the last key above it; the
hash function (``sha256``) stands in its own record or in that of the key. The verdict is valid,
invalid or acceptable (the verifier may choose); it is valid until a record states another. Id is a
decimal number; the default is one more than that of the signature before, and 1 for the first. A
record without M, P, Message, Group or Verdict, and a key without Hash, has that of the last one
above that states it.

For a user's own file, ModMul records are best. The files of OpenSSL (bnmod.txt) and BoringSSL
(p256-nistz_tests.txt, mod_inv_tests.txt) are read unchanged: their ``Title`` records and ``Negate``
and ``PointAdd`` tests, which do not concern a single product, are skipped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from montcore.model.fields import get_field
from montcore.support.errors import RequestError
from montcore.support.paths import VECTORS_DIR

#: Order of the base point of P-256 (SEC 2, secp256r1).
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

_MONTGOMERY_TESTS = {"MulMont": get_field("p256r1").p, "OrdMulMont": P256_ORDER}
_SKIPPED_TESTS = {"Negate", "PointAdd"}
_PRODUCT_KINDS = ("ModMul", "ModExp", "ModSqrt", "ModInv", "Test")
#: The key that determines the kind of a record, and its further keys.
_RECORD_KEYS = {
    "ModMul": {"A", "B", "M"},
    "ModExp": {"A", "E", "M"},
    "ModSqrt": {"A", "P"},
    "ModInv": {"A", "M"},
    "Test": {"A", "B", "Result"},
    "Curve": {"P", "A", "B", "X", "Y", "N", "H"},
    "RsaKey": {"N", "E"},
    "EcKey": {"Group", "X", "Y"},
    "EdKey": {"Scheme", "Seed", "Public"},
    "Signature": {"Message"},
    "X25519": {"Scalar", "U"},
}
_OPTIONAL_KEYS = {
    "RsaKey": {"D", "Hash"},
    "EcKey": {"D", "Hash"},
    "EdKey": {"Hash"},
    "Signature": {"Hash", "Verdict", "Id"},
}
#: Keys whose value holds for the records below too.
_INHERITED = ("M", "P", "Message", "Group")
_NUMBER = re.compile(r"[+-]?(?:0[xX])?[0-9a-fA-F]+")


@dataclass(frozen=True)
class ProductVector:
    """One product of a vector file.

    Attributes:
        kind: the record's kind, e.g. ``ModMul``.
        x: first factor, given or implied by the record (any integer).
        m: the modulus, zero or more, possibly even.
        result: the result in the file (0 <= result < m expected).
        r_bits: the result is x * y * 2^-r_bits mod m; 0 for a plain product.
        power: the factors are powers computed from the record, not numbers in it.
    """

    line: int
    kind: str
    x: int
    y: int
    m: int
    result: int
    r_bits: int = 0
    power: bool = False


@dataclass(frozen=True)
class PowerVector:
    """One power of a vector file: result = base ^ exponent mod m, exponent >= 0.

    Base and modulus are as in the file: the base is any integer, the modulus possibly even.
    """

    line: int
    base: int
    exponent: int
    m: int
    result: int


@dataclass(frozen=True)
class CurveRecord:
    """A curve over a prime field: y^2 = x^3 + a x + b, base point (gx, gy) of order n."""

    name: str
    p: int
    a: int
    b: int
    gx: int
    gy: int
    n: int
    h: int


T = TypeVar("T")


@dataclass(frozen=True)
class VectorRecord:
    """The lines of one record."""

    path: Path
    line: int
    values: dict[str, str]
    lines: dict[str, int]

    def number(self, key: str) -> int:
        """Return the number of a key, of either sign."""
        # int() would also accept underscores and digits of other scripts.
        if not _NUMBER.fullmatch(self.values[key]):
            raise self.malformed(key, "a hexadecimal number")
        return int(self.values[key], 16)

    def modulus(self, key: str) -> int:
        """Return the number of a key, which must not be negative."""
        m = self.number(key)
        if m < 0:
            raise self.error("the modulus is negative", key)
        return m

    def error(self, what: str, key: str = "") -> RequestError:
        """Return an error that names the file, and the line of a key or the first one."""
        return RequestError(f"{self.path}, line {self.lines.get(key, self.line)}: {what}")

    def malformed(self, key: str, what: str) -> RequestError:
        """Return the error of a value that is not `what`."""
        text = self.values[key]
        text = text if len(text) <= 40 else f"{text[:37]}..."
        return self.error(f"'{text}' is not {what}", key)


def set_names() -> list[str]:
    """Return the names of the sets in vectors/."""
    return sorted(path.stem for path in VECTORS_DIR.glob("*.txt"))


def product_sets() -> list[str]:
    """Return the names of the sets with products, the values of `verify --vectors`."""
    return [
        name
        for name in set_names()
        if any(kind in _PRODUCT_KINDS for kind, _ in records(find_vectors(name)))
    ]


def find_vectors(name: str | Path) -> Path:
    """Return a user's file, or that of a set in vectors/; a file takes precedence over a set."""
    path = Path(name)
    if path.exists() and not (path.is_dir() and str(name) in set_names()):
        return path
    if str(name) in set_names():
        return VECTORS_DIR / f"{name}.txt"
    known = ", ".join(product_sets()) or f"in {VECTORS_DIR}, which holds none"
    raise RequestError(f"{name} is neither a file of test vectors nor one of the sets {known}")


def read_products(path: Path) -> list[ProductVector]:
    """Return all products of a vector file."""
    found = [_product(record, kind) for kind, record in records(path) if kind in _PRODUCT_KINDS]
    return some(path, found, "a product")


def read_powers(path: Path) -> list[PowerVector]:
    """Return the powers of a vector file, its ModExp records."""
    found = [_power(record) for kind, record in records(path) if kind == "ModExp"]
    return some(path, found, "a power")


def read_curves(path: Path) -> dict[str, CurveRecord]:
    """Return the curves of a file, by name."""
    curves = {
        record.values[kind]: CurveRecord(record.values[kind], *map(record.number, "PABXYNH"))
        for kind, record in records(path)
        if kind == "Curve"
    }
    some(path, list(curves), "a curve")
    return curves


def some(path: Path, found: list[T], what: str) -> list[T]:
    """Return what was found in a file."""
    if not found:
        raise RequestError(f"{path}: the file holds no record of {what}")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise RequestError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = 1 + error.object[: error.start].count(b"\n")
        raise RequestError(f"{path}, line {line}: the file is not text") from None


def records(path: Path) -> Iterator[tuple[str, VectorRecord]]:
    """Yield kind and lines of each record."""
    above: dict[str, str] = {}
    for record in _paragraphs(path):
        if set(record.values) == {"Title"} or record.values.get("Test") in _SKIPPED_TESTS:
            continue
        kind = next((kind for kind in _RECORD_KEYS if kind in record.values), None)
        if kind is None:
            raise record.error(f"the record is none of {', '.join(_RECORD_KEYS)}")
        if kind == "Test" and record.values[kind] not in _MONTGOMERY_TESTS:
            raise record.error(f"there is no test '{record.values[kind]}'", kind)
        needed = {kind, *_RECORD_KEYS[kind]}
        for key in sorted(needed - set(record.values)):
            if key not in above:
                raise record.error(f"the record has no '{key}'")
            record.values[key] = above[key]
        above |= {key: record.values[key] for key in _INHERITED if key in record.values}
        for key in record.values:
            if key not in needed | _OPTIONAL_KEYS.get(kind, set()):
                raise record.error(f"'{key}' does not belong in this record", key)
        yield kind, record


def _paragraphs(path: Path) -> Iterator[VectorRecord]:
    record: VectorRecord | None = None
    for number, raw in enumerate(_read(path).split("\n"), start=1):
        line = raw.strip()
        if line.startswith("#"):
            continue
        if not line:
            if record is not None:
                yield record
            record = None
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not key or not value:
            raise RequestError(f"{path}, line {number}: expected 'Key = value'")
        if record is None:
            record = VectorRecord(path, number, {}, {})
        if key in record.values:
            raise RequestError(f"{path}, line {number}: '{key}' twice in one record")
        record.values[key] = value
        record.lines[key] = number
    if record is not None:
        yield record


def _product(record: VectorRecord, kind: str) -> ProductVector:
    line = record.line
    if kind == "Test":
        test = record.values[kind]
        x, y, result = map(record.number, ("A", "B", "Result"))
        return ProductVector(line, test, x, y, _MONTGOMERY_TESTS[test], result, 256)
    if kind == "ModExp":
        # A single product from the record: the two halves of the power.
        power = _power(record)
        m, half = power.m, power.exponent // 2
        halves = (half, power.exponent - half)
        x, y = (pow(power.base, part, m) for part in halves) if m else (0, 0)
        return ProductVector(line, kind, x, y, m, power.result, power=True)
    m = record.modulus("P" if kind == "ModSqrt" else "M")
    a, stated = record.number("A"), record.number(kind)
    if kind == "ModMul":
        return ProductVector(line, kind, a, record.number("B"), m, stated)
    if kind == "ModSqrt":
        return ProductVector(line, kind, stated, stated, m, a % m if m else 0)
    return ProductVector(line, kind, a, stated, m, 1 % m if m else 0)


def _power(record: VectorRecord) -> PowerVector:
    m = record.modulus("M")
    base, exponent, result = map(record.number, ("A", "E", "ModExp"))
    if exponent < 0:
        raise record.error("the exponent is negative", "E")
    return PowerVector(record.line, base, exponent, m, result)
