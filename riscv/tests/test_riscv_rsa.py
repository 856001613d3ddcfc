# SPDX-License-Identifier: Apache-2.0
"""RSA of the RISC-V library: operations, signatures, statuses, the check against faults."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from riscv_rsa import (
    BAD_HASH,
    BAD_KEY,
    BAD_LENGTH,
    BAD_MODULUS,
    BAD_RANDOM,
    BAD_SIGNATURE,
    BAD_WORK,
    BLIND,
    FAULT,
    HASHES,
    OUT_OF_RANGE,
    PARTS,
    RsaCall,
    RsaNumbers,
    failing,
    made_key,
    placed,
    pss_block,
    work_words,
)
from riscv_tools import check_calls, rsa_emulator
from signature_vectors import read_rsa_signatures

from montcore_riscv.toolchain import SCHEDULES

nightly = pytest.mark.nightly
VECTORS = Path(__file__).parents[2] / "vectors"
DIGEST = hashlib.sha256(b"message").digest()
#: The hash objects of `HASHES`.
OBJECTS = (hashes.SHA256(), hashes.SHA384(), hashes.SHA512())


def check(wanted: list[RsaCall], schedule: str = "pipelined") -> None:
    under = rsa_emulator(schedule)
    calls = (placed(under.program, item).call for item in wanted)
    assert check_calls(under, calls) == len(wanted)


def as_bytes(key: RsaNumbers, value: int) -> bytes:
    return value.to_bytes(key.size, "big")


def public(key: RsaNumbers, value: int) -> RsaCall:
    result = as_bytes(key, pow(value, key.e, key.n))
    return RsaCall("public", key, as_bytes(key, value), result)


def private(key: RsaNumbers, value: int) -> RsaCall:
    return RsaCall("private", key, as_bytes(key, value), as_bytes(key, key.private(value)))


def operations(key: RsaNumbers) -> Iterator[RsaCall]:
    random = Random(key.n)
    for value in (random.randrange(key.n), random.randrange(key.n), 0, 1, key.n - 1, key.p):
        blind = random.choice((random.randbytes(16), bytes(16), b"\xff" * 16))
        numbers = {name: bytes(3) + key.number(name) for name in ("n", "e", *PARTS)}
        yield replace(public(key, value), in_place=value < 2, numbers=numbers if value else None)
        yield replace(
            private(key, value),
            random=blind,
            in_place=value < 2,
            numbers=numbers if value == 1 else None,
        )


# ---- operations ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bits",
    [
        1024,
        1025,
        1087,
        1088,
        1152,
        2048,
        3072,
        *(pytest.param(n, marks=nightly) for n in (2047, 4096)),
    ],
)
def test_operations_are_those_of_the_key(bits: int) -> None:
    check([*operations(made_key(bits))])


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("e", [3, 17, 0x1_0000_0001, (1 << 256) - 189])
def test_public_exponents_of_all_forms(e: int, schedule: str) -> None:
    check([*operations(made_key(1024, 1, e))], schedule)


@nightly
def test_every_length_from_1024_to_1160_bits() -> None:
    for bits in range(1024, 1161):
        check([*operations(made_key(bits))][:4])


# ---- signatures ---------------------------------------------------------------------------------


@cache
def recovered(n: int, e: int, d: int) -> RsaNumbers:
    p, q = rsa.rsa_recover_prime_factors(n, e, d)
    return RsaNumbers.of(p, q, e)


def test_published_signatures_are_made() -> None:
    calls = []
    for vector in read_rsa_signatures(VECTORS / "wycheproof-rsa-2048.txt"):
        if vector.hash in HASHES:
            assert vector.key.d is not None
            key = recovered(vector.key.n, vector.key.e, vector.key.d)
            digest = hashlib.new(vector.hash, vector.message).digest()
            function = HASHES.index(vector.hash)
            call = RsaCall("pkcs1_sign", key, digest, vector.signature, function=function)
            # Some keys are of three primes, and p here is the product of two.
            balanced = key.p.bit_length() == key.q.bit_length() == 1024
            calls.append(call if balanced else failing(call, FAULT))
    assert {call.function for call in calls if call.status == 0} == {0, 1, 2}
    assert [sum(call.status == status for call in calls) for status in (0, FAULT)] == [24, 3]
    check(calls)


def test_published_verifications() -> None:
    calls = []
    for vector in read_rsa_signatures(VECTORS / "wycheproof-rsa-verify-2048.txt"):
        key = RsaNumbers(vector.key.n, vector.key.e, 1, 1, 1, 1, 1)
        digest = hashlib.sha256(vector.message).digest()
        status = 0 if vector.verdict == "valid" else BAD_SIGNATURE
        call = RsaCall("pkcs1_verify", key, vector.signature, hash=digest, status=status)
        if vector.verdict != "acceptable":
            calls.append(call)
    assert len(calls) == 258
    check(calls)


def key_objects(key: RsaNumbers) -> tuple[rsa.RSAPrivateKey, rsa.RSAPublicKey]:
    numbers = rsa.RSAPublicNumbers(key.e, key.n)
    d = pow(key.e, -1, (key.p - 1) * (key.q - 1))
    full = rsa.RSAPrivateNumbers(key.p, key.q, d, key.dp, key.dq, key.qinv, numbers)
    return full.private_key(), numbers.public_key()


def signature_of(call: RsaCall) -> bytes:
    """Return what an operation makes, of which nothing is known before."""
    under = rsa_emulator()
    found = placed(under.program, call)
    (answer,) = under.run([found.call])
    assert answer.value == call.status
    address, size = found.parts["result"]
    return answer.memory[address - under.arena :][:size]


@pytest.mark.parametrize("bits", [1024, 1025, 2048, pytest.param(3072, marks=nightly)])
@pytest.mark.parametrize("scheme", ["pkcs1", "pss"])
def test_signatures_go_both_ways_with_another_library(scheme: str, bits: int) -> None:
    key = made_key(bits)
    own, other = key_objects(key)
    message = b"message"
    cases = range(3) if scheme == "pkcs1" else (0, 20, 32)
    for case in cases:
        function = case if scheme == "pkcs1" else 0
        salt = case if scheme == "pss" else 32
        digest = hashlib.new(HASHES[function], message).digest()
        pad = (
            padding.PKCS1v15()
            if scheme == "pkcs1"
            else padding.PSS(padding.MGF1(hashes.SHA256()), salt)
        )
        sign = RsaCall(
            f"{scheme}_sign",
            key,
            digest,
            bytes(key.size),
            function=function,
            salt=salt,
            random=Random(case).randbytes(salt if scheme == "pss" else 0) + BLIND,
        )
        made = signature_of(sign)
        other.verify(made, message, pad, OBJECTS[function])
        with pytest.raises(InvalidSignature):
            other.verify(made, message + b"s", pad, OBJECTS[function])
        theirs = own.sign(message, pad, OBJECTS[function])
        verify = replace(
            sign, name=f"{scheme}_verify", given=theirs, hash=digest, result=b"", random=b""
        )
        wrong = theirs[:-1] + bytes([theirs[-1] ^ 1])
        check(
            [
                verify,
                replace(verify, given=made),
                replace(verify, given=wrong, status=BAD_SIGNATURE),
                replace(verify, hash=digest[::-1], status=BAD_SIGNATURE),
            ]
        )


@pytest.mark.parametrize("bits", [1024, 1025, 1026, 1031])
def test_pss_signatures_are_those_of_the_salt(bits: int) -> None:
    key, salt = made_key(bits), bytes(range(40, 72))
    block = pss_block(bits, DIGEST, salt)
    result = as_bytes(key, key.private(int.from_bytes(block, "big")))
    check([RsaCall("pss_sign", key, DIGEST, result, random=salt + BLIND)])


@pytest.mark.parametrize("change", ["", "trailer", "padding", "one", "top", "hash", "first"])
def test_wrong_pss_blocks_are_refused(change: str) -> None:
    bits = 1025 if change == "first" else 1026
    key = made_key(bits)
    blocks = (pss_block(bits, DIGEST, bytes([at] * 32), change) for at in range(64))
    block = next(value for value in (int.from_bytes(b, "big") for b in blocks) if value < key.n)
    signature = as_bytes(key, key.private(block))
    status = BAD_SIGNATURE if change else 0
    call = RsaCall("pss_verify", key, signature, hash=DIGEST, status=status)
    check([call, replace(call, salt=31, status=BAD_SIGNATURE)])


# ---- statuses -----------------------------------------------------------------------------------


def test_each_status_and_zeros_after_each() -> None:
    key = made_key(1024)
    value = key.n // 3
    few = replace(key, n=key.n >> 1)
    many = replace(key, n=(1 << 4096) + 1)
    even = replace(key, n=key.n - 1)
    calls = []
    for good in (public(key, value), private(key, value)):
        short = replace(good, given=good.given[1:])
        above = replace(good, given=as_bytes(key, key.n))
        enough = work_words(1024, good.private)
        calls += [
            good,
            failing(short, BAD_LENGTH),
            failing(replace(good, key=few), BAD_LENGTH, False),
            failing(replace(good, key=many, result=bytes(513)), BAD_LENGTH, False),
            failing(replace(good, key=even), BAD_MODULUS, False),
            failing(above, OUT_OF_RANGE),
            failing(replace(good, words=enough - 1), BAD_WORK, False),
            *(
                failing(replace(good, numbers={"e": e}), BAD_KEY, False)
                for e in (b"", b"\x00", b"\x01", b"\x01\x00", b"\x01" * 33)
            ),
            replace(good, words=enough + 1),
        ]
    sign = RsaCall("pss_sign", key, DIGEST, bytes(128), random=bytes(48))
    verify = RsaCall("pss_verify", key, good.given, hash=DIGEST)
    pkcs1 = RsaCall("pkcs1_verify", key, good.given, hash=DIGEST)
    made = RsaCall("pkcs1_sign", key, DIGEST, bytes(128))
    calls += [
        failing(replace(private(key, value), random=bytes(15)), BAD_RANDOM),
        failing(replace(made, random=bytes(15)), BAD_RANDOM),
        failing(replace(made, key=few), BAD_LENGTH, False),
        failing(replace(made, key=replace(key, n=5), result=bytes(1)), BAD_LENGTH, False),
        failing(replace(sign, random=bytes(31)), BAD_RANDOM, False),
        failing(replace(sign, random=bytes(47)), BAD_RANDOM),
        failing(replace(sign, hash_fails=True), BAD_HASH, False),
        failing(replace(sign, key=few), BAD_LENGTH, False),
        *(
            failing(replace(sign, salt=salt, hash_bytes=size), BAD_LENGTH, False)
            for salt, size in ((95, 32), (1 << 31, 32), (32, 0), (32, 65))
        ),
        failing(replace(verify, salt=95), BAD_LENGTH),
        failing(replace(verify, hash_fails=True, given=signed(key)), BAD_HASH),
        failing(replace(verify, given=as_bytes(key, key.n)), BAD_SIGNATURE),
        failing(replace(verify, given=good.given[1:]), BAD_SIGNATURE),
        failing(replace(pkcs1, given=as_bytes(key, key.n)), BAD_SIGNATURE),
        failing(replace(pkcs1, given=b"\x00" + good.given), BAD_SIGNATURE),
        failing(replace(pkcs1, given=b""), BAD_SIGNATURE),
    ]
    check(calls)
    longest = replace(sign, salt=94, random=bytes(94) + BLIND)
    assert int.from_bytes(signature_of(longest), "big") > 0


def signed(key: RsaNumbers) -> bytes:
    block = pss_block(key.bits, DIGEST, bytes(32))
    return as_bytes(key, key.private(int.from_bytes(block, "big")))


@pytest.mark.parametrize("part", PARTS)
def test_a_flipped_bit_of_the_key_is_a_fault_and_nothing_is_released(part: str) -> None:
    key = made_key(1024)
    good, value = private(key, key.n // 3), key.number(part)
    calls = []
    for bit in (0, 1, 31, 64, 255, 510, 511):
        changed = bytearray(value)
        changed[-1 - bit // 8] ^= 1 << bit % 8
        calls.append(failing(replace(good, numbers={part: bytes(changed)}), FAULT))
    # Longer numbers are refused as well, and so are the parts of another key.
    calls.append(failing(replace(good, numbers={part: b"\x01" + value}), FAULT))
    other = made_key(1024, 2).number(part)
    calls.append(failing(replace(good, numbers={part: other}), FAULT))
    check(calls)
