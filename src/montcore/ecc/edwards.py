# SPDX-License-Identifier: Apache-2.0
"""Byte strings of RFC 7748 and RFC 8032: scalars, points, hashes, square roots."""

import hashlib
from dataclasses import dataclass

from montcore.ecc.curves import Curve, get_curve


def is_square(value: int, p: int) -> bool:
    """Return whether a number is a square modulo a prime; zero counts as a square."""
    return pow(value, (p - 1) // 2, p) in (0, 1)


def square_root(value: int, p: int) -> int | None:
    """Return a square root modulo p, p = 3 modulo 4 or 5 modulo 8, or None."""
    root = pow(value, (p + 1) // 4, p) if p % 4 == 3 else pow(value, (p + 3) // 8, p)
    if p % 8 == 5 and root * root % p != value % p:
        root = root * pow(2, (p - 1) // 4, p) % p
    return root if root * root % p == value % p else None


@dataclass(frozen=True)
class Montgomery:
    """X25519 or X448."""

    curve: Curve
    size: int
    coefficient: int

    def scalar(self, data: bytes) -> int:
        """Return the scalar of a byte string, clamped."""
        value = int.from_bytes(data, "little")
        if self.size == 32:
            return value & ~7 & (1 << 254) - 1 | 1 << 254
        return value & ~3 | 1 << 447

    def coordinate(self, data: bytes) -> int:
        """Return the u coordinate encoded by a byte string."""
        value = int.from_bytes(data, "little")
        return value & (1 << 255) - 1 if self.size == 32 else value

    def on_twist(self, u: int) -> bool:
        """Return whether u belongs to the curve's twist."""
        return not is_square(u * (u * u + self.coefficient * u + 1), self.curve.p)

    def encode(self, u: int) -> bytes:
        """Return the byte string of a u coordinate."""
        return u.to_bytes(self.size, "little")


def montgomery(name: str) -> Montgomery:
    """Return x25519 or x448."""
    curve = get_curve(name)
    return Montgomery(curve, *((32, 486662) if name == "x25519" else (56, 156326)))


@dataclass(frozen=True)
class Edwards:
    """Ed25519 or Ed448, without a context."""

    curve: Curve
    size: int

    @property
    def hash_bytes(self) -> int:
        """Bytes of a hash."""
        return 2 * self.size

    def hash(self, *parts: bytes) -> bytes:
        """Return the scheme's hash."""
        data = b"".join(parts)
        if self.size == 32:
            return hashlib.sha512(data).digest()
        return hashlib.shake_256(data).digest(self.hash_bytes)

    @property
    def prefix(self) -> bytes:
        """Prefix of every hashed message: dom4 of RFC 8032, or empty."""
        return b"" if self.size == 32 else b"SigEd448\0\0"

    def number(self, *parts: bytes) -> int:
        """Return the hash of the given parts after the scheme's prefix, modulo the order."""
        return int.from_bytes(self.hash(self.prefix, *parts), "little") % self.curve.n

    def expand(self, seed: bytes) -> tuple[int, bytes]:
        """Return the scalar and the prefix derived from a private key."""
        data = self.hash(seed)
        value = int.from_bytes(data[: self.size], "little")
        if self.size == 32:
            value = value & ~7 & (1 << 254) - 1 | 1 << 254
        else:
            value = value & ~3 & (1 << 447) - 1 | 1 << 447
        return value, data[self.size :]

    def encode(self, x: int, y: int) -> bytes:
        """Return the byte string of a point."""
        return (y | (x & 1) << 8 * self.size - 1).to_bytes(self.size, "little")

    def decode(self, data: bytes) -> tuple[int, int] | None:
        """Return the point encoded by a byte string, or None if it encodes none."""
        curve, p = self.curve, self.curve.p
        value = int.from_bytes(data, "little")
        top = 8 * self.size - 1
        sign, y = value >> top, value & (1 << top) - 1
        if len(data) != self.size or y >= p:
            return None
        x2 = (1 - y * y) * pow(curve.a - curve.b * y * y, -1, p) % p
        x = square_root(x2, p)
        if x is None or (x == 0 and sign):
            return None
        return (p - x if x & 1 != sign else x), y


def edwards(name: str) -> Edwards:
    """Return ed25519 or ed448."""
    return Edwards(get_curve(name), 32 if name == "ed25519" else 57)
