# SPDX-License-Identifier: Apache-2.0
"""RSA keys: read from files (`rsa.files`), kept as numbers."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from montcore.rsa import files
from montcore.rsa.files import KeyInFile, NoKeyError, OtherKeyError, Passphrase
from montcore.rsa.restrictions import Uses, permitted_uses
from montcore.support.errors import RequestError
from montcore.support.requests import checked

#: Maximum bits of a key's modulus and public exponent (the latter from FIPS 186-5).
MAX_MODULUS_BITS = 4096
PUBLIC_EXPONENT = 65537
MIN_MODULUS_BITS = 1024
MAX_EXPONENT_BITS = 256

FORMS = {"pem": Encoding.PEM, "der": Encoding.DER}


@checked
@dataclass(frozen=True)
class PublicKey:
    """Modulus n and exponent e, and what they may be used for."""

    n: int
    e: int
    uses: Uses = field(default=Uses(), kw_only=True)

    @property
    def size(self) -> int:
        """Bytes of the modulus."""
        return (self.n.bit_length() + 7) // 8


@checked
@dataclass(frozen=True, repr=False)
class PrivateKey(PublicKey):
    """A key with its private exponent d and the prime factors p and q of n; never printed."""

    d: int
    p: int
    q: int

    @classmethod
    def of_numbers(cls, numbers: rsa.RSAPrivateNumbers) -> "PrivateKey":
        """Return the key of the `cryptography` package's numbers."""
        public = numbers.public_numbers
        return cls(public.n, public.e, numbers.d, numbers.p, numbers.q)


def check_size(bits: int) -> None:
    """Reject an unsupported key size."""
    if not MIN_MODULUS_BITS <= bits <= MAX_MODULUS_BITS:
        raise RequestError(f"a key has {MIN_MODULUS_BITS} to {MAX_MODULUS_BITS} bits, not {bits}")


@checked
def generate(bits: int) -> rsa.RSAPrivateKey:
    """Generate a key with the exponent 65537; OpenSSL finds the primes.

    Raises:
        RequestError: the size is not supported.
    """
    check_size(bits)
    return rsa.generate_private_key(PUBLIC_EXPONENT, bits)


def encode_private(key: rsa.RSAPrivateKey, form: str, passphrase: bytes) -> bytes:
    """Return PKCS#8, in the form pem or der, encrypted unless the passphrase is empty."""
    protection = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    return key.private_bytes(FORMS[form], PrivateFormat.PKCS8, protection)


def encode_public(key: rsa.RSAPrivateKey, form: str) -> bytes:
    """Return the SubjectPublicKeyInfo, in the form pem or der."""
    public = key.public_key()
    return public.public_bytes(FORMS[form], PublicFormat.SubjectPublicKeyInfo)


@checked
def read_private_key(path: Path, passphrase: Passphrase | None = None) -> PrivateKey:
    """Read an RSA private key.

    Args:
        path: a PEM or DER file.
        passphrase: called if the key is encrypted.

    Raises:
        RequestError: the file cannot be read, is no RSA private key, is encrypted and its
            passphrase is missing or wrong, or the key has an absurd size. The message reveals
            nothing about the key's contents.
    """
    try:
        return _private(path, files.private_key(path, passphrase))
    except (NoKeyError, UnsupportedAlgorithm):
        said = "holds no complete RSA private key in PEM or DER form, with two primes"
        raise NoKeyError(f"{path} {said}") from None


@checked
def read_public_key(path: Path, passphrase: Passphrase | None = None) -> PublicKey:
    """Read an RSA public key from a public-key, certificate or private-key file.

    A certificate's signature and dates are not checked.

    Raises:
        RequestError: as for `read_private_key`.
    """
    try:
        found = files.any_key(path, passphrase)
    except (NoKeyError, UnsupportedAlgorithm):
        raise NoKeyError(f"{path} holds no complete RSA public key in PEM or DER form") from None
    if isinstance(found.key, rsa.RSAPublicKey):
        numbers = found.key.public_numbers()
        _check_size(path, numbers)
        return PublicKey(numbers.n, numbers.e, uses=permitted_uses(found.data, b""))
    key = _private(path, found)
    return PublicKey(key.n, key.e, uses=key.uses)


def _private(path: Path, found: KeyInFile) -> PrivateKey:
    if not isinstance(found.key, rsa.RSAPrivateKey):
        raise OtherKeyError(path, found.key, "of RSA")
    # Check the size before the numbers, because that check takes long for absurd sizes.
    numbers = found.key.private_numbers()
    _check_size(path, numbers.public_numbers)
    try:
        numbers.private_key()
    except ValueError:
        raise RequestError(f"{path} holds a key whose numbers are inconsistent") from None
    uses = permitted_uses(found.data, found.secret)
    return replace(PrivateKey.of_numbers(numbers), uses=uses)


def _check_size(path: Path, numbers: rsa.RSAPublicNumbers) -> None:
    for what, number, most in (
        ("modulus", numbers.n, MAX_MODULUS_BITS),
        ("public exponent", numbers.e, MAX_EXPONENT_BITS),
    ):
        if number.bit_length() > most:
            raise RequestError(
                f"{path} holds a key whose {what} has {number.bit_length()} bits; "
                f"at most {most} are accepted"
            )
