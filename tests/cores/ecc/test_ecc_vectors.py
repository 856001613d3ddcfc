# SPDX-License-Identifier: Apache-2.0
"""Every published vector of RFC 6979, 7748 and 8032 that the engine offers; keys of any order."""

import hashlib
from collections.abc import Callable
from functools import cache

import pytest
from curve_vectors import AGREED, ITERATED, LADDERS
from ecc_tools import EngineReference, engine
from eddsa_reference import SCHEMES, signatures
from signature_vectors import (
    EcPoint,
    EdKey,
    SignatureVector,
    read_ecdsa_signatures,
    read_eddsa_signatures,
)

from montcore.cores import get_core
from montcore.ecc.curves import get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import EngineRequest
from montcore.ecc.isa import EngineStatus
from montcore.ecc.keys import EcPrivateKey, EcPublicKey, EdwardsKey
from montcore.ecc.operations import EcUnit, nonces, number_of
from montcore.ecc.program import Operation
from montcore.support.errors import RequestError
from montcore.support.paths import VECTORS_DIR

nightly = pytest.mark.nightly
RFC_6979 = read_ecdsa_signatures(VECTORS_DIR / "rfc6979-ecdsa.txt")
RFC_8032 = read_eddsa_signatures(VECTORS_DIR / "rfc8032-eddsa.txt")
EDWARDS = ("ed25519", "ed448")


@cache
def modelled(name: str) -> EcUnit:
    """Return a unit for a curve whose operations the model of the engine's program computes."""
    bits = max(256, get_curve(name).bits)
    return EcUnit(EngineReference(EngineDesign(get_core("smm").configure({"npe": "8"}, bits))))


@cache
def simulated(name: str) -> EcUnit:
    """Return a unit for a curve in simulated RTL."""
    return EcUnit(engine("smm", max(256, get_curve(name).bits), ("npe", "8")))


UnitOf = Callable[[str], EcUnit]
#: By the model in every run, and by the RTL in nightly tests.
WITH = pytest.mark.parametrize(
    "unit_of",
    [pytest.param(modelled, id="model"), pytest.param(simulated, id="rtl", marks=nightly)],
)


def label(item: SignatureVector[EdKey]) -> str:
    return f"{item.key.scheme}-{item.id}"


def halves(item: SignatureVector[EcPoint]) -> tuple[int, int]:
    """Return r and s."""
    size = len(item.signature) // 2
    return int.from_bytes(item.signature[:size], "big"), int.from_bytes(
        item.signature[size:], "big"
    )


def secret_of(item: SignatureVector[EcPoint]) -> EcPrivateKey:
    """Return the private key of a vector."""
    assert item.key.d is not None
    return EcPrivateKey(EcPublicKey(get_curve(item.key.group), item.key.x, item.key.y), item.key.d)


@pytest.mark.parametrize("group", sorted({item.key.group for item in RFC_6979}))
def test_nonces_and_numbers_of_every_example_of_rfc_6979(group: str) -> None:
    """The nonce gives r; the model of a small engine gives r and s for the first and the last."""
    curve = get_curve(group)
    items = [item for item in RFC_6979 if item.key.group == group]
    assert {(item.hash, item.message) for item in items} == {
        (name, text)
        for name in ("sha1", "sha224", "sha256", "sha384", "sha512")
        for text in (b"sample", b"test")
    }
    for item in items:
        key, digest = secret_of(item), hashlib.new(item.hash, item.message).digest()
        r, s = halves(item)
        k = next(nonces(key.d, digest, curve.n, item.hash))
        assert (k * s - number_of(digest, curve.n) - r * key.d) % curve.n == 0
        if item in (items[0], items[-1]) and curve.bits <= 256:
            assert modelled(group).sign(key, digest, item.hash)[:2] == (r, s)


@pytest.mark.parametrize(
    ("group", "step"),
    [
        ("secp256r1", 3),
        *(pytest.param(n, 1, marks=nightly) for n in sorted({i.key.group for i in RFC_6979})),
    ],
)
def test_signatures_of_rfc_6979_in_rtl(group: str, step: int) -> None:
    curve, unit = get_curve(group), engine("smm", max(256, get_curve(group).bits), ("npe", "8"))
    items = [item for item in RFC_6979 if item.key.group == group][::step]
    requests = []
    for item in items:
        key, digest = secret_of(item), hashlib.new(item.hash, item.message).digest()
        k = next(nonces(key.d, digest, curve.n, item.hash))
        requests.append(EngineRequest(Operation.SIGN, (k, key.d), (number_of(digest, curve.n),)))
    for item, found in zip(items, unit.run(curve, requests), strict=True):
        assert (found.status, found.x, found.y) == (EngineStatus.OK, *halves(item)), item


@WITH  # test_pka_ecdsa.py has X25519 by the RTL in every run
@pytest.mark.parametrize("name", LADDERS)
def test_ladders_of_rfc_7748(name: str, unit_of: UnitOf) -> None:
    """The examples, the agreement and the first of the iterations."""
    unit = unit_of(name)
    asked = [*LADDERS[name], ITERATED[name][0]]
    a, at, b, bt, shared = AGREED[name]
    base = get_curve(name).x.to_bytes(len(a), "little")
    asked += [(a, base, at), (b, base, bt), (a, bt, shared), (b, at, shared)]
    for scalar, u, wanted in asked:
        assert unit.ladder(name, scalar, u).signature == wanted


@nightly
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", LADDERS)
def test_thousand_iterations_of_rfc_7748_in_rtl(name: str) -> None:
    k, u, _ = ITERATED[name][0]
    for _ in range(1000):
        k, u = simulated(name).ladder(name, k, u).signature, k
    assert k == ITERATED[name][1]


@pytest.mark.parametrize(
    ("unit_of", "item"),
    [
        *(
            pytest.param(modelled, item, id=f"model-{label(item)}", marks=[nightly] * (at % 4 > 0))
            for at, item in enumerate(RFC_8032)
        ),
        *(
            pytest.param(simulated, item, id=f"rtl-{label(item)}", marks=[nightly] * (at != 1))
            for at, item in enumerate(RFC_8032)
        ),
    ],
)
def test_signatures_of_rfc_8032(unit_of: UnitOf, item: SignatureVector[EdKey]) -> None:
    unit = unit_of(item.key.scheme)
    key = EdwardsKey(item.key.scheme, item.key.seed, item.key.public)
    assert unit.sign_edwards(key, item.message).signature == item.signature
    assert unit.verify_edwards(key, item.message, item.signature).valid


@pytest.mark.parametrize(
    ("unit_of", "name", "count"),
    [
        (modelled, "ed25519", 64),
        (modelled, "ed448", 16),
        *((simulated, name, 3) for name in EDWARDS),
    ],
)
@nightly  # every run has the accelerator's verification (test_pka_ecdsa.py)
def test_verification_is_the_equation_with_the_cofactor(
    unit_of: UnitOf, name: str, count: int
) -> None:
    unit, verdicts = unit_of(name), set()
    for public, message, signature in signatures(name, count):
        wanted = SCHEMES[name].verifies(public, message, signature)
        try:
            found = unit.verify_edwards(EdwardsKey(name, b"", public), message, signature).valid
        except RequestError as error:
            assert str(error) == f"the key is no point of {name}"
            found = False
        assert found == wanted, (public.hex(), message.hex(), signature.hex())
        verdicts.add(found)
    assert verdicts == {False, True}


@pytest.mark.parametrize("name", EDWARDS)
@pytest.mark.one_in(2)
def test_every_integer_times_every_kind_of_point(name: str) -> None:
    """The model of the program; k is reduced modulo the order of the group, 8 n or 4 n."""
    scheme, curve = SCHEMES[name], get_curve(name)
    half = scheme.multiply(5, scheme.base)
    scalars = (2, -3, scheme.n, 2 * scheme.n + 4, scheme.h * scheme.n - 2, 1 << 600 | 6)
    for k, small in zip(scalars, (*scheme.small(), *scheme.small())[1:], strict=False):
        for point in (small, scheme.add(half, small)):
            x, y = (value * pow(point[2], -1, scheme.p) % scheme.p for value in point[:2])
            found = modelled(name).multiply(curve, k, (x, y)).point
            wanted = scheme.multiply(k % (scheme.h * scheme.n), point)
            assert found is not None
            assert scheme.same((*found, 1), wanted), (k, x, y)


@pytest.mark.parametrize("k", [1 << 256 | 5, -1, 0, 2 * get_curve("P-256").n - 1])
def test_a_scalar_of_any_size_is_reduced(k: int) -> None:
    curve = get_curve("P-256")
    found = modelled("P-256").multiply(curve, k).point
    assert found == curve.multiply(k % curve.n, curve.base)
