# SPDX-License-Identifier: Apache-2.0
"""The commands `ecdsa`, `ecdh`, `x25519`, `ed25519` etc.: read files, run the unit, write files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)

from montcore.ecc import keys
from montcore.ecc.operations import EcUnit
from montcore.rsa import files
from montcore.rsa.commands import passphrase
from montcore.rsa.padding import HASHES
from montcore.support.errors import RequestError

MakeUnit = Callable[[int], EcUnit]


@dataclass(frozen=True)
class KeyFile:
    """A key file, and the file with its passphrase."""

    path: Path
    passphrase_file: Path | None = None

    def secret(self) -> bytes:
        """Return the passphrase."""
        return passphrase(self.path, self.passphrase_file)

    def private_key(self) -> keys.EcPrivateKey:
        """Read a private key for ECDSA or ECDH."""
        return keys.read_private_key(self.path, self.secret)

    def public_key(self) -> keys.EcPublicKey:
        """Read a public key for ECDSA or ECDH."""
        return keys.read_public_key(self.path, self.secret)

    def edwards_key(self, name: str, *, private: bool) -> keys.EdwardsKey:
        """Read a key of Ed25519 or Ed448."""
        return keys.read_edwards_key(self.path, name, self.secret, private=private)


def sign(
    key_file: KeyFile, message: Path, hash_name: str, out: Path | None, make: MakeUnit
) -> dict[str, Any]:
    """Sign a file with ECDSA; the signature is DER-encoded, as in OpenSSL."""
    key = key_file.private_key()
    digest = _digest(message, hash_name)
    r, s, cycles = make(key.public.curve.bits).sign(key, digest, hash_name)
    return _delivered("signature", encode_dss_signature(r, s), out, cycles)


def verify(
    key_file: KeyFile, message: Path, signature: Path, hash_name: str, make: MakeUnit
) -> dict[str, Any]:
    """Verify the ECDSA signature of a file."""
    key = key_file.public_key()
    digest = _digest(message, hash_name)
    try:
        r, s = decode_dss_signature(files.read_signature(signature))
    except ValueError:
        r = s = 0  # what is not in DER form is not valid, as numbers out of range are not
    verdict = make(key.curve.bits).verify(key, digest, r, s)
    return {"valid": verdict.valid, "cycles": verdict.cycles}


def agree(key_file: KeyFile, other: KeyFile, out: Path | None, make: MakeUnit) -> dict[str, Any]:
    """Compute the ECDH shared secret: the x coordinate, padded to the length of the prime."""
    key, peer = key_file.private_key(), other.public_key()
    result = make(peer.curve.bits).agree(key, peer)
    if result.point is None:
        raise RequestError("the shared point is infinity")
    secret = result.point[0].to_bytes((peer.curve.p.bit_length() + 7) // 8, "big")
    return _delivered("secret", secret, out, result.cycles)


def sign_edwards(
    name: str, key_file: KeyFile, message: Path, out: Path | None, make: MakeUnit
) -> dict[str, Any]:
    """Sign a file of at most 64 KiB according to RFC 8032."""
    key = key_file.edwards_key(name, private=True)
    content = files.read_small(message)
    signed = make(_bits(name)).sign_edwards(key, content)
    return _delivered("signature", signed.signature, out, signed.cycles)


def verify_edwards(
    name: str, key_file: KeyFile, message: Path, signature: Path, make: MakeUnit
) -> dict[str, Any]:
    """Verify the RFC 8032 signature of a file of at most 64 KiB."""
    key = key_file.edwards_key(name, private=False)
    content, claimed = files.read_small(message), files.read_signature(signature)
    verdict = make(_bits(name)).verify_edwards(key, content, claimed)
    return {"valid": verdict.valid, "cycles": verdict.cycles}


def ladder(name: str, scalar: str, u: str, make: MakeUnit) -> dict[str, Any]:
    """Compute X25519 or X448 on byte strings in hex."""
    numbers = []
    for what, text in (("--scalar", scalar), ("--u", u)):
        try:
            numbers.append(bytes.fromhex(text.removeprefix("0x")))
        except ValueError:
            raise RequestError(f"{what} takes bytes in hex, two digits each") from None
    result = make(_bits(name)).ladder(name, *numbers)
    if not any(result.signature):
        raise RequestError("the result is zero: --u is of small order")
    return {"u": result.signature.hex(), "cycles": result.cycles}


def _bits(name: str) -> int:
    from montcore.ecc.curves import get_curve

    return get_curve(name).bits


def _digest(path: Path, hash_name: str) -> bytes:
    if hash_name not in HASHES:
        raise RequestError(f"--hash takes {' or '.join(HASHES)}, not '{hash_name}'")
    return files.digest(path, hash_name).digest


def _delivered(what: str, data: bytes, out: Path | None, cycles: int) -> dict[str, Any]:
    if out is not None:
        files.write(out, data, private=what == "secret")
    shown = None if what == "secret" and out else data.hex()
    return {what: shown, "output": out and str(out), "cycles": cycles}
