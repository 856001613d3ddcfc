# SPDX-License-Identifier: Apache-2.0
"""Implementation of `montcore rsa`: reads keys and files, runs the unit, writes the results."""

import getpass
import os
import termios
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montcore.rsa import files, generation, keys
from montcore.rsa.operations import BLINDING_BITS, RsaUnit
from montcore.rsa.padding import HASHES, Padding
from montcore.support import waiting
from montcore.support.errors import RequestError

MakeUnit = Callable[[int], RsaUnit]

PRIMES = ("hardware", "openssl")

PASSPHRASE_VARIABLE = "MONTCORE_PASSPHRASE"


@dataclass(frozen=True)
class RsaRequest:
    """Request of an operation.

    Attributes:
        output: file for the result; None: print it in hex.
        bits: built width; None: the key's.
        crt: use two powers of half the length.
    """

    key: Path
    input: Path
    output: Path | None
    bits: int | None
    crt: bool = True
    passphrase_file: Path | None = None

    def private_key(self) -> keys.PrivateKey:
        """Read the private key."""
        return keys.read_private_key(self.key, self._passphrase)

    def public_key(self) -> keys.PublicKey:
        """Read the public key."""
        return keys.read_public_key(self.key, self._passphrase)

    def _passphrase(self) -> bytes:
        return passphrase(self.key, self.passphrase_file)


def message_padding(
    schemes: Sequence[str], scheme: str, hash_name: str, mask_hash: str | None, label: str = ""
) -> Padding:
    """Return the padding of a message, of one of some schemes; the label is in hex."""
    for option, value, allowed in (
        ("--scheme", scheme, schemes),
        ("--hash", hash_name, HASHES),
        ("--mgf1-hash", mask_hash or hash_name, HASHES),
    ):
        if value not in allowed:
            raise RequestError(f"{option} takes {' or '.join(allowed)}, not '{value}'")
    if scheme == "pkcs1" and mask_hash is not None:
        raise RequestError("--mgf1-hash is not for pkcs1")
    if scheme == "pkcs1" and label:
        raise RequestError("--label is only for oaep, not for pkcs1")
    try:
        content = bytes.fromhex(label)
    except ValueError:
        raise RequestError("--label takes bytes in hex, two digits each") from None
    return Padding(scheme, hash_name, mask_hash or "", content)


def sign(request: RsaRequest, how: Padding, make: MakeUnit) -> dict[str, Any]:
    """Sign a file and return the values to print."""
    key = request.private_key()
    message = files.digest(request.input, how.hash_name)
    unit = make(request.bits or key.n.bit_length())
    data = unit.sign(key, message, how, crt=request.crt)
    return {**_delivered(request, unit, data), "exponent_blinding_bits": BLINDING_BITS}


def decrypt(request: RsaRequest, how: Padding, make: MakeUnit) -> dict[str, Any]:
    """Decrypt a file and return the values to print."""
    key = request.private_key()
    data = files.read_small(request.input)
    unit = make(request.bits or key.n.bit_length())
    message = unit.decrypt(key, data, how, crt=request.crt)
    return {
        **_delivered(request, unit, message, private=True),
        "exponent_blinding_bits": BLINDING_BITS,
    }


def encrypt(request: RsaRequest, how: Padding, make: MakeUnit) -> dict[str, Any]:
    """Encrypt a file and return the values to print."""
    key = request.public_key()
    message = files.read_small(request.input)
    unit = make(request.bits or key.n.bit_length())
    return _delivered(request, unit, unit.encrypt(key, message, how))


def verify(request: RsaRequest, signature: Path, how: Padding, make: MakeUnit) -> dict[str, Any]:
    """Verify a file's signature and return the values to print."""
    key = request.public_key()
    claimed = files.read_signature(signature)
    message = files.digest(request.input, how.hash_name)
    unit = make(request.bits or key.n.bit_length())
    valid = unit.verify(key, message, claimed, how)
    return {"valid": valid, "cycles": unit.cycles, "steps": unit.steps}


def keygen(
    output: Path,
    public_output: Path | None,
    size: int,
    form: str,
    encrypted: bool,
    passphrase_file: Path | None,
    bits: int | None,
    primes: str,
    make: MakeUnit,
) -> dict[str, Any]:
    """Generate a key, try it on the hardware, write it, and return the values to print."""
    if form not in keys.FORMS:
        raise RequestError(f"--form takes pem or der, not '{form}'")
    for path in (output, public_output):
        if path is not None and path.exists():
            raise RequestError(f"{path} exists already; no key is overwritten")
    secret = b""
    if encrypted:
        secret = passphrase(output, passphrase_file, new=True)
    if primes not in PRIMES:
        raise RequestError(f"--primes takes hardware or openssl, not '{primes}'")
    keys.check_size(size)
    if bits is not None and bits < size:
        raise RequestError(f"--bits {bits} builds less than a key of --size {size} takes")
    unit = make(bits or size)
    made = generation.generate(unit, size) if primes == "hardware" else keys.generate(size)
    key = keys.PrivateKey.of_numbers(made.private_numbers())
    unit.try_key(key)
    files.write(output, keys.encode_private(made, form, secret), private=True, new=True)
    if public_output is not None:
        files.write(public_output, keys.encode_public(made, form))
    return {
        "size": size,
        "primes": primes,
        "encrypted": encrypted,
        "output": str(output),
        "public_output": public_output and str(public_output),
        "cycles": unit.cycles,
        "steps": unit.steps,
    }


def passphrase(key: Path, file: Path | None, *, new: bool = False) -> bytes:
    """Return the passphrase of a key: a file's first line, the environment's, or a prompt's.

    Args:
        file: file whose first line is the passphrase.
        new: prompt twice.
    """
    if file is not None:
        found = files.read_small(file).partition(b"\n")[0].removesuffix(b"\r")
    elif PASSPHRASE_VARIABLE in os.environ:
        found = os.environb[PASSPHRASE_VARIABLE.encode()]
    else:
        found = _prompt(f"passphrase of {key}: ")
        if new and found != _prompt("once more: "):
            raise RequestError("the two passphrases differ")
    if not found:
        raise RequestError(f"the passphrase of {key} is empty")
    return found


def _prompt(text: str) -> bytes:
    """Prompt at the terminal without echo; refuse if the input would be echoed."""
    with waiting.paused(), warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(text).encode()
        except (getpass.GetPassWarning, EOFError, OSError, termios.error):
            raise RequestError(
                "there is no terminal to ask for the passphrase; "
                f"give --passphrase-file or set {PASSPHRASE_VARIABLE}"
            ) from None


def check_rows(rows: int, crt: bool) -> int:
    """Return the number of exponentiators."""
    if rows not in (1, 2):
        raise RequestError(f"--rows takes 1 or 2, not '{rows}'")
    if rows == 2 and not crt:
        raise RequestError("--rows 2 is for the two powers of CRT; --no-crt has one")
    return rows


def _delivered(
    request: RsaRequest, unit: RsaUnit, data: bytes, *, private: bool = False
) -> dict[str, Any]:
    if request.output is not None:
        files.write(request.output, data, private=private)
    return {
        "output": str(request.output) if request.output is not None else data.hex(),
        "cycles": unit.cycles,
        "steps": unit.steps,
    }
