# SPDX-License-Identifier: Apache-2.0
"""Proofs of the assembled routines: what they compute, for all operands of a length.

Each proof runs the bytes of the routine with secrets as symbols (`montcore_riscv.interpreter`),
which shows constant time, memory safety and the calling convention, and then an identity of
integers. Rows are proved once, for one row that ends and one that goes on; a run then takes them as
proved, as does Karatsuba's method the products of its halves.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

from montcore.support.errors import CheckFailedError
from montcore_riscv.decode import RiscvInstruction
from montcore_riscv.elf import ElfProgram
from montcore_riscv.interpreter import A0, RA, RETURN, Interpreter
from montcore_riscv.sums import added, holds, number, product, reduced, times
from montcore_riscv.words import Terms, Value, W, Word, WordGroup, pair, plus

Patches = Mapping[int, RiscvInstruction]

#: Where operands lie, far apart.
R, A, B, M, WORK, CONTEXT = (0x40000000 + 0x100000 * at for at in range(6))
#: Words of a strip; registers of rows.inc: strip, sum, operands and start, what a row may destroy.
STRIPS, STRIP = (8, 4, 2), (8, 9, *range(18, 24))
SUM = (*range(24, 28), *range(28, 32))
AT_R, AT_A, BACK, END, LOW, X = 10, 11, 12, 16, 5, 15
DESTROYED = (1, 5, 6, 7, 13, 14, 15)


def _as_words(values: Iterable[Value]) -> list[Word]:
    return [value for value in values if isinstance(value, Word)]


# ---- rows ---------------------------------------------------------------------------------------


def prove_rows(program: ElfProgram, words: int, patches: Patches | None = None) -> Interpreter:
    """Prove a row of mc_rows2, 4 or 8: word' + 2^32 sum' = word + sum + x strip.

    Raises:
        CheckFailedError: it is not so.
    """
    entry, begun = (program.address(f"mc_row{name}{words}") for name in ("s", ""))
    for more in (False, True):
        run = Interpreter(program, patches, 1000)
        run.x[AT_R], run.x[AT_A], run.x[BACK], run.x[END] = R, A, RETURN, A + (8 if more else 4)
        x, (word,), before = run.secrets(A, 2 if more else 1), run.secrets(R, 1), list(run.x)
        strip, total = _strip(before, words)
        run.run(entry, {begun}, [])
        early = run.x[LOW] is not before[LOW]
        _row_begun(run, x[0], strip[0], early)
        _row_end(run, before, words, {}, [number(total, -1 << 32)], 0)
        if run.run(begun, {RETURN, begun}, [(R, 4)]) != (begun if more else RETURN):
            raise CheckFailedError(f"a row of {words} words ends elsewhere")
        if more:
            _row_begun(run, x[1], strip[0], early)
        wanted = [number(total, -1), times(x[0], strip, -1), plus((-1, word))]
        _row_end(run, before, words, {AT_R: R + 4, AT_A: A + 4}, wanted, run.memory[R])
    return run


def _row_begun(run: Interpreter, x: Value, y: Value, early: bool) -> None:
    """Check that a row begins with x, and with `early` with x y modulo 2^32; forget the rest."""
    if run.x[X] is not x:
        raise CheckFailedError("a row begins with another word")
    if early:
        holds([times(x, [y]), plus((-1, run.x[LOW]))], 32, "the first product of a row")
    for register in {*DESTROYED} - {X, *([LOW] if early else [])}:
        run.x[register] = run.words.new()


def prove_quotient(program: ElfProgram, words: int, patches: Patches | None = None) -> Interpreter:
    """Prove a row of digits: q takes the word's place, and 2^32 sum' = word + sum + q strip.

    Raises:
        CheckFailedError: it is not so.
    """
    entry, end = (program.address(f"mc_quotient{name}{words}") for name in ("", "_end"))
    for more in (False, True):
        run = Interpreter(program, patches, 1000)
        run.x[AT_R], run.x[END] = R, R + (8 if more else 4)
        (word,), before = run.secrets(R, 1), list(run.x)
        strip, total = _strip(before, words)
        run.words.reduction = strip[0], before[BACK]
        if run.run(entry, {end, entry}, [(R, 4)]) != (entry if more else end):
            raise CheckFailedError(f"a row of {words} digits ends elsewhere")
        digit = run.memory[R]
        if digit not in run.words.digits:
            raise CheckFailedError("no digit takes the place of the word")
        wanted = [number(total, -1), times(digit, strip, -1), plus((-1, word))]
        _row_end(run, before, words, {AT_R: R + 4}, wanted, 0)
    return run


def _strip(registers: Sequence[Value], words: int) -> tuple[list[Value], list[Value]]:
    return [registers[k] for k in STRIP[:words]], [registers[k] for k in SUM[:words]]


def _row_end(
    run: Interpreter,
    before: list[Value],
    words: int,
    moved: Mapping[int, int],
    wanted: list[Terms],
    low: Value,
) -> None:
    """Check a row's sum; both sides are below 2^(32 (words + 1)), so that they are equal."""
    changed = {*DESTROYED, *SUM[:words], *moved}
    if any(run.x[k] != value for k, value in moved.items()) or any(
        run.x[k] is not before[k] for k in range(32) if k not in changed
    ):
        raise CheckFailedError("a row changes a register that it must keep")
    after = number([low, *(run.x[k] for k in SUM[:words])])
    holds([after, *wanted], 32 * (words + 1), f"a row of {words} words")


def _rows(words: int, digits: bool, end: int) -> Callable[[Interpreter], int]:
    """Return what rows do, by what `prove_rows` or `prove_quotient` shows for each."""

    def apply(run: Interpreter) -> int:
        x, at = run.x, run.public(AT_R)
        while True:
            strip, total = _strip(x, words)
            word, new = run.get(at, 1)[0], run.words.many(words + 1)
            if digits:
                if run.words.reduction != (x[STRIP[0]], x[BACK]):
                    raise CheckFailedError("digits of something else than the modulus")
                factor: Value = new[0]
                run.words.digits[new[0]] = new[0]
            else:
                factor = run.get(run.public(AT_A), 1)[0]
                x[AT_A] = run.public(AT_A) + 4
            terms = added(times(factor, strip), number([*total]))
            terms = added(terms, plus((1, word)))
            if digits:
                WordGroup(new[1:], terms, 1)
            else:
                WordGroup(new, terms)
            run.store(at, new[:1])
            for register, value in zip(SUM[:words], new[1:], strict=True):
                x[register] = value
            at += 4
            x[AT_R] = at
            if (at if digits else x[AT_A]) == run.public(END):
                break
        for register in DESTROYED:
            x[register] = run.words.new()
        return end if digits else run.public(BACK)

    return apply


def with_rows(program: ElfProgram, patches: Patches | None = None) -> Interpreter:
    """Return a run that takes rows as proved."""
    run = Interpreter(program, patches)
    for words in STRIPS:
        if f"mc_rows{words}" in program.symbols:
            run.proved[program.address(f"mc_rows{words}")] = _rows(words, False, 0)
        if f"mc_quotient{words}" in program.symbols:
            end = program.address(f"mc_quotient_end{words}")
            run.proved[program.address(f"mc_quotient{words}")] = _rows(words, True, end)
    return run


# ---- products and squares -----------------------------------------------------------------------


def _clean(run: Interpreter, name: str) -> None:
    if run.stack_secrets():
        raise CheckFailedError(f"{name} leaves a secret on the stack")


def prove_product(
    program: ElfProgram, name: str, n: int, patches: Patches | None = None, same: bool = False
) -> Interpreter:
    """Prove r = a b of n limbs; with `same` for one operand. A square has one argument less.

    Raises:
        CheckFailedError: it is not so.
    """
    run, square = with_rows(program, patches), name == "mc_sqr_raw"
    a = run.secrets(A, 2 * n)
    b = a if same or square else run.secrets(B, 2 * n)
    factors = (A,) if square else (A, A if same else B)
    run.call(name, (R, *factors, n), [(R, 16 * n)])
    _clean(run, name)
    holds([number(run.get(R, 4 * n)), product(a, b, -1)], 128 * n, name)
    return run


def _linear(values: Sequence[Value]) -> Terms:
    """Return a number as a sum of words of which nothing is known."""
    first = values[0]
    if isinstance(first, Word) and first.group is not None and first.group.words == list(values):
        return first.group.terms
    return number(values)


def _product(groups: list[WordGroup], length: int, end: int = 0) -> Callable[[Interpreter], int]:
    """Return what a product does, or a square if a2 is its length; `groups` get its words.

    It returns, or goes on at `end` with nothing in any other register than sp.
    """

    def apply(run: Interpreter) -> int:
        at, words = run.public(A0), 2 * run.public(A0 + length)
        factors = [_linear(run.get(run.public(A0 + k), words)) for k in (1, length - 1)]
        terms: Terms = {}
        for (x, c), (y, k) in itertools.product(*(factor.items() for factor in factors)):
            assert isinstance(x, Word) and isinstance(y, Word)
            key = pair(x, y)
            terms[key] = terms.get(key, 0) + c * k
        groups.append(WordGroup(run.words.many(2 * words), terms))
        run.store(at, groups[-1].words)
        kept = () if end else (*range(8, 10), *range(18, 28))
        for register in {*range(5, 32)} - {*kept}:
            run.x[register] = run.words.new()
        return end or run.public(RA)

    return apply


# ---- modular arithmetic -------------------------------------------------------------------------


def compared(bit: Value) -> tuple[list[Value], list[Value]]:
    """Return the numbers x and y if a bit is 1 exactly where x < y.

    Raises:
        CheckFailedError: it is something else.
    """
    x: list[Value] = []
    y: list[Value] = []
    while bit != 0:
        if not isinstance(bit, Word) or bit.less is None:
            raise CheckFailedError("no comparison")
        one, other, bit = bit.less
        if bit == 0 and isinstance(other, Word) and other.less is not None:
            other, bit = 0, other  # x < 0 + borrow
        x.insert(0, one)
        y.insert(0, other)
    return x, y


def _masking(run: Interpreter) -> Word:
    """Return the bit by which the modulus is added or not."""
    if len(run.words.masks) != 1:
        raise CheckFailedError("there is not one mask")
    return run.words.masks[0]


def prove_reduction(
    program: ElfProgram,
    n: int,
    patches: Patches | None = None,
    name: str = "mc_redc_raw",
    in_place: bool = False,
) -> Interpreter:
    """Prove r = w R^-1 mod m for w < m R, R = 2^(64 n); `in_place`: r is w's upper half.

    The routine is mc_redc_raw, or mc_montmul_raw or mc_montsqr_raw, where w is a product or a
    square. Shown are w + q m = R (u + R c) with the digits q, the bit b = (c < (u < m)), and
    r = u - m + b m modulo R. As w + q m < 2 m R, u + R c is below 2 m. If it is below m, then c = 0
    and b = 1, and r = u. If not, b = 0, as c = 1 or u >= m, and r = u + R c - m.

    Raises:
        CheckFailedError: it is not so.
    """
    run, words, at_r = with_rows(program, patches), 2 * n, WORK + 8 * n if in_place else R
    a, b, m = (run.secrets(address, words) for address in (A, B, M))
    constant = run.secrets(CONTEXT + 16, 2)
    run.words.reduction = m[0], constant[0]
    run.put(CONTEXT, (M, 0, WORK, n))
    arguments, wanted = {
        "mc_montmul_raw": ((R, A, B, CONTEXT), product(a, b)),
        "mc_montsqr_raw": ((R, A, CONTEXT), product(a, a)),
    }.get(name, ((at_r, WORK, M, n, CONTEXT + 16), {}))
    if not wanted:
        wanted = number(run.secrets(WORK, 2 * words))
    else:
        end = program.address("mc_mul_end")
        for routine, length in (("mc_mul_strips", 3), ("mc_sqr_strips", 2)):
            if routine in program.symbols:
                run.proved[program.address(routine)] = _product([], length, end)
    run.call(name, arguments, [(R, 8 * n), (WORK, 16 * n)])
    _clean(run, name)
    result, digits = run.get(at_r, words), _as_words(run.get(WORK, words))
    if any(digit not in run.words.digits for digit in digits):
        raise CheckFailedError("a quotient digit is missing")
    chosen = _masking(run)
    if chosen.less is None:
        raise CheckFailedError("nothing is compared")
    carry, below, _ = chosen.less
    upper, modulus = compared(below)
    if modulus != m or len(upper) != words or getattr(carry, "high", 0) > 1:
        raise CheckFailedError("something else than the modulus is compared")
    whole = [number(upper, -1 << 64 * n), plus((-1 << 128 * n, carry))]
    holds([wanted, product(digits, m), *whole], 128 * n + 32, "the quotient's digits")
    masked = [number(result), number(upper, -1), number(m), times(chosen, m, -1)]
    holds(masked, 64 * n, "the final subtraction")
    return run


def prove_modular(
    program: ElfProgram, name: str, n: int, patches: Patches | None = None, same: str = ""
) -> Interpreter:
    """Prove mc_mod_add_raw or mc_mod_sub_raw for a, b < m; `same`: r is "a" or "b".

    With d = m - b or d = b, the bit s = (a < d) is shown, and r = a - d + s m modulo R.

    Raises:
        CheckFailedError: it is not so.
    """
    run, words = Interpreter(program, patches), 2 * n
    at = {"a": A, "b": B}.get(same, R)
    a, b, m = (run.secrets(address, words) for address in (A, B, M))
    run.call(name, (at, A, B, M, n), [(at, 8 * n)])
    if n == 0:
        return run
    result, chosen = run.get(at, words), _masking(run)
    first, taken = compared(chosen)
    if first != a or len(taken) != words:
        raise CheckFailedError("something else than a is compared")
    if name == "mc_mod_add_raw":
        holds([number(taken), number(m, -1), number(b)], 64 * n, "m - b")
    elif taken != b:
        raise CheckFailedError("something else than b is compared")
    masked = [number(result), number(a, -1), number(taken), times(chosen, m, -1)]
    holds(masked, 64 * n, name)
    return run


# ---- Karatsuba ----------------------------------------------------------------------------------

HALF = 19  # the register with the bytes of half an operand


def prove_difference(
    program: ElfProgram, words: int, patches: Patches | None = None
) -> Interpreter:
    """Prove `difference`: a0[] = |x - y|, a0 = -(x < y), of so many words each.

    Raises:
        CheckFailedError: it is not so.
    """
    run = Interpreter(program, patches)
    x, y = run.secrets(A, words), run.secrets(A + 4 * words, words)
    run.x[A0], run.x[A0 + 1], run.x[HALF], run.x[RA] = R, A, 4 * words, RETURN
    before = list(run.x)
    run.run(program.address("difference"), {RETURN}, [(R, 4 * words)])
    if any(run.x[k] is not before[k] for k in (1, 2, 3, 4, 8, 9, *range(13, 28))):
        raise CheckFailedError("difference changes a register that it must keep")
    mask, result = run.x[A0], run.get(R, words)
    if not isinstance(mask, Word) or mask.mask is None or compared(mask.mask) != (x, y):
        raise CheckFailedError("difference compares something else")
    signed = [number(x, -1), number(y), times(mask.mask, x, 2), times(mask.mask, y, -2)]
    holds([number(result), *signed], 32 * words, "difference")
    return run


def _halves(signs: list[int], groups: list[WordGroup]) -> tuple[Callable[[Interpreter], int], ...]:
    """Return what `difference` does for given signs, and what a product of halves does."""

    def difference(run: Interpreter) -> int:
        at, words = run.public(A0 + 1), run.public(HALF) // 4
        sign, new = signs.pop(0), run.words.many(words)
        x, y = run.get(at, words), run.get(at + 4 * words, words)
        WordGroup(new, added(number(x, sign), number(y, -sign)))
        run.store(run.public(A0), new)
        for register in (5, 6, 7, 11, 12, *range(28, 32)):
            run.x[register] = run.words.new()
        run.x[A0] = 0 if sign > 0 else W - 1
        return run.public(RA)

    return difference, _product(groups, 3)


def prove_karatsuba(program: ElfProgram, n: int, patches: Patches | None = None) -> Interpreter:
    """Prove a halving of mc_mul_karatsuba at n limbs, if both its parts are proved at n / 2.

    For each sign of the differences; for two of them the carry into the highest quarter is a sum of
    carries - 1, which is not negative, since the sum of the middle quarters is not.

    Raises:
        CheckFailedError: it is not so.
    """
    for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        run, groups = Interpreter(program, patches), list[WordGroup]()
        difference, multiply = _halves(list(signs), groups)
        run.proved[program.address("difference")] = difference
        run.proved[program.address("mc_mul_karatsuba")] = multiply
        a, b = run.secrets(A, 2 * n), run.secrets(B, 2 * n)
        run.call("mc_mul_karatsuba", (R, A, B, n), [(R, 16 * n)])
        result, wanted = run.get(R, 4 * n), product(a, b, -1)
        left = reduced([number(result), wanted], 1 << 128 * n)
        if left:
            _top_carry(left, result, groups[2], wanted, n)
    return run


def _top_carry(left: Terms, result: list[Value], high: WordGroup, wanted: Terms, n: int) -> None:
    """Show that what is left, 1 - carry, is 0: x + (2^32 - 1) has a carry, as x is at least 1."""
    (carry,) = (key for key in left if isinstance(key, Word))
    if carry.scaled is None or left != {carry: left[carry], 1: -left[carry] % (1 << 128 * n)}:
        raise CheckFailedError("the product of Karatsuba's method")
    (x,) = (key for key, c in carry.scaled.items() if isinstance(key, Word) and c == 1)
    if carry.scaled.get(1) != W - 1:
        raise CheckFailedError("the carry of something else")
    place = 96 * n
    middle = [number(result[: 3 * n]), plus((1 << place, x), (-1 << place, 1))]
    holds([*middle, number(high.words[n:], 1 << place), wanted], 256 * n, "the middle quarters")
