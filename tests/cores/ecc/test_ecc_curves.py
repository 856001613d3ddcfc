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

from montcore.ecc.curves import Curve, Family, all_curves, get_curve
from montcore.ecc.engine import Engine, Request
from montcore.ecc.isa import Status
from montcore.ecc.keys import EdwardsKey, PrivateKey, PublicKey
from montcore.ecc.nonce import nonces, number_of
from montcore.ecc.operations import EcUnit
from montcore.ecc.program import Operation
from montcore.support.errors import RequestError
from montcore.support.paths import VECTORS_DIR
from montcore.verification.vectors import EcPoint, SignatureVector, read_ecdsa_signatures

nightly = pytest.mark.nightly

#: RFC 6979, A.2.5: P-256, SHA-256: key, and for two messages nonce, r and s.
KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
RFC_6979 = {
    b"sample": (
        0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60,
        0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
        0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8,
    ),
    b"test": (
        0xD16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0,
        0xF1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367,
        0x019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083,
    ),
}
#: RFC 7748, 5.2: scalar, coordinate, result.
RFC_7748 = {
    "x25519": [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        ),
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
        ),
    ],
    "x448": [
        (
            "3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121"
            "700a779c984c24f8cdd78fbff44943eba368f54b29259a4f1c600ad3",
            "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9"
            "814dc031ddbdc38c19c6da2583fa5429db94ada18aa7a7fb4ef8a086",
            "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239f"
            "e14fbaadeb445fc66a01b0779d98223961111e21766282f73dd96b6f",
        )
    ],
}
#: RFC 8032, 7.1: seed, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]

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


@pytest.mark.parametrize("message", [b"sample", pytest.param(b"test", marks=nightly)])
def test_nonces_and_signatures_of_rfc_6979(message: bytes) -> None:
    curve = get_curve("P-256")
    point = curve.multiply(KEY, curve.base)
    assert point is not None
    public = PublicKey(curve, *point)
    nonce, r, s = RFC_6979[message]
    hashed = digest(message)
    assert next(nonces(KEY, hashed, curve.n, "sha256")) == nonce
    found = unit().sign(PrivateKey(public, KEY), hashed, "sha256")
    assert found[:2] == (r, s)
    assert unit().verify(public, hashed, r, s).valid
    assert not unit().verify(public, digest(b"other"), r, s).valid


def test_digests_are_cut_to_the_order() -> None:
    assert number_of(b"\xff\x80", 0x1FF) == 0x1FF
    assert number_of(b"\x01", 0x1FF) == 1


@pytest.mark.parametrize("name", ["x25519", pytest.param("x448", marks=nightly)])
def test_ladders_of_rfc_7748(name: str) -> None:
    for scalar, u, wanted in RFC_7748[name][:1]:
        found = unit(get_curve(name).bits if name == "x448" else 256)
        result = found.ladder(name, bytes.fromhex(scalar), bytes.fromhex(u))
        assert result.signature.hex() == wanted


@nightly
def test_both_ladders_of_rfc_7748_over_the_widest_engine() -> None:
    for name, cases in RFC_7748.items():
        found = unit(521, "smm", ("npe", "9"))
        for scalar, u, wanted in cases:
            result = found.ladder(name, bytes.fromhex(scalar), bytes.fromhex(u))
            assert result.signature.hex() == wanted


@pytest.mark.parametrize(
    ("seed", "public", "message", "signature"),
    [pytest.param(*RFC_8032[0], marks=nightly), RFC_8032[1]],
)
def test_signatures_of_rfc_8032(seed: str, public: str, message: str, signature: str) -> None:
    key = EdwardsKey("ed25519", bytes.fromhex(seed), bytes.fromhex(public))
    text, wanted = bytes.fromhex(message), bytes.fromhex(signature)
    assert unit().sign_edwards(key, text).signature == wanted
    assert unit().verify_edwards(key, text, wanted).valid
    broken = wanted[:40] + bytes([wanted[40] ^ 1]) + wanted[41:]
    assert not unit().verify_edwards(key, text, broken).valid


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
    key = PublicKey(curve, item.key.x, item.key.y)
    try:
        return found.verify(key, digest(item.message, item.hash), r, s).valid
    except RequestError:
        return False


def test_some_published_signatures() -> None:
    by_verdict = {word: [i for i in published() if i.verdict == word] for word in VERDICTS}
    items = [item for found in by_verdict.values() for item in random.Random(1).sample(found, 2)]
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
        requests.append(Request(Operation.VERIFY, (r, s), (number, item.key.x, item.key.y)))
    public = replace(curve, public=True)
    results = engine("smm", 256, ("npe", "8")).run(public, requests)
    for item, result in zip(items, results, strict=True):
        refused = (Status.SIGNATURE, Status.RANGE)
        assert result.status is Status.OK or result.status in refused, item.id
        assert (result.status is Status.OK) == (item.verdict == "valid"), item.id


#: The scalars of P-256 that are tried, in portions, so that an interrupted run resumes.
PORTIONS, PORTION = 10, 1000


@nightly
@pytest.mark.parametrize("portion", range(PORTIONS))
def test_10000_random_scalars_of_p256(portion: int) -> None:
    curve = get_curve("P-256")
    rng = random.Random(7)
    private = [rng.randrange(1, curve.n) for _ in range(PORTIONS * PORTION)]
    private = private[portion * PORTION :][:PORTION]
    requests = [Request(Operation.BASE, (k,)) for k in private]
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
    public = PublicKey(curve, numbers.x, numbers.y)
    r, s, _ = found.sign(PrivateKey(public, secret), digest(b"text"), "sha256")
    theirs.public_key().verify(encode_dss_signature(r, s), b"text", ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        theirs.public_key().verify(encode_dss_signature(r, s), b"txt", ec.ECDSA(hashes.SHA256()))
    r, s = decode_dss_signature(theirs.sign(b"text", ec.ECDSA(hashes.SHA256())))
    assert found.verify(public, digest(b"text"), r, s).valid
    peer = ec.derive_private_key(secret // 3 + 2, group)
    peers = peer.public_key().public_numbers()
    shared = found.agree(PrivateKey(public, secret), PublicKey(curve, peers.x, peers.y))
    assert shared.point is not None
    size = (curve.p.bit_length() + 7) // 8
    assert shared.point[0].to_bytes(size, "big") == peer.exchange(ec.ECDH(), theirs.public_key())


@pytest.mark.parametrize(
    "name",
    ["brainpoolP256r1", *(pytest.param(n, marks=nightly) for n in ("prime256v1", "secp256k1"))],
)
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
        requests = [Request(Operation.MULTIPLY, (k,), point) for k in scalars]
        for k, result in zip(scalars, found.run(curve, requests), strict=True):
            wanted = curve.multiply(k, point)
            assert (result.status is Status.INFINITY) == (wanted is None)
            assert wanted is None or (result.x, result.y) == wanted, f"{k} on {curve.name}"


def request_of(operation: Operation, curve: Curve) -> Request:
    point = curve.x, curve.y
    return {
        Operation.MULTIPLY: Request(operation, (curve.n // 3,), point),
        Operation.SIGN: Request(operation, (curve.n // 3, curve.n // 5), (curve.n // 7,)),
        Operation.VERIFY: Request(operation, (curve.n // 3, curve.n // 5), (curve.n // 7, *point)),
        Operation.LADDER: Request(operation, (curve.n // 3,), (9, curve.n)),
    }[operation]


def check_limits(core: tuple[str, int, tuple[tuple[str, str], ...]]) -> None:
    found: Engine = engine(core[0], core[1], *core[2])
    for (operation, name), limit in LIMITS[core].items():
        curve = get_curve(name)
        if operation is Operation.VERIFY:
            curve = replace(curve, public=True)
        result = found.single(curve, request_of(operation, curve))
        assert result.status in (Status.OK, Status.SIGNATURE)
        assert result.cycles <= limit, f"{operation.name} on {name} over {core[0]}"


def test_cycles_over_smm() -> None:
    check_limits(("smm", 256, (("npe", "8"),)))


@nightly
@pytest.mark.parametrize("core", list(LIMITS)[1:], ids=lambda core: f"{core[0]}-{core[1]}")
def test_cycles_over_other_cores(core: tuple[str, int, tuple[tuple[str, str], ...]]) -> None:
    check_limits(core)
