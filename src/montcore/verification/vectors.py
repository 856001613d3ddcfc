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
    RsaKey = name, N, E, perhaps D      an RSA key, public without D
    EcKey = name, Group, X, Y, perhaps D    a point of the curve Group, and its private key
    EdKey = name, Scheme, Seed, Public  a key of ed25519 or ed448, as bytes
    Signature = bytes, Key, Hash, Message, Verdict, Id

Bytes are pairs of hexadecimal digits, ``""`` for none. A signature names a key above it in the same
file and the hash function (``sha256``). The verdict is valid, invalid or acceptable (the verifier
may choose); Id is a decimal number. For a user's own file, ModMul records are best. The files of
OpenSSL (bnmod.txt) and BoringSSL (p256-nistz_tests.txt, mod_inv_tests.txt) are read unchanged:
their ``Title`` records and ``Negate`` and ``PointAdd`` tests, which do not concern a single
product, are skipped.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from montcore.model.fields import get_field
from montcore.support.errors import RequestError
from montcore.support.paths import VECTORS_DIR

#: Order of the base point of P-256 (SEC 2, secp256r1).
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

#: The verdicts on a signature.
VERDICTS = ("valid", "invalid", "acceptable")

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
    "Signature": {"Key", "Hash", "Message", "Verdict", "Id"},
}
_OPTIONAL_KEYS = {"RsaKey": {"D"}, "EcKey": {"D"}}
_NUMBER = re.compile(r"[+-]?(?:0[xX])?[0-9a-fA-F]+")
_BYTES = re.compile(r"(?:[0-9a-fA-F]{2})+")


@dataclass(frozen=True)
class ProductVector:
    """One product of a vector file.

    Attributes:
        line: number of the record's first line.
        kind: the record's kind, e.g. ``ModMul``.
        x: first factor, given or implied by the record (any integer).
        y: second factor.
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


@dataclass(frozen=True)
class RsaNumbers:
    """An RSA key: modulus, public exponent, and the private exponent if the file has it."""

    n: int
    e: int
    d: int | None


@dataclass(frozen=True)
class EcPoint:
    """A key of ECDSA: a point of a named curve, and the private key if the file has it."""

    group: str
    x: int
    y: int
    d: int | None = None


@dataclass(frozen=True)
class EdKey:
    """A key of ed25519 or ed448."""

    scheme: str
    seed: bytes
    public: bytes


T = TypeVar("T")
KeyT = TypeVar("KeyT", RsaNumbers, EcPoint, EdKey)


@dataclass(frozen=True)
class SignatureVector(Generic[KeyT]):
    """One signature and its expected verdict.

    Attributes:
        id: its number in the source.
        key: the key.
        hash: the hash function, e.g. ``sha256``.
        message: the signed message.
        signature: the signature; an invalid one may have any length.
        verdict: valid, invalid, or acceptable: valid by an old rule that a verifier may reject.
    """

    id: int
    key: KeyT
    hash: str
    message: bytes
    signature: bytes
    verdict: str


@dataclass(frozen=True)
class _Record:
    """The lines of one record; `lines` has the line number of each key."""

    line: int
    values: dict[str, str]
    lines: dict[str, int]


def set_names() -> list[str]:
    """Return the names of the sets in vectors/."""
    return sorted(path.stem for path in VECTORS_DIR.glob("*.txt"))


def product_sets() -> list[str]:
    """Return the names of the sets with products, the values of `verify --vectors`."""
    return [
        name
        for name in set_names()
        if any(kind in _PRODUCT_KINDS for kind, _ in _records(find_vectors(name)))
    ]


def find_vectors(name: str | Path) -> Path:
    """Return a user's file, or that of a set in vectors/; a file takes precedence over a set.

    Raises:
        RequestError: neither exists; the message lists the sets of products.
    """
    path = Path(name)
    if path.exists() and not (path.is_dir() and str(name) in set_names()):
        return path
    if str(name) in set_names():
        return VECTORS_DIR / f"{name}.txt"
    known = ", ".join(product_sets()) or f"in {VECTORS_DIR}, which holds none"
    raise RequestError(f"{name} is neither a file of test vectors nor one of the sets {known}")


def read_products(path: Path) -> list[ProductVector]:
    """Return all products of a vector file.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    found = []
    for kind, record in _records(path):
        if kind == "Test":
            found.append(_montgomery_product(path, record))
        elif kind in _PRODUCT_KINDS:
            found.append(_plain_product(path, record, kind))
    return _some(path, found, "a product")


def read_powers(path: Path) -> list[PowerVector]:
    """Return the powers of a vector file, its ModExp records.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    found = [_power(path, record) for kind, record in _records(path) if kind == "ModExp"]
    return _some(path, found, "a power")


def read_curves(path: Path) -> dict[str, CurveRecord]:
    """Return the curves of a file, by name.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    curves = []
    for kind, record in _records(path):
        if kind == "Curve":
            p, a, b, gx, gy, n, h = (_number(path, record, key) for key in "PABXYNH")
            curves.append(CurveRecord(record.values[kind], p, a, b, gx, gy, n, h))
    return {curve.name: curve for curve in _some(path, curves, "a curve")}


def read_rsa_signatures(path: Path) -> list[SignatureVector[RsaNumbers]]:
    """Return the RSA signatures of a file.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    return _signatures(path, "RsaKey", _rsa_key)


def read_ecdsa_signatures(path: Path) -> list[SignatureVector[EcPoint]]:
    """Return the ECDSA signatures of a file, r and s of each concatenated (IEEE P1363).

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    return _signatures(path, "EcKey", _ec_key)


def read_eddsa_signatures(path: Path) -> list[SignatureVector[EdKey]]:
    """Return the signatures of Ed25519 and Ed448 of a file.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    return _signatures(path, "EdKey", _ed_key)


def _some(path: Path, found: list[T], what: str) -> list[T]:
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


def _records(path: Path) -> Iterator[tuple[str, _Record]]:
    """Yield kind and lines of each record; check that it has exactly the keys of its kind."""
    for record in _paragraphs(path):
        if set(record.values) == {"Title"} or record.values.get("Test") in _SKIPPED_TESTS:
            continue
        kind = next((kind for kind in _RECORD_KEYS if kind in record.values), None)
        if kind is None:
            raise RequestError(
                f"{path}, line {record.line}: the record is none of {', '.join(_RECORD_KEYS)}"
            )
        if kind == "Test" and record.values[kind] not in _MONTGOMERY_TESTS:
            raise RequestError(
                f"{path}, line {record.lines[kind]}: there is no test '{record.values[kind]}'"
            )
        needed = {kind, *_RECORD_KEYS[kind]}
        for key in sorted(needed - set(record.values)):
            raise RequestError(f"{path}, line {record.line}: the record has no '{key}'")
        for key in record.values:
            if key not in needed | _OPTIONAL_KEYS.get(kind, set()):
                raise RequestError(
                    f"{path}, line {record.lines[key]}: '{key}' does not belong in this record"
                )
        yield kind, record


def _paragraphs(path: Path) -> Iterator[_Record]:
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


def _montgomery_product(path: Path, record: _Record) -> ProductVector:
    kind = record.values["Test"]
    x, y, result = (_number(path, record, key) for key in ("A", "B", "Result"))
    return ProductVector(record.line, kind, x, y, _MONTGOMERY_TESTS[kind], result, 256)


def _plain_product(path: Path, record: _Record, kind: str) -> ProductVector:
    if kind == "ModExp":
        # A single product from the record: the two halves of the power.
        power = _power(path, record)
        m, half = power.m, power.exponent // 2
        halves = (half, power.exponent - half)
        x, y = (pow(power.base, part, m) for part in halves) if m else (0, 0)
        return ProductVector(record.line, kind, x, y, m, power.result, power=True)
    m = _modulus(path, record, "P" if kind == "ModSqrt" else "M")
    a, stated = _number(path, record, "A"), _number(path, record, kind)
    if kind == "ModMul":
        return ProductVector(record.line, kind, a, _number(path, record, "B"), m, stated)
    if kind == "ModSqrt":
        return ProductVector(record.line, kind, stated, stated, m, a % m if m else 0)
    return ProductVector(record.line, kind, a, stated, m, 1 % m if m else 0)


def _power(path: Path, record: _Record) -> PowerVector:
    m = _modulus(path, record, "M")
    base, exponent, result = (_number(path, record, key) for key in ("A", "E", "ModExp"))
    if exponent < 0:
        raise RequestError(f"{path}, line {record.lines['E']}: the exponent is negative")
    return PowerVector(record.line, base, exponent, m, result)


def _modulus(path: Path, record: _Record, key: str) -> int:
    m = _number(path, record, key)
    if m < 0:
        raise RequestError(f"{path}, line {record.lines[key]}: the modulus is negative")
    return m


def _rsa_key(path: Path, record: _Record) -> RsaNumbers:
    d = _number(path, record, "D") if "D" in record.values else None
    return RsaNumbers(_number(path, record, "N"), _number(path, record, "E"), d)


def _ec_key(path: Path, record: _Record) -> EcPoint:
    x, y = _number(path, record, "X"), _number(path, record, "Y")
    d = _number(path, record, "D") if "D" in record.values else None
    return EcPoint(record.values["Group"], x, y, d)


def _ed_key(path: Path, record: _Record) -> EdKey:
    seed, public = (_bytes(path, record, key) for key in ("Seed", "Public"))
    return EdKey(record.values["Scheme"], seed, public)


def _signatures(
    path: Path, key_kind: str, read_key: Callable[[Path, _Record], KeyT]
) -> list[SignatureVector[KeyT]]:
    """Return the signatures of a file with the keys given above them."""
    keys: dict[str, KeyT] = {}
    found = []
    for kind, record in _records(path):
        if kind == key_kind:
            keys[record.values[kind]] = read_key(path, record)
        elif kind == "Signature":
            number, name = record.values["Id"], record.values["Key"]
            if not number.isdecimal():
                raise _malformed(path, record, "Id", "a decimal number")
            if name not in keys:
                raise _malformed(path, record, "Key", f"the name of an {key_kind} above it")
            verdict = record.values["Verdict"]
            if verdict not in VERDICTS:
                raise _malformed(path, record, "Verdict", f"one of {', '.join(VERDICTS)}")
            message, signature = (_bytes(path, record, key) for key in ("Message", "Signature"))
            hash_name = record.values["Hash"]
            found.append(
                SignatureVector(int(number), keys[name], hash_name, message, signature, verdict)
            )
    return _some(path, found, "a signature")


def _number(path: Path, record: _Record, key: str) -> int:
    # int() would also accept underscores and digits of other scripts.
    if not _NUMBER.fullmatch(record.values[key]):
        raise _malformed(path, record, key, "a hexadecimal number")
    return int(record.values[key], 16)


def _bytes(path: Path, record: _Record, key: str) -> bytes:
    text = record.values[key]
    if text == '""':
        return b""
    if not _BYTES.fullmatch(text):
        raise _malformed(path, record, key, 'pairs of hexadecimal digits, or ""')
    return bytes.fromhex(text)


def _malformed(path: Path, record: _Record, key: str, what: str) -> RequestError:
    text = record.values[key]
    text = text if len(text) <= 40 else f"{text[:37]}..."
    return RequestError(f"{path}, line {record.lines[key]}: '{text}' is not {what}")
