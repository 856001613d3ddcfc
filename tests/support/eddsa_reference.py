# SPDX-License-Identifier: Apache-2.0
"""Ed25519 and Ed448 after RFC 8032, independent of the package; signatures by keys of any order."""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass

#: X, Y, Z with x = X / Z, y = Y / Z.
Point = tuple[int, int, int]
NEUTRAL = (0, 1, 1)
#: Key, message, signature.
Signature = tuple[bytes, bytes, bytes]


@dataclass(frozen=True)
class Scheme:
    """A scheme: a x^2 + y^2 = 1 + d x^2 y^2, order n, cofactor h, bytes of a point, base's y."""

    p: int
    a: int
    d: int
    n: int
    h: int
    size: int
    y: int

    def add(self, left: Point, right: Point) -> Point:
        (x, y, z), (u, v, w) = left, right
        zz, xx, yy = z * w % self.p, x * u % self.p, y * v % self.p
        t, square = self.d * xx * yy % self.p, zz * zz
        f, g = square - t, square + t
        x3, y3 = zz * f * (x * v + y * u), zz * g * (yy - self.a * xx)
        return x3 % self.p, y3 % self.p, f * g % self.p

    def same(self, left: Point, right: Point) -> bool:
        (x, y, z), (u, v, w) = left, right
        return (x * w - u * z) % self.p == 0 == (y * w - v * z) % self.p

    def multiply(self, k: int, point: Point) -> Point:
        total = NEUTRAL
        for bit in bin(k)[2:]:
            total = self.add(total, total)
            total = self.add(total, point) if bit == "1" else total
        return total

    def decode(self, data: bytes) -> Point | None:
        """Return the point of an encoding; None for y >= p, no point, or -0."""
        whole, top, p = int.from_bytes(data, "little"), 8 * self.size - 1, self.p
        sign, y = whole >> top, whole % (1 << top)
        square = (1 - y * y) * pow(self.a - self.d * y * y, -1, p) % p
        root = pow(square, (p + 3) // 8 if p % 8 == 5 else (p + 1) // 4, p)
        if p % 8 == 5 and root * root % p != square:
            root = root * pow(2, (p - 1) // 4, p) % p
        if len(data) != self.size or y >= p or root * root % p != square or (not root and sign):
            return None
        return (p - root if root % 2 != sign else root), y, 1

    def encode(self, point: Point) -> bytes:
        x, y = (value * pow(point[2], -1, self.p) % self.p for value in point[:2])
        return (y | x % 2 << 8 * self.size - 1).to_bytes(self.size, "little")

    def challenge(self, *parts: bytes) -> int:
        text = b"".join(parts)
        if self.size == 32:
            return int.from_bytes(hashlib.sha512(text).digest(), "little")
        return int.from_bytes(hashlib.shake_256(b"SigEd448\0\0" + text).digest(114), "little")

    def verifies(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether h S B = h R + h k A, k the whole hash, and all encodings are valid."""
        a, r = self.decode(public), self.decode(signature[: self.size])
        s = int.from_bytes(signature[self.size :], "little")
        if a is None or r is None or s >= self.n:
            return False
        k = self.challenge(signature[: self.size], public, message)
        right = self.add(r, self.multiply(k, a))
        return self.same(self.multiply(self.h * s, self.base), self.multiply(self.h, right))

    @property
    def base(self) -> Point:
        point = self.decode(self.encode((0, self.y, 1)))
        assert point is not None
        return point

    def small(self) -> list[Point]:
        """Return the h points whose order divides h."""
        tried = (self.decode(y.to_bytes(self.size, "little")) for y in range(2, 99))
        found = (self.multiply(self.n, point) for point in tried if point)
        one = next(t for t in found if not self.same(self.multiply(self.h // 2, t), NEUTRAL))
        return [self.multiply(i, one) for i in range(self.h)]


_P, _Q = 2**255 - 19, 2**448 - 2**224 - 1
SCHEMES = {
    "ed25519": Scheme(
        _P,
        _P - 1,
        -121665 * pow(121666, -1, _P) % _P,
        2**252 + 27742317777372353535851937790883648493,
        8,
        32,
        4 * pow(5, -1, _P) % _P,
    ),
    "ed448": Scheme(
        _Q,
        1,
        _Q - 39081,
        2**446 - 0x8335DC163BB124B65129C96FDE933D8D723A70AADC873D6D54A7BB0D,
        4,
        57,
        int(
            "2988192100784814926760179304439306734375440401540802420959282413723315061898358760035368786554"
            "18784733982303233503462500531545062832660"
        ),
    ),
}


def signatures(name: str, count: int) -> Iterator[Signature]:
    """Yield key, message and signature: keys and R with and of small order, right and wrong.

    `count` pairs of components of small order are drawn, at most h^2. The last ones have encodings
    that RFC 8032 refuses: y >= p, -0, S not below the order.
    """
    scheme, rng = SCHEMES[name], random.Random(name)
    small, n, size = scheme.small(), scheme.n, scheme.size

    def signed(a: int, r: int, key: bytes, point: bytes, off: int = 0) -> Signature:
        message = rng.randbytes(rng.randrange(9))
        s = (r + scheme.challenge(point, key, message) * a + off) % n
        return key, message, point + s.to_bytes(size, "little")

    for at, other in rng.sample([(i, j) for i in small for j in small], count):
        a, r = rng.randrange(n), rng.randrange(n)
        key = scheme.encode(scheme.add(scheme.multiply(a, scheme.base), at))
        point = scheme.encode(scheme.add(scheme.multiply(r, scheme.base), other))
        yield signed(a, r, key, point)
        if rng.randrange(4) == 0:
            yield signed(a, r, key, point, 1)
        yield signed(0, 0, scheme.encode(at), scheme.encode(other))
    zero = (1).to_bytes(size, "little")
    minus_zero = (1 | 1 << 8 * size - 1).to_bytes(size, "little")
    for bad in (minus_zero, (scheme.p + 1).to_bytes(size, "little")):
        yield signed(0, 0, zero, bad)
        yield signed(0, 0, bad, zero)
    key, message, signature = signed(a, r, key, point)
    late = int.from_bytes(signature[size:], "little") + n
    yield key, message, signature[:size] + late.to_bytes(size, "little")
