# SPDX-License-Identifier: Apache-2.0
"""The curve engine's instruction set: opcodes, fields and encoding.

A word has 22 bits: op 21:17, d 16:12, a 11:6, b 5:0; a jump target or an immediate occupies a and
b. Elements 0 to 15 are the bank of products (M), 16 to 31 the bank of sums (A). As an operand, 32
is zero and 33 is the number one, outside the Montgomery domain.
"""

from dataclasses import dataclass
from enum import IntEnum

WORD_BITS = 22
#: Elements of each bank.
BANK = 16
ZERO = 32
ONE = 33
#: First of the three elements that a look-up writes; M15 follows them.
LOOKED = 12


def m(index: int) -> int:
    """Return the number of an element in the bank of products."""
    return index


def a(index: int) -> int:
    """Return the number of an element in the bank of sums."""
    return BANK + index


class EngineOp(IntEnum):
    """Opcodes, as in `montcore_ecc_pkg`."""

    END = 0
    MUL = 1  # M[d] = a b / R
    ADD = 2  # A[d] = a + b
    SUB = 3  # A[d] = a - b
    NEG = 4  # A[d] = b, or -b if the digit is negative
    SEL = 5  # A[d] = b if the ladder swaps, else a
    PUT = 6  # table entry (d: table 3:2, coordinate 1:0) = a; b: entry; 32: counter E
    SPUT = 7  # scalar memory d = a, without reduction
    LOOK = 8  # M[12..] = table entry; d: table 3:2, coordinates - 1 1:0; a: which entry; b: entry
    DIGIT = 9  # fetch a digit; d: mode; a: scalar memory
    POINT = 10  # digit pointers to the most significant digit; d: mode
    PASS = 11  # a pass over the scalar memories; d: which
    RANDOM = 12  # M[d] = a nonzero random number below the modulus
    MODULUS = 13  # d: 0 selects p, 1 n, for adder and multiplier; 2, 3: adder only
    TEST = 14  # d: action; a: condition; b: status
    SET = 15  # counter d = immediate
    LOOP = 16  # decrement counter d; jump if it is not zero
    JUMP = 17  # jump if condition d holds
    CALL = 18
    RETURN = 19
    STEP = 20  # increment counter d


class EngineTable(IntEnum):
    """Regions of the table memory."""

    BASE = 0
    POINT = 1
    PARK = 2


class TableEntry(IntEnum):
    """How a look-up selects its entry."""

    DIGIT = 0
    COUNTER = 1
    FIXED = 2


class Mode(IntEnum):
    """How a scalar is split into digits, and where the pointers start."""

    WINDOW = 0  # five bits in sequence, odd digits
    COMB = 1  # five bits, `columns` apart, odd digits
    EXPONENT = 2  # four bits in sequence
    LADDER = 3  # one bit
    WHOLE = 4  # for POINT only: the first window of an unblinded scalar
    HALF = 5  # for POINT only: as EXPONENT, of half the number


class Scalar(IntEnum):
    """Scalar memories."""

    FIRST = 0
    SECOND = 1
    ORDER = 2


class EnginePass(IntEnum):
    """Passes over the scalar memories."""

    BLIND = 0  # first = second + random * order, odd
    ODD_FIRST = 1  # first = first or first + order, whichever is odd
    ODD_SECOND = 2
    BLIND_ANY = 3  # first = second + random * order, the random number a multiple of 8


class Counter(IntEnum):
    """Counters."""

    OUTER = 0
    INNER = 1
    LEFT = 2
    E = 3
    J = 4


class Count(IntEnum):
    """Immediates that stand for a number that depends on the curve."""

    COLUMNS_LESS_1 = 0xF00  # columns of the comb, as many as windows of a blinded scalar, minus 1
    DOUBLINGS = 0xF01  # twice log2 R
    NIBBLES_LESS_1 = 0xF02  # windows of an exponent, minus one
    BITS = 0xF03  # bits of a blinded scalar
    LEFT = 0xF04  # doublings after the first window of an unblinded scalar


class Condition(IntEnum):
    """Conditions of a jump."""

    ALWAYS = 0
    FAILED = 1
    COMB_DUE = 2  # counter LEFT is at most the columns of the comb
    COMB_FAR = 3  # counter LEFT exceeds the columns of the comb by at least 5
    LEFT = 4  # counter LEFT is not zero
    MINUS_3 = 8
    ANY_A = 9
    ZERO_A = 10
    EDWARDS = 11
    MONTGOMERY = 12


class Flag(IntEnum):
    """Conditions of a test; adding 4 negates the condition."""

    ZERO = 0  # the last sum is zero
    REDUCED = 1  # the last sum was reduced: for x + 0, x was not below the modulus
    T = 2
    M = 3
    NOT = 4


class Action(IntEnum):
    """What a test does with its condition c."""

    STATUS = 0  # if c, the operation ends with status b
    T_SET = 1
    T_AND = 2
    M_SET = 3
    M_OR = 4
    NOTE = 5  # if c and the status is still OK, it becomes b; the program continues


class EngineStatus(IntEnum):
    """Result status of an operation."""

    OK = 0
    INFINITY = 1
    RANGE = 2
    POINT = 3
    SIGNATURE = 4
    RANDOM = 5
    FAULT = 6
    LENGTH = 7
    CURVE = 8
    RETRY = 9


@dataclass(frozen=True)
class Instruction:
    """One instruction; an immediate or a jump target is in `b`."""

    op: EngineOp
    d: int = 0
    a: int = 0
    b: int = 0

    def word(self) -> int:
        """Return the 22-bit word of the ROM."""
        low = self.b if self.a == 0 else self.a << 6 | self.b
        if not (0 <= self.d < 32 and 0 <= low < 1 << 12):
            raise ValueError(f"{self} does not fit into a word")
        return self.op << 17 | self.d << 12 | low
