# SPDX-License-Identifier: Apache-2.0
"""A fault in any one step of a private operation, or in the source of randomness, is refused."""

import hmac
import math
import os
import random
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import pytest
from rsa_tools import (
    Modelled,
    Watched,
    key_of,
    key_pair,
    numbers_of,
    small_exponentiator,
    small_key,
)

from montcore.modexp.exponentiator import Exponentiation, Exponentiator, Policy, Power
from montcore.rsa import operations, padding
from montcore.rsa.keys import PrivateKey
from montcore.rsa.operations import RsaUnit
from montcore.rsa.padding import Padding
from montcore.rsa.randomness import TestedRandomness
from montcore.support.errors import CheckFailedError, RequestError

TRIES = 20
#: Tries on the simulated hardware, one of each kind of `changes`.
KINDS = 4
KEY = small_key()
FIRST, LAST = ("blinding", "blinded base"), ("unblinded result", "check")
#: The steps in order, with CRT and without.
CRT_STEPS = (*FIRST, "power modulo q", "power modulo p", "recombination", *LAST)
PLAIN_STEPS = (*FIRST, "power modulo n", *LAST)
#: Without room in the built width for a longer exponent.
PARTS = tuple(f"power modulo n, {part}" for part in ("divisor", "quotient", "remainder"))
DIVIDED_STEPS = (*FIRST, *PARTS, "power modulo n", *LAST)
#: Width of the hardware and steps of the small key; width for a key of 1024 bits.
WAYS = {
    "crt": (320, CRT_STEPS, 1088),
    "plain": (320, PLAIN_STEPS, 1088),
    "divided": (256, DIVIDED_STEPS, 1024),
}
STEPS = [pytest.param(way, step, id=f"{way}-{step}") for way in WAYS for step in WAYS[way][1]]


def hardware(way: str) -> Exponentiator:
    """Return the simulated hardware; for the third mode its model, which saves a compilation."""
    return Modelled(256) if way == "divided" else small_exponentiator(1024)


def changes(seed: str, bits: int) -> Iterator[Callable[[int], int]]:
    """Yield faults: a flipped bit, a constant, another number, a lost word."""
    rng = random.Random(seed)
    for number in range(TRIES):
        bit, other = 1 << rng.randrange(bits), rng.getrandbits(bits)
        yield (
            lambda value, bit=bit: value ^ bit,
            lambda value, other=other: other,
            lambda value, bit=bit: (value + bit) % (1 << bits),
            lambda value: value >> 32,
        )[number % KINDS]


def test_the_steps_are_these() -> None:
    for way, (_, names, _) in WAYS.items():
        unit = RsaUnit(hardware(way), os.urandom)
        value = random.Random(1).randrange(KEY.n)
        assert unit.private(KEY, value, crt=way == "crt") == pow(value, KEY.d, KEY.n)
        assert tuple(unit.steps) == names


@pytest.mark.parametrize(("way", "step"), STEPS)
@pytest.mark.one_in(3)
def test_no_wrong_number_leaves_the_hardware_whatever_step_is_faulty(way: str, step: str) -> None:
    refused, tries = 0, TRIES if way == "divided" else KINDS
    for number, change in enumerate(islice(changes(step, KEY.n.bit_length()), tries)):
        value = random.Random(number).randrange(2, KEY.n - 1)
        faulty = Watched(hardware(way), WAYS[way][1].index(step), change)
        with pytest.raises(CheckFailedError, match="withheld") as error:
            RsaUnit(faulty, os.urandom).private(KEY, value, crt=way == "crt")
        assert f"{pow(value, KEY.d, KEY.n):x}"[:12] not in str(error.value)
        refused += 1
    assert refused == tries


@pytest.mark.parametrize(("way", "step"), STEPS)
@pytest.mark.parametrize("what", ["pkcs1", "pss", "decrypt", "oaep"])
@pytest.mark.one_in(6)
def test_no_wrong_signature_or_message_leaves(way: str, step: str, what: str) -> None:
    _, names, width = WAYS[way]
    crt = way == "crt"
    key = numbers_of(key_pair())
    how = Padding("oaep" if what == "oaep" else "pkcs1", "sha256")
    cipher = RsaUnit(Modelled(1088), os.urandom).encrypt(key, b"a message", how)
    for change in changes(f"{what} {step}", 1023):
        unit = RsaUnit(Watched(Modelled(width), names.index(step), change), os.urandom)
        with pytest.raises(CheckFailedError, match="withheld"):
            if what in ("decrypt", "oaep"):
                unit.decrypt(key, cipher, how, crt=crt)
            else:
                unit.sign(key, b"a message", Padding(what, "sha256"), crt=crt)


@pytest.mark.parametrize("crt", [True, False])
def test_powers_that_give_their_base_are_found(crt: bool) -> None:
    """With every exponent stuck at 1 the result would pass its own check."""

    class HeldKey(Modelled):
        def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
            return Exponentiation(power.base, 0, 1, 1, 1)

    with pytest.raises(CheckFailedError, match="withheld"):
        RsaUnit(HeldKey(1088), os.urandom).private(KEY, 12345, crt=crt)


@pytest.mark.parametrize("value", [0, 1, KEY.n - 1])
def test_numbers_that_are_their_own_power_are_released(value: int) -> None:
    assert RsaUnit(Modelled(1088), os.urandom).private(KEY, value) == value


def wrong_half() -> Exponentiator:
    return Watched(Modelled(1088), CRT_STEPS.index("power modulo p"))


class Agreeing(int):
    """A number for which every `!=` is false: the host's first comparison, inverted."""

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = int.__hash__


class Turned(RsaUnit):
    """A unit whose first comparison never detects a fault."""

    def public(self, key: PrivateKey, value: int, step: str = "public exponent") -> int:  # type: ignore[override]
        found = super().public(key, value, step)
        return Agreeing(found) if step == "check" else found


def test_a_turned_comparison_releases_nothing() -> None:
    with pytest.raises(CheckFailedError, match="withheld"):
        Turned(wrong_half(), os.urandom).private(KEY, 12345)


def test_two_turned_comparisons_release_no_number_that_tells_a_factor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hmac, "compare_digest", lambda left, right: True)
    for value in range(2, 2 + TRIES):
        left = Turned(wrong_half(), os.urandom).private(KEY, value)
        assert math.gcd(pow(left, KEY.e, KEY.n) - value, KEY.n) == 1


@pytest.mark.parametrize("hosts", ["inverse", "addition"])
def test_a_fault_of_the_host_is_found(hosts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blinding's inverse, and the halves before recombination."""
    if hosts == "inverse":
        monkeypatch.setattr(operations, "pow", lambda *given: pow(*given) ^ 8, raising=False)
    else:
        sound = operations._sound
        monkeypatch.setattr(operations, "_sound", lambda number, m: sound(number ^ 2, m))
    with pytest.raises(CheckFailedError, match="withheld"):
        RsaUnit(Modelled(1088), os.urandom).private(KEY, 12345)


# ---- the source of randomness ----------------------------------------------------------------


def broken(size: int) -> bytes:
    raise OSError("no entropy")


def text(size: int) -> Any:
    return "x" * size


def stuck_after(draws: int) -> Callable[[int], bytes]:
    """Return a source that works for some draws and then repeats its last value."""
    numbers, last = count(), os.urandom(4096)
    return lambda size: os.urandom(size) if next(numbers) < draws else last[:size]


SOURCES: dict[str, Callable[[], Callable[[int], bytes]]] = {
    "zeros": lambda: bytes,
    "ones": lambda: lambda size: b"\xff" * size,
    "a constant byte": lambda: lambda size: b"\x5a" * size,
    "a constant pattern": lambda: lambda size: (b"\x01\x02\x03\x04\x05\x06\x07" * size)[:size],
    "a repeated value": lambda: stuck_after(0),
    "an error": lambda: broken,
    "too few": lambda: lambda size: os.urandom(size - 1),
    "nothing": lambda: lambda size: b"",
    "text": lambda: text,
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("what", ["pkcs1", "pss", "decrypt", "plain"])
@pytest.mark.timeout(10)
def test_a_private_operation_without_randomness_is_refused(what: str, source: str) -> None:
    key = numbers_of(key_pair())
    hardware = Watched(Modelled(1088))
    unit = RsaUnit(hardware, SOURCES[source]())
    with pytest.raises(CheckFailedError, match="source of random numbers"):
        if what == "decrypt":
            unit.decrypt(key, bytes(127) + b"\x05")
        else:
            scheme = "pss" if what == "pss" else "pkcs1"
            unit.sign(key, b"a message", Padding(scheme, "sha256"), crt=what != "plain")
    assert not hardware.secrets(key.e)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("scheme", ["pkcs1", "oaep"])
@pytest.mark.timeout(10)
def test_an_encryption_without_randomness_is_refused(scheme: str, source: str) -> None:
    key = numbers_of(key_pair())
    for message in (b"a message", b"x" * 60):
        with pytest.raises(CheckFailedError, match="source of random numbers"):
            # A second one, as a short padding may not show yet that its source repeats itself.
            unit = RsaUnit(Modelled(1088), SOURCES[source]())
            for _ in range(2):
                unit.encrypt(key, message, Padding(scheme))


@pytest.mark.parametrize("draws", range(4))
def test_a_source_that_stops_in_the_middle_ends_in_a_refusal(draws: int) -> None:
    """Of the four draws: the blinding, two exponents, the seal; a fifth is never made."""
    unit = RsaUnit(Modelled(1088), stuck_after(draws))
    with pytest.raises(CheckFailedError, match="source of random numbers"):
        for _ in range(2):
            unit.private(KEY, 12345)


@pytest.mark.parametrize("r", [0, 1, KEY.n - 1, KEY.p, 5 * KEY.q])
@pytest.mark.timeout(10)
def test_a_number_that_does_not_blind_is_not_taken(r: int) -> None:
    """From a source that passes its tests: r plus random multiples of n."""
    draws = 0

    def source(size: int) -> bytes:
        nonlocal draws
        draws += 1
        number = r + KEY.n * int.from_bytes(os.urandom(8), "big")
        return number.to_bytes(size, "big")

    with pytest.raises(CheckFailedError, match="no number usable for blinding"):
        RsaUnit(Modelled(1088), source).private(KEY, 12345)
    assert draws < 100


def test_padding_of_a_source_with_too_many_zeros_is_refused() -> None:
    with pytest.raises(CheckFailedError, match="too many zeros"):
        padding.pkcs1_pad(b"", 64, bytes)


def test_a_good_source_passes_its_tests() -> None:
    source = TestedRandomness(os.urandom)
    for size in range(1, 600):
        assert len(source(size)) == size


def test_short_draws_of_a_failed_source_are_refused_at_once() -> None:
    for source in (bytes, lambda size: b"\x80" * size):
        with pytest.raises(CheckFailedError, match="it repeats one byte"):
            TestedRandomness(source)(1)


# ---- the blinding of the exponent ------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_exponents_are_blinded_with_64_bits(way: str) -> None:
    """In each mode and each run; a build without room for a longer exponent divides it."""
    hardware = Watched(Modelled(WAYS[way][0]))
    for _ in range(TRIES):
        value = random.randrange(KEY.n)
        unit = RsaUnit(hardware, os.urandom)
        assert unit.private(KEY, value, crt=way == "crt") == pow(value, KEY.d, KEY.n)
    secret = hardware.secrets(KEY.e)
    assert len({power.exponent for power in secret}) == len(secret)
    if way == "divided":
        assert {power.e_bits for power in secret} == {64, 256 - 63}
        tops = {power.exponent >> 56 for power in secret[::3]}
        parts = zip(secret[::3], secret[1::3], secret[2::3], strict=True)
        order = math.lcm(KEY.p - 1, KEY.q - 1)
        assert all(r.exponent * a.exponent + b.exponent == KEY.d % order for r, a, b in parts)
    else:
        assert all(power.e_bits == power.modulus.bit_length() + 64 for power in secret)
        # The random factor has all of its bits: its top byte differs from run to run.
        tops = {power.exponent // power.modulus >> 56 for power in secret}
    assert len(tops) > 10


@pytest.mark.parametrize(("bits", "divided"), [(171, False), (170, True), (168, True)])
def test_the_exponent_of_a_long_factor_is_blinded_too(bits: int, divided: bool) -> None:
    """With less than 64 bits above the longer factor its exponent is divided."""
    key = key_of((1 << 107) - 1, (1 << 61) - 1)
    hardware = Watched(Modelled(bits))
    assert RsaUnit(hardware, os.urandom).private(key, 7) == pow(7, key.d, key.n)
    wanted = [64, 107 - 63, 64] if divided else [107 + 64]
    assert [power.e_bits for power in hardware.secrets(key.e)] == [61 + 64, *wanted]


def test_a_key_too_short_to_be_blinded_is_refused() -> None:
    with pytest.raises(RequestError, match="at least 128 bits"):
        RsaUnit(Modelled(256), os.urandom).private(key_of((1 << 61) - 1, (1 << 31) - 1), 7)
