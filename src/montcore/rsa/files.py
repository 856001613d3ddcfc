# SPDX-License-Identifier: Apache-2.0
"""Files of the RSA commands: non-blocking reads with a size limit, writes, and keys of any kind.

The `cryptography` package reads keys, PEM and DER: private ones as PKCS#1, SEC 1 and PKCS#8, with a
passphrase or without; public ones as SubjectPublicKeyInfo or PKCS#1; a certificate as the public
key in it.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    load_der_private_key,
    load_der_public_key,
    load_pem_private_key,
    load_pem_public_key,
)

from montcore.rsa.padding import Digested
from montcore.support.errors import RequestError

#: Longest message that is signed or verified; it is hashed piece by piece.
MAX_MESSAGE_BYTES = 1 << 40
#: Longest file of a key, a certificate, a signature, a ciphertext or a message to encrypt.
MAX_SMALL_BYTES = 1 << 16
_PIECE_BYTES = 1 << 20


def read_small(path: Path) -> bytes:
    """Return the content of a file of at most 64 KiB."""
    with _opened(path, MAX_SMALL_BYTES) as stream:
        content = stream.read(MAX_SMALL_BYTES + 1)
    _check_size(path, len(content), MAX_SMALL_BYTES)
    return content


def read_signature(path: Path) -> bytes:
    """Return the start of a file of any length, one byte more than the longest small file has.

    No signature is that long, so that a longer file holds none.
    """
    with _opened(path) as stream:
        return stream.read(MAX_SMALL_BYTES + 1)


def digest(path: Path, hash_name: str) -> Digested:
    """Return the digest of a possibly long file."""
    state = hashlib.new(hash_name)
    with _opened(path, MAX_MESSAGE_BYTES) as stream:
        total = 0
        while piece := stream.read(_PIECE_BYTES):
            total += len(piece)
            _check_size(path, total, MAX_MESSAGE_BYTES)
            state.update(piece)
    return Digested(state.digest())


def write(path: Path, data: bytes, *, private: bool = False, new: bool = False) -> None:
    """Write a file.

    Args:
        private: only its owner may read it from now on.
        new: refuse a file that exists.
    """
    mode = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | (os.O_EXCL if new else os.O_TRUNC)
    try:
        with os.fdopen(os.open(path, mode, 0o600 if private else 0o666), "wb") as stream:
            if private and stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                os.fchmod(stream.fileno(), 0o600)
            stream.write(data)
    except FileExistsError:
        raise RequestError(f"{path} exists already; no key is overwritten") from None
    except OSError as error:
        raise RequestError(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def _opened(path: Path, limit: int | None = None) -> Iterator[BinaryIO]:
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            os.close(number)
            raise RequestError(f"{path} is not a regular file")
        with os.fdopen(number, "rb") as stream:
            if limit is not None:
                _check_size(path, status.st_size, limit)
            yield stream
    except OSError as error:
        raise RequestError(f"{path} cannot be read: {error.strerror}") from None


def _check_size(path: Path, size: int, limit: int) -> None:
    if size > limit:
        raise RequestError(f"{path} is longer than {limit} bytes, the limit for its use")


#: Returns the passphrase of an encrypted key; raises `RequestError` where there is none.
Passphrase = Callable[[], bytes]

_PEM = b"-----BEGIN "
_Loaders = tuple[Callable[[bytes], Any], ...]
_PEM_PUBLIC: _Loaders = (load_pem_public_key, x509.load_pem_x509_certificate)
_DER_PUBLIC: _Loaders = (load_der_public_key, x509.load_der_x509_certificate)


class NoKeyError(RequestError):
    """The file holds no key."""


class OtherKeyError(RequestError):
    """The file holds a key of another kind than what is `wanted`."""

    def __init__(self, path: Path, key: object, wanted: str) -> None:
        kind = type(key).__name__.removesuffix("Key").removesuffix("Private").removesuffix("Public")
        super().__init__(f"{path} holds a key of {kind}, not one {wanted}")


class KeyInFile(NamedTuple):
    """A key as an object of the package, the content of its file, and its passphrase if any."""

    key: Any
    data: bytes
    secret: bytes = b""


def private_key(path: Path, passphrase: Passphrase | None) -> KeyInFile:
    """Return the private key in a file; the numbers of an RSA key are not validated.

    Raises:
        NoKeyError: it holds no private key.
        UnsupportedAlgorithm: the package does not know the kind of key.
    """
    return _private(path, read_small(path), passphrase)


def any_key(path: Path, passphrase: Passphrase | None) -> KeyInFile:
    """Return the key in a file of a public key, a certificate or a private key.

    A certificate's signature and dates are not checked.
    """
    data = read_small(path)
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
        said = "holds no private key that can be read; an RSA key has two primes"
        raise NoKeyError(f"{path} {said}") from None
    except TypeError:
        if passphrase is None:
            raise RequestError(f"{path} is encrypted; its passphrase is needed") from None
    secret = passphrase()
    try:
        return KeyInFile(load(data, secret, unsafe_skip_rsa_key_validation=True), data, secret)
    except (ValueError, TypeError):
        raise RequestError(f"{path} cannot be decrypted with this passphrase") from None
