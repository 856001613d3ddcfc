# SPDX-License-Identifier: Apache-2.0
"""The curve engine on named curves: published vectors, OpenSSL, cycles."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from ecc_tools import engine
from signature_vectors import EcPoint, SignatureVector, read_ecdsa_signatures

from montcore.ecc.curves import Curve, Family, all_curves, get_curve
from montcore.ecc.engine import Engine, EngineRequest
from montcore.ecc.isa import EngineStatus
from montcore.ecc.keys import EcPrivateKey, EcPublicKey
from montcore.ecc.operations import EcUnit, number_of
from montcore.ecc.program import Operation
from montcore.support.errors import RequestError
from montcore.support.paths import VECTORS_DIR

nightly = pytest.mark.nightly

#: Limits of cycles, all protections on: the core, its settings, its width.
LIMITS = {
    ("smm", 256, (("npe", "8"),)): {
        (Operation.MULTIPLY, "prime256v1"): 125_000,
        (Operation.MULTIPLY, "brainpoolP256r1"): 135_000,
        (Operation.SIGN, "prime256v1"): 65_000,
        (Operation.VERIFY, "prime256v1"): 120_000,
        (Operation.LADDER, "x25519"): 75_000,
    },
    ("cs4", 256, ()): {
        (Operation.MULTIPLY, "prime256v1"): 780_000,
        (Operation.MULTIPLY, "brainpoolP256r1"): 930_000,
        (Operation.SIGN, "prime256v1"): 340_000,
        (Operation.VERIFY, "prime256v1"): 730_000,
        (Operation.LADDER, "x25519"): 480_000,
    },
    ("karatsuba", 256, ()): {
        (Operation.MULTIPLY, "prime256v1"): 52_000,
        (Operation.MULTIPLY, "brainpoolP256r1"): 56_000,
        (Operation.SIGN, "prime256v1"): 32_000,
        (Operation.VERIFY, "prime256v1"): 50_000,
        (Operation.LADDER, "x25519"): 37_000,
    },
    ("smm", 384, (("npe", "6"),)): {(Operation.SIGN, "secp384r1"): 205_000},
}


def unit(bits: int = 256, core: str = "smm", *settings: tuple[str, str]) -> EcUnit:
    return EcUnit(engine(core, bits, *(settings or (("npe", "8"),) * (core == "smm"))))


def digest(message: bytes, name: str = "sha256") -> bytes:
    state = hashes.Hash(getattr(hashes, name.upper())())
    state.update(message)
    return state.finalize()


def test_digests_are_cut_to_the_order() -> None:
    assert number_of(b"\xff\x80", 0x1FF) == 0x1FF
    assert number_of(b"\x01", 0x1FF) == 1


def published() -> list[SignatureVector[EcPoint]]:
    return read_ecdsa_signatures(VECTORS_DIR / "wycheproof-ecdsa-p256.txt")


VERDICTS = ("valid", "invalid")


def verdict(found: EcUnit, item: SignatureVector[EcPoint]) -> bool:
    """Return whether a signature is accepted; r and s side by side, of the order's length each."""
    curve = get_curve(item.key.group)
    size = (curve.n.bit_length() + 7) // 8
    if len(item.signature) != 2 * size:
        return False
    r, s = (int.from_bytes(item.signature[i : i + size], "big") for i in (0, size))
    key = EcPublicKey(curve, item.key.x, item.key.y)
    try:
        return found.verify(key, digest(item.message, item.hash), r, s).valid
    except RequestError:
        return False


def test_some_published_signatures() -> None:
    by_verdict = {word: [i for i in published() if i.verdict == word] for word in VERDICTS}
    items = [item for found in by_verdict.values() for item in random.Random(1).sample(found, 1)]
    for item in items:
        assert verdict(unit(), item) == (item.verdict == "valid"), item.id


@nightly
def test_all_published_signatures_of_p256() -> None:
    """One curve is loaded for all of them; a signature that is not two numbers has no packet."""
    curve = get_curve("P-256")
    size = 32
    items = [item for item in published() if len(item.signature) == 2 * size]
    others = [item for item in published() if len(item.signature) != 2 * size]
    assert {item.verdict for item in others} == {"invalid"}
    assert len(items) + len(others) == len(published()) == 262
    requests = []
    for item in items:
        assert item.key.group == "secp256r1"
        r, s = (int.from_bytes(item.signature[i : i + size], "big") for i in (0, size))
        number = number_of(digest(item.message, item.hash), curve.n)
        requests.append(EngineRequest(Operation.VERIFY, (r, s), (number, item.key.x, item.key.y)))
    public = replace(curve, public=True)
    results = engine("smm", 256, ("npe", "8")).run(public, requests)
    for item, result in zip(items, results, strict=True):
        refused = (EngineStatus.SIGNATURE, EngineStatus.RANGE)
        assert result.status is EngineStatus.OK or result.status in refused, item.id
        assert (result.status is EngineStatus.OK) == (item.verdict == "valid"), item.id


#: The scalars of P-256 that are tried, in portions, so that an interrupted run resumes.
PORTIONS, PORTION = 10, 1000


@nightly
@pytest.mark.parametrize("portion", range(PORTIONS))
def test_10000_random_scalars_of_p256(portion: int) -> None:
    curve = get_curve("P-256")
    rng = random.Random(7)
    private = [rng.randrange(1, curve.n) for _ in range(PORTIONS * PORTION)]
    private = private[portion * PORTION :][:PORTION]
    requests = [EngineRequest(Operation.BASE, (k,)) for k in private]
    cycles = set()
    results = engine("smm", 256, ("npe", "8")).run(curve, requests)
    for k, result in zip(private, results, strict=True):
        numbers = ec.derive_private_key(k, ec.SECP256R1()).public_key().public_numbers()
        assert (result.x, result.y) == (numbers.x, numbers.y), k
        cycles.add(result.cycles)
    assert len(cycles) == 1


OPENSSL: dict[str, Callable[[], ec.EllipticCurve]] = {
    "prime192v1": ec.SECP192R1,
    "secp224r1": ec.SECP224R1,
    "prime256v1": ec.SECP256R1,
    "secp256k1": ec.SECP256K1,
    "secp384r1": ec.SECP384R1,
    "secp521r1": ec.SECP521R1,
    "brainpoolP256r1": ec.BrainpoolP256R1,
    "brainpoolP384r1": ec.BrainpoolP384R1,
    "brainpoolP512r1": ec.BrainpoolP512R1,
}


def check_with_openssl(name: str, found: EcUnit) -> None:
    """Check that OpenSSL accepts a signature of the engine, and the engine one of OpenSSL."""
    curve, group = get_curve(name), OPENSSL[name]()
    secret = random.Random(name).randrange(1, curve.n)
    theirs = ec.derive_private_key(secret, group)
    numbers = theirs.public_key().public_numbers()
    public = EcPublicKey(curve, numbers.x, numbers.y)
    r, s, _ = found.sign(EcPrivateKey(public, secret), digest(b"text"), "sha256")
    theirs.public_key().verify(encode_dss_signature(r, s), b"text", ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        theirs.public_key().verify(encode_dss_signature(r, s), b"txt", ec.ECDSA(hashes.SHA256()))
    r, s = decode_dss_signature(theirs.sign(b"text", ec.ECDSA(hashes.SHA256())))
    assert found.verify(public, digest(b"text"), r, s).valid
    peer = ec.derive_private_key(secret // 3 + 2, group)
    peers = peer.public_key().public_numbers()
    shared = found.agree(EcPrivateKey(public, secret), EcPublicKey(curve, peers.x, peers.y))
    assert shared.point is not None
    size = (curve.p.bit_length() + 7) // 8
    assert shared.point[0].to_bytes(size, "big") == peer.exchange(ec.ECDH(), theirs.public_key())


@nightly  # every run compares the accelerator with OpenSSL (test_pka_ecdsa.py)
@pytest.mark.parametrize("name", ["brainpoolP256r1", "prime256v1", "secp256k1"])
def test_openssl_and_the_engine_accept_each_other(name: str) -> None:
    check_with_openssl(name, unit())


@nightly
@pytest.mark.parametrize("name", OPENSSL)
def test_openssl_and_the_engine_accept_each_other_on_every_curve(name: str) -> None:
    check_with_openssl(name, unit(521, "smm", ("npe", "9")))


@nightly
def test_one_engine_serves_every_named_curve() -> None:
    found = engine("smm", 521, ("npe", "9"))
    for curve in all_curves().values():
        if curve.family is Family.MONTGOMERY:
            continue
        point = curve.multiply(5, curve.base)
        assert point is not None
        scalars = (0, 1, curve.n - 1, curve.n, curve.n // 3)
        requests = [EngineRequest(Operation.MULTIPLY, (k,), point) for k in scalars]
        for k, result in zip(scalars, found.run(curve, requests), strict=True):
            wanted = curve.multiply(k, point)
            assert (result.status is EngineStatus.INFINITY) == (wanted is None)
            assert wanted is None or (result.x, result.y) == wanted, f"{k} on {curve.name}"


def request_of(operation: Operation, curve: Curve) -> EngineRequest:
    point = curve.x, curve.y
    return {
        Operation.MULTIPLY: EngineRequest(operation, (curve.n // 3,), point),
        Operation.SIGN: EngineRequest(operation, (curve.n // 3, curve.n // 5), (curve.n // 7,)),
        Operation.VERIFY: EngineRequest(
            operation, (curve.n // 3, curve.n // 5), (curve.n // 7, *point)
        ),
        Operation.LADDER: EngineRequest(operation, (curve.n // 3,), (9, 0)),
    }[operation]


@pytest.mark.parametrize(
    "core",
    [
        pytest.param(core, id=f"{core[0]}-{core[1]}", marks=[nightly] * (number > 0))
        for number, core in enumerate(LIMITS)
    ],
)
def test_cycles_stay_below_their_limits(core: tuple[str, int, tuple[tuple[str, str], ...]]) -> None:
    found: Engine = engine(core[0], core[1], *core[2])
    for (operation, name), limit in LIMITS[core].items():
        curve = get_curve(name)
        if operation is Operation.VERIFY:
            curve = replace(curve, public=True)
        result = found.single(curve, request_of(operation, curve))
        assert result.status in (EngineStatus.OK, EngineStatus.SIGNATURE)
        assert result.cycles <= limit, f"{operation.name} on {name} over {core[0]}"
