# SPDX-License-Identifier: Apache-2.0
"""Private operations whose two powers with CRT run at the same time, on a pair over one row."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from command_line import Tool
from rsa_tools import Watched, key_of, key_pair, numbers_of, small_exponentiator, small_key

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import (
    Exponentiation,
    Exponentiator,
    ModularProduct,
    Policy,
    Power,
)
from montcore.rsa.keys import PrivateKey
from montcore.rsa.operations import CHECK_AND_BLINDING, POWERS, RsaUnit
from montcore.support.errors import CheckFailedError

nightly = pytest.mark.nightly
#: Primes of different lengths, all 3 modulo 4.
PRIMES = {90: (1 << 89) + 29, 107: (1 << 107) - 1, 127: (1 << 127) - 1, 264: (1 << 264) - 1245}


@cache
def exponentiator(bits: int = 320, alpha: int = 6) -> Exponentiator:
    return Exponentiator(
        ExponentiatorDesign(get_core("dsp").configure({"alpha": str(alpha)}, bits), pair=True)
    )


def rsa_unit(hardware: Exponentiator, *, ahead: bool = False) -> RsaUnit:
    return RsaUnit(hardware, random.Random(7).randbytes, ahead=ahead)


@pytest.mark.nightly  # every run has series over a pair below
@pytest.mark.parametrize("blind", [True, False])
@pytest.mark.one_in(2)
def test_both_powers_are_one_step_and_the_rest_is_as_before(blind: bool) -> None:
    key, steps = small_key(), []
    for pair in (True, False):
        unit = rsa_unit(exponentiator() if pair else small_exponentiator(1024))
        assert unit.private(key, 0x1234567, blind=blind) == pow(0x1234567, key.d, key.n)
        steps.append(unit.steps)
    powers = steps[1].pop("power modulo p") + steps[1].pop("power modulo q")
    # Squares take three half-iterations instead of four, but short ones start and end alone.
    assert steps[0].pop(POWERS) < 0.95 * powers
    assert list(steps[0]) == list(steps[1])
    for name, cycles in steps[0].items():
        assert cycles <= steps[1][name]


@pytest.mark.parametrize(("p_bits", "q_bits"), [(127, 107), (107, 127)])
def test_primes_may_have_different_lengths(p_bits: int, q_bits: int) -> None:
    key = key_of(PRIMES[p_bits], PRIMES[q_bits])
    unit = rsa_unit(exponentiator())
    assert unit.private(key, 99) == pow(99, key.d, key.n)
    assert POWERS in unit.steps


def test_without_room_for_blinded_exponents_the_powers_follow_each_other() -> None:
    key = key_of(PRIMES[264], small_key().p >> 80 | 1)
    while pow(3, key.q - 1, key.q) != 1:
        key = key_of(key.p, key.q + 2)
    unit = rsa_unit(exponentiator())
    assert unit.private(key, 12345) == pow(12345, key.d, key.n)
    assert POWERS not in unit.steps
    assert "power modulo p, divisor" in unit.steps


def counted(unit: RsaUnit, key: PrivateKey, value: int, *, blind: bool = True) -> dict[str, int]:
    """Run an operation and return its own cycles by step."""
    unit.steps.clear()
    assert unit.private(key, value, blind=blind) == pow(value, key.d, key.n)
    return dict(unit.steps)


def test_the_modulus_is_set_up_anew_once_only() -> None:
    """After the powers R^2 mod n is still there; another key has another n."""
    key, other = small_key(), key_of(PRIMES[127], PRIMES[107])
    hardware = exponentiator()
    probe = hardware.power(Power(2, 3, key.n, kept=True), Policy.SLIDING)
    product = hardware.product(ModularProduct(2, 3, key.n))
    assert 0 < probe.recall_cycles < probe.setup_cycles / 4
    unit = rsa_unit(hardware)
    first, again = counted(unit, key, 5), counted(unit, key, 6)
    assert first["recombination"] == again["recombination"]
    assert first["recombination"] == product.cycles + probe.recall_cycles
    assert first["blinding"] - again["blinding"] == probe.setup_cycles
    counted(unit, other, 7)
    assert counted(unit, key, 8) == first
    alone = counted(rsa_unit(small_exponentiator(1024)), key, 5)
    assert alone["recombination"] == product.cycles + probe.setup_cycles


def test_in_a_series_the_check_computes_the_next_blinding() -> None:
    key = small_key()
    single = counted(rsa_unit(exponentiator()), key, 5)
    unit = rsa_unit(exponentiator(), ahead=True)
    first, again, third = (counted(unit, key, value) for value in (5, 6, 7))
    assert set(first) - set(again) == {"blinding"}
    assert set(single) - set(first) == {"check"} and again == third
    assert {name: first[name] for name in again} == again
    # Both powers with e take less than one after the other, with the second set-up of n too.
    n_again = exponentiator().power(Power(2, 3, key.n, kept=True)).recall_cycles
    assert again[CHECK_AND_BLINDING] - n_again < 2 * single["check"]
    # Without blinding there is none to prepare, nor on a single exponentiator.
    assert CHECK_AND_BLINDING not in counted(unit, key, 8, blind=False)
    assert CHECK_AND_BLINDING not in counted(
        rsa_unit(small_exponentiator(1024), ahead=True), key, 5
    )


def test_a_blinding_is_used_once_and_for_its_key_only() -> None:
    key, other = small_key(), key_of(PRIMES[127], PRIMES[107])
    watched = Watched(exponentiator())
    unit = rsa_unit(watched, ahead=True)
    steps = [set(counted(unit, each, 5)) for each in (key, key, key, other, key)]
    assert ["blinding" in names for names in steps] == [True, False, False, True, True]
    factors = [product.y for product in watched.products[::3]]  # the first of three
    assert len(set(factors)) == 5


class FaultyPair(Exponentiator):
    """A pair, one of whose powers is wrong."""

    def __init__(self, wrong: int, policy: Policy = Policy.CONSTANT) -> None:
        super().__init__(exponentiator().design)
        self.wrong, self.policy = wrong, policy

    def pair(
        self, items: Sequence[Power], policy: Policy = Policy.CONSTANT
    ) -> tuple[Exponentiation, Exponentiation]:
        """Run both and change one result."""
        found = list(super().pair(items, policy))
        if policy is not self.policy:
            return found[0], found[1]
        result = found[self.wrong].result
        assert result is not None
        found[self.wrong] = replace(found[self.wrong], result=result ^ 2)
        return found[0], found[1]


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_fault_in_either_power_is_refused(wrong: int) -> None:
    with pytest.raises(CheckFailedError, match="withheld"):
        rsa_unit(FaultyPair(wrong)).private(small_key(), 5)


def test_a_fault_in_a_check_with_a_blinding_is_refused() -> None:
    """In the check at once; in the blinding by the next check, and then it is not used again."""
    key, faulty = small_key(), FaultyPair(0, Policy.SLIDING)
    unit = rsa_unit(faulty, ahead=True)
    for _ in range(2):
        with pytest.raises(CheckFailedError, match="withheld"):
            unit.private(key, 5)
        assert "blinding" in unit.steps
        unit.steps.clear()
    faulty.wrong = 1
    assert unit.private(key, 5) == pow(5, key.d, key.n)
    with pytest.raises(CheckFailedError, match="withheld"):
        unit.private(key, 6)
    faulty.policy = Policy.LADDER
    assert "blinding" in counted(unit, key, 7)
    assert "blinding" not in counted(unit, key, 8)


def test_a_pair_and_two_rows_exclude_each_other(tmp_path: Path, tool: Tool) -> None:
    (tmp_path / "message").write_bytes(b"message")
    request = ("rsa", "sign", "--key", tmp_path, "--in", tmp_path / "message")
    told = "--rows 2 and --set pair=1 exclude each other"
    tool.refuses(told, *request, "--rows", "2", "--set", "pair=1")


@nightly  # simulated for half a minute and longer
@pytest.mark.parametrize(("blind", "limit"), [(True, 580_000), (False, 540_000)])
def test_powers_of_2048_bits_take_less_than_580000_cycles(blind: bool, limit: int) -> None:
    """With both set-ups, in cycles of clk1x: half of the block clock's."""
    key = numbers_of(key_pair(2048))
    unit = rsa_unit(exponentiator(2048, 17))
    value = random.Random(key.n).randrange(key.n)
    assert unit.private(key, value, blind=blind) == pow(value, key.d, key.n)
    powers = unit.steps[POWERS]
    assert powers / 2 < limit
    # Blinding, recombination and check, with both set-ups of n, relative to the powers.
    assert unit.cycles - powers < 0.12 * powers


@nightly
def test_all_other_steps_of_a_series_take_8_percent_of_the_powers() -> None:
    """With 2048 bits: below 44,500 cycles of clk1x for blinding, recombination and check."""
    key = numbers_of(key_pair(2048))
    unit = rsa_unit(exponentiator(2048, 17), ahead=True)
    # The first operation computes its own blinding besides that of the next one.
    for number in range(2):
        steps = counted(unit, key, random.Random(number).randrange(key.n))
    rest = sum(steps.values()) - steps[POWERS]
    assert rest < 0.08 * steps[POWERS] and rest / 2 < 44_500
