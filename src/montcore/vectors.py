# SPDX-License-Identifier: Apache-2.0
"""Reads files of test vectors: those of OpenSSL and BoringSSL, and a user's own.

The format is one: records of ``Key = value`` lines, records parted by blank lines, ``#`` before
comments, numbers in hexadecimal (with or without 0x, perhaps negative). A record is one of

    ModMul, A, B, M     A * B = ModMul (mod M)
    ModExp, A, E, M     A ^ E = ModExp (mod M)
    ModSqrt, A, P       ModSqrt ^ 2 = A (mod P)
    ModInv, A, M        ModInv * A = 1 (mod M)
    Test = MulMont, A, B, Result        A * B * 2^-256 = Result (mod p of P-256)
    Test = OrdMulMont, A, B, Result     the same modulo the order of P-256

``Title = ...`` records and the ``Negate`` and ``PointAdd`` tests of the BoringSSL file are skipped:
they state nothing about a single product. A user's own file best uses ModMul records.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from montcore.errors import RequestError
from montcore.fields import get_field

#: Order of the base point of P-256 (SEC 2, secp256r1).
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

_MONTGOMERY_TESTS = {"MulMont": get_field("p256r1").p, "OrdMulMont": P256_ORDER}
_SKIPPED_TESTS = {"Negate", "PointAdd"}
_RECORD_KEYS = {
    "ModMul": {"A", "B", "M"},
    "ModExp": {"A", "E", "M"},
    "ModSqrt": {"A", "P"},
    "ModInv": {"A", "M"},
}


@dataclass(frozen=True)
class ProductVector:
    """One product that a vector file states.

    Attributes:
        line: number of the record's first line.
        kind: the record's kind, e.g. ``ModMul``.
        x: first factor as the record gives or implies it (any integer).
        y: second factor.
        m: the modulus, zero or more, perhaps even.
        result: what the file says (0 <= result < m expected).
        r_bits: the result is x * y * 2^-r_bits mod m; 0 for a plain product.
        power: the factors are powers worked out from the record, not numbers in it.
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
class Curve:
    """A curve over a prime field: y^2 = x^3 + a x + b, base point (gx, gy) of order n."""

    name: str
    p: int
    a: int
    b: int
    gx: int
    gy: int
    n: int
    h: int


@dataclass(frozen=True)
class _Record:
    """The lines of one record; `lines` says where each key stands."""

    line: int
    values: dict[str, str]
    lines: dict[str, int]


def read_products(path: Path) -> list[ProductVector]:
    """Return all products that a file of vectors states.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    vectors = [
        vector for record in _records(path) if (vector := _product(path, record)) is not None
    ]
    if not vectors:
        raise RequestError(f"{path}: the file holds no record of a product")
    return vectors


def read_curves(path: Path) -> dict[str, Curve]:
    """Return the curves of a JSON file such as prime_curves.json, by name.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    try:
        content = json.loads(_read(path))
    except json.JSONDecodeError as error:
        raise RequestError(f"{path}, line {error.lineno}: {error.msg}") from None
    if not isinstance(content, dict):
        raise RequestError(f"{path}, line 1: the file is not an object of curves")
    curves = {}
    for name, entry in content.items():
        try:
            numbers = {key: int(entry[key], 16) for key in ("p", "a", "b", "gx", "gy", "n")}
            curves[name] = Curve(name=name, h=int(entry["h"]), **numbers)
        except (KeyError, TypeError, ValueError):
            line = 1 + _read(path).partition(f'"{name}"')[0].count("\n")
            raise RequestError(
                f"{path}, line {line}: curve '{name}' lacks one of p, a, b, gx, gy, n (hex) and h"
            ) from None
    return curves


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise RequestError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = 1 + error.object[: error.start].count(b"\n")
        raise RequestError(f"{path}, line {line}: the file is not text") from None


def _records(path: Path) -> Iterator[_Record]:
    record: _Record | None = None
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
            record = _Record(number, {}, {})
        if key in record.values:
            raise RequestError(f"{path}, line {number}: '{key}' twice in one record")
        record.values[key] = value
        record.lines[key] = number
    if record is not None:
        yield record


def _product(path: Path, record: _Record) -> ProductVector | None:
    if set(record.values) == {"Title"} or record.values.get("Test") in _SKIPPED_TESTS:
        return None
    if "Test" in record.values:
        return _montgomery_product(path, record)
    for kind, keys in _RECORD_KEYS.items():
        if kind in record.values:
            return _plain_product(path, record, kind, keys)
    raise RequestError(
        f"{path}, line {record.line}: the record is none of {', '.join(_RECORD_KEYS)} and Test"
    )


def _montgomery_product(path: Path, record: _Record) -> ProductVector:
    kind = record.values["Test"]
    if kind not in _MONTGOMERY_TESTS:
        raise RequestError(f"{path}, line {record.lines['Test']}: there is no test '{kind}'")
    _expect_keys(path, record, {"Test", "A", "B", "Result"})
    x, y, result = (_number(path, record, key) for key in ("A", "B", "Result"))
    return ProductVector(record.line, kind, x, y, _MONTGOMERY_TESTS[kind], result, 256)


def _plain_product(path: Path, record: _Record, kind: str, keys: set[str]) -> ProductVector:
    _expect_keys(path, record, {kind, *keys})
    number = {key: _number(path, record, key) for key in record.values}
    modulus_key = "P" if kind == "ModSqrt" else "M"
    m = number[modulus_key]
    if m < 0:
        raise RequestError(f"{path}, line {record.lines[modulus_key]}: the modulus is negative")
    if kind == "ModMul":
        return ProductVector(record.line, kind, number["A"], number["B"], m, number[kind])
    if kind == "ModSqrt":
        root = number[kind]
        return ProductVector(record.line, kind, root, root, m, number["A"] % m if m else 0)
    if kind == "ModInv":
        return ProductVector(record.line, kind, number["A"], number[kind], m, 1 % m if m else 0)
    exponent = number["E"]
    if exponent < 0:
        raise RequestError(f"{path}, line {record.lines['E']}: the exponent is negative")
    # A single product out of the record: the two halves of the power.
    half = exponent // 2
    x, y = (pow(number["A"], half, m), pow(number["A"], exponent - half, m)) if m else (0, 0)
    return ProductVector(record.line, kind, x, y, m, number[kind], power=True)


def _expect_keys(path: Path, record: _Record, keys: set[str]) -> None:
    for key in sorted(keys - set(record.values)):
        raise RequestError(f"{path}, line {record.line}: the record has no '{key}'")
    for key in record.values:
        if key not in keys:
            raise RequestError(
                f"{path}, line {record.lines[key]}: '{key}' does not belong into this record"
            )


def _number(path: Path, record: _Record, key: str) -> int:
    text = record.values[key]
    try:
        # int() would also take underscores, which no such file has.
        if "_" in text:
            raise ValueError
        return int(text, 16)
    except ValueError:
        raise RequestError(
            f"{path}, line {record.lines[key]}: '{_shorten(text)}' is not a hexadecimal number"
        ) from None


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
