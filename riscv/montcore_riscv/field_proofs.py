# SPDX-License-Identifier: Apache-2.0
"""Proofs of the fields of curves from their assembled bytes, in the way of `proofs`."""

from montcore.support.errors import CheckFailedError
from montcore_riscv.curve_calls import P256, P25519
from montcore_riscv.elf import ElfProgram
from montcore_riscv.interpreter import Interpreter
from montcore_riscv.proofs import A, B, Patches, R, compared
from montcore_riscv.sums import holds, number, product, reduced
from montcore_riscv.words import Terms, Value, Word, plus

#: Registers of the words of a result, and of the carry, as field.inc has them.
RESULT, CARRY = (*range(13, 18), *range(5, 8)), 28
WORDS_OF_P256 = [P256 >> 32 * at & 0xFFFFFFFF for at in range(8)]
#: A number of words, and a carry or borrow beside it.
Stop = tuple[list[Value], Value]


def _run(
    program: ElfProgram, name: str, stops: tuple[str, ...], patches: Patches | None, third: int = B
) -> tuple[Interpreter, list[Word], list[Word], dict[str, Stop]]:
    """Run a routine with two secret numbers, and note result and carry at some labels.

    Raises:
        CheckFailedError: it does what it must not do, or leaves a secret on the stack.
    """
    run = Interpreter(program, patches)
    a, b = run.secrets(A, 8), run.secrets(B, 8)
    found: dict[str, Stop] = {}

    def note(stop: str, at: int) -> None:
        def look(run: Interpreter) -> int:
            found[stop] = [run.x[register] for register in RESULT], run.x[CARRY]
            return run._step(at)

        run.proved[at] = look

    for stop in stops:
        note(stop, program.address(stop))
    run.call(name, (R, A, third), [(R, 32)])
    if any(stop not in found for stop in stops):
        raise CheckFailedError(f"{name} does not come by where it should")
    return run, a, b, found


def _wanted(name: str, a: list[Word], b: list[Word]) -> list[Terms]:
    """Return minus what a routine computes, as sums of words."""
    what = name.rpartition("_")[2]
    if what in ("mul", "sqr"):
        return [product(a, b if what == "mul" else a, -1)]
    if what == "scale":
        return [number(a, -121665)]
    return [number(a, -1), number(b, -1 if what == "add" else 1)]


def prove_p256(program: ElfProgram, name: str, patches: Patches | None = None) -> Interpreter:
    """Prove mc_p256_mul, _sqr, _add or _sub for a, b < p.

    Of a product is shown a b + q p = R (o + R c) with the digits q, of a sum a + b = o + R c,
    modulo more than either side can be with a word c. So o + R c < 2 p. The bit s is 1 exactly if
    o + R c < p, and r = o + R c - (1 - s) p. Of a difference is shown that s = (a < b) and
    r = a - b + s p. Both hold modulo R, which is enough as the right side is not negative and < R.

    Raises:
        CheckFailedError: it is not so.
    """
    difference = name.endswith("sub")
    multiplied = name.endswith(("mul", "sqr"))
    stops = () if difference else ("mc_p256_digits",) * multiplied + ("mc_p256_once",)
    run, a, b, found = _run(program, name, stops, patches)
    result, masks = run.get(R, 8), run.words.masks
    if len(masks) != 1:
        raise CheckFailedError("there is not one mask")
    chosen = masks[0]
    if difference:
        if compared(chosen) != (a, b):
            raise CheckFailedError("something else than a and b is compared")
        holds([number(result), *_wanted(name, a, b), plus((-P256, chosen))], 256, name)
        return run
    upper, carry = found["mc_p256_once"]
    whole = [number(upper), plus((1 << 256, carry)), *_wanted(name, a, b)]
    if multiplied:
        digits = found["mc_p256_digits"][0]
        whole = [number(upper, 1 << 256), plus((1 << 512, carry)), *_wanted(name, a, b)]
        holds([*whole, number(digits, -P256)], 544, "the quotient's digits")
    else:
        holds(whole, 288, "the sum")
    if chosen.less is None or chosen.less[0] != carry:
        raise CheckFailedError("something else than the carry is compared")
    if compared(chosen.less[1]) != (upper, WORDS_OF_P256):
        raise CheckFailedError("something else than p is compared")
    masked = [number(result), number(upper, -1), plus((P256, 1), (-P256, chosen))]
    holds(masked, 256, "the final subtraction")
    return run


def prove_25519(program: ElfProgram, name: str, patches: Patches | None = None) -> Interpreter:
    """Prove that a routine of 2^255 - 19 gives a number congruent to what it should be.

    Shown is the congruence, but for a carry c beyond the lowest word in the last addition of 38 d,
    where d is the carry of t + m = s + 2^256 d with m < 2^32 - 38. If d = 1, then s < m, so that
    38 does not carry: c = 0. A difference is t - m = s - 2^256 d with m = 38 or 0; if d = 1 then
    s >= 2^256 - 38, and taking 38 from its lowest word does not borrow.

    Raises:
        CheckFailedError: it is not so.
    """
    difference = name.endswith("sub")
    first, last = (
        ("mc_25519_unfold", "mc_25519_under") if difference else ("mc_25519_fold", "mc_25519_last")
    )
    third = 121665 if name.endswith("scale") else B
    run, a, b, found = _run(program, name, (first, last), patches, third)
    (before, small), (after, again) = found[first], found[last]
    if not isinstance(small, Word) or small.high >= (1 << 32) - 38:
        raise CheckFailedError("what is added may be large")
    sign = -1 if difference else 1
    moved = [number(after), number(before, -1), plus((sign << 256, again), (-sign, small))]
    holds(moved, 288, "the second carry")
    result = run.get(R, 8)
    left = reduced([number(result), *_wanted(name, a, b)], P25519)
    lowest = result[0]
    if not isinstance(lowest, Word) or result[1:] != after[1:] or lowest.terms is None:
        raise CheckFailedError("the last addition is another")
    dropped = [
        key
        for key in lowest.terms
        if isinstance(key, Word) and abs(lowest.terms[key]) == 1 << 32 and key.high == 1
    ]
    added = {key: c for key, c in lowest.terms.items() if key not in dropped}
    step = reduced([added, number(after[:1], -1), plus((-38 * sign, again))], 1 << 64)
    if step or set(left) - set(dropped):
        raise CheckFailedError(f"{name}: {len(left)} terms are left")
    return run
