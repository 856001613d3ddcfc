# SPDX-License-Identifier: Apache-2.0
"""Private operations whose two powers with CRT run at the same time, on a pair over one row."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import lcm
from pathlib import Path

import pytest
from rsa_tools import key_pair, numbers_of, small_key

from montcore.cli import main as cli
from montcore.cores import get_core
from montcore.modexp import Exponentiation, Exponentiator, Policy, Power
from montcore.modexp.design import Design
from montcore.rsa.keys import PrivateKey
from montcore.rsa.operations import POWERS, RsaUnit
from montcore.support.errors import CheckFailedError

nightly = pytest.mark.nightly
#: Primes of different lengths, all 3 modulo 4.
PRIMES = {90: (1 << 89) + 29, 107: (1 << 107) - 1, 127: (1 << 127) - 1, 200: (1 << 200) - 75}


@cache
def exponentiator(bits: int = 256, alpha: int = 5, pair: bool = True) -> Exponentiator:
    return Exponentiator(Design(get_core("dsp").configure({"alpha": str(alpha)}, bits), pair=pair))


def key_of(p: int, q: int) -> PrivateKey:
    return PrivateKey(p * q, 65537, pow(65537, -1, lcm(p - 1, q - 1)), p, q)


def rsa_unit(hardware: Exponentiator) -> RsaUnit:
    return RsaUnit(hardware, random.Random(7).randbytes)


@pytest.mark.parametrize("blind", [True, False])
def test_both_powers_are_one_step_and_the_rest_is_as_before(blind: bool) -> None:
    key, steps = small_key(), []
    for pair in (True, False):
        unit = rsa_unit(exponentiator(pair=pair))
        assert unit.private(key, 0x1234567, blind=blind) == pow(0x1234567, key.d, key.n)
        steps.append(unit.tally.steps)
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
    assert POWERS in unit.tally.steps


def test_without_room_for_blinded_exponents_the_powers_follow_each_other() -> None:
    key = key_of(PRIMES[200], small_key().p >> 80 | 1)
    while pow(3, key.q - 1, key.q) != 1:
        key = key_of(key.p, key.q + 2)
    unit = rsa_unit(exponentiator())
    assert unit.private(key, 12345) == pow(12345, key.d, key.n)
    assert POWERS not in unit.tally.steps
    assert "power modulo p, divisor" in unit.tally.steps


class FaultyPair(Exponentiator):
    """A pair, one of whose powers is wrong."""

    def __init__(self, wrong: int) -> None:
        super().__init__(exponentiator().design)
        self.wrong = wrong

    def pair(
        self, items: Sequence[Power], policy: Policy = Policy.CONSTANT
    ) -> tuple[Exponentiation, Exponentiation]:
        """Run both and change one result."""
        found = list(super().pair(items, policy))
        result = found[self.wrong].result
        assert result is not None
        found[self.wrong] = replace(found[self.wrong], result=result ^ 2)
        return found[0], found[1]


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_fault_in_either_power_is_refused(wrong: int) -> None:
    with pytest.raises(CheckFailedError, match="withheld"):
        rsa_unit(FaultyPair(wrong)).private(small_key(), 5)


def test_a_pair_and_two_rows_exclude_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "message").write_bytes(b"message")
    request = ["rsa", "sign", "--key", str(tmp_path), "--in", str(tmp_path / "message")]
    assert cli.run([*request, "--rows", "2", "--set", "pair=1"]) == 2
    assert "--rows 2 and --set pair=1 exclude each other" in capsys.readouterr().err


@nightly  # simulated for half a minute and longer
@pytest.mark.parametrize(("blind", "limit"), [(True, 580_000), (False, 540_000)])
def test_powers_of_2048_bits_take_less_than_580000_cycles(blind: bool, limit: int) -> None:
    """With both set-ups, in cycles of clk1x: half of the block clock's."""
    key = numbers_of(key_pair(2048))
    unit = rsa_unit(exponentiator(2048, 17))
    value = random.Random(key.n).randrange(key.n)
    assert unit.private(key, value, blind=blind) == pow(value, key.d, key.n)
    powers = unit.tally.steps[POWERS]
    assert powers / 2 < limit
    # Blinding, recombination and check, with the two set-ups of n; of the whole.
    assert unit.tally.cycles - powers < 0.12 * unit.tally.cycles
    # With the key's n still loaded, relative to the powers.
    before = unit.tally.cycles
    assert unit.private(key, value, blind=blind) == pow(value, key.d, key.n)
    again = unit.tally.cycles - before
    powers_again = unit.tally.steps[POWERS] - powers
    print(before, powers, again, powers_again)
    assert again - powers_again < 0.12 * powers_again
