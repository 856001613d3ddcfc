# SPDX-License-Identifier: Apache-2.0
"""The accelerator with curves over a bus: points, refusals, hidden slots, keys, any order."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pka_bench as pka
import pytest
from ecc_tools import small_curve, small_montgomery
from pka_bench import LIMIT, PkaAnswer, PkaBench, bench_of, command, number, result, slot_at, write

from montcore.cores import get_core
from montcore.ecc.curves import Curve, Family
from montcore.ecc.edwards import is_square
from montcore.ecc.program import Operation
from montcore.soc.design import AcceleratorDesign

BITS = 40
CORE = get_core("smm").configure({"npe": "2", "w": "32"}, BITS)
REFUSED = 2  # of AXI
SCALAR, KEY_SCALAR = 14, 15
INFINITY, RANGE, NOT_ON = 17, 18, 19
SMALL = small_curve(Family.ANY_A, 127)
OTHER = small_curve(Family.ZERO_A, 103)
LADDER = small_montgomery(103)


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> PkaBench:
    return bench_of(tmp_path_factory.mktemp("pka"), AcceleratorDesign(None, CORE))


def slot(place: int, value: int) -> list[str]:
    return number(slot_at(place), value, BITS)


def form(curve: Curve) -> list[str]:
    word = curve.columns | curve.windows << 8 | curve.family << 20 | curve.public << 23
    lengths = [write(pka.LENGTH, curve.p.bit_length()), write(pka.Y_LENGTH, curve.n.bit_length())]
    return [*lengths, write(pka.CURVE, word)]


def numbers(curve: Curve, first: int) -> list[str]:
    values = (curve.p, curve.n, curve.a, curve.b, curve.x, curve.y)
    return [line for at, value in enumerate(values) for line in slot(first + at, value)]


def load(curve: Curve) -> list[str]:
    return [*form(curve), *numbers(curve, 0), *command(pka.LOAD_CURVE, x=0)]


def ask(
    operation: int, x: list[int], y: list[int], first: int = SCALAR, op: int = pka.POINT
) -> list[str]:
    """Return the lines of an operation, its y from slot 0 on, its answer in slots 5 and 6."""
    lines = [line for at, value in enumerate(x) for line in slot(first + at, value)]
    lines += [line for at, value in enumerate(y) for line in slot(at, value)]
    return [*lines, *command(op, x=first, y=0, z=5, operation=operation)]


def locked(curve: Curve, d: int, uses: int) -> list[str]:
    lines = [*form(curve), *numbers(curve, 8), *slot(KEY_SCALAR, d)]
    return [*lines, *command(pka.CURVE_LOCK, policy=uses)]


def with_key(operation: int, y: list[int]) -> list[str]:
    return ask(operation, [], y, op=pka.KEY_POINT)


def point_of(answers: list[PkaAnswer]) -> tuple[int, int]:
    half = len(answers) // 2
    return pka.joined(answers[:half]), pka.joined(answers[half:])


RESULT = [*result(32, 5), *result(32, 6)]


def test_every_operation_gives_what_the_curve_says(device: PkaBench) -> None:
    rng = random.Random(1)
    for curve in (SMALL, OTHER):
        n, base = curve.n, (curve.x, curve.y)
        k, d, e, v = (rng.randrange(1, n) for _ in range(4))
        public, own = curve.multiply(d, base), curve.multiply(k, base)
        assert public is not None
        asked = {
            Operation.MULTIPLY: ([k], list(public), curve.multiply(k, public)),
            Operation.BASE: ([k], [], own),
            Operation.JOINT: ([k, v], list(public), curve.add(own, curve.multiply(v, public))),
            Operation.MULTIPLY_ADD: ([k, d], [e], ((k * d + e) % n, 0)),
        }
        for operation, (x, y, wanted) in asked.items():
            found = device.played(load(curve), ask(operation, x, y), RESULT)
            if wanted is None:
                assert found[1][-1].value == INFINITY
            else:
                assert (found[1][-1].value, point_of(found[2])) == (0, wanted), operation
        r = (own or (0, 0))[0] % n
        s = pow(k, -1, n) * (e + r * d) % n
        if r and s:
            signed = ask(Operation.SIGN, [k, d], [e])
            check = ask(Operation.VERIFY, [r, s], [e, *public], 3)
            found = device.played(load(curve), signed, RESULT, check)
            assert (found[1][-1].value, point_of(found[2]), found[3][-1].value) == (0, (r, s), 0)


def test_each_refusal_has_its_error_and_the_next_operation_is_right(device: PkaBench) -> None:
    off, refused = (SMALL.x, SMALL.y ^ 1), replace(SMALL, y=SMALL.y ^ 1)
    good = [*load(SMALL), *ask(Operation.BASE, [2], []), *RESULT]
    wanted = SMALL.multiply(2, SMALL.base)
    base, multiply, verify = Operation.BASE, Operation.MULTIPLY, Operation.VERIFY
    key, loading = [1, 1, SMALL.x, SMALL.y], command(pka.LOAD_CURVE, x=0)
    wrong = [
        (ask(multiply, [2], list(off)), NOT_ON),
        (ask(multiply, [2], [SMALL.p, SMALL.y]), RANGE),
        (ask(base, [0], []), INFINITY),
        (ask(base, [SMALL.n], []), INFINITY),
        (ask(verify, [0, 1], key[1:], 3), RANGE),
        (ask(verify, [1, SMALL.n], key[1:], 3), RANGE),
        (ask(Operation.LADDER, [2], [9, 7]), 23),
        (load(refused), 4),
        (load(replace(SMALL, p=SMALL.p - 1)), 1),
        ([write(pka.LENGTH, 1), *loading], pka.BAD_LENGTH),
        ([*form(SMALL), write(pka.Y_LENGTH, BITS + 1), *loading], pka.BAD_LENGTH),
        ([*form(SMALL), write(pka.CURVE, 0), *loading], 3),
        (command(pka.LOAD_CURVE, x=3), pka.BAD_COMMAND),
        (command(pka.POINT, x=14, y=0, z=5, operation=7), pka.BAD_COMMAND),
        (command(pka.POINT, x=8, y=0, z=5, operation=1), pka.BAD_COMMAND),
        (command(pka.POINT, x=15, y=0, z=5, operation=1), pka.BAD_COMMAND),
        (command(pka.POINT, x=7, y=0, z=5, operation=4), pka.BAD_COMMAND),
        (command(pka.POINT, x=14, y=7, z=5, operation=0), pka.BAD_COMMAND),
        (command(pka.POINT, x=14, y=0, z=7, operation=1), pka.BAD_COMMAND),
        (command(pka.CURVE_LOCK, policy=0), pka.BAD_COMMAND),
        (command(pka.KEY_CURVE), pka.BAD_KEY),
        (command(pka.KEY_POINT, y=0, z=5, operation=2), pka.BAD_KEY),
        (command(pka.KEY_POINT, y=0, z=5, operation=3), pka.BAD_COMMAND),
        *((command(op), pka.BAD_COMMAND) for op in (0, pka.LOAD, 2, 3, 4, 5, pka.LOCK, 14, 15)),
    ]
    for lines, error in wrong:
        found = device.played(load(SMALL), lines, good)
        assert found[1][-1].value == error, lines
        assert point_of(found[2][-len(RESULT) :]) == wanted, lines
    assert device.errors(ask(base, [2], [])) == [pka.NO_CURVE]
    # After a refused curve, none is loaded.
    assert device.errors(load(SMALL), load(refused), ask(base, [2], []))[2] == pka.NO_CURVE


def test_a_shorter_curve_loads_after_a_longer_one_accepted_or_refused(device: PkaBench) -> None:
    longer = Curve("", Family.ANY_A, 34359738337, 5, 34359738332, 1, 1, 34359738339)
    for before in (longer, replace(longer, p=longer.p - 1), replace(longer, y=2)):
        found = device.played(load(before), load(SMALL), ask(Operation.BASE, [5], []), RESULT)
        assert (found[1][-1].value, point_of(found[3])) == (0, SMALL.multiply(5, SMALL.base))


def test_hidden_slots_cannot_be_read_and_are_empty_after_their_operation(device: PkaBench) -> None:
    hidden = [f"r {slot_at(8 + at):x}" for at in range(8)]
    once = ask(Operation.BASE, [5], [])
    again = command(pka.POINT, x=SCALAR, y=0, z=5, operation=Operation.BASE)
    sign = ask(Operation.SIGN, [5, 7], [3])
    resign = command(pka.POINT, x=SCALAR, y=0, z=5, operation=Operation.SIGN)
    found = device.played(load(SMALL), hidden, once, again, sign, resign, slot(SCALAR, 5))
    assert {(answer.status, answer.value) for answer in found[1]} == {(REFUSED, 0)}
    assert [part[-1].value for part in found[2:4]] == [0, INFINITY]
    assert found[4][-1].value == 0 and found[5][-1].value != 0
    cleared = device.played(load(SMALL), slot(SCALAR, 5), command(pka.CLEAR), again)
    assert cleared[3][-1].value == INFINITY


def test_a_locked_key_signs_with_nonces_of_its_own_and_only_for_its_uses(device: PkaBench) -> None:
    n, d, e = SMALL.n, 77, 50
    public = SMALL.multiply(d, SMALL.base) or (0, 0)
    key = locked(SMALL, d, 1)
    change = [*slot(8, 3), *slot(KEY_SCALAR, 1), *command(pka.DRAW, policy=3)]
    asks = [with_key(Operation.SIGN, [e])] * 12
    parts = [part for item in asks for part in (item, RESULT)]
    found = device.played(key, change, command(pka.KEY_CURVE), *parts)
    assert found[0][-1].value == 0
    assert {answer.status for answer in found[1][:4]} == {REFUSED}
    assert found[1][-1].value == pka.BAD_KEY
    seen = set()
    for ended, answers in zip(found[3::2], found[4::2], strict=True):
        if ended[-1].value == 25:
            continue  # r or s was zero, which a curve of this size gives now and then
        assert ended[-1].value == 0
        r, s = point_of(answers)
        w = pow(s, -1, n)
        left = SMALL.multiply(e * w % n, SMALL.base)
        point = SMALL.add(left, SMALL.multiply(r * w % n, public))
        assert point is not None and point[0] % n == r
        seen.add(r)
    assert len(seen) > 4
    use = [with_key(Operation.BASE, []), RESULT, with_key(Operation.MULTIPLY, list(public))]
    found = device.played(key, with_key(Operation.BASE, []), command(pka.KEY_CURVE), *use)
    # Only the curve that was locked with it, even if another is the same.
    assert found[1][-1].value == pka.NO_CURVE
    assert point_of(found[4]) == public and found[5][-1].value == pka.BAD_KEY
    agree = locked(SMALL, d, 2)
    use = [with_key(Operation.MULTIPLY, list(public)), RESULT, with_key(Operation.SIGN, [e])]
    found = device.played(agree, load(SMALL), use[0], command(pka.KEY_CURVE), *use)
    assert found[2][-1].value == pka.NO_CURVE
    assert point_of(found[5]) == SMALL.multiply(d, public) and found[6][-1].value == pka.BAD_KEY
    # A nonce or a key of the caller together with a locked key: there is room for one.
    own = [*slot(SCALAR, 5), *command(pka.POINT, x=SCALAR, y=0, z=5, operation=Operation.SIGN)]
    assert device.errors(key, load(SMALL), own)[2] == pka.BAD_KEY
    assert device.played(key, [f"r {pka.STATUS:x}"])[1][0].value == 1 << 3 | 1 << 6 | 1 << 8


def test_a_drawn_key_is_below_the_order_and_another_each_time(device: PkaBench) -> None:
    seen = set()
    for _ in range(3):
        parts: list[list[str]] = []
        for _ in range(8):
            parts += [[*form(SMALL), *numbers(SMALL, 8)], command(pka.DRAW, policy=3)]
            parts += [command(pka.KEY_CURVE), with_key(Operation.BASE, []), RESULT]
            parts += [[write(pka.CONTROL, 1), f"idle {LIMIT}"]]
        found = device.played(*parts)
        assert {part[-1].value for part in found[1::6] + found[3::6]} == {0}
        seen |= {point_of(part) for part in found[4::6]}
    assert len(seen) == 8 and all(SMALL.holds(point) for point in seen)


def test_without_random_numbers_nothing_is_computed_with_a_secret(device: PkaBench) -> None:
    key, e = locked(SMALL, 77, 3), 50
    uses = [
        with_key(Operation.SIGN, [e]),
        with_key(Operation.BASE, []),
        with_key(Operation.MULTIPLY, [SMALL.x, SMALL.y]),
        ask(Operation.BASE, [5], []),
    ]
    for mode in (0, 2, 3):
        begin = [*key, *command(pka.KEY_CURVE)]
        for use in uses:
            found = device.played(begin, [f"rnd {mode}"], use, use, use, ["rnd 1"], use)
            failed = [part[-1].value for part in found[2:5]]
            assert set(failed) <= {0, pka.NO_RANDOM}, (mode, use)
            # The first draw may succeed with buffered words, or before three equal ones.
            assert mode == 3 or failed[1:] == [pka.NO_RANDOM] * 2, (mode, use)
            assert found[6][-1].value in (0, 25)
    draw = [*form(SMALL), *numbers(SMALL, 8), "rnd 0", *command(pka.DRAW, policy=3)]
    found = device.played(draw, command(pka.KEY_CURVE))
    assert [part[-1].value for part in found] == [pka.NO_RANDOM, pka.BAD_KEY]
    # An order that does not match its length: no number is below it.
    draw = [*form(SMALL), *numbers(replace(SMALL, n=0), 8), *command(pka.DRAW, policy=3)]
    assert device.errors(draw) == [pka.NO_RANDOM]


@pytest.mark.parametrize("keep", [0, pka.KEEP], ids=["all", "keep"])
def test_zeroize_clears_operands_hidden_slots_key_and_curve_at_any_moment(
    device: PkaBench, keep: int
) -> None:
    key = [*locked(SMALL, 77, 3), *command(pka.KEY_CURVE)]
    begin = [*slot(0, 50), *slot(SCALAR, 5)]
    command_word = pka.KEY_POINT | SCALAR << 8 | 5 << 16 | Operation.SIGN << 20
    reads = [line for place in range(8) for line in result(BITS, place)]
    right = [*load(SMALL), *ask(Operation.BASE, [2], []), *RESULT]
    for moment in (0, 1, 2, 3, 5, 8, 13, 30, 60, 100, 400, 1000, 4000, 9000, 40000):
        zeroize = write(pka.CONTROL, 1 | keep)
        under_way = [write(pka.COMMAND, command_word), f"run {moment}", zeroize]
        ended = [f"idle {LIMIT}", f"r {pka.ERROR:x}", f"r {pka.STATUS:x}"]
        empty = command(pka.POINT, x=SCALAR, y=0, z=5, operation=Operation.BASE)
        after = [*load(SMALL), *empty]
        use = [*command(pka.KEY_CURVE), *with_key(Operation.BASE, []), *RESULT]
        again = [reads, empty, use, after]
        found = device.played(key, begin, under_way, ended, *again)
        assert found[3][1].value in (pka.ABANDONED, 0, 25), moment
        assert found[3][2].value == (pka.LOCKED | pka.KEY_KIND | 3 << 8 if keep else 0)
        assert {answer.value for answer in found[4]} == {0}, moment
        assert [found[5][-1].value, found[7][-1].value] == [pka.NO_CURVE, INFINITY], moment
        public = SMALL.multiply(77, SMALL.base) if keep else (0, 0)
        assert point_of(found[6][-len(RESULT) :]) == public, moment
    found = device.played(key, begin, under_way, ended, right)
    assert point_of(found[4][-len(RESULT) :]) == SMALL.multiply(2, SMALL.base)


def test_cycles_of_an_operation_do_not_depend_on_the_numbers(device: PkaBench) -> None:
    rng = random.Random(3)
    for operation, secrets, y in (
        (Operation.BASE, 1, []),
        (Operation.MULTIPLY, 1, [SMALL.x, SMALL.y]),
        (Operation.SIGN, 2, [50]),
    ):
        seen = set()
        for _ in range(6):
            x = [rng.randrange(1, SMALL.n) for _ in range(secrets)]
            lines = [*load(SMALL), *ask(operation, x, y), f"r {pka.CYCLES:x}"]
            *_, error, cycles = device.played(lines)[0]
            if error.value == 0:
                seen.add(cycles.value)
        assert len(seen) == 1, operation


@pytest.mark.nightly  # every run has each unit alone
def test_two_units_take_turns_and_each_keeps_what_is_loaded(tmp_path: Path) -> None:
    core = get_core("dsp").configure({"alpha": "2"}, 70)
    both = bench_of(tmp_path, AcceleratorDesign(core, CORE))
    m, bits = (1 << 69) + 9, 70
    modulus = pka.load(m, bits)
    power = [*number(slot_at(1), 3, bits), *number(slot_at(2), 0x155, bits)]
    power += [write(pka.Y_LENGTH, 9), *command(pka.POWER)]
    words = result(bits)
    base = ask(Operation.BASE, [5], [])
    found = both.played(modulus, load(SMALL), power, words, base, RESULT, power, words)
    assert [found[at][-1].value for at in (0, 1, 2, 4, 6)] == [0] * 5
    assert pka.joined(found[3]) == pka.joined(found[7]) == pow(3, 0x155, m)
    assert point_of(found[5]) == SMALL.multiply(5, SMALL.base)
    # There is one locked key; requests for others are refused.
    lock = [write(pka.LENGTH, bits), write(pka.Y_LENGTH, 9), *number(pka.KEY, m, bits)]
    lock += [*number(slot_at(9), 0x155, bits), *command(pka.LOCK)]
    with_it = [*number(slot_at(1), 3, bits), *command(pka.KEY_POWER)]
    use = [command(pka.KEY_LOAD), with_it, words]
    found = both.played(lock, locked(SMALL, 77, 3), command(pka.KEY_CURVE), *use)
    assert [found[at][-1].value for at in (0, 1, 2, 3, 4)] == [0, pka.BAD_KEY, pka.BAD_KEY, 0, 0]
    assert pka.joined(found[5]) == pow(3, 0x155, m)
    found = both.played(locked(SMALL, 77, 3), lock, command(pka.KEY_LOAD), command(pka.KEY_CURVE))
    assert [part[-1].value for part in found] == [0, pka.BAD_KEY, pka.BAD_KEY, 0]
    assert both.errors(locked(SMALL, 77, 3), modulus, power)[2] == 0


def sequences(rng: random.Random) -> Iterator[str]:
    """Yield a few accesses, some that make sense and some that do not, in any order."""
    for _ in range(rng.randrange(1, 14)):
        kind = rng.randrange(12)
        if kind < 3:
            yield pka.access(kind, rng)
        elif kind == 3:
            register = rng.choice((pka.LENGTH, pka.Y_LENGTH))
            yield write(register, rng.choice((0, 1, 2, 7, 8, 33, BITS, BITS + 1, 0x3FFF)))
        elif kind == 4:
            yield from slot(rng.randrange(16), rng.choice((0, 1, 3, rng.getrandbits(BITS))))
        elif kind in (5, 6):
            word = rng.choice((pka.POINT, pka.KEY_POINT, rng.randrange(16)))
            word |= rng.randrange(4) << 4 | rng.choice((0, 3, SCALAR)) << 8
            slots = rng.randrange(16) << 12 | rng.randrange(16) << 16 if rng.randrange(3) else 0
            yield write(pka.COMMAND, word | slots | rng.randrange(8) << 20)
        elif kind == 7:
            yield f"run {rng.choice((1, 3, 20, 300, 3000))}"
        elif kind == 8:
            yield from form(rng.choice((SMALL, OTHER)))
            yield from numbers(rng.choice((SMALL, OTHER)), rng.choice((0, 8)))
        elif kind == 9:
            yield from load(rng.choice((SMALL, OTHER)))
        elif kind == 10:
            yield from locked(SMALL, rng.randrange(128), rng.randrange(4))
            yield from command(rng.choice((pka.KEY_CURVE, pka.DRAW)), policy=rng.randrange(4))
        else:
            yield f"rnd {rng.choice((0, 1, 1, 2, 3))}"
    if rng.randrange(4) == 0:
        yield write(pka.CONTROL, 1)


def check_sequences(device: PkaBench, first: int, count: int) -> None:
    """After each sequence: no hang, a defined error, and a correct next operation."""
    lines, ends, wanted = list[str](), list[int](), list[tuple[int, tuple[int, int]]]()
    for seed in range(first, first + count):
        rng = random.Random(seed)
        lines += [*sequences(rng), *pka.orders(seed, rng)]
        lines += [f"idle {LIMIT}", f"r {pka.ERROR:x}", f"r {pka.STATUS:x}", "rnd 1"]
        ends.append(len(lines))
        k = rng.randrange(1, SMALL.n)
        if seed % 4 == 0:
            lines += [*load(SMALL), *ask(Operation.BASE, [k], []), *RESULT]
            wanted.append((len(lines), SMALL.multiply(k, SMALL.base) or (0, 0)))
        else:  # a curve that loads faster
            u = rng.randrange(LADDER.p)
            twist = not is_square(u * (u * u + (4 * LADDER.a + 2) * u + 1), LADDER.p)
            lines += [*load(LADDER), *ask(Operation.LADDER, [k], [u, twist]), *RESULT]
            wanted.append((len(lines), (LADDER.ladder(k, u), 0)))
    answers = device.run(lines)
    for seed, end, (done, value) in zip(range(first, first + count), ends, wanted, strict=True):
        idle, error, status = answers[end - 4 : end - 1]
        assert idle.said != "-1", seed
        assert error.value in (*range(7), *range(8, 12), *range(16, 26)), seed
        assert status.value & 1 == 0, seed
        assert point_of(answers[done - len(RESULT) : done]) == value, seed


@pytest.mark.nightly  # every run has chosen accesses in test_pka.py
def test_any_sequence_of_accesses_ends_and_the_next_operation_is_right(device: PkaBench) -> None:
    check_sequences(device, 0, 100)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", range(10_000, 20_000, 500))
def test_ten_thousand_sequences(device: PkaBench, first: int) -> None:
    check_sequences(device, first, 500)
