# SPDX-License-Identifier: Apache-2.0
"""The accelerator over a bus: commands, refusals, the key's lock, zeroize."""

import random
from pathlib import Path

import pytest
from pka_bench import (
    ABANDONED,
    BAD_COMMAND,
    BAD_KEY,
    COMMAND,
    CONTROL,
    CYCLES,
    ERROR,
    KEEP,
    KEY,
    KEY_LOAD,
    KEY_POWER,
    LENGTH,
    LIMIT,
    LOCK,
    LOCKED,
    NO_MODULUS,
    OPERANDS,
    POWER,
    PRODUCT,
    SLOT,
    STATUS,
    Y_LENGTH,
    Bench,
    bench,
    command,
    joined,
    load,
    number,
    result,
    write,
)

from montcore.sim.types import Status

BITS = 192
REFUSED = 2  # of AXI
M = (1 << BITS) - 237


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return bench(tmp_path_factory.mktemp("pka"), "smm", BITS, {"npe": "2", "w": "32"})


def power(x: int, e: int, bits: int, e_bits: int, policy: int = 0) -> list[str]:
    lines = [*number(OPERANDS + SLOT, x, bits), *number(OPERANDS + 2 * SLOT, e, e_bits)]
    return [*lines, write(Y_LENGTH, e_bits), *command(POWER, policy=policy)]


def test_powers_and_products_of_every_length(device: Bench) -> None:
    rng = random.Random(1)
    for bits in (2, 31, 32, 33, 64, 65, 100, 191, BITS):
        m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
        x, y, e = rng.randrange(m), rng.randrange(m), rng.getrandbits(20) | 1
        factors = [*number(OPERANDS + SLOT, x, bits), *number(OPERANDS + 2 * SLOT, y, bits)]
        parts = [load(m, bits)]
        for policy in (0, 1, 2):
            parts += [power(x, e, bits, 20, policy), result(bits)]
        parts += [[*factors, *command(PRODUCT)], result(bits)]
        found = device.played(*parts)
        assert [part[-1].value for part in found[:1] + found[1::2]] == [0] * 5
        assert [joined(part) for part in found[2::2]] == [pow(x, e, m)] * 3 + [x * y % m]


def locked(m: int, d: int, bits: int, d_bits: int) -> list[str]:
    lines = [write(LENGTH, bits), write(Y_LENGTH, d_bits), *number(KEY, m, bits)]
    return [*lines, *number(KEY + SLOT, d, d_bits), *command(LOCK)]


def test_a_locked_key_is_used_and_neither_read_nor_changed_nor_used_otherwise(
    device: Bench,
) -> None:
    d = 0x123456789ABCDEF01
    x = number(OPERANDS + SLOT, 1234, BITS)
    key = locked(M, d, BITS, 65)
    change = [
        *number(KEY, 3, 32),
        *number(KEY + SLOT, 1, 32),
        write(LENGTH, 64),
        write(Y_LENGTH, 2),
    ]
    again = [*change, *command(LOCK)]
    use = [*x, *command(KEY_POWER), *result(BITS)]
    found = device.played(key, again, command(KEY_LOAD), use, load(M, BITS), command(KEY_POWER))
    assert found[0][-1].value == 0
    assert [answer.status for answer in found[1][:2]] == [REFUSED] * 2
    assert found[1][-1].value == BAD_KEY
    assert joined(found[3][-BITS // 32 :]) == pow(1234, d, M)
    # The exponent goes with the key's own modulus only, even if another is the same number.
    assert found[5][-1].value == NO_MODULUS
    # The sliding window's sequence depends on the exponent.
    sliding = command(KEY_POWER, policy=1)
    found = device.played(key, command(KEY_LOAD), sliding, [f"r {STATUS:x}"])
    assert [found[2][-1].value, found[3][-1].value] == [BAD_COMMAND, 0b1110]
    # A key that is not locked cannot be used.
    assert device.errors(key[:-3], command(KEY_LOAD))[1] == BAD_KEY


@pytest.mark.parametrize("keep", [0, KEEP], ids=["all", "keep"])
def test_zeroize_clears_operands_key_and_modulus_at_any_moment(device: Bench, keep: int) -> None:
    key = locked(M, 5, BITS, 3)
    use = [*number(OPERANDS + SLOT, 3, BITS), *command(KEY_POWER), *result(BITS)]
    product = command(PRODUCT)
    begin = [*load(M, BITS), write(OPERANDS + SLOT, 3), write(OPERANDS + 2 * SLOT, 0x2AAAAAAA)]
    begin.append(write(Y_LENGTH, 30))
    for moment in (0, 1, 2, 3, 5, 8, 13, 30, 60, 100, 200, 400, 1000, 1500, 9000):
        under_way = [write(COMMAND, POWER | 0x32100), f"run {moment}", write(CONTROL, 1 | keep)]
        ended = [f"idle {LIMIT}", f"r {ERROR:x}", f"r {STATUS:x}"]
        lines = [f"r {OPERANDS + slot * SLOT + 4 * at:x}" for slot in range(8) for at in range(6)]
        right = [*load(M, BITS), *power(3, 5, BITS, 3), *result(BITS)]
        again = [lines, product, command(KEY_LOAD), use, right]
        found = device.played(key, begin, under_way, ended, *again)
        assert found[3][1].value in (ABANDONED, 0), moment
        assert found[3][2].value == (LOCKED if keep else 0)
        assert {answer.value for answer in found[4]} == {0}, moment
        assert found[5][-1].value == NO_MODULUS
        assert found[6][-1].value == (0 if keep else BAD_KEY)
        assert (joined(found[7][-BITS // 32 :]) == 243) == bool(keep), moment
        assert joined(found[8][-BITS // 32 :]) == 243, moment
    assert found[3][1].value == 0
    # No key is locked yet: its slots are cleared in any case.
    clear = [write(CONTROL, 1 | keep), f"idle {LIMIT}"]
    locks = [write(LENGTH, BITS), write(Y_LENGTH, 3), *command(LOCK), *command(KEY_LOAD)]
    assert device.errors([*number(KEY, M, BITS), *clear], locks)[1] == Status.MODULUS_EVEN


def test_cycles_of_a_command_do_not_depend_on_the_numbers(device: Bench) -> None:
    rng = random.Random(3)
    seen = set()
    for e in (1, 1 << 39, (1 << 40) - 1, rng.getrandbits(40) | 1):
        lines = [*load(M, BITS), *power(rng.randrange(M), e, BITS, 40), f"r {CYCLES:x}"]
        seen.add(device.played(lines)[0][-1].value)
    assert len(seen) == 1


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [
        ("dsp", 100, {"alpha": "2"}),
        ("dsp", 100, {"alpha": "2", "clocking": "double"}),
        ("rc", 50, {"w": "16"}),
        ("karatsuba", 192, {}),
        ("mx", 40, {"w": "16"}),
    ],
)
def test_over_other_cores_and_beats(
    tmp_path: Path, core: str, bits: int, settings: dict[str, str]
) -> None:
    made = bench(tmp_path, core, bits, settings)
    rng = random.Random(bits)
    for length in (2, 33, bits - 1, bits):
        m = rng.getrandbits(length) | 1 << (length - 1) | 1
        x, e = rng.randrange(m), rng.getrandbits(length) | 1
        lines = [load(m, length), power(x, e, length, length), result(length)]
        assert joined(made.played(*lines)[2]) == pow(x, e, m), length
