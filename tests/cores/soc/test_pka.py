# SPDX-License-Identifier: Apache-2.0
"""The accelerator over a bus: commands, refusals, the key's lock, zeroize."""

import random
from pathlib import Path

import pytest
from pka_bench import (
    ABANDONED,
    BAD_COMMAND,
    BAD_KEY,
    BAD_LENGTH,
    CLEAR,
    COMMAND,
    CONTROL,
    CYCLES,
    ENABLE,
    ERROR,
    INTR,
    KEEP,
    KEY,
    KEY_LOAD,
    KEY_POWER,
    LENGTH,
    LIMIT,
    LOAD,
    LOCK,
    LOCKED,
    NO_MODULUS,
    OPERANDS,
    POWER,
    PRODUCT,
    SLOT,
    STATUS,
    Y_LENGTH,
    Answer,
    Bench,
    bench,
    command,
    number,
    write,
)

from montcore.sim.types import Status

BITS = 192
REFUSED = 2  # of AXI
M = (1 << BITS) - 237
START = [f"idle {LIMIT}", f"w {INTR:x} 3 f"]


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return bench(tmp_path_factory.mktemp("pka"), "smm", BITS, {"npe": "2", "w": "32"})


def load(m: int, bits: int) -> list[str]:
    return [write(LENGTH, bits), *number(OPERANDS, m, bits), *command(LOAD, x=0)]


def power(x: int, e: int, bits: int, e_bits: int, policy: int = 0) -> list[str]:
    lines = [*number(OPERANDS + SLOT, x, bits), *number(OPERANDS + 2 * SLOT, e, e_bits)]
    return [*lines, write(Y_LENGTH, e_bits), *command(POWER, policy=policy)]


def result(bits: int, slot: int = 3) -> list[str]:
    return [f"r {OPERANDS + slot * SLOT + place // 8:x}" for place in range(0, bits, 32)]


def joined(answers: list[Answer]) -> int:
    assert all(answer.status == 0 for answer in answers)
    return sum(answer.value << 32 * place for place, answer in enumerate(answers))


def played(device: Bench, *parts: list[str]) -> list[list[Answer]]:
    """Run lists of lines in sequence; return the answers of each list."""
    answers = iter(device.run([*START, *(line for part in parts for line in part)]))
    for _ in START:
        next(answers)
    return [[next(answers) for _ in part] for part in parts]


def errors(device: Bench, *parts: list[str]) -> list[int]:
    """Return the value read by the last line of each list."""
    return [part[-1].value for part in played(device, *parts)]


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
        found = played(device, *parts)
        assert [part[-1].value for part in found[:1] + found[1::2]] == [0] * 5
        assert [joined(part) for part in found[2::2]] == [pow(x, e, m)] * 3 + [x * y % m]


def test_bits_above_a_length_do_not_count(device: Bench) -> None:
    m, x = 0x1FFFF1, 0x12345
    garbage = 0xABC << 21
    dirty = [write(LENGTH, 21), write(OPERANDS, m | garbage), *command(LOAD, x=0)]
    found = played(device, dirty, power(x | garbage, 5, 21, 3), result(21))
    assert joined(found[2]) == pow(x, 5, m)


def test_result_may_go_to_the_slot_of_an_operand_and_slots_hold_what_was_written(
    device: Bench,
) -> None:
    rng = random.Random(2)
    values = [rng.getrandbits(BITS) for _ in range(8)]
    fill = [
        line for slot in range(8) for line in number(OPERANDS + slot * SLOT, values[slot], BITS)
    ]
    read = [line for slot in range(8) for line in result(BITS, slot)]
    found = played(device, fill, read)
    words = BITS // 32
    assert [joined(found[1][at : at + words]) for at in range(0, 8 * words, words)] == values
    over = [*number(OPERANDS + 7 * SLOT, 5, BITS), *number(OPERANDS + 6 * SLOT, 7, BITS)]
    over += command(PRODUCT, x=7, y=6, z=7)
    assert joined(played(device, load(M, BITS), over, result(BITS, 7))[2]) == 35


def test_each_refusal_has_its_error_and_the_next_command_is_right(device: Bench) -> None:
    x = number(OPERANDS + SLOT, 3, BITS)
    good = [*power(3, 0x10001, BITS, 17), *result(BITS)]
    wrong = [
        ([*load(8, BITS)], Status.MODULUS_EVEN),
        ([*load(1, 33)], Status.MODULUS_ONE),
        ([*number(OPERANDS + SLOT, M, BITS), *command(PRODUCT)], Status.OPERAND_RANGE),
        (power(3, 0, BITS, 5), Status.OPERAND_RANGE),
        ([*x, write(Y_LENGTH, 0), *command(POWER)], BAD_LENGTH),
        ([*x, write(Y_LENGTH, BITS + 1), *command(POWER)], BAD_LENGTH),
        ([write(LENGTH, 1), *command(LOAD, x=0)], BAD_LENGTH),
        ([write(LENGTH, BITS + 1), *command(LOAD, x=0)], BAD_LENGTH),
        (command(0), BAD_COMMAND),
        (command(9), BAD_COMMAND),
        (command(POWER, policy=3), BAD_COMMAND),
        (command(LOAD, x=8), BAD_COMMAND),
        (command(POWER, x=9), BAD_COMMAND),
        (command(POWER, z=8), BAD_COMMAND),
        (command(PRODUCT, y=15), BAD_COMMAND),
        (command(KEY_LOAD), BAD_KEY),
        (command(KEY_POWER), BAD_KEY),
    ]
    for lines, error in wrong:
        found = played(device, load(M, BITS), lines, load(M, BITS), good)
        assert found[1][-1].value == error, lines
        assert joined(found[3][-BITS // 32 :]) == pow(3, 0x10001, M), lines
    assert errors(device, command(POWER), command(PRODUCT)) == [NO_MODULUS] * 2
    # After a refused modulus, none is loaded.
    assert errors(device, load(M, BITS), load(8, BITS), command(PRODUCT))[2] == NO_MODULUS


def test_what_does_not_exist_or_may_not_be_accessed_so_is_refused_and_nothing_changes(
    device: Bench,
) -> None:
    beyond = OPERANDS + BITS // 8  # the word behind a number of the built length
    reads = (0x3C, 0x3FFC, CONTROL, COMMAND, KEY, KEY + SLOT, 0x8800, 0x6000, 0xC000, beyond)
    writes = (0, 4, 8, 0xC, STATUS, ERROR, CYCLES, 0x3C, 0x8800, 0x6000, 0xFFFC, beyond)
    lines = [f"r {address:x}" for address in reads] + [write(address, ~0) for address in writes]
    for line in lines:
        found = played(device, [line, f"r {INTR:x}", "r 0", f"r {OPERANDS:x}"])[0]
        assert found[0].status == REFUSED, line
        assert found[0].value == 0
        assert [answer.value for answer in found[1:]] == [2, 0x4D504B41, 0], line


def test_bytes_are_written_where_the_strobes_say(device: Bench) -> None:
    places = (OPERANDS + 5 * SLOT + 4, Y_LENGTH)
    for address, mask in zip(places, (0xFFFFFFFF, 0x3FFF), strict=True):
        value, lines, wanted = 0, [], []
        for strobes in range(16):
            word = random.Random(strobes).getrandbits(32)
            bytes_ = sum(0xFF << 8 * at for at in range(4) if strobes >> at & 1)
            value = value & ~bytes_ | word & bytes_
            lines += [write(address, word, strobes), f"r {address:x}"]
            wanted.append(value & mask)
        assert [answer.value for answer in played(device, lines)[0][1::2]] == wanted
    # Writing the lowest byte of the command starts it; the other bytes only set its parameters.
    word = PRODUCT | 1 << 8 | 2 << 12 | 3 << 16
    lines = [
        write(COMMAND, word, 0b1110),
        f"r {STATUS:x}",
        write(COMMAND, word, 1),
        f"idle {LIMIT}",
    ]
    five = [*number(OPERANDS + SLOT, 5, BITS), *number(OPERANDS + 2 * SLOT, 7, BITS)]
    found = played(device, load(M, BITS), five, lines, result(BITS))
    assert found[2][1].value == 2 and joined(found[3]) == 35


def test_while_a_command_is_under_way_memory_and_commands_are_refused(device: Bench) -> None:
    lines = [*number(OPERANDS + SLOT, 3, BITS), *number(OPERANDS + 2 * SLOT, 5, BITS)]
    start = [write(Y_LENGTH, 3), write(COMMAND, POWER | 0x32100)]
    during = [f"r {STATUS:x}", f"r {OPERANDS:x}", write(OPERANDS + 3 * SLOT, 1), f"r {INTR:x}"]
    during += [write(INTR, 2), write(COMMAND, CLEAR), f"r {INTR:x}", write(LENGTH, 0)]
    after = [f"idle {LIMIT}", f"r {ERROR:x}", f"r {INTR:x}"]
    found = played(device, load(M, BITS), lines, start, during, after, result(BITS))
    assert [answer.status for answer in found[3]] == [0, 2, 2, 0, 0, 0, 0, 0]
    assert found[3][0].value == 3 and found[3][1].value == 0
    assert found[3][3].value & 2 and found[3][6].value & 2
    assert [answer.value for answer in found[4][1:]] == [0, 3]
    assert joined(found[5]) == 243


def test_interrupt_is_the_enabled_bits_of_its_state(device: Bench) -> None:
    lines = [
        write(INTR, 3),
        "irq",
        write(ENABLE, 1),
        "irq",
        *command(9),
        "irq",
        write(INTR, 1),
        "irq",
    ]
    lines += [
        "r c000",
        "irq",
        write(ENABLE, 2),
        "irq",
        write(INTR, 1),
        "irq",
        write(INTR, 2),
        "irq",
    ]
    said = [
        a.said for a, line in zip(played(device, lines)[0], lines, strict=True) if line == "irq"
    ]
    assert said == ["0", "0", "1", "0", "0", "1", "1", "0"]


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
    found = played(device, key, again, command(KEY_LOAD), use, load(M, BITS), command(KEY_POWER))
    assert found[0][-1].value == 0
    assert [answer.status for answer in found[1][:2]] == [REFUSED] * 2
    assert found[1][-1].value == BAD_KEY
    assert joined(found[3][-BITS // 32 :]) == pow(1234, d, M)
    # The exponent goes with the key's own modulus only, even if another is the same number.
    assert found[5][-1].value == NO_MODULUS
    # The sliding window's sequence depends on the exponent.
    sliding = command(KEY_POWER, policy=1)
    found = played(device, key, command(KEY_LOAD), sliding, [f"r {STATUS:x}"])
    assert [found[2][-1].value, found[3][-1].value] == [BAD_COMMAND, 0b1110]
    # A key that is not locked cannot be used.
    assert errors(device, key[:-3], command(KEY_LOAD))[1] == BAD_KEY


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
        found = played(device, key, begin, under_way, ended, *again)
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
    assert errors(device, [*number(KEY, M, BITS), *clear], locks)[1] == Status.MODULUS_EVEN


def test_clear_makes_the_operand_slots_zero_and_keeps_the_rest(device: Bench) -> None:
    key = locked(M, 5, BITS, 3)
    lines = [f"r {OPERANDS + slot * SLOT + 4 * at:x}" for slot in range(8) for at in range(6)]
    fill = [line.replace("r", "w") + " ffffffff f" for line in lines]
    use = [*number(OPERANDS + SLOT, 3, BITS), *command(KEY_POWER), *result(BITS)]
    found = played(device, key, command(KEY_LOAD), fill, command(CLEAR), lines, use)
    assert {answer.value for answer in found[4]} == {0}
    assert joined(found[5][-BITS // 32 :]) == 243


def test_cycles_of_a_command_do_not_depend_on_the_numbers(device: Bench) -> None:
    rng = random.Random(3)
    seen = set()
    for e in (1, 1 << 39, (1 << 40) - 1, rng.getrandbits(40) | 1):
        lines = [*load(M, BITS), *power(rng.randrange(M), e, BITS, 40), f"r {CYCLES:x}"]
        seen.add(played(device, lines)[0][-1].value)
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
        assert joined(played(made, *lines)[2]) == pow(x, e, m), length
