# SPDX-License-Identifier: Apache-2.0
"""The paddings of RSA: EMSA-PKCS1-v1_5, EMSA-PSS and EME-PKCS1-v1_5 (RFC 8017)."""

import hashlib
import hmac
from collections.abc import Callable

from montcore.errors import CheckFailedError, RequestError

#: Returns that many random bytes.
Randomness = Callable[[int], bytes]

#: DER of the DigestInfo before the digest (RFC 8017, section 9.2, note 1).
_DIGEST_INFO = {
    "sha1": "3021300906052b0e03021a05000414",
    "sha224": "302d300d06096086480165030402040500041c",
    "sha256": "3031300d060960864801650304020105000420",
    "sha384": "3041300d060960864801650304020205000430",
    "sha512": "3051300d060960864801650304020305000440",
}
HASHES = tuple(_DIGEST_INFO)


def pkcs1_encode(message: bytes, size: int, hash_name: str) -> bytes:
    """Return the EMSA-PKCS1-v1_5 encoding of a message in `size` bytes.

    Raises:
        RequestError: the modulus is too short for the digest.
    """
    info = bytes.fromhex(_DIGEST_INFO[hash_name]) + hashlib.new(hash_name, message).digest()
    if size < len(info) + 11:
        raise RequestError(f"the key is too short for {hash_name}")
    return b"\x00\x01" + b"\xff" * (size - len(info) - 3) + b"\x00" + info


def pss_encode(message: bytes, bits: int, hash_name: str, randomness: Randomness) -> bytes:
    """Return the EMSA-PSS encoding of a message in `bits` bits, with a salt as long as the digest.

    Raises:
        RequestError: the modulus is too short for digest and salt.
    """
    digest = hashlib.new(hash_name, message).digest()
    size = (bits + 7) // 8
    if size < 2 * len(digest) + 2:
        raise RequestError(f"the key is too short for {hash_name} with PSS")
    salt = randomness(len(digest))
    inner = hashlib.new(hash_name, bytes(8) + digest + salt).digest()
    block = bytes(size - 2 * len(digest) - 2) + b"\x01" + salt
    masked = bytearray(_xor(block, _mask(inner, len(block), hash_name)))
    masked[0] &= 0xFF >> (8 * size - bits)
    return bytes(masked) + inner + b"\xbc"


def pss_verify(encoded: bytes, message: bytes, bits: int, hash_name: str) -> bool:
    """Return whether an encoding is that of the message, whatever the salt's length is."""
    digest = hashlib.new(hash_name, message).digest()
    size = (bits + 7) // 8
    if len(encoded) != size or size < len(digest) + 2 or encoded[-1] != 0xBC:
        return False
    masked, inner = encoded[: -len(digest) - 1], encoded[-len(digest) - 1 : -1]
    spare = 8 * size - bits
    if masked[0] & ~(0xFF >> spare) & 0xFF:
        return False
    block = bytearray(_xor(masked, _mask(inner, len(masked), hash_name)))
    block[0] &= 0xFF >> spare
    zeros, one, salt = bytes(block).partition(b"\x01")
    if not one or any(zeros):
        return False
    wanted = hashlib.new(hash_name, bytes(8) + digest + salt).digest()
    return hmac.compare_digest(wanted, inner)


def pkcs1_decrypt(encoded: bytes) -> bytes:
    """Return the message of an EME-PKCS1-v1_5 encoding.

    Raises:
        CheckFailedError: it is not one; the message does not say in what way.
    """
    mark = encoded.find(b"\x00", 2)
    if (encoded[0] | (encoded[1] ^ 2) | int(mark < 10)) != 0:
        raise CheckFailedError("the file could not be decrypted with this key")
    return encoded[mark + 1 :]


def _mask(seed: bytes, size: int, hash_name: str) -> bytes:
    """MGF1."""
    blocks = b""
    counter = 0
    while len(blocks) < size:
        blocks += hashlib.new(hash_name, seed + counter.to_bytes(4, "big")).digest()
        counter += 1
    return blocks[:size]


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))
