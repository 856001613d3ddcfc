# SPDX-License-Identifier: Apache-2.0
"""The paddings of RSA (RFC 8017): PKCS#1 v1.5 and PSS for signatures, v1.5 and OAEP for messages.

A decoding whose outcome must stay secret selects by masks and does not return early. Python's
integers are not constant-time; the guarantee is only that no branch and no loop length depends on
the decoded bytes.
"""

import hashlib
import hmac
from dataclasses import dataclass

from montcore.rsa.randomness import Randomness
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.requests import checked

#: DER of the DigestInfo before the digest (RFC 8017, section 9.2, note 1).
_DIGEST_INFO = {
    "sha1": "3021300906052b0e03021a05000414",
    "sha224": "302d300d06096086480165030402040500041c",
    "sha256": "3031300d060960864801650304020105000420",
    "sha384": "3041300d060960864801650304020205000430",
    "sha512": "3051300d060960864801650304020305000440",
}
HASHES = tuple(_DIGEST_INFO)

#: Minimum bytes that PKCS#1 v1.5 adds to a message: 00 02, eight random bytes, 00.
_PKCS1_BYTES = 11
#: Earliest position of the 00 before the message.
_FIRST_SEPARATOR = 10
#: Lengths derived for a synthetic message; the last one that fits is used.
_LENGTHS = 128
#: Maximum draws for one padding of nonzero bytes; a good source needs two or three.
_DRAWS = 64


@checked
@dataclass(frozen=True)
class Padding:
    """The padding of a message.

    Attributes:
        scheme: `pkcs1`, for a signature also `pss`, for encryption also `oaep`.
        hash_name: hash of the message, or of the OAEP label.
        mask_hash: hash of MGF1; `hash_name` if empty.
        label: the OAEP label, which the message is bound to.
    """

    scheme: str = "pkcs1"
    hash_name: str = "sha256"
    mask_hash: str = ""
    label: bytes = b""

    @property
    def mask(self) -> str:
        """The hash of MGF1."""
        return self.mask_hash or self.hash_name

    def label_digest(self) -> bytes:
        """Return the digest of the OAEP label."""
        return hashlib.new(self.hash_name, self.label).digest()


@checked
@dataclass(frozen=True)
class Digested:
    """A message of which only the digest is known."""

    digest: bytes


Message = bytes | Digested


def pkcs1_encode(message: Message, size: int, hash_name: str) -> bytes:
    """Return the EMSA-PKCS1-v1_5 encoding of a message in `size` bytes."""
    info = bytes.fromhex(_DIGEST_INFO[hash_name]) + _digest(message, hash_name)
    if size < len(info) + _PKCS1_BYTES:
        raise RequestError(f"the key is too short for {hash_name}")
    return b"\x00\x01" + b"\xff" * (size - len(info) - 3) + b"\x00" + info


def pss_encode(
    message: Message, bits: int, how: Padding, randomness: Randomness, least_salt: int = 0
) -> bytes:
    """Return the EMSA-PSS encoding of a message in `bits` bits, with a salt as long as the digest.

    Args:
        bits: bits of the modulus, minus one.
        randomness: supplies the salt.
        least_salt: bytes of the salt where the digest is shorter.
    """
    digest = _digest(message, how.hash_name)
    size, salt_size = (bits + 7) // 8, max(len(digest), least_salt)
    filler = size - len(digest) - salt_size - 2
    if filler < 0:
        raise RequestError(f"the key is too short for {how.hash_name} with PSS")
    salt = randomness(salt_size)
    inner = hashlib.new(how.hash_name, bytes(8) + digest + salt).digest()
    block = bytes(filler) + b"\x01" + salt
    masked = bytearray(_xor(block, _mask(inner, len(block), how.mask)))
    masked[0] &= 0xFF >> (8 * size - bits)
    return bytes(masked) + inner + b"\xbc"


def pss_verify(
    encoded: bytes, message: Message, bits: int, how: Padding, least_salt: int = 0
) -> bool:
    """Return whether an encoding is that of the message, its salt of `least_salt` bytes or more."""
    digest = _digest(message, how.hash_name)
    size = (bits + 7) // 8
    if len(encoded) != size or size < len(digest) + 2 or encoded[-1] != 0xBC:
        return False
    masked, inner = encoded[: -len(digest) - 1], encoded[-len(digest) - 1 : -1]
    spare = 8 * size - bits
    if masked[0] & ~(0xFF >> spare) & 0xFF:
        return False
    block = bytearray(_xor(masked, _mask(inner, len(masked), how.mask)))
    block[0] &= 0xFF >> spare
    zeros, one, salt = bytes(block).partition(b"\x01")
    if not one or any(zeros) or len(salt) < least_salt:
        return False
    wanted = hashlib.new(how.hash_name, bytes(8) + digest + salt).digest()
    return hmac.compare_digest(wanted, inner)


def pkcs1_pad(message: bytes, size: int, randomness: Randomness) -> bytes:
    """Return the EME-PKCS1-v1_5 encoding of a message in `size` bytes."""
    _check_length(message, size - _PKCS1_BYTES)
    wanted = size - len(message) - 3
    filler = b""
    for _ in range(_DRAWS):
        filler += randomness(wanted - len(filler)).replace(b"\x00", b"")
        if len(filler) == wanted:
            return b"\x00\x02" + filler + b"\x00" + message
    raise CheckFailedError("the source of random numbers failed: it gives too many zeros")


def pkcs1_unpad(encoded: bytes, ciphertext: bytes, d: int) -> bytes:
    """Return the message of an EME-PKCS1-v1_5 encoding, or a synthetic one if it is invalid.

    Invalid padding cannot be distinguished from valid padding: it gives a message of random bytes
    and random length, the same for the same key and ciphertext (implicit rejection, with the
    derivation of OpenSSL 3.2 and draft-irtf-cfrg-rsa-guidance).

    Args:
        encoded: the power, as long as the modulus.
        ciphertext: the ciphertext, of the same length.
        d: the private exponent, from which the synthetic message is derived.
    """
    size = len(encoded)
    secret = hashlib.sha256(d.to_bytes(size, "big")).digest()
    derived = hmac.digest(secret, ciphertext, "sha256")
    synthetic = _derive(derived, b"message", size)
    lengths = _derive(derived, b"length", 2 * _LENGTHS)
    limit = size - _FIRST_SEPARATOR
    length_mask = (1 << limit.bit_length()) - 1
    length = 0
    for at in range(0, len(lengths), 2):
        candidate = int.from_bytes(lengths[at : at + 2], "big") & length_mask
        length = _select(_is_below(candidate, limit), candidate, length)
    separator = found = 0
    for at in range(2, size):
        here = _is_zero(encoded[at]) & ~found
        separator = _select(here, at, separator)
        found |= here
    good = _is_zero(encoded[0]) & _is_zero(encoded[1] ^ 2) & ~_is_below(separator, _FIRST_SEPARATOR)
    start = _select(good, separator + 1, size - length)
    pairs = zip(encoded, synthetic, strict=True)
    return bytes(_select(good, real, other) for real, other in pairs)[start:]


def oaep_pad(message: bytes, size: int, how: Padding, randomness: Randomness) -> bytes:
    """Return the EME-OAEP encoding of a message in `size` bytes; `randomness` gives the seed."""
    digest = how.label_digest()
    _check_oaep(size, len(digest), how.hash_name)
    room = size - 2 * len(digest) - 2
    _check_length(message, room)
    block = digest + bytes(room - len(message)) + b"\x01" + message
    seed = randomness(len(digest))
    masked = _xor(block, _mask(seed, len(block), how.mask))
    return b"\x00" + _xor(seed, _mask(masked, len(seed), how.mask)) + masked


def oaep_unpad(encoded: bytes, how: Padding) -> bytes:
    """Return the message of an EME-OAEP encoding.

    Raises:
        RequestError: the modulus is too short for the digest.
        CheckFailedError: it is invalid; the message is the same for every reason.
    """
    digest = how.label_digest()
    _check_oaep(len(encoded), len(digest), how.hash_name)
    masked_seed, masked = encoded[1 : 1 + len(digest)], encoded[1 + len(digest) :]
    seed = _xor(masked_seed, _mask(masked, len(digest), how.mask))
    block = _xor(masked, _mask(seed, len(masked), how.mask))
    wrong = int.from_bytes(_xor(block[: len(digest)], digest), "big") | encoded[0]
    mark = found = 0
    for at in range(len(digest), len(block)):
        here = ~_is_zero(block[at]) & ~found
        mark = _select(here, at, mark)
        wrong |= here & (block[at] ^ 1)
        found |= here
    if wrong | ~found:
        raise CheckFailedError("the file could not be decrypted with this key, hash and label")
    return block[mark + 1 :]


def _digest(message: Message, hash_name: str) -> bytes:
    if isinstance(message, Digested):
        return message.digest
    return hashlib.new(hash_name, message).digest()


def _check_length(message: bytes, most: int) -> None:
    if len(message) > most:
        raise RequestError(
            f"the message has {len(message)} bytes; with this key and scheme it has at most "
            f"{max(most, 0)}"
        )


def _check_oaep(size: int, digest: int, hash_name: str) -> None:
    if size < 2 * digest + 2:
        raise RequestError(f"the key is too short for {hash_name} with OAEP")


def _derive(key: bytes, label: bytes, size: int) -> bytes:
    blocks = [
        hmac.digest(
            key, number.to_bytes(2, "big") + label + (8 * size).to_bytes(2, "big"), "sha256"
        )
        for number in range(-(-size // 32))
    ]
    return b"".join(blocks)[:size]


def _is_below(a: int, b: int) -> int:
    """Return -1 if a < b, else 0, for numbers below 2^63."""
    return (a - b) >> 63


def _is_zero(a: int) -> int:
    """Return -1 if a = 0, else 0, for a number from 0 to 2^63."""
    return (a - 1) >> 63


def _select(mask: int, a: int, b: int) -> int:
    """Return a for the mask -1, b for the mask 0."""
    return (a & mask) | (b & ~mask)


def _mask(seed: bytes, size: int, hash_name: str) -> bytes:
    blocks = b""
    counter = 0
    while len(blocks) < size:
        blocks += hashlib.new(hash_name, seed + counter.to_bytes(4, "big")).digest()
        counter += 1
    return blocks[:size]


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))
