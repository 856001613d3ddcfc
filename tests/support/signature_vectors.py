# SPDX-License-Identifier: Apache-2.0
"""Signatures, keys and secrets in vectors/; montcore.verification.vectors describes the records."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from montcore.verification.vectors import VectorRecord, records, some

#: The verdicts on a signature.
VERDICTS = ("valid", "invalid", "acceptable")
_BYTES = re.compile(r"(?:[0-9a-fA-F]{2})+")


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


def read_rsa_signatures(path: Path) -> list[SignatureVector[RsaNumbers]]:
    """Return the RSA signatures of a file."""

    def key(record: VectorRecord) -> RsaNumbers:
        return RsaNumbers(record.number("N"), record.number("E"), _secret(record))

    return _signatures(path, "RsaKey", key)


def read_ecdsa_signatures(path: Path) -> list[SignatureVector[EcPoint]]:
    """Return the ECDSA signatures of a file, r and s of each concatenated (IEEE P1363)."""

    def key(record: VectorRecord) -> EcPoint:
        x, y = record.number("X"), record.number("Y")
        return EcPoint(record.values["Group"], x, y, _secret(record))

    return _signatures(path, "EcKey", key)


def read_eddsa_signatures(path: Path) -> list[SignatureVector[EdKey]]:
    """Return the signatures of Ed25519 and Ed448 of a file."""

    def key(record: VectorRecord) -> EdKey:
        return EdKey(record.values["Scheme"], _bytes(record, "Seed"), _bytes(record, "Public"))

    return _signatures(path, "EdKey", key)


def read_exchanges(path: Path) -> list[tuple[bytes, bytes, bytes]]:
    """Return scalar, u and result of each X25519 of a file."""
    found = [
        (_bytes(record, "Scalar"), _bytes(record, "U"), _bytes(record, kind))
        for kind, record in records(path)
        if kind == "X25519"
    ]
    return some(path, found, "X25519")


def _secret(record: VectorRecord) -> int | None:
    return record.number("D") if "D" in record.values else None


def _signatures(
    path: Path, key_kind: str, read_key: Callable[[VectorRecord], KeyT]
) -> list[SignatureVector[KeyT]]:
    """Return the signatures of a file, each with the last key above it.

    Raises:
        RequestError: the file cannot be read, or is malformed; the message names file and line.
    """
    key: KeyT | None = None
    common: str | None = None
    number, verdict = 0, "valid"
    found = []
    for kind, record in records(path):
        values = record.values
        if kind.endswith("Key"):
            key = read_key(record) if kind == key_kind else None
            common = values.get("Hash", common)
        elif kind == "Signature":
            digest = values.get("Hash", common)
            if key is None:
                raise record.error(f"the signature is by no {key_kind}")
            if digest is None:
                raise record.error("neither the signature nor its key has a 'Hash'")
            if not values.get("Id", "1").isdecimal():
                raise record.malformed("Id", "a decimal number")
            number = int(values.get("Id", number + 1))
            verdict = values.get("Verdict", verdict)
            if verdict not in VERDICTS:
                raise record.malformed("Verdict", f"one of {', '.join(VERDICTS)}")
            message, signature = _bytes(record, "Message"), _bytes(record, "Signature")
            found.append(SignatureVector(number, key, digest, message, signature, verdict))
    return some(path, found, "a signature")


def _bytes(record: VectorRecord, key: str) -> bytes:
    text = record.values[key]
    if text == '""':
        return b""
    if not _BYTES.fullmatch(text):
        raise record.malformed(key, 'pairs of hexadecimal digits, or ""')
    return bytes.fromhex(text)
