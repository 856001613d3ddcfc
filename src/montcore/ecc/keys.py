# SPDX-License-Identifier: Apache-2.0
"""Elliptic-curve keys: read from files (`rsa.files`), kept as numbers or bytes."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519

from montcore.ecc.curves import Curve, get_curve
from montcore.rsa.files import OtherKeyError, Passphrase, any_key, private_key
from montcore.support.errors import RequestError
from montcore.support.requests import checked

_NAMES = {"secp192r1": "prime192v1", "secp256r1": "prime256v1"}
#: Curves of the engine on which the `cryptography` package reads no keys.
_UNREAD = {
    "1.3.132.0.6": "secp112r1",
    "1.3.132.0.28": "secp128r1",
    "1.3.132.0.9": "secp160k1",
    "1.3.132.0.8": "secp160r1",
    "1.3.132.0.30": "secp160r2",
    "1.3.132.0.31": "secp192k1",
    "1.3.132.0.32": "secp224k1",
    "1.2.840.10045.3.1.2": "prime192v2",
    "1.2.840.10045.3.1.3": "prime192v3",
    "1.3.36.3.3.2.8.1.1.1": "brainpoolP160r1",
    "1.3.36.3.3.2.8.1.1.3": "brainpoolP192r1",
    "1.3.36.3.3.2.8.1.1.5": "brainpoolP224r1",
    "1.3.36.3.3.2.8.1.1.9": "brainpoolP320r1",
    "1.2.156.10197.1.301": "SM2",
}
_OID = re.compile(r"\d+(\.\d+){3,}")
_EDWARDS: dict[str, tuple[Any, Any]] = {
    "ed25519": (ed25519.Ed25519PrivateKey, ed25519.Ed25519PublicKey),
    "ed448": (ed448.Ed448PrivateKey, ed448.Ed448PublicKey),
}


@checked
@dataclass(frozen=True)
class EcPublicKey:
    """A point of a curve."""

    curve: Curve
    x: int
    y: int


@checked
@dataclass(frozen=True, repr=False)
class EcPrivateKey:
    """A scalar and its point; never printed."""

    public: EcPublicKey
    d: int


@checked
@dataclass(frozen=True, repr=False)
class EdwardsKey:
    """A key of RFC 8032: the public bytes and, for a private key, the seed."""

    name: str
    seed: bytes
    public: bytes


def read_private_key(path: Path, passphrase: Passphrase) -> EcPrivateKey:
    """Read a private key for ECDSA or ECDH."""
    try:
        key = private_key(path, passphrase).key
    except UnsupportedAlgorithm as error:
        raise _unsupported(path, error) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise OtherKeyError(path, key, "for ECDSA or ECDH")
    return EcPrivateKey(_point(key.public_key()), key.private_numbers().private_value)


def read_public_key(path: Path, passphrase: Passphrase) -> EcPublicKey:
    """Read a public key from a public-key, certificate or private-key file."""
    key = _any(path, passphrase)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        key = key.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey):
        raise OtherKeyError(path, key, "for ECDSA or ECDH")
    return _point(key)


def read_edwards_key(path: Path, name: str, passphrase: Passphrase, *, private: bool) -> EdwardsKey:
    """Read a key of Ed25519 or Ed448."""
    secret, public = _EDWARDS[name]
    key = _any(path, passphrase)
    if isinstance(key, secret):
        return EdwardsKey(name, key.private_bytes_raw(), key.public_key().public_bytes_raw())
    if isinstance(key, public) and not private:
        return EdwardsKey(name, b"", key.public_bytes_raw())
    kind = "private key" if private else "key"
    raise RequestError(f"{path} holds no {kind} of {name}")


def _any(path: Path, passphrase: Passphrase) -> Any:
    try:
        return any_key(path, passphrase).key
    except UnsupportedAlgorithm as error:
        raise _unsupported(path, error) from None


def _point(key: ec.EllipticCurvePublicKey) -> EcPublicKey:
    numbers = key.public_numbers()
    name = numbers.curve.name
    return EcPublicKey(get_curve(_NAMES.get(name, name)), numbers.x, numbers.y)


def _unsupported(path: Path, error: UnsupportedAlgorithm) -> RequestError:
    found = _OID.search(str(error))
    if found is None:
        return RequestError(f"{path} holds a key of a kind that is not known")
    curve = _UNREAD.get(found.group(), found.group())
    return RequestError(
        f"{path} holds a key on {curve}; files are read of keys on the prime curves of NIST with "
        "random parameters, secp256k1, and brainpoolP256r1, P384r1 and P512r1"
    )
