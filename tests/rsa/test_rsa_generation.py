# SPDX-License-Identifier: Apache-2.0
"""Keys with primes found by the hardware: primality test, properties of keys, bad sources."""

import itertools
import math
import random
from pathlib import Path

import gmpy2  # type: ignore[import-untyped]
import pytest
from command_line import Tool
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from programs import program
from rsa_tools import Modelled, small_exponentiator

from montcore.modexp.exponentiator import Exponentiation, Exponentiator
from montcore.rsa import generation
from montcore.rsa.keys import PUBLIC_EXPONENT, encode_private
from montcore.rsa.operations import RsaUnit
from montcore.support.errors import CheckFailedError


def unit_of(exponentiator: Exponentiator, seed: int = 1) -> RsaUnit:
    """Return a unit whose random numbers are the same in each run."""
    return RsaUnit(exponentiator, random.Random(seed).randbytes)


def accepted(key: Path) -> bool:
    """Return whether OpenSSL finds nothing wrong with a key."""
    done = program("openssl", "rsa", "-in", key, "-check", "-noout")
    return done.returncode == 0 and "RSA key ok" in done.stdout + done.stderr


def test_small_numbers_are_told_apart_by_a_few_bases() -> None:
    unit = unit_of(Modelled(128))
    for number in range(7, 4000, 4):
        passed = sum(generation.is_strong_probable_prime(unit, number) for _ in range(12))
        # Of the bases of a composite number at most a quarter pass.
        assert passed == 12 if gmpy2.is_prime(number) else passed < 12, number


@pytest.mark.parametrize("number", [8911, 1024651, 2152302898747, 3825123056546413051])
def test_pseudoprimes_are_found_by_the_hardware(number: int) -> None:
    unit = unit_of(small_exponentiator(1024))
    assert not all(generation.is_strong_probable_prime(unit, number) for _ in range(6))


def test_primes_pass_on_the_hardware_in_the_same_cycles_for_every_base() -> None:
    unit = unit_of(small_exponentiator(1024))
    number = prime_after(3 << 62)
    cycles = []
    for _ in range(5):
        assert generation.is_strong_probable_prime(unit, number)
        cycles.append(unit.cycles)
    # The first one includes the set-up of the modulus.
    assert len({after - before for before, after in itertools.pairwise(cycles)}) == 1


@pytest.mark.parametrize("number", [5, 3, 9, 2**61 + 1])
def test_what_one_power_cannot_decide_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="not 3 modulo 4"):
        generation.is_strong_probable_prime(unit_of(Modelled(128)), number)


def test_candidates_have_no_small_factor_and_the_form_of_a_prime() -> None:
    unit = unit_of(Modelled(128))
    product = math.prod(filter(gmpy2.is_prime, range(3, 1000)))
    for _ in range(20):
        found = generation.candidate(unit, 128)
        assert found >> 126 == 3 and found % 4 == 3 and math.gcd(found, product) == 1
        assert (found - 1) % PUBLIC_EXPONENT != 0
    near = int(gmpy2.prev_prime(1 << 20)), int(gmpy2.next_prime(1 << 20))
    big = int(gmpy2.next_prime(1 << 200))
    assert [generation.has_small_factor(small * big) for small in near] == [True, False]


@pytest.mark.parametrize("bits", [1024, 1025, pytest.param(1536, marks=pytest.mark.nightly)])
def test_a_key_is_what_fips_186_5_and_openssl_want(tmp_path: Path, bits: int) -> None:
    generated, key = generation.generate(unit_of(Modelled(bits)), bits), tmp_path / "key.pem"
    key.write_bytes(encode_private(generated, "pem", b""))
    assert accepted(key)
    made = generated.private_numbers()
    n, e = made.public_numbers.n, made.public_numbers.e
    assert n.bit_length() == bits and e == 65537 and n == made.p * made.q
    for one in (made.p, made.q):
        assert gmpy2.is_prime(one, 40) and math.gcd(one - 1, e) == 1
        assert one * one > 1 << (2 * one.bit_length() - 1)
    assert (made.p - made.q).bit_length() > bits // 2 - 100
    assert made.d * e % math.lcm(made.p - 1, made.q - 1) == 1 and made.d.bit_length() > bits // 2


def prime_after(number: int) -> int:
    """Return the next prime that is 3 modulo 4."""
    found = int(gmpy2.next_prime(number))
    while found % 4 != 3:
        found = int(gmpy2.next_prime(found))
    return found


def test_primes_that_are_too_close_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    p = prime_after(3 << 510)
    close, far = prime_after(p), prime_after(0xF << 508)
    drawn = iter([p, p, close, far])
    monkeypatch.setattr(generation, "prime", lambda *_: next(drawn))
    made = generation.generate(unit_of(Modelled(1024)), 1024).private_numbers()
    assert (made.p, made.q) == (far, p)


def test_hardware_that_finds_no_prime_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Modelled, "power", lambda *_: Exponentiation(2, 0, 1, 1, 1))
    with pytest.raises(CheckFailedError, match="no prime was found"):
        generation.prime(unit_of(Modelled(128)), "p", 24)


@pytest.mark.parametrize("source", [bytes, lambda size: b"\x5a" * size])
def test_a_source_that_fails_gives_no_key(source: object) -> None:
    unit = RsaUnit(Modelled(1024), source)  # type: ignore[arg-type]
    with pytest.raises(CheckFailedError, match="source of random numbers failed"):
        generation.generate(unit, 1024)


def test_a_prime_of_the_hardware_is_one() -> None:
    unit = unit_of(small_exponentiator(1024))
    assert gmpy2.is_prime(generation.prime(unit, "p", 128), 40)
    assert unit.cycles > 0


def test_who_finds_the_primes_is_checked(tmp_path: Path, tool: Tool) -> None:
    words = ("rsa", "keygen", "--out", tmp_path / "key", "--primes", "nobody")
    tool.refuses("--primes takes hardware or openssl, not 'nobody'", *words)


@pytest.mark.nightly
@pytest.mark.parametrize(("size", "core"), [(1024, "smm"), (2048, "dsp"), (3072, "dsp")])
def test_openssl_accepts_a_key_whose_primes_the_hardware_found(
    size: int, core: str, tmp_path: Path, tool: Tool
) -> None:
    key = tmp_path / "key.pem"
    words = ("rsa", "keygen", "--size", str(size), "--out", key, "--core", core)
    content = tool.json(*words)
    assert content["primes"] == "hardware" and content["steps"]["primality"] > 0
    assert "check" in content["steps"] and accepted(key)
    assert load_pem_private_key(key.read_bytes(), None).key_size == size  # type: ignore[union-attr]
