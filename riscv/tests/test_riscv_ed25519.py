# SPDX-License-Identifier: Apache-2.0
"""Ed25519 of the RISC-V library: vectors, statuses, verification to the letter, time and memory."""

from collections.abc import Iterator
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from eddsa_reference import SCHEMES, signatures
from riscv_tools import check_calls, curve_emulator, machine, secret_words, symbolic
from signature_vectors import read_eddsa_signatures

from montcore.verification.vectors import find_vectors
from montcore_riscv.bench import cycles_of
from montcore_riscv.calls import Call
from montcore_riscv.curve_calls import BAD_HASH, BAD_POINT, BAD_SIGNATURE, OK, Ed25519Calls
from montcore_riscv.words import Word

SCHEME = SCHEMES["ed25519"]
SIGN = ("mc_ed25519_sign", "mc_ed25519_sign_unverified")


def of() -> Ed25519Calls:
    return Ed25519Calls(curve_emulator().program)


def verdict(public: bytes, message: bytes, signature: bytes) -> int:
    """Return the status: R must be the encoding of S B - k A."""
    s, a = int.from_bytes(signature[32:], "little"), SCHEME.decode(public)
    if s >= SCHEME.n:
        return BAD_SIGNATURE
    if a is None:
        return BAD_POINT
    k = SCHEME.challenge(signature[:32], public, message) % SCHEME.n
    minus = (SCHEME.p - a[0], *a[1:])
    found = SCHEME.add(SCHEME.multiply(s, SCHEME.base), SCHEME.multiply(k, minus))
    return OK if SCHEME.encode(found) == signature[:32] else BAD_SIGNATURE


def whole_calls(
    calls: Ed25519Calls, seed: bytes, message: bytes, public: bytes, signature: bytes
) -> Iterator[Call]:
    yield calls.public_key(seed, public)
    for name in SIGN:
        yield calls.sign(name, seed, message, signature)
    yield calls.verify(signature, message, public)


def test_signatures_of_rfc_8032() -> None:
    made: list[Call] = []
    for vector in read_eddsa_signatures(find_vectors("rfc8032-eddsa")):
        if vector.key.scheme.lower() == "ed25519":
            key = vector.key
            made += whole_calls(of(), key.seed, vector.message, key.public, vector.signature)
    assert len(made) == 5 * 4
    assert check_calls(curve_emulator(), made) == len(made)


@pytest.mark.parametrize("schedule", ["pipelined", "iterative", "small"])
def test_keys_and_signatures_are_those_of_another_library(schedule: str) -> None:
    random, calls = Random(schedule), Ed25519Calls(curve_emulator(schedule).program)
    made: list[Call] = []
    for length in (0, 1, *range(46, 66), 111, 112, 128, 300):
        seed, message = random.randbytes(32), random.randbytes(length)
        key = Ed25519PrivateKey.from_private_bytes(seed)
        signature, public = key.sign(message), key.public_key().public_bytes_raw()
        made += whole_calls(calls, seed, message, public, signature)
        for at in (0, 31, 32, 63):
            broken = bytearray(signature)
            broken[at] ^= 1 << random.randrange(8)
            status = verdict(public, message, bytes(broken))
            made.append(calls.verify(bytes(broken), message, public, status))
    assert check_calls(curve_emulator(schedule), made) == len(made)


def test_a_verification_follows_its_equation_to_the_letter() -> None:
    """Keys and R with and of small order, other encodings, S at its limit."""
    calls, made, seen = of(), [], set[int]()
    for public, message, signature in signatures("ed25519", 40):
        for s in (signature[32:], bytes(32), SCHEME.n.to_bytes(32, "little"), b"\xff" * 32):
            changed = signature[:32] + s
            status = verdict(public, message, changed)
            seen.add(status)
            made.append(calls.verify(changed, message, public, status))
    assert seen == {OK, BAD_SIGNATURE, BAD_POINT}
    assert check_calls(curve_emulator(), made) == len(made)


def test_a_hash_function_that_fails_leaves_zeros() -> None:
    calls, seed = of(), bytes(range(32))
    made = [calls.public_key(seed, bytes(32), BAD_HASH, fails=True)]
    made += [calls.sign(name, seed, b"abc", bytes(64), BAD_HASH, fails=True) for name in SIGN]
    made.append(calls.verify(bytes(64), b"abc", bytes(32), BAD_HASH, fails=True))
    assert check_calls(curve_emulator(), made) == 4


def test_no_branch_and_no_address_depends_on_the_seed_and_nothing_of_it_is_left() -> None:
    calls, seed = of(), bytes(range(32))
    signature = Ed25519PrivateKey.from_private_bytes(seed).sign(b"message.")
    call = calls.sign(SIGN[1], seed, b"message.", signature)
    run = symbolic(curve_emulator().program, call, [(call.arguments[3], 32)], 8)
    assert isinstance(run.get(call.arguments[0], 1)[0], Word)
    assert not run.stack_secrets()
    left = secret_words(run)
    for address, size in ((call.arguments[3], 32), (call.arguments[0], 64)):
        left -= set(range(address, address + size, 4))
    assert not left


@pytest.mark.parametrize("count", [2, pytest.param(1000, marks=pytest.mark.nightly)])
def test_cycles_do_not_depend_on_the_seed(count: int) -> None:
    core, random = machine("vexriscv", curves=True), Random(5)
    calls, made = Ed25519Calls(core.program), []
    for _ in range(count):
        seed, message = random.randbytes(32), random.randbytes(40)
        signature = Ed25519PrivateKey.from_private_bytes(seed).sign(message)
        made.append(calls.sign(SIGN[1], seed, message, signature))
    assert len(set(cycles_of(core, made, 1))) == 1
