# SPDX-License-Identifier: Apache-2.0
"""Worked examples of the architectures: each recurrence with small numbers, step by step.

The recurrence is computed here as written in the datasheet, the core's cycle-exact model computes
the same product, and both are checked against x y R^-1 mod m. So a page with a wrong step cannot be
built.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from montcore.cores import get_core
from montcore.support.errors import CheckFailedError
from montcore_lab.checkout.markdown import table

#: The numbers of the examples: small enough to follow, with several words of four bits.
X, Y, M = 0xB6, 0x5D, 0xF1
LENGTH = 8


@dataclass(frozen=True)
class Steps:
    """A recurrence with the values of all steps.

    Attributes:
        about: the precomputation, in Markdown.
        header: headings of the table.
        rows: one row per step.
        r_bits: log2 of R.
        result: the result.
    """

    about: str
    header: Sequence[str]
    rows: list[list[str]]
    r_bits: int
    result: int


def inverse(number: int, bits: int) -> int:
    """Return number^-1 mod 2^bits; `number` is odd."""
    return pow(number, -1, 1 << bits)


def interleaved(x: int, y: int, m: int, digit: int) -> Steps:
    """Digit-serial in x: T <- (T + x_i y + q m) / 2^k."""
    steps = -(-LENGTH // digit) + (1 if digit > 1 else 2)
    base = 1 << digit
    factor = -inverse(m, digit) % base
    rows, total = [], 0
    for i in range(steps):
        x_i = (x >> (digit * i)) % base
        summed = total + x_i * y
        q = summed * factor % base
        total = (summed + q * m) >> digit
        rows.append([str(i), f"{x_i:x}", f"{summed:x}", f"{q:x}", f"{total:x}"])
    about = f"k = {digit}, -m^-1 mod 2^k = {factor:x}, {steps} steps from T = 0."
    header = ("i", "x_i", "T + x_i y", "q", "(T + x_i y + q m) / 2^k")
    return Steps(about, header, rows, digit * steps, total % m)


def precomputed(x: int, y: int, m: int) -> Steps:
    """Radix 2 with precomputed y + m: one of 0, y, m, y + m is added."""
    names = {(0, 0): "0", (1, 0): "y", (0, 1): "m", (1, 1): "y + m"}
    rows, total = [], 0
    for i in range(LENGTH + 2):
        bit = x >> i & 1
        q = (total + bit * y) & 1
        total = (total + bit * y + q * m) >> 1
        rows.append([str(i), str(bit), str(q), names[bit, q], f"{total:x}"])
    about = f"y + m = {y + m:x} is made once, {LENGTH + 2} steps from T = 0."
    return Steps(about, ("i", "x_i", "q", "added", "T"), rows, LENGTH + 2, total % m)


def scaled(x: int, y: int, m: int, word: int = 4) -> Steps:
    """Scaled modulus: the lowest word of T is the quotient digit."""
    base, words = 1 << word, -(-LENGTH // word)
    lowest = -inverse(m, word) % base
    factor = (m * lowest + 1) >> word
    total = (x % base) * y
    rows = [["0", f"{x % base:x}", "-", f"{total:x}"]]
    for i in range(1, words):
        x_i, digit = (x >> (word * i)) % base, total % base
        total = (total >> word) + digit * factor + x_i * y
        rows.append([str(i), f"{x_i:x}", f"{digit:x}", f"{total:x}"])
    q = total % base * lowest % base
    total = (total + q * m) >> word
    rows.append(["last", "-", f"{q:x} (true digit)", f"{total:x}"])
    about = (
        f"Words of w = {word} bits. n0' = -m^-1 mod 2^w = {lowest:x}, "
        f"M' = (m n0' + 1) / 2^w = {factor:x}: 1 / 2^w mod m."
    )
    return Steps(about, ("step", "x_i", "digit", "T"), rows, word * words, total % m)


def delayed(x: int, y: int, m: int, radix: int = 4) -> Steps:
    """High radix with a scaled modulus: the digit of one iteration is used in the next."""
    base, n = 1 << radix, -(-(LENGTH + 4) // radix)
    square = base * base
    factor = pow(square, -1, m)
    total, digit, rows = 0, 0, []
    for i in range(n):
        x_i, fresh = (x >> (radix * i)) % base, total % base
        total = (total - fresh) // base + digit * factor + x_i * y
        rows.append([str(i), f"{x_i:x}", f"{fresh:x}", f"{digit:x}", f"{total:x}"])
        digit = fresh
    value = base * total + digit
    last = -value * inverse(m, 2 * radix) % square
    total = (value + last * m) // square
    rows.append(["last", "-", "-", f"{last:x} (q*)", f"{total:x}"])
    about = f"k = {radix}, N = 2^-2k mod m = {factor:x}, n = {n}; digits are unsigned here."
    header = ("i", "x_i", "q_i, from T", "q used", "T")
    return Steps(about, header, rows, radix * n, total % m)


def pipelined(x: int, y: int, m: int, radix: int = 4) -> Steps:
    """Quotient pipelining of dsp, with four-bit digits instead of seventeen-bit ones."""
    base = 1 << radix
    inverted = -inverse(m, 2 * radix) % base**2
    wide = inverted * m
    factor = (wide + 1) >> (2 * radix)
    n = -(-(wide.bit_length() + 3) // radix)
    total, digits, rows = 0, [0, 0], []
    for i in range(n + 2):
        x_i = (x >> (radix * i)) % base
        used = digits[i]
        total = (total >> radix) + x_i * y + used * factor
        digits.append(total % base)
        rows.append([str(i), f"{x_i:x}", f"{used:x}", f"{total % base:x}", f"{total:x}"])
    result = total * base + digits[n + 2]
    about = (
        f"k = {radix}, M' = -m^-1 mod 2^2k = {inverted:x}, M' m = {wide:x}, "
        f"M'' = (M' m + 1) / 2^2k = {factor:x}. The result is S 2^k + q = {result:x}, "
        "below 2 M' m: it is reduced once, at the end."
    )
    header = ("i", "x_i", "digit used", "digit for step i + 2", "S")
    return Steps(about, header, rows, radix * n, result % m)


def karatsuba(x: int, y: int, m: int) -> Steps:
    """Three products of halves instead of four, then the reduction by the scaled modulus."""
    half = LENGTH // 2
    base = 1 << half
    x1, x0, y1, y0 = x >> half, x % base, y >> half, y % base
    low, high, cross = x0 * y0, x1 * y1, (x1 - x0) * (y1 - y0)
    middle = low + high - cross
    product = low + (middle << half) + (high << 2 * half)
    lowest = -inverse(m, half) % base
    factor = (m * lowest + 1) >> half
    first = (product >> half) + product % base * factor
    q = first % base * lowest % base
    total = (first + q * m) >> half
    rows = [
        ["x0 y0, x1 y1", f"{low:x}, {high:x}"],
        ["(x1 - x0) (y1 - y0)", f"{cross:x}"],
        ["x0 y1 + x1 y0", f"{low:x} + {high:x} - ({cross:x}) = {middle:x}"],
        ["T = x y", f"{product:x}"],
        ["T' = T / W + (T mod W) M'", f"{first:x}"],
        ["q = (T' mod W) n0' mod W", f"{q:x}"],
        ["S = (T' + q m) / W", f"{total:x}"],
    ]
    about = f"Halves of {half} bits, W = 2^{half}, n0' = {lowest:x}, M' = {factor:x}."
    return Steps(about, ("what", "value"), rows, 2 * half, total % m)


#: For each core the function of its recurrence, and the parameters of the model.
EXAMPLES: dict[str, tuple[Callable[[int, int, int], Steps], dict[str, str]]] = {
    "smm": (scaled, {"w": "4", "npe": "2"}),
    "mx": (lambda x, y, m: interleaved(x, y, m, 1), {"w": "8"}),
    "cs": (lambda x, y, m: interleaved(x, y, m, 1), {"w": "8"}),
    "op": (precomputed, {"w": "8"}),
    "rc": (lambda x, y, m: interleaved(x, y, m, 1), {"w": "8"}),
    "cs4": (lambda x, y, m: interleaved(x, y, m, 2), {"w": "16"}),
    "hr": (delayed, {"radix": "4"}),
    "karatsuba": (karatsuba, {}),
    "dsp": (pipelined, {"alpha": "2"}),
}


def checked(core: str) -> Steps:
    """Return the worked example of a core.

    Raises:
        CheckFailedError: its result is not x y R^-1 mod m.
    """
    work, _ = EXAMPLES[core]
    steps = work(X, Y, M)
    if steps.result != X * Y * pow(2, -steps.r_bits, M) % M:
        raise CheckFailedError(f"the worked example of {core} is wrong")
    return steps


def markdown(core: str) -> str:
    """Return the worked example of a core and its model's result, in Markdown.

    Raises:
        CheckFailedError: one of the results is wrong.
    """
    steps = checked(core)
    chosen = get_core(core).configure(EXAMPLES[core][1], LENGTH)
    found = chosen.run_model(X, Y, M, LENGTH)
    r_bits = chosen.r_bits(LENGTH)
    if found.z != X * Y * pow(2, -r_bits, M) % M:
        raise CheckFailedError(f"the model of {core} is wrong")
    lines = [
        f"x = {X:x}, y = {Y:x}, m = {M:x} (all numbers in hexadecimal). {steps.about}",
        "",
        *table(steps.header, steps.rows),
        "",
        f"Modulo m that is {steps.result:x} = x y / 2^{steps.r_bits} mod m. The cycle-exact model "
        f"of `{core}` built for {LENGTH} bits ({chosen.label()}) has R = 2^{r_bits}: it returns "
        f"{found.z:x} = x y / 2^{r_bits} mod m, {found.core_cycles} cycles from start to done and "
        f"{found.cycles} on the port.",
    ]
    return "\n".join(lines)
