# SPDX-License-Identifier: Apache-2.0
"""The curves of the RISC-V library: fields, points, signatures, statuses."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from riscv_tools import check_calls, curve_emulator
from signature_vectors import read_ecdsa_signatures, read_exchanges

from montcore.ecc.curves import get_curve
from montcore.verification.vectors import find_vectors
from montcore_riscv import curves
from montcore_riscv.calls import Call, random_operand
from montcore_riscv.curve_calls import (
    BAD_KEY,
    BAD_POINT,
    BAD_RANDOM,
    BAD_SIGNATURE,
    P256,
    P25519,
    CurveCalls,
    field_call,
    field_result,
    x25519_call,
)
from montcore_riscv.toolchain import SCHEDULES

nightly = pytest.mark.nightly
FIELDS = [f"mc_p256_{what}" for what in ("mul", "sqr", "add", "sub")]
LAZY = [f"mc_25519_{what}" for what in ("mul", "sqr", "add", "sub", "scale")]
under = curve_emulator


def of(curve: str, schedule: str = "pipelined") -> CurveCalls:
    return CurveCalls(under(schedule).program, curve)


# ---- fields -------------------------------------------------------------------------------------


def edges(p: int) -> list[int]:
    """Return numbers below 2^256 about every border of a field."""
    near = [0, p, 2 * p, 1 << 255, 1 << 256]
    near += [1 << bit for bit in (32, 64, 96, 128, 192, 224)]
    found = {value + change for value in near for change in (-39, -38, -20, -19, -2, -1, 0, 1, 2)}
    return sorted(value for value in found if 0 <= value < 1 << 256)


def field_calls(routine: str, count: int, seed: int, schedule: str) -> Iterator[tuple[Call, int]]:
    random, canonical = Random(f"{routine} {seed}"), routine in FIELDS
    p = P256 if canonical else P25519
    pairs = [(a, b) for a in edges(p) for b in edges(p)[:: 1 if schedule == "pipelined" else 5]]
    pairs += [(random_operand(random, 4), random_operand(random, 4)) for _ in range(count)]
    for a, b in pairs:
        if canonical:
            a, b = a % p, b % p
        same = random.choice(["", "", "a", "b"])
        call = field_call(under(schedule).program, routine, a, b, same)
        yield call, field_result(routine, a, b)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_arithmetic_of_the_fields_is_that_of_integers(schedule: str) -> None:
    for routine in FIELDS:
        count = check_calls(
            under(schedule), (call for call, _ in field_calls(routine, 1000, 0, schedule))
        )
        assert count > 1500
    for routine in LAZY:
        calls = list(field_calls(routine, 1000, 0, schedule))
        answers = under(schedule).run(call for call, _ in calls)
        for (call, wanted), answer in zip(calls, answers, strict=True):
            found = int.from_bytes(answer.memory, "little")
            assert answer.convention_kept and found % P25519 == wanted, call


@nightly
@pytest.mark.parametrize("routine", [*FIELDS, *LAZY])
def test_a_million_calls_of_each(routine: str) -> None:
    for seed in range(10):
        calls = list(field_calls(routine, 100_000, seed, "pipelined"))
        answers = under().run(call for call, _ in calls)
        for (call, wanted), answer in zip(calls, answers, strict=True):
            found = int.from_bytes(answer.memory, "little")
            assert answer.convention_kept, call
            assert (found if routine in FIELDS else found % P25519) == wanted, call


def test_constants_are_as_they_are_written() -> None:
    assert curves.CONSTANTS.read_text(encoding="utf-8") == curves.constants()


# ---- keys, secrets, signatures ------------------------------------------------------------------


def scalars(n: int, random: Random, count: int) -> list[int]:
    """Return private keys at both ends, those for which the last addition doubles, and others."""
    # The last digit is d for k = n + 2 d: then the last addition would add equal points.
    ends = [1, 2, 3, 15, 16, 31, 33, n // 2, n // 2 + 1]
    doubled = [n - 2 * d for d in (3, 19, 31)]
    return [*ends, *doubled, n - 1, n - 2, *(random.randrange(1, n) for _ in range(count))]


def whole_calls(calls: CurveCalls, scalar: list[int], random: Random) -> Iterator[Call]:
    n, size = calls.curve.n, calls.size
    for d in scalar:
        key, q = d.to_bytes(size, "big"), calls.coordinates(d)
        yield calls.public_key(key, q)
        other = random.randrange(1, n)
        secret = calls.coordinates(d * other % n)[:size]
        yield calls.ecdh(key, calls.coordinates(other), secret)
        digest = random.randbytes(random.choice([20, size, 64]))
        nonce = random.choice([d, random.randrange(1, n)])
        signature = calls.signature(digest, other, nonce)
        mine, public = other.to_bytes(size, "big"), calls.coordinates(other)
        for key_to_verify in (None, public):
            drawn = nonce.to_bytes(size, "big")
            yield calls.sign(digest, mine, drawn, signature, q=key_to_verify)
        yield calls.verify(signature, digest, public)
        broken = bytearray(signature)
        broken[random.randrange(2 * size)] ^= 1 << random.randrange(8)
        yield calls.verify(bytes(broken), digest, public, BAD_SIGNATURE)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("curve", curves.CURVES)
def test_keys_secrets_and_signatures_are_right(curve: str, schedule: str) -> None:
    calls, random = of(curve, schedule), Random(f"{curve} {schedule}")
    chosen = scalars(calls.curve.n, random, 4)
    if schedule != "pipelined":
        chosen = random.sample(chosen, 6)
    assert check_calls(under(schedule), whole_calls(calls, chosen, random)) == 6 * len(chosen)


@pytest.mark.parametrize("curve", curves.CURVES)
def test_multiples_of_one_point_and_sums_of_two_are_right(curve: str) -> None:
    calls, random = of(curve), Random(f"two {curve}")
    n, size = calls.curve.n, calls.size
    zeros, largest = bytes(2 * size), b"\xff" * size

    def number(value: int) -> bytes:
        return value.to_bytes(size, "big")

    made = []
    for d in scalars(n, random, 2):
        other = random.randrange(1, n)
        product = calls.coordinates(d * other % n)
        made.append(calls.multiply_point(number(d), calls.coordinates(other), product))
    some = [random.randrange(n) for _ in range(4)]
    # u a G + v b G; with b = 1 also without a second point.
    for a, b in ((1, 1), (1, n - 1), (5, 1), (some[0], some[1]), (some[2], 2 * some[2] % n)):
        for u, v in (
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
            (2, n - 1),
            (n - 1, n - 1),
            (some[2], some[3]),
        ):
            total = (u * a + v * b) % n
            wanted = calls.coordinates(total) if total else zeros
            points = [calls.coordinates(b), None] if b == 1 else [calls.coordinates(b)]
            for q in points:
                status = 0 if total else BAD_POINT
                parts = number(u), calls.coordinates(a), number(v), q
                made.append(calls.multiply_two(*parts, wanted, status))
    good, on, off = number(3), calls.coordinates(7), number(1) * 2
    for bad in (number(n), largest):
        made.append(calls.multiply_point(bad, on, zeros, BAD_KEY))
        made.append(calls.multiply_two(bad, on, good, on, zeros, BAD_KEY))
        made.append(calls.multiply_two(good, on, bad, on, zeros, BAD_KEY))
    made.append(calls.multiply_point(number(0), on, zeros, BAD_KEY))
    made.append(calls.multiply_point(good, off, zeros, BAD_POINT))
    made.append(calls.multiply_two(good, off, good, on, zeros, BAD_POINT))
    made.append(calls.multiply_two(good, on, good, off, zeros, BAD_POINT))
    assert check_calls(under(), made) == len(made)


@nightly
@pytest.mark.parametrize("curve", curves.CURVES)
def test_thousands_of_keys_secrets_and_signatures_are_right(curve: str) -> None:
    calls, random = of(curve), Random(curve)
    chosen = scalars(calls.curve.n, random, 2000)
    assert check_calls(under(), whole_calls(calls, chosen, random)) == 6 * len(chosen)


def test_some_key_needs_a_doubling_in_the_last_addition() -> None:
    """Keys k = n - 2 d with last digit -d exist, on P-384, so that the case above is met."""
    found = {}
    for name in curves.CURVES.values():
        n = get_curve(name).n
        last = {d: ((n - 2 * d) >> 1 & 31) * 2 - 31 for d in range(1, 32, 2)}
        found[name] = [d for d, digit in last.items() if digit == -d]
    assert found == {"P-256": [], "P-384": [19], "secp256k1": []}


def test_the_comb_never_adds_opposite_points_and_equal_ones_only_last() -> None:
    """Columns are odd and below 2^216; the argument is in multiply.c."""
    n = get_curve("P-256").n
    columns = [curves.comb_scalar(index) for index in range(1 << curves.TEETH - 1)]
    assert all(column & 1 and 0 < column < 1 << 216 for column in columns)
    # Before the last addition both are below n in magnitude, whatever the digits were.
    assert n // 2 + (1 << 216) + 2 * (1 << 216) < n
    assert n.bit_length() < curves.TEETH * curves.COLUMNS


def test_x25519_is_that_of_rfc_7748() -> None:
    program, random = under().program, Random(7748)
    borders = [value.to_bytes(32, "little") for value in edges(P25519)]
    pairs = [(random.randbytes(32), u) for u in borders]
    pairs += [(random.randbytes(32), random.randbytes(32)) for _ in range(20)]
    pairs += [(scalar, random.randbytes(32)) for scalar in borders[::5]]
    calls = [x25519_call(program, *pair) for pair in pairs]
    assert check_calls(under(), calls) == len(pairs)


def test_x25519_of_wycheproof() -> None:
    vectors = read_exchanges(find_vectors("wycheproof-x25519"))
    calls = [x25519_call(under().program, *vector) for vector in vectors]
    assert check_calls(under(), calls) == 177


def test_x25519_of_small_order_is_zero() -> None:
    """Whatever stands for zero in the field at the end: 0, p or 2 p."""
    vectors = read_exchanges(find_vectors("wycheproof-x25519"))
    small = sorted({u for _, u, secret in vectors if not any(secret)})
    assert len(small) > 10
    random = Random(8)
    calls = [
        x25519_call(under().program, random.randbytes(32), u, bytes(32))
        for u in small
        for _ in range(20)
    ]
    assert check_calls(under(), calls) == len(calls)


def test_a_thousand_rounds_of_rfc_7748() -> None:
    """Section 5.2: k and u are 9 at first; then u = k and k = the result."""
    k = u = (9).to_bytes(32, "little")
    calls = []
    for _ in range(1000):
        made = X25519PrivateKey.from_private_bytes(k).exchange(X25519PublicKey.from_public_bytes(u))
        calls.append(x25519_call(under().program, k, u, made))
        u, k = k, made
    assert k.hex() == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"
    assert check_calls(under(), calls) == 1000


def test_ecdsa_of_wycheproof_and_rfc_6979() -> None:
    seen = {"valid": 0, "invalid": 0}
    made = []
    for vector in read_ecdsa_signatures(find_vectors("wycheproof-ecdsa-p256")):
        if len(vector.signature) != 64:  # the routine takes 64 bytes
            assert vector.verdict == "invalid"
            continue
        seen[vector.verdict] += 1
        status = 0 if vector.verdict == "valid" else BAD_SIGNATURE
        q = b"".join(value.to_bytes(32, "big") for value in (vector.key.x, vector.key.y))
        digest = hashlib.new(vector.hash, vector.message).digest()
        made.append(of("p256").verify(vector.signature, digest, q, status))
    assert seen["valid"] == 173 and seen["invalid"] > 20
    names = {get_curve(name): variable for variable, name in curves.CURVES.items()}
    for vector in read_ecdsa_signatures(find_vectors("rfc6979-ecdsa")):
        variable = names.get(get_curve(vector.key.group), "")
        if variable and vector.key.d is not None:
            digest = hashlib.new(vector.hash, vector.message).digest()
            q = of(variable).coordinates(vector.key.d)
            made.append(of(variable).verify(vector.signature, digest, q))
            seen[variable] = seen.get(variable, 0) + 1
    assert seen["p256"] == seen["p384"] == 10
    assert check_calls(under(), made) == len(made)


# ---- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("curve", curves.CURVES)
def test_what_is_out_of_range_is_refused_and_leaves_zeros(curve: str) -> None:
    calls, random = of(curve), Random(curve)
    n, p, size = calls.curve.n, calls.curve.p, calls.size
    zeros, two = bytes(size), bytes(2 * size)
    good, q = (5).to_bytes(size, "big"), calls.coordinates(5)
    digest = random.randbytes(32)
    made = []
    largest = (1 << 8 * size) - 1
    for bad in (0, n, n + 1, largest):
        d = bad.to_bytes(size, "big")
        made.append(calls.public_key(d, two, BAD_KEY))
        made.append(calls.ecdh(d, q, zeros, BAD_KEY))
        made.append(calls.sign(digest, d, good, two, BAD_KEY))
        made.append(calls.sign(digest, d, good, two, BAD_KEY, q=q))
        # Numbers of the source that are out of range are drawn again.
        signature = calls.signature(digest, 5, 7)
        numbers = d + (7).to_bytes(size, "big")
        made.append(calls.sign(digest, good, numbers, signature, q=q))
        made.append(calls.sign(digest, good, d, two, BAD_RANDOM))
        for half in (0, 1):
            part = bytearray(signature)
            part[half * size : half * size + size] = d
            made.append(calls.verify(bytes(part), digest, q, BAD_SIGNATURE))
    # 64 numbers are drawn, no more.
    numbers = zeros * 64 + (7).to_bytes(size, "big")
    made.append(calls.sign(digest, good, numbers, two, BAD_RANDOM))
    x, y = (int.from_bytes(q[at : at + size], "big") for at in (0, size))
    bad_points = [(x, y ^ 1), (x ^ 2, y), (0, 0), (p, y), (x, p), (largest, largest)]
    bad_points += [(x + p, y)] if x + p <= largest else []
    for point in bad_points:
        encoded = b"".join(value.to_bytes(size, "big") for value in point)
        made.append(calls.ecdh(good, encoded, zeros, BAD_POINT))
        made.append(calls.verify(signature, digest, encoded, BAD_POINT))
        made.append(calls.sign(digest, good, (9).to_bytes(size, "big"), two, BAD_POINT, q=encoded))
    # Another key: what was made does not verify, and does not leave.
    wrong = calls.coordinates(6)
    numbers = (9).to_bytes(size, "big")
    made.append(calls.sign(digest, good, numbers, two, BAD_SIGNATURE, q=wrong))
    assert check_calls(under(), made) == len(made)


@pytest.mark.parametrize("curve", curves.CURVES)
def test_a_public_key_may_take_the_place_of_the_private_one(curve: str) -> None:
    calls = of(curve)
    call = calls.public_key((77).to_bytes(calls.size, "big"), calls.coordinates(77))
    q, _, address = call.arguments
    at = q - under().arena
    memory = bytearray(call.memory)
    memory[at : at + calls.size] = (77).to_bytes(calls.size, "big")
    in_place = replace(call, arguments=(q, q, address), memory=bytes(memory))
    assert check_calls(under(), [in_place]) == 1


@pytest.mark.parametrize("curve", curves.CURVES)
def test_results_at_infinity_and_equal_points_in_a_verification(curve: str) -> None:
    """u G + v Q with Q = G, Q = -G, u = 0 and a sum of infinity."""
    calls = of(curve)
    n, size = calls.curve.n, calls.size

    def encoded(*values: int) -> bytes:
        return b"".join(value.to_bytes(size, "big") for value in values)

    made = []
    for d in (1, n - 1, 2, n - 2, 3):
        q = calls.coordinates(d)
        for digest_number in (0, 1, 5, n - 1):
            digest = digest_number.to_bytes(size, "big")
            for k in (1, 2, 3, 9):
                signature = calls.signature(digest, d, k)
                if int.from_bytes(signature[size:], "big"):
                    made.append(calls.verify(signature, digest, q))
            # e = -r d: the sum is infinity for any s.
            infinite = (-7 * d % n).to_bytes(size, "big")
            made.append(calls.verify(encoded(7, 11), infinite, q, BAD_SIGNATURE))
    assert check_calls(under(), made) == len(made)
