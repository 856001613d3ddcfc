# SPDX-License-Identifier: Apache-2.0
"""Files of keys of any kind, read by the `cryptography` package.

PEM and DER; private keys as PKCS#1, SEC 1 and PKCS#8, with a passphrase or without; public keys as
SubjectPublicKeyInfo or PKCS#1; a certificate as the public key in it.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    load_der_private_key,
    load_der_public_key,
    load_pem_private_key,
    load_pem_public_key,
)

from montcore.rsa import files
from montcore.support.errors import RequestError

#: Returns the passphrase of an encrypted key; raises `RequestError` where there is none.
Passphrase = Callable[[], bytes]

_PEM = b"-----BEGIN "
_Loaders = tuple[Callable[[bytes], Any], ...]
_PEM_PUBLIC: _Loaders = (load_pem_public_key, x509.load_pem_x509_certificate)
_DER_PUBLIC: _Loaders = (load_der_public_key, x509.load_der_x509_certificate)


class NoKeyError(RequestError):
    """The file holds no key."""


class KeyInFile(NamedTuple):
    """A key as an object of the package, the content of its file, and its passphrase if any."""

    key: Any
    data: bytes
    secret: bytes = b""


def private_key(path: Path, passphrase: Passphrase | None) -> KeyInFile:
    """Return the private key in a file; the numbers of an RSA key are not validated.

    Raises:
        RequestError: the file cannot be read, or its key's passphrase is missing or wrong.
        NoKeyError: it holds no private key.
        UnsupportedAlgorithm: the package does not know the kind of key.
    """
    return _private(path, files.read_small(path), passphrase)


def any_key(path: Path, passphrase: Passphrase | None) -> KeyInFile:
    """Return the key in a file of a public key, a certificate or a private key.

    A certificate's signature and dates are not checked.

    Raises:
        RequestError, NoKeyError, UnsupportedAlgorithm: as for `private_key`.
    """
    data = files.read_small(path)
    pem = _PEM in data
    if b"PRIVATE KEY-----" in data:
        return _private(path, data, passphrase)
    for load in _PEM_PUBLIC if pem else _DER_PUBLIC:
        try:
            key = load(data)
            return KeyInFile(key.public_key() if isinstance(key, x509.Certificate) else key, data)
        except ValueError:
            continue
    if not pem:
        with suppress(NoKeyError):
            return _private(path, data, passphrase)
    raise NoKeyError(f"{path} holds no public key or certificate that can be read")


def _private(path: Path, data: bytes, passphrase: Passphrase | None) -> KeyInFile:
    load = load_pem_private_key if _PEM in data else load_der_private_key
    try:
        return KeyInFile(load(data, None, unsafe_skip_rsa_key_validation=True), data)
    except ValueError:
        raise NoKeyError(f"{path} holds no private key that can be read") from None
    except TypeError:
        if passphrase is None:
            raise RequestError(f"{path} is encrypted; its passphrase is needed") from None
    secret = passphrase()
    try:
        return KeyInFile(load(data, secret, unsafe_skip_rsa_key_validation=True), data, secret)
    except (ValueError, TypeError):
        raise RequestError(f"{path} cannot be decrypted with this passphrase") from None
