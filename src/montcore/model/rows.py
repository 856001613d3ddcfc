# SPDX-License-Identifier: Apache-2.0
"""Models of the digit-serial rows `mx`, `cs`, `op`, `rc` and `cs4` (hw/rows): results and cycles.

T <- (T + a B + q N) / 2, or T <- (T + q N) / 4 + a B for `cs4`, with a and q from {-1, 0, 1, 2}.
How blocks of cells hold T is left out: proofs of the blocks and of the whole cores cover it.
"""

from dataclasses import dataclass

from montcore.model.spec import ModelResult, Steps, check_operands


@dataclass(frozen=True)
class Algorithm:
    """Properties of one algorithm.

    Attributes:
        cycles_per_digit: cycles of an iteration.
        delay: cycles from the acceptance by the front end to the first word at the output stage.
        digit_bits: bits of A per iteration.
        margin: log2 of R, minus the bits of the words in use.
    """

    cycles_per_digit: int
    delay: int
    digit_bits: int = 1
    margin: int = 2

    @property
    def stages(self) -> int:
        """Cycles of a product that are neither iterations nor words of the conversion."""
        return 3 + self.delay

    def row_cycles(self, k: int) -> int:
        """Return the cycles of the iterations, two more than the digits of k bits."""
        return self.cycles_per_digit * (k // self.digit_bits + 2)


#: Cycles of the set-up of a modulus, from its last beat on, that are not those of a block.
SETUP_STAGES = 7

MX = Algorithm(2, 1)
CS = Algorithm(1, 2)
OP = Algorithm(1, 2)
#: The first cycle of a product only clears T.
RC = Algorithm(1, 2, margin=1)
CS4 = Algorithm(1, 1, digit_bits=2)


def recode(x: int, count: int) -> list[int]:
    """Return `count` digits from {-1, 0, 1, 2} with x = sum of digit(i) 4^i."""
    digits = []
    for _ in range(count):
        digit = -1 if x % 4 == 3 else x % 4
        digits.append(digit)
        x = (x - digit) // 4
    # The sign extension is infinite: -1 and a carry gives the same in the next digit.
    if x:
        raise ValueError(f"{count} digits do not suffice")
    return digits


def quotient_digit(low: int, m: int) -> int:
    """Return q from {-1, 0, 1, 2} with low + q m = 0 mod 4, m odd."""
    return (0, 1 if m & 2 else -1, 2, -1 if m & 2 else 1)[low % 4]


def uncorrected(
    algorithm: Algorithm, x: int, y: int, m: int, r_bits: int, steps: Steps | None = None
) -> int:
    """Return x y / R mod m as it leaves the iterations: below 2 m, or for `cs4` above -m / 3.

    Args:
        x: multiplier, below 2 m; below m for `cs4`.
        y: multiplicand, likewise.
        m: modulus, odd.
        r_bits: log2 of R.
        steps: takes the digit a of x, the digit q of the quotient and T after each iteration.
    """
    total, width = 0, algorithm.digit_bits
    digits = recode(x, r_bits // 2) if width == 2 else [x >> place & 1 for place in range(r_bits)]
    for a in digits:
        total += a * y
        q = quotient_digit(total, m) if width == 2 else total & 1
        total = (total + q * m) >> width
        if steps is not None:
            steps.append({"a": a, "q": q, "T": total})
    return total


def canonical(value: int, m: int) -> int:
    """Return the result after the last correction of a number between -m and 2 m."""
    if not -m < value < 2 * m:
        raise AssertionError(f"the result {value:#x} is out of range")
    return value % m


def run(algorithm: Algorithm, w: int, x: int, y: int, m: int, length: int) -> ModelResult:
    """Run one product from idle.

    Args:
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, 3 <= m < 2^length.
        length: run-time length in bits.
    """
    words = checked_words(w, x, y, m, length)
    z = canonical(uncorrected(algorithm, x, y, m, w * words + algorithm.margin), m)
    # From start (cycle -1), block 0 is read after its last cycle, each further word a cycle later,
    # and the output stage adds, subtracts and selects.
    core_cycles = algorithm.row_cycles(w * words) + words + algorithm.stages
    return ModelResult(z, core_cycles, core_cycles + 2)


def checked_words(w: int, x: int, y: int, m: int, length: int) -> int:
    """Return the words of a modulus of `length` bits."""
    check_operands(x, y, m)
    if m >> length:
        raise ValueError(f"the modulus has more than {length} bits")
    return -(-length // w)


#: Cycles from the last operand beat to the first result beat of an array beyond its core's.
ARRAY_PORT_CYCLES = 3


def run_array(algorithm: Algorithm, w: int, bits: int, x: int, y: int, m: int) -> ModelResult:
    """Run one product through an array of `bits` bits, whose row i performs iteration i."""
    # The latency is the same, except for the result memory before the port.
    result = run(algorithm, w, x, y, m, bits)
    return ModelResult(result.z, result.core_cycles, result.core_cycles + ARRAY_PORT_CYCLES)
