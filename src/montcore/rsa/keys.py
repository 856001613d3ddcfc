# SPDX-License-Identifier: Apache-2.0
"""RSA keys: read from PEM files by the `cryptography` package, kept as numbers."""

from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    load_pem_private_key,
    load_pem_public_key,
)

from montcore.errors import RequestError


@dataclass(frozen=True)
class PublicKey:
    """Modulus n and exponent e."""

    n: int
    e: int

    @property
    def size(self) -> int:
        """Bytes of the modulus."""
        return (self.n.bit_length() + 7) // 8


@dataclass(frozen=True, repr=False)
class PrivateKey(PublicKey):
    """A key with its private exponent d and the prime factors p and q of n; never printed."""

    d: int
    p: int
    q: int

    @classmethod
    def of_exponents(cls, n: int, e: int, d: int) -> "PrivateKey":
        """Return the key whose prime factors are recovered from the exponents."""
        p, q = rsa.rsa_recover_prime_factors(n, e, d)
        return cls(n, e, d, p, q)


def read_private_key(path: Path) -> PrivateKey:
    """Read an unencrypted RSA private key.

    Raises:
        RequestError: the file cannot be read, is no PEM key, is encrypted or not for RSA. The
            message says nothing of the key's contents.
    """
    data = _read(path)
    try:
        key = load_pem_private_key(data, password=None)
    except TypeError:
        raise RequestError(f"{path} is encrypted; give an unencrypted key") from None
    except (ValueError, UnsupportedAlgorithm):
        raise RequestError(f"{path} holds no RSA private key in PEM form that is whole") from None
    if not isinstance(key, rsa.RSAPrivateKey):
        raise RequestError(f"{path} holds a key of another kind than RSA")
    numbers = key.private_numbers()
    public = numbers.public_numbers
    return PrivateKey(public.n, public.e, numbers.d, numbers.p, numbers.q)


def read_public_key(path: Path) -> PublicKey:
    """Read an RSA public key, or the public part of a private one.

    Raises:
        RequestError: as for `read_private_key`.
    """
    data = _read(path)
    if b"PRIVATE KEY" in data:
        private = read_private_key(path)
        return PublicKey(private.n, private.e)
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        raise RequestError(f"{path} holds no RSA public key in PEM form that is whole") from None
    if not isinstance(key, rsa.RSAPublicKey):
        raise RequestError(f"{path} holds a key of another kind than RSA")
    numbers = key.public_numbers()
    return PublicKey(numbers.n, numbers.e)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RequestError(f"{path} cannot be read: {error.strerror}") from None
