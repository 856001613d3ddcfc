# SPDX-License-Identifier: Apache-2.0
"""The C driver on curves with a cofactor: published vectors, keys of any order, a locked key."""

import hashlib

import pytest
from curve_vectors import AGREED, ITERATED, LADDERS
from eddsa_reference import SCHEMES, signatures
from pka_bench import KEY_CURVE, KEY_POINT, OPERANDS, SLOT, Bench, bench_of, command, number
from signature_vectors import read_ecdsa_signatures, read_eddsa_signatures

from montcore.cores import get_core
from montcore.ecc.curves import get_curve
from montcore.ecc.edwards import montgomery
from montcore.ecc.nonce import nonces
from montcore.ecc.program import Operation
from montcore.soc.design import AcceleratorDesign
from montcore.support.paths import VECTORS_DIR

RANGE, NOT_ON, WRONG = 18, 19, 20
nightly = pytest.mark.nightly


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    core = get_core("smm").configure({"npe": "8"}, 256)
    return bench_of(tmp_path_factory.mktemp("pka"), AcceleratorDesign(None, core))


def test_x25519_of_rfc_7748(device: Bench) -> None:
    a, at, b, bt, shared = AGREED["x25519"]
    asked = [*LADDERS["x25519"], ITERATED["x25519"][0], (a, bt, shared), (b, at, shared)]
    found = device.run(["open", *(f"x25519 {k.hex()} {u.hex()}" for k, u, _ in asked)])
    assert [answer.said for answer in found[1:]] == [result.hex() for _, _, result in asked]


@pytest.mark.parametrize("count", [1, pytest.param(5, marks=nightly)])
def test_ed25519_of_rfc_8032(device: Bench, count: int) -> None:
    items = read_eddsa_signatures(VECTORS_DIR / "rfc8032-eddsa.txt")
    lines, wanted = ["open"], list[str]()
    for item in [item for item in items if item.key.scheme == "ed25519"][-count:]:
        public, signature = item.key.public, item.signature
        half = hashlib.sha512(item.key.seed).digest()
        secret, nonce = half[:32].hex(), hashlib.sha512(half[32:] + item.message).hexdigest()
        text = hashlib.sha512(signature[:32] + public + item.message).hexdigest()
        number = f"ednumber {secret} {nonce} {text} {public.hex()} {signature[:32].hex()}"
        lines += [f"edpublic {secret}", f"edpoint {nonce}", number]
        lines.append(f"edverify {public.hex()} {text} {signature.hex()}")
        wanted += [public.hex(), signature[:32].hex(), signature[32:].hex(), "0"]
    found = device.run(lines)[1:]
    assert [(answer.status, answer.said) for answer in found] == [(0, said) for said in wanted]


@pytest.mark.parametrize("count", [1, pytest.param(10, marks=nightly)])
def test_p256_of_rfc_6979(device: Bench, count: int) -> None:
    items = read_ecdsa_signatures(VECTORS_DIR / "rfc6979-ecdsa.txt")
    lines, wanted = ["open", "ec p256"], list[str]()
    for item in [item for item in items if item.key.group == "secp256r1"][:count]:
        d, digest = item.key.d or 0, hashlib.new(item.hash, item.message).digest()
        nonce = next(nonces(d, digest, get_curve("p-256").n, item.hash))
        lines.append(f"signec {d:x} {nonce:x} {digest.hex()}")
        wanted.append(f"{item.signature[:32].hex()} {item.signature[32:].hex()}")
    assert [answer.said for answer in device.run(lines)[2:]] == wanted


@pytest.mark.parametrize("count", [2, pytest.param(64, marks=nightly)])
def test_verification_is_the_equation_with_the_cofactor(device: Bench, count: int) -> None:
    """Keys and points R with components of small order, and encodings that are refused."""
    items = list(signatures("ed25519", count))
    lines = ["open"]
    for public, message, signature in items:
        text = hashlib.sha512(signature[:32] + public + message).hexdigest()
        lines.append(f"edverify {public.hex()} {text} {signature.hex()}")
    scheme = SCHEMES["ed25519"]
    for item, answer in zip(items, device.run(lines)[1:], strict=True):
        wanted = 0 if scheme.verifies(*item) else WRONG if scheme.decode(item[0]) else NOT_ON
        assert answer.status == wanted, [part.hex() for part in item]


def test_a_scalar_times_a_point_of_any_order_is_right_or_out_of_range(device: Bench) -> None:
    scheme, curve = SCHEMES["ed25519"], get_curve("ed25519")
    point = scheme.add(scheme.multiply(7, scheme.base), scheme.small()[3])
    x, y = (value * pow(point[2], -1, scheme.p) % scheme.p for value in point[:2])
    scalars = (2, curve.n, (1 << 255) - 2, 1 << 255, 8 * curve.n, (1 << 256) - 1)
    asked = [f"ecdh {k:x} {x:x} {y:x}" for k in scalars]
    found = device.run(["open", "ec ed25519", *asked, f"public {1 << 255 | 1:x}"])[2:]
    for k, answer in zip(scalars[:3], found, strict=False):
        u, v = (int(word, 16) for word in answer.said.split())
        assert answer.status == 0 and scheme.same((u, v, 1), scheme.multiply(k, point)), k
    for answer in found[3:]:
        assert (answer.status, set(answer.said)) == (RANGE, {"0", " "})


def test_the_order_that_blinds_a_locked_x25519_key_is_the_key_s_own(device: Bench) -> None:
    """A caller says whether u is the twist's; after any other number no result is written."""
    form = montgomery("x25519")
    curve, k = form.curve, form.scalar(bytes(range(32)))
    on_curve = next(u for u in range(10, 99) if not form.on_twist(u))
    on_twist = next(u for u in range(10, 99) if form.on_twist(u))
    asked = [(on_curve, 0), (on_twist, 1), (on_curve, 1), (on_twist, 0)]
    others = (2, curve.n, curve.b, 8 * curve.n, curve.p - 1, curve.p, 1 << 254)
    asked += [(on_curve, t) for t in others]
    lines = ["open", "ec curve25519", f"lockec {k:x} 2", *command(KEY_CURVE)]
    first = len(lines)
    for u, t in asked:
        lines += [*number(OPERANDS, u, 256), *number(OPERANDS + SLOT, t, 256)]
        lines += command(KEY_POINT, x=14, y=0, z=5, operation=Operation.LADDER)
        lines += [f"r {OPERANDS + 5 * SLOT + 4 * place:x}" for place in range(8)]
    found = device.run(lines)
    step = (len(lines) - first) // len(asked)
    for at, (u, t) in enumerate(asked):
        answers = found[first + at * step :][:step]
        error = 0 if at < 2 else NOT_ON if at < 4 else RANGE
        assert answers[-9].value == error, (u, t)
        result = sum(answer.value << 32 * place for place, answer in enumerate(answers[-8:]))
        assert result == curve.ladder(k, u if at < 2 else on_twist), (u, t)
