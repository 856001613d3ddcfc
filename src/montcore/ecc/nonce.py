# SPDX-License-Identifier: Apache-2.0
"""Deterministic ECDSA nonces, and the number that is signed.

Source: RFC 6979, section 3.2; FIPS 186-5, section 6.4.
"""

import hmac
from collections.abc import Iterator


def number_of(digest: bytes, n: int) -> int:
    """Return the leftmost bits of a digest, as many as n has."""
    value = int.from_bytes(digest, "big")
    return value >> max(0, 8 * len(digest) - n.bit_length())


def nonces(key: int, digest: bytes, n: int, hash_name: str) -> Iterator[int]:
    """Yield the nonces of a message; the first is used unless r or s is zero.

    Args:
        key: the private key, 1 to n - 1.
        n: order of the base point.
        hash_name: the hash function, e.g. ``sha256``.
    """
    size = (n.bit_length() + 7) // 8
    data = key.to_bytes(size, "big") + (number_of(digest, n) % n).to_bytes(size, "big")
    length = hmac.new(b"", b"", hash_name).digest_size
    value, secret = b"\1" * length, b"\0" * length
    for mark in (b"\0", b"\1"):
        secret = hmac.digest(secret, value + mark + data, hash_name)
        value = hmac.digest(secret, value, hash_name)
    while True:
        found = b""
        while len(found) < size:
            value = hmac.digest(secret, value, hash_name)
            found += value
        nonce = number_of(found[:size], n)
        if 1 <= nonce < n:
            yield nonce
        secret = hmac.digest(secret, value + b"\0", hash_name)
        value = hmac.digest(secret, value, hash_name)
