# SPDX-License-Identifier: Apache-2.0
"""Curves by name, and plain affine arithmetic on them, against which the engine is checked."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from montcore.support.errors import RequestError
from montcore.support.paths import VECTORS_DIR
from montcore.support.requests import checked
from montcore.support.words import hint
from montcore.verification.vectors import read_curves


class Family(IntEnum):
    """The formulas that a curve uses; the values are those in the curve's packet."""

    MINUS_3 = 0
    ANY_A = 1
    ZERO_A = 2
    EDWARDS = 3
    MONTGOMERY = 4


Point = tuple[int, int] | None


@dataclass(frozen=True)
class Curve:
    """A curve over the integers modulo a prime.

    y^2 = x^3 + a x + b; Edwards: a x^2 + y^2 = 1 + b x^2 y^2; Montgomery: v^2 = u^3 + A u^2 + u.

    Attributes:
        name: as in OpenSSL.
        family: form of the equation.
        p: prime of the field, 5 or more.
        a: see above; Montgomery: (A - 2) / 4.
        b: see above; Montgomery: as n, of the curve's twist.
        x: base point.
        y: base point; 0 for a Montgomery curve.
        n: order of the base point, odd.
        cofactor: order of the curve's group divided by n: 1, or for an Edwards or a Montgomery
            curve (and its twist) 4 or 8.
        public: all scalars are public: the comb is for unblinded scalars; for verification only.
    """

    name: str
    family: Family
    p: int
    a: int
    b: int
    x: int
    y: int
    n: int
    cofactor: int = 1
    public: bool = False

    @property
    def bits(self) -> int:
        """Bits of the longer of p and n, the width that an engine must have."""
        return max(self.p.bit_length(), self.n.bit_length())

    @property
    def columns(self) -> int:
        """Columns of the five-tooth comb, and number of windows, of a blinded scalar."""
        return max(2, -(-(self.n.bit_length() + (1 if self.public else 64)) // 5))

    @property
    def windows(self) -> int:
        """Windows of an unblinded scalar, in a joint product."""
        return max(-(-(self.n.bit_length() + 1) // 5), -(-self.columns // 5) + 1)

    @property
    def base(self) -> Point:
        """The base point."""
        return self.x, self.y

    def holds(self, point: Point) -> bool:
        """Return whether a point is on the curve."""
        if point is None:
            return True
        x, y = point
        if self.family is Family.EDWARDS:
            return (self.a * x * x + y * y - 1 - self.b * x * x * y * y) % self.p == 0
        return (y * y - x**3 - self.a * x - self.b) % self.p == 0

    def add(self, left: Point, right: Point) -> Point:
        """Return the sum of two points; None is infinity."""
        p = self.p
        if self.family is Family.EDWARDS:
            (x, y), (u, v) = left or (0, 1), right or (0, 1)
            t = self.b * x * u * y * v
            return (
                (x * v + y * u) * pow(1 + t, -1, p) % p,
                (y * v - self.a * x * u) * pow(1 - t, -1, p) % p,
            )
        if left is None:
            return right
        if right is None:
            return left
        (x, y), (u, v) = left, right
        if x == u:
            if (y + v) % p == 0:
                return None
            slope = (3 * x * x + self.a) * pow(2 * y, -1, p) % p
        else:
            slope = (v - y) * pow(u - x, -1, p) % p
        w = (slope * slope - x - u) % p
        return w, (slope * (x - w) - y) % p

    def multiply(self, k: int, point: Point) -> Point:
        """Return k times a point, for k >= 0."""
        total: Point = (0, 1) if self.family is Family.EDWARDS else None
        while k:
            if k & 1:
                total = self.add(total, point)
            point = self.add(point, point)
            k >>= 1
        return total

    def ladder(self, k: int, u: int) -> int:
        """Return the u coordinate of k times a point of a Montgomery curve, 0 for infinity."""
        p, x1 = self.p, u % self.p
        x2, z2, x3, z3 = 1, 0, x1, 1
        for bit in bin(k)[2:]:
            if bit == "1":
                x2, z2, x3, z3 = x3, z3, x2, z2
            s, d, t, e = x2 + z2, x2 - z2, x3 + z3, x3 - z3
            da, cb, aa, bb = e * s % p, t * d % p, s * s % p, d * d % p
            f = aa - bb
            x3, z3 = (da + cb) ** 2 % p, x1 * (da - cb) ** 2 % p
            x2, z2 = aa * bb % p, f * (aa + self.a * f) % p
            if bit == "1":
                x2, z2, x3, z3 = x3, z3, x2, z2
        return x2 * pow(z2, p - 2, p) % p


def weierstrass(name: str, p: int, a: int, b: int, x: int, y: int, n: int) -> Curve:
    """Return a short Weierstrass curve; a determines its family."""
    family = {p - 3: Family.MINUS_3, 0: Family.ZERO_A}.get(a % p, Family.ANY_A)
    return Curve(name, family, p, a % p, b % p, x, y, n)


_P25519 = 2**255 - 19
_L25519 = 2**252 + 27742317777372353535851937790883648493
_P448 = 2**448 - 2**224 - 1
_L448 = 2**446 - 13818066809895115352007386748515426880336692474882178609894547503885

_OTHERS = (
    Curve(
        "ed25519",
        Family.EDWARDS,
        _P25519,
        _P25519 - 1,
        -121665 * pow(121666, -1, _P25519) % _P25519,
        15112221349535400772501151409588531511454012693041857206046113283949847762202,
        4 * pow(5, -1, _P25519) % _P25519,
        _L25519,
        8,
    ),
    Curve(
        "ed448",
        Family.EDWARDS,
        _P448,
        1,
        _P448 - 39081,
        224580040295924300187604334099896036246789641632564134246125461686950415467406032909029192869357953282578032075146446173674602635247710,
        298819210078481492676017930443930673437544040154080242095928241372331506189835876003536878655418784733982303233503462500531545062832660,
        _L448,
        4,
    ),
    Curve(
        "x25519",
        Family.MONTGOMERY,
        _P25519,
        121665,
        (2 * _P25519 + 2 - 8 * _L25519) // 4,
        9,
        0,
        _L25519,
        8,
    ),
    Curve(
        "x448", Family.MONTGOMERY, _P448, 39081, (2 * _P448 + 2 - 4 * _L448) // 4, 5, 0, _L448, 4
    ),
)

_ALIASES = {
    "p-192": "prime192v1",
    "secp192r1": "prime192v1",
    "p-224": "secp224r1",
    "p-256": "prime256v1",
    "secp256r1": "prime256v1",
    "p-384": "secp384r1",
    "p-521": "secp521r1",
    "nistp256": "prime256v1",
    "nistp384": "secp384r1",
    "nistp521": "secp521r1",
}
for _short in ("p192r1", "p192k1", "p224r1", "p224k1", "p256r1", "p256k1", "p384r1", "p521r1"):
    _ALIASES[_short] = _ALIASES.get(f"sec{_short}", f"sec{_short}")


@cache
def all_curves() -> dict[str, Curve]:
    """Return the curves by name: OpenSSL's with cofactor 1, and those of RFC 7748 and RFC 8032."""
    found = dict[str, Curve]()
    for item in read_curves(VECTORS_DIR / "prime-curves.txt").values():
        if item.h == 1:
            numbers = (item.p, item.a, item.b, item.gx, item.gy, item.n)
            found[item.name] = weierstrass(item.name, *numbers)
    for curve in _OTHERS:
        found[curve.name] = curve
    return found


@checked
def get_curve(name: str) -> Curve:
    """Return the curve of that name or alias; case does not matter.

    Raises:
        RequestError: no curve has that name.
    """
    curves = {key.lower(): curve for key, curve in all_curves().items()}
    wanted = name.strip().lower()
    wanted = _ALIASES.get(wanted, wanted)
    if wanted not in curves:
        raise RequestError(
            f"there is no curve '{name}'{hint(name, [*curves, *_ALIASES])}; "
            f"the curves are {', '.join(all_curves())}"
        )
    return curves[wanted]
