# SPDX-License-Identifier: Apache-2.0
"""The tool's operations on the curve engine: points, ECDSA, ECDH, the ladder, EdDSA.

The hardware computes every product and checks every number. The host hashes, derives nonces,
encodes, and recovers the coordinate that an EdDSA point encoding omits. Source of the nonces: RFC
6979, section 3.2; of the number that is signed: FIPS 186-5, section 6.4.
"""

import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from montcore.ecc.curves import Curve, Family
from montcore.ecc.edwards import edwards, montgomery
from montcore.ecc.engine import Engine, EngineRequest, Result
from montcore.ecc.isa import EngineStatus
from montcore.ecc.keys import EcPrivateKey, EcPublicKey, EdwardsKey
from montcore.ecc.program import Operation
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.requests import checked

Progress = Callable[[str], None]

_SENTENCES = {
    EngineStatus.RANGE: "a scalar, a coordinate or a number of the signature is out of range",
    EngineStatus.POINT: "the point is not on the curve {curve}",
}
_FAILURES = {
    EngineStatus.RANDOM: "the engine's source of randomness failed; nothing was computed",
    EngineStatus.FAULT: "the engine found a fault in its result, which is withheld",
    EngineStatus.LENGTH: "the engine refused the operation for this curve, or a packet of it",
    EngineStatus.CURVE: "the engine has no curve",
}
_WITHHELD = "the signature does not verify with the key's public part; it is withheld"


@dataclass(frozen=True)
class PointResult:
    """A point, None for infinity, with the cycles and products needed to compute it."""

    point: tuple[int, int] | None
    cycles: int
    products: int


@dataclass(frozen=True)
class Signed:
    """A byte string, such as a signature, with the cycles needed to compute and verify it."""

    signature: bytes
    cycles: int


@dataclass(frozen=True)
class SignatureVerdict:
    """Whether a signature is valid, with the cycles of the verification."""

    valid: bool
    cycles: int


@checked
class EcUnit:
    """Operations on an engine."""

    def __init__(self, engine: Engine, progress: Progress = lambda _: None) -> None:
        self._engine = engine
        self._say = progress

    def multiply(self, curve: Curve, k: int, point: tuple[int, int] | None = None) -> PointResult:
        """Return k times a point, or times the base point.

        k is any integer; it is reduced modulo the order of the group, or of the base point.

        Raises:
            RequestError: the point is not on the curve.
            CheckFailedError: the hardware gave no result.
        """
        if curve.family is Family.MONTGOMERY:
            raise RequestError(f"{curve.name} has no points with two coordinates; see `x25519`")
        k %= curve.n * (1 if point is None else curve.cofactor)
        operation = Operation.BASE if point is None else Operation.MULTIPLY
        request = EngineRequest(operation, (k,), self._point(curve, point) if point else ())
        result = self._do(curve, request, EngineStatus.INFINITY)
        products = self._engine.model(curve).run(operation, request.x, request.y).products
        found = None if result.status is EngineStatus.INFINITY else (result.x, result.y)
        return PointResult(found, result.cycles, products)

    def sign(self, key: EcPrivateKey, digest: bytes, hash_name: str) -> tuple[int, int, int]:
        """Return r, s and the cycles of an ECDSA signature with the nonce of RFC 6979.

        As all signatures, it is verified before it is released; the cycles include that. A wrong
        one of the same message and nonce would give the key.

        Raises:
            CheckFailedError: it does not verify, or the hardware gave no result.
        """
        curve = key.public.curve
        number = number_of(digest, curve.n)
        cycles = 0
        for nonce in nonces(key.d, digest, curve.n, hash_name):
            request = EngineRequest(Operation.SIGN, (nonce, key.d), (number,))
            result = self._do(curve, request, EngineStatus.RETRY)
            cycles += result.cycles
            if result.status is EngineStatus.OK:
                r, s = result.x, result.y
                check = partial(self.verify, key.public, digest, r, s, signing=True)
                return r, s, cycles + self._checked(check)
        raise AssertionError("there is always another nonce")

    def verify(
        self, key: EcPublicKey, digest: bytes, r: int, s: int, *, signing: bool = False
    ) -> SignatureVerdict:
        """Verify an ECDSA signature; one with numbers out of range is not valid.

        Args:
            signing: the curve is set up for signatures, not for public numbers only.

        Raises:
            RequestError: the key is not on the curve.
        """
        curve = replace(key.curve, public=not signing)
        # A packet has no room for numbers longer than the curve's.
        if not (0 < r < curve.n and 0 < s < curve.n):
            return SignatureVerdict(False, 0)
        request = EngineRequest(
            Operation.VERIFY,
            (r, s),
            (number_of(digest, curve.n), *self._point(curve, (key.x, key.y))),
        )
        result = self._do(curve, request, EngineStatus.SIGNATURE)
        return SignatureVerdict(result.status is EngineStatus.OK, result.cycles)

    def agree(self, key: EcPrivateKey, peer: EcPublicKey) -> PointResult:
        """Return the ECDH point of a private and a public key.

        Raises:
            RequestError: the keys are of different curves.
        """
        if key.public.curve != peer.curve:
            raise RequestError(
                f"the keys are of different curves, {key.public.curve.name} and {peer.curve.name}"
            )
        return self.multiply(peer.curve, key.d, (peer.x, peer.y))

    def ladder(self, name: str, scalar: bytes, u: bytes) -> Signed:
        """Return X25519 or X448 of a scalar and a coordinate, both byte strings."""
        form = montgomery(name)
        for what, data in (("scalar", scalar), ("coordinate", u)):
            if len(data) != form.size:
                raise RequestError(f"the {what} of {name} has {form.size} bytes, not {len(data)}")
        value = form.coordinate(u) % form.curve.p
        request = EngineRequest(
            Operation.LADDER, (form.scalar(scalar),), (value, int(form.on_twist(value)))
        )
        result = self._do(form.curve, request)
        return Signed(form.encode(result.x), result.cycles)

    def sign_edwards(self, key: EdwardsKey, message: bytes) -> Signed:
        """Return the RFC 8032 signature of a message; it is verified as by `sign`.

        Raises:
            CheckFailedError: it does not verify, or the hardware gave no result.
        """
        form = edwards(key.name)
        curve = form.curve
        scalar, prefix = form.expand(key.seed)
        r = form.number(prefix, message)
        self._say("the nonce's point")
        first = self._do(curve, EngineRequest(Operation.BASE, (r,)))
        if max(first.x, first.y) >= curve.p:
            raise CheckFailedError(_WITHHELD)
        point = form.encode(first.x, first.y)
        k = form.number(point, key.public, message)
        self._say("the signature's number")
        second = self._do(curve, EngineRequest(Operation.MULTIPLY_ADD, (scalar % curve.n, k), (r,)))
        if second.x >= curve.n:
            raise CheckFailedError(_WITHHELD)
        check = partial(self._check_edwards, key, message, point, second.x)
        cycles = first.cycles + second.cycles + self._checked(check)
        return Signed(point + second.x.to_bytes(form.size, "little"), cycles)

    def _check_edwards(
        self, key: EdwardsKey, message: bytes, point: bytes, s: int
    ) -> SignatureVerdict:
        """Verify a new signature: s B - k A must be its point, without a factor in the equation."""
        form = edwards(key.name)
        x, y = form.decode(key.public) or (0, 0)
        k = form.number(point, key.public, message)
        minus = ((form.curve.p - x) % form.curve.p, y)
        result = self._do(form.curve, EngineRequest(Operation.JOINT, (s, k), minus))
        return SignatureVerdict(form.encode(result.x, result.y) == point, result.cycles)

    def verify_edwards(self, key: EdwardsKey, message: bytes, signature: bytes) -> SignatureVerdict:
        """Verify a signature of RFC 8032 by the equation with the cofactor h: h S B = h R + h k A.

        A signature of a wrong length is not valid.

        Raises:
            RequestError: the key is no point.
        """
        form = edwards(key.name)
        curve = replace(form.curve, public=True)
        public = form.decode(key.public)
        if public is None:
            raise RequestError(f"the key is no point of {key.name}")
        point, s = signature[: form.size], int.from_bytes(signature[form.size :], "little")
        if len(signature) != 2 * form.size or s >= curve.n:
            return SignatureVerdict(False, 0)
        k = form.number(point, key.public, message)
        minus = ((curve.p - public[0]) % curve.p, public[1])
        result = self._do(curve, EngineRequest(Operation.JOINT, (s, k), minus))
        if form.encode(result.x, result.y) == point:
            return SignatureVerdict(True, result.cycles)
        # S B - k A is not R, but may differ from it by a point of small order.
        claimed = form.decode(point)
        if claimed is None:
            return SignatureVerdict(False, result.cycles)
        found = [
            self._do(curve, EngineRequest(Operation.JOINT, (0, curve.cofactor), item))
            for item in ((result.x, result.y), claimed)
        ]
        cycles = result.cycles + sum(item.cycles for item in found)
        return SignatureVerdict(len({(item.x, item.y) for item in found}) == 1, cycles)

    def _checked(self, verify: Callable[[], SignatureVerdict]) -> int:
        self._say("the verification")
        try:
            verdict = verify()
        except RequestError:  # a number out of range
            raise CheckFailedError(_WITHHELD) from None
        if not verdict.valid:
            raise CheckFailedError(_WITHHELD)
        return verdict.cycles

    def _point(self, curve: Curve, point: tuple[int, int]) -> tuple[int, int]:
        if min(point) < 0 or max(point) >= curve.p:
            raise RequestError("the coordinates must lie between 0 and the prime of the curve")
        return point

    def _do(self, curve: Curve, request: EngineRequest, *allowed: EngineStatus) -> Result:
        result = self._engine.single(curve, request)
        if result.status is EngineStatus.OK or result.status in allowed:
            return result
        if result.status in _SENTENCES:
            raise RequestError(_SENTENCES[result.status].format(curve=curve.name))
        raise CheckFailedError(_FAILURES.get(result.status, f"engine status {result.status.name}"))


def number_of(digest: bytes, n: int) -> int:
    """Return the leftmost bits of a digest, as many as n has."""
    value = int.from_bytes(digest, "big")
    return value >> max(0, 8 * len(digest) - n.bit_length())


def nonces(key: int, digest: bytes, n: int, hash_name: str) -> Iterator[int]:
    """Yield the nonces of a message; the first is used unless r or s is zero.

    Args:
        key: the private key, 1 to n - 1.
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
