# SPDX-License-Identifier: Apache-2.0
"""Curves by driver and bus: published vectors, OpenSSL, keys of any order, faults, cycles."""

import hashlib
import random

import pka_bench as pka
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import (
    Prehashed,
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from curve_vectors import AGREED, ITERATED, LADDERS
from eddsa_reference import SCHEMES, signatures
from pka_bench import PkaAnswer, PkaBench, bench_of, command, number, result, slot_at, write
from signature_vectors import read_ecdsa_signatures, read_eddsa_signatures

from montcore.cores import get_core
from montcore.ecc.curves import get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.edwards import edwards, montgomery
from montcore.ecc.engine import Engine, EngineRequest
from montcore.ecc.keys import EcPrivateKey, EcPublicKey
from montcore.ecc.operations import nonces
from montcore.ecc.program import Operation
from montcore.soc.design import AcceleratorDesign
from montcore.soc.held import held_curve
from montcore.support.paths import VECTORS_DIR

nightly = pytest.mark.nightly
BAD_KEY, BAD_LENGTH, INFINITY, RANGE, NOT_ON, WRONG = 10, 9, 17, 18, 19, 20
BAD_CALL, FAULT = 32, 37
ZEROS = " ".join(["0" * 64] * 2)
RESULT = slot_at(5)  # where an operation's x is; y is in the next slot
CORE = get_core("smm").configure({"npe": "8"}, 256)
CURVES = {
    "p256": ec.SECP256R1(),
    "secp256k1": ec.SECP256K1(),
    "brainpool_p256r1": ec.BrainpoolP256R1(),
}
HASH = hashlib.sha256(b"letter").digest()
D, K = (random.Random(1).randrange(1, get_curve("p-256").n) for _ in range(2))


@pytest.fixture(scope="module", params=pka.BUILDS)
def device(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> PkaBench:
    return bench_of(tmp_path_factory.mktemp("pka"), AcceleratorDesign(None, CORE), request.param)


def pair(answer: PkaAnswer) -> tuple[int, int]:
    first, second = (int(word, 16) for word in answer.said.split())
    return first, second


def accepted(key: ec.EllipticCurvePublicKey, signature: tuple[int, int], digest: bytes) -> bool:
    """Return whether OpenSSL accepts a signature."""
    try:
        key.verify(encode_dss_signature(*signature), digest, ec.ECDSA(Prehashed(hashes.SHA256())))
    except InvalidSignature:
        return False
    return True


def public_of(curve: str, d: int) -> ec.EllipticCurvePublicKey:
    return ec.derive_private_key(d, CURVES[curve]).public_key()


def words(key: ec.EllipticCurvePublicKey) -> str:
    point = key.public_numbers()
    return f"{point.x:x} {point.y:x}"


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.one_in(6)
def test_signatures_and_secrets_are_those_of_openssl(device: PkaBench, curve: str) -> None:
    key = ec.derive_private_key(D, CURVES[curve])
    r, s = decode_dss_signature(key.sign(HASH, ec.ECDSA(Prehashed(hashes.SHA256()))))
    own = f"{words(key.public_key())} {HASH.hex()}"
    peer = ec.derive_private_key(K, CURVES[curve]).public_key()
    lines = ["open", f"ec {curve}", f"public {D:x}", f"signec {D:x} {K:x} {HASH.hex()}"]
    lines += [f"signec {D:x} 0 {HASH.hex()}", f"verify {own} {r:x} {s:x}"]
    lines += [f"verify {own} {r:x} {s ^ 1:x}", f"ecdh {D:x} {words(peer)}"]
    found = device.run(lines)
    assert [answer.status for answer in found] == [0, 0, 0, 0, 0, 0, WRONG, 0]
    assert words(key.public_key()) == " ".join(f"{word:x}" for word in pair(found[2]))
    signatures = [pair(answer) for answer in found[3:5]]
    assert all(accepted(key.public_key(), item, HASH) for item in signatures)
    assert signatures[0] != signatures[1]
    assert pair(found[7])[0] == int.from_bytes(key.exchange(ec.ECDH(), peer), "big")
    if curve == "p256":
        nonce = get_curve("p-256").multiply(K, get_curve("p-256").base) or (0, 0)
        assert signatures[0][0] == nonce[0]


def test_hashes_of_any_length_sign_their_leftmost_bits(device: PkaBench) -> None:
    key, lines, digests = public_of("p256", D), ["open"], []
    for name in ("sha1", "sha512"):  # a hash as long as the order is signed above
        digests.append(hashlib.new(name, b"letter").digest())
        lines.append(f"signec {D:x} {K:x} {digests[-1].hex()}")
    for digest, answer in zip(digests, device.run(lines)[1:], strict=True):
        assert accepted(key, pair(answer), digest[:32].rjust(32, bytes(1)))


def test_x25519_of_rfc_7748(device: PkaBench) -> None:
    a, at, b, bt, shared = AGREED["x25519"]
    asked = [*LADDERS["x25519"], ITERATED["x25519"][0], (a, bt, shared), (b, at, shared)]
    found = device.run(["open", *(f"x25519 {k.hex()} {u.hex()}" for k, u, _ in asked)])
    assert [answer.said for answer in found[1:]] == [result.hex() for _, _, result in asked]


def test_x25519_is_that_of_openssl(device: PkaBench) -> None:
    rng = random.Random(2)
    lines, wanted = ["open"], []
    for _ in range(3):
        secret, other = X25519PrivateKey.from_private_bytes(rng.randbytes(32)), rng.randbytes(32)
        lines.append(f"x25519 {secret.private_bytes_raw().hex()} {other.hex()}")
        wanted.append(secret.exchange(X25519PublicKey.from_public_bytes(other)).hex())
    high = (2**255 - 19 + 9).to_bytes(32, "little")  # the base point, not reduced
    lines.append(f"x25519 {secret.private_bytes_raw().hex()} {high.hex()}")
    lines.append(f"x25519 {'01' * 32} {'00' * 32}")
    wanted.append(secret.public_key().public_bytes_raw().hex())
    found = device.run(lines)[1:]
    assert [answer.said for answer in found[:-1]] == wanted
    assert (found[-1].status, found[-1].said) == (INFINITY, "00" * 32)


def verified(public: bytes, message: bytes, signature: bytes) -> str:
    """Return the line that verifies a signature of Ed25519."""
    text = hashlib.sha512(signature[:32] + public + message).hexdigest()
    return f"edverify {public.hex()} {text} {signature.hex()}"


def signed(
    seed: bytes, public: bytes, message: bytes, signature: bytes
) -> tuple[list[str], list[str]]:
    """Return the lines that make a key of Ed25519, sign in two steps and verify; the answers."""
    half, point = hashlib.sha512(seed).digest(), signature[:32]
    secret, nonce = half[:32].hex(), hashlib.sha512(half[32:] + message).hexdigest()
    text = hashlib.sha512(point + public + message).hexdigest()
    number = f"ednumber {secret} {nonce} {text} {public.hex()} {point.hex()}"
    made = [f"edpublic {secret}", f"edpoint {nonce}", number]
    answers = [public.hex(), signature[:32].hex(), signature[32:].hex(), "0"]
    return [*made, verified(public, message, signature)], answers


def check_signed(device: PkaBench, *keys: tuple[bytes, bytes, bytes, bytes]) -> list[str]:
    """Check what `signed` says of some keys, and return the lines."""
    parts = [signed(*key) for key in keys]
    lines = [line for asked, _ in parts for line in asked]
    found = device.run(["open", *lines])[1:]
    wanted = [(0, said) for _, answers in parts for said in answers]
    assert [(answer.status, answer.said) for answer in found] == wanted
    return lines


@pytest.mark.nightly  # every run has RFC 8032 in test_ecc_vectors.py
def test_ed25519_is_that_of_openssl(device: PkaBench) -> None:
    rng = random.Random(4)
    keys = []
    for size in (0, 100):
        key, message = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)), rng.randbytes(size)
        public, signature = key.public_key().public_bytes_raw(), key.sign(message)
        keys.append((key.private_bytes_raw(), public, message, signature))
    lines = check_signed(device, *keys)
    number, _, point = lines[-2].rpartition(" ")
    text = lines[-1].split()[2]
    # The point or the public key of another one, and a fault in the number or in the point's check.
    other = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)).public_key().public_bytes_raw()
    faults = [f"{number} {public.hex()}", number.replace(public.hex(), other.hex()) + f" {point}"]
    for count in (1, 2):
        faults += [f"fault {RESULT:x} {count}", f"{number} {point}"]
    found = device.run(["open", *faults, f"{number} {point}"])
    assert {(found[at].status, found[at].said) for at in (1, 2, 4, 6)} == {(FAULT, "0" * 64)}
    assert found[-1].said == signature[32:].hex()
    order = get_curve("ed25519").n
    late = (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    encodings = (y.to_bytes(32, "little") for y in range(2, 99))
    no_point = next(point for point in encodings if edwards("ed25519").decode(point) is None)
    wrong = {
        f"edverify {public.hex()} {'00' * 64} {signature.hex()}": WRONG,
        f"edverify {public.hex()} {text} {(signature[:32] + late).hex()}": WRONG,
        f"edverify {no_point.hex()} {text} {signature.hex()}": NOT_ON,
        f"edverify {'ff' * 31}7f {text} {signature.hex()}": NOT_ON,
        f"edverify {public[:31].hex()}{public[31] ^ 128:02x} {text} {signature.hex()}": WRONG,
    }
    assert [answer.status for answer in device.run(["open", *wrong])[1:]] == list(wrong.values())


@pytest.mark.parametrize("count", [1, pytest.param(5, marks=nightly)])
def test_ed25519_of_rfc_8032(device: PkaBench, count: int) -> None:
    items = read_eddsa_signatures(VECTORS_DIR / "rfc8032-eddsa.txt")
    chosen = [item for item in items if item.key.scheme == "ed25519"][-count:]
    keys = [(item.key.seed, item.key.public, item.message, item.signature) for item in chosen]
    check_signed(device, *keys)


@pytest.mark.parametrize("count", [1, pytest.param(10, marks=nightly)])
def test_p256_of_rfc_6979(device: PkaBench, count: int) -> None:
    items = read_ecdsa_signatures(VECTORS_DIR / "rfc6979-ecdsa.txt")
    lines, wanted = ["open", "ec p256"], list[str]()
    for item in [item for item in items if item.key.group == "secp256r1"][:count]:
        d, digest = item.key.d or 0, hashlib.new(item.hash, item.message).digest()
        nonce = next(nonces(d, digest, get_curve("p-256").n, item.hash))
        lines.append(f"signec {d:x} {nonce:x} {digest.hex()}")
        wanted.append(f"{item.signature[:32].hex()} {item.signature[32:].hex()}")
    assert [answer.said for answer in device.run(lines)[2:]] == wanted


@pytest.mark.parametrize("count", [2, pytest.param(64, marks=nightly)])
def test_verification_is_the_equation_with_the_cofactor(device: PkaBench, count: int) -> None:
    """Keys and points R with components of small order, and encodings that are refused."""
    items = list(signatures("ed25519", count))
    lines = ["open", *(verified(*item) for item in items)]
    scheme = SCHEMES["ed25519"]
    for item, answer in zip(items, device.run(lines)[1:], strict=True):
        wanted = 0 if scheme.verifies(*item) else WRONG if scheme.decode(item[0]) else NOT_ON
        assert answer.status == wanted, [part.hex() for part in item]


def test_a_scalar_times_a_point_of_any_order_is_right_or_out_of_range(device: PkaBench) -> None:
    scheme, curve = SCHEMES["ed25519"], get_curve("ed25519")
    point = scheme.add(scheme.multiply(7, scheme.base), scheme.small()[3])
    x, y = (value * pow(point[2], -1, scheme.p) % scheme.p for value in point[:2])
    scalars = (2, curve.n, (1 << 255) - 2, 1 << 255, 8 * curve.n, (1 << 256) - 1)
    asked = [f"ecdh {k:x} {x:x} {y:x}" for k in scalars]
    found = device.run(["open", "ec ed25519", *asked, f"public {1 << 255 | 1:x}"])[2:]
    for k, answer in zip(scalars[:3], found, strict=False):
        same = scheme.same((*pair(answer), 1), scheme.multiply(k, point))
        assert answer.status == 0 and same, k
    for answer in found[3:]:
        assert (answer.status, set(answer.said)) == (RANGE, {"0", " "})


def test_the_order_that_blinds_a_locked_x25519_key_is_the_key_s_own(device: PkaBench) -> None:
    """A caller says whether u is the twist's; after any other number no result is written."""
    form = montgomery("x25519")
    curve, k = form.curve, form.scalar(bytes(range(32)))
    on_curve = next(u for u in range(10, 99) if not form.on_twist(u))
    on_twist = next(u for u in range(10, 99) if form.on_twist(u))
    asked = [(on_curve, 0), (on_twist, 1), (on_curve, 1), (on_twist, 0)]
    others = (2, curve.n, curve.b, 8 * curve.n, curve.p - 1, curve.p, 1 << 254)
    asked += [(on_curve, t) for t in others]
    lines = ["open", "ec curve25519", f"lockec {k:x} 2", *command(pka.KEY_CURVE)]
    first = len(lines)
    for u, t in asked:
        lines += [*number(slot_at(0), u, 256), *number(slot_at(1), t, 256)]
        lines += command(pka.KEY_POINT, x=14, y=0, z=5, operation=Operation.LADDER)
        lines += result(256, 5)
    found = device.run(lines)
    step = (len(lines) - first) // len(asked)
    for at, (u, t) in enumerate(asked):
        answers = found[first + at * step :][:step]
        error = 0 if at < 2 else NOT_ON if at < 4 else RANGE
        assert answers[-9].value == error, (u, t)
        assert pka.joined(answers[-8:]) == curve.ladder(k, u if at < 2 else on_twist), (u, t)


def test_a_key_that_is_locked_or_drawn_signs_agrees_and_is_never_shown(device: PkaBench) -> None:
    peer = public_of("p256", K)
    use = ["keypublic", f"keysign {HASH.hex()}", f"keysign {HASH.hex()}", f"keyagree {words(peer)}"]
    x25519 = f"x25519 {'05' * 32} {'09' + '00' * 31}"
    reads = [f"r {slot_at(8 + at) + 4 * word:x}" for at in range(8) for word in range(8)]
    locked = ["open", "ec p256", f"lockec {D:x} 3", *use, x25519, *use, *reads]
    locked += [f"lockec {K:x} 3", "drawec 3", f"signec {D:x} {K:x} {HASH.hex()}", f"public {K:x}"]
    found = device.run(locked)
    assert {answer.status for answer in found[:12]} == {0}
    for at in (3, 8):
        assert pair(found[at]) == pair(device.run(["open", "ec p256", f"public {D:x}"])[2])
        own = public_of("p256", D)
        signatures = [pair(answer) for answer in found[at + 1 : at + 3]]
        assert all(accepted(own, item, HASH) for item in signatures)
        assert signatures[0][0] != signatures[1][0]
        secret = ec.derive_private_key(D, CURVES["p256"]).exchange(ec.ECDH(), peer)
        assert pair(found[at + 3])[0] == int.from_bytes(secret, "big")
    assert {(answer.status, answer.value) for answer in found[12:76]} == {(2, 0)}
    assert [answer.status for answer in found[76:]] == [BAD_KEY] * 3 + [0]
    # Opened again, the key is still there; a curve that does not fit a key finds none.
    again = ["open", "keypublic", "ec p256", "adopt", *use]
    found = device.run([*locked[:3], *again, "zeroize", *use, "adopt"])[3:]
    assert [answer.status for answer in found[:4]] == [0, BAD_KEY, 0, 0]
    assert {answer.status for answer in found[4:9]} == {0}
    assert {answer.status for answer in found[9:]} == {BAD_KEY}
    drawn = device.run(["open", "ec p256", "drawec 1", *use])
    assert [answer.status for answer in drawn] == [0] * 6 + [BAD_KEY]
    x, y = pair(drawn[3])
    own = ec.EllipticCurvePublicNumbers(x, y, CURVES["p256"]).public_key()
    assert all(accepted(own, pair(answer), HASH) for answer in drawn[4:6])


def test_what_cannot_be_done_says_why_and_leaves_no_result(device: PkaBench) -> None:
    n = get_curve("p-256").n
    key = public_of("p256", D).public_numbers()
    good = f"{words(public_of('p256', D))} {HASH.hex()}"
    asked = {
        f"ecdh {D:x} {key.x:x} {key.y ^ 1:x}": NOT_ON,
        f"ecdh 0 {key.x:x} {key.y:x}": INFINITY,
        f"ecdh {n:x} {key.x:x} {key.y:x}": INFINITY,
        f"public {0:x}": INFINITY,
        f"signec 0 {K:x} {HASH.hex()}": RANGE,
        f"signec {n:x} {K:x} {HASH.hex()}": RANGE,
        f"signec {D:x} {n:x} {HASH.hex()}": RANGE,
        f"verify {good} 0 1": RANGE,
        f"verify {good} 1 {n:x}": RANGE,
        f"verify {key.x:x} {key.y ^ 1:x} {HASH.hex()} 1 1": NOT_ON,
        f"verify {good} 1 1": WRONG,
        "keypublic": BAD_KEY,
        f"keysign {HASH.hex()}": BAD_KEY,
        f"lockec {D:x} 0": BAD_CALL,
        **{f"lockec {d:x} 3": RANGE for d in (0, n, (1 << 256) - 1)},
        "adopt": BAD_KEY,
        "drawec 4": BAD_CALL,
        "ec p384": BAD_LENGTH,
    }
    found = device.run(["open", "ec p256", *asked, "ec p256", f"public {1:x}"])
    assert [answer.status for answer in found[2:-2]] == list(asked.values())
    for line, answer in zip(asked, found[2:], strict=False):
        if line.split()[0] in ("ecdh", "public", "signec"):
            assert answer.said == ZEROS, line
    base = get_curve("p-256").base
    assert base is not None and pair(found[-1]) == base


def check_flips(device: PkaBench, before: list[str], sign: str, every: int) -> None:
    """Flip a bit of a word that the driver reads or writes: no wrong signature is released."""
    key = public_of("p256", D)
    start = ["open", "ec p256", *before, "interrupt 120000"]
    found = device.run([*start, "total", sign, "total"])
    accesses = int(found[-1].said.split()[1]) - int(found[-3].said.split()[1])
    lines = []
    for at in range(1, accesses + 1, every):
        lines += [*start, f"flip {at}", sign, "flip 0", "zeroize"]
    answers = device.run(["open", *lines])[len(start) + 2 :: len(start) + 4]
    for at, answer in enumerate(answers):
        if answer.status == 0:
            assert accepted(key, pair(answer), HASH), (1 + at * every, answer.said)
        else:
            assert answer.said == ZEROS, (1 + at * every, answer.status)
    assert FAULT in {answer.status for answer in answers}


def test_a_signature_with_a_fault_is_never_released(device: PkaBench) -> None:
    # A word of r, of s and of the public key as they are read, then one of r as it is verified.
    sign = f"signec {D:x} {K:x} {HASH.hex()}"
    faults = [(RESULT, 1), (RESULT + pka.SLOT, 1), (RESULT, 2), (RESULT + 4, 1)]
    lines = ["open", "ec p256"]
    for address, count in faults:
        lines += [f"fault {address:x} {count}", sign, "fault 0 0"]
    found = device.run([*lines, sign])
    assert {(a.status, a.said) for a in found[3:-1:3]} == {(FAULT, ZEROS)}
    assert accepted(public_of("p256", D), pair(found[-1]), HASH)
    check_flips(device, [], sign, 74)


def test_a_locked_key_that_changed_signs_nothing(device: PkaBench) -> None:
    sign = f"keysign {HASH.hex()}"
    # Another key, behind the driver's back; its curve is loaded.
    raw = [write(pka.CONTROL, 1), f"idle {pka.LIMIT}"]
    point = public_of("p256", D ^ 1).public_numbers()
    other = EcPrivateKey(EcPublicKey(get_curve("p-256"), point.x, point.y), D ^ 1)
    raw += [write(*word) for word in held_curve(other).writes]
    raw += [f"idle {pka.LIMIT}", write(pka.COMMAND, pka.KEY_CURVE), f"idle {pka.LIMIT}"]
    lines = ["open", "ec p256", f"lockec {D:x} 1", sign, *raw, sign, sign, "adopt", sign]
    found = device.run(lines)
    assert accepted(public_of("p256", D), pair(found[3]), HASH)
    assert {(answer.status, answer.said) for answer in found[-4:-2]} == {(FAULT, ZEROS)}
    assert accepted(public_of("p256", D ^ 1), pair(found[-1]), HASH)


@nightly
@pytest.mark.parametrize("locked", [False, True])
def test_a_flip_of_any_word_on_the_bus_releases_no_wrong_signature(
    device: PkaBench, locked: bool
) -> None:
    if locked:
        check_flips(device, [f"lockec {D:x} 1", "keypublic"], f"keysign {HASH.hex()}", 1)
    else:
        check_flips(device, [], f"signec {D:x} {K:x} {HASH.hex()}", 1)


@pytest.mark.nightly  # every run has the engine's cycles in test_ecc_curves.py
def test_an_operation_with_bus_and_driver_takes_little_more_than_the_engine(
    device: PkaBench,
) -> None:
    curve, engine = get_curve("p-256"), Engine(EngineDesign(CORE))
    key = words(public_of("p256", D))
    number, point = int.from_bytes(HASH, "big"), curve.multiply(D, curve.base) or (0, 0)
    r = (curve.multiply(K, curve.base) or (0, 0))[0]
    s = pow(K, -1, curve.n) * (number + r * D) % curve.n
    asked = {
        f"verify {key} {HASH.hex()} {r:x} {s:x}": None,
        f"ecdh {D:x} {key}": EngineRequest(Operation.MULTIPLY, (D,), point),
        f"public {D:x}": EngineRequest(Operation.BASE, (D,)),
        f"signec {D:x} {K:x} {HASH.hex()}": EngineRequest(Operation.SIGN, (K, D), (number,)),
        f"keysign {HASH.hex()}": None,
    }
    *others, sign, locked = asked
    lines = ["open", "ec p256", "spent", *(line for item in others for line in (item, "spent"))]
    for unverified in (1, 0):
        lines += [f"unverified {unverified}", "zeroize", "ec p256", "spent", sign, "spent"]
        lines += [f"lockec {K:x} 1", "keypublic", "spent", locked, "spent"]
    found = dict(enumerate(device.run(lines)))
    spent = [int(found[at].said.split()[0]) for at, line in enumerate(lines) if line == "spent"]
    totals = [*spent[1:4], spent[5], spent[7], spent[9], spent[11]]
    names = [line.split()[0] for line in (*others, *(sign, locked) * 2)]
    requests = [*asked.values(), *list(asked.values())[3:]]
    bare = [engine.single(curve, item).cycles if item else 0 for item in requests]
    for name, total, alone in zip(names, totals, bare, strict=True):
        print(f"{name}: {total} cycles, {alone} of the engine alone")
    check, ecdh, public, signed, with_key, *released = totals
    assert ecdh < 1.05 * bare[1] and public < 1.05 * bare[2] and signed < 1.05 * bare[3]
    assert with_key < 60_000 and check < 120_000
    # What is verified before it is released; of a locked key the public key is known.
    assert released[0] < 1.01 * (signed + public + check)
    assert released[1] < 1.01 * (with_key + check)
