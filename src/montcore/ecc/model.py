# SPDX-License-Identifier: Apache-2.0
"""The engine's executable model: it runs the program on integers.

It executes the program instruction by instruction. The caller supplies the randomness, so that
every product and every sum of the hardware can be compared with the model's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from montcore.ecc.curves import Curve
from montcore.ecc.isa import (
    BANK,
    LOOKED,
    ONE,
    ZERO,
    Action,
    Condition,
    Count,
    Counter,
    EngineOp,
    EnginePass,
    EngineStatus,
    Flag,
    Instruction,
    Mode,
    Scalar,
    TableEntry,
)
from montcore.ecc.program import EXIT, Operation, Program

BLINDING_BITS = 64
TEETH = 5


class Random:
    """The deterministic source of a simulation: high words of a linear congruential generator."""

    def __init__(self, seed: int, width: int) -> None:
        self._state = seed & (1 << 64) - 1
        self._width = width

    def bits(self, count: int) -> int:
        """Draw whole words, the first one lowest, and return their low `count` bits."""
        value = 0
        for index in range(-(-count // self._width)):
            value |= self._word() << index * self._width
        return value & (1 << count) - 1

    def whole(self, words: int) -> int:
        """Return that many words."""
        return self.bits(words * self._width)

    def _word(self) -> int:
        word = 0
        for part in range(-(-self._width // 32)):
            self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
            word |= (self._state >> 32) << 32 * part
        return word & (1 << self._width) - 1


@dataclass
class EngineTrace:
    """Everything that an operation computed, in order.

    Attributes:
        products: results of the multiplier.
        sums: results of the adder.
        instructions: addresses that were executed.
    """

    products: list[int] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    instructions: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class ModelAnswer:
    """Result of an operation.

    Attributes:
        x: first result, 0 unless the status is OK.
        y: second result.
        products: number of products computed.
    """

    status: EngineStatus
    x: int
    y: int
    products: int


class EngineModel:
    """The model of an engine with a curve loaded."""

    def __init__(
        self, program: Program, curve: Curve, radix_bits: int, random: Random, beats: int
    ) -> None:
        self._code = program.code
        self.curve = curve
        self._radix = radix_bits
        self._random = random
        self._beats = beats
        self.elements = dict[int, int]()
        self.tables = dict[tuple[int, int, int], int]()
        self._scalars: dict[int, int] = dict.fromkeys(Scalar, 0)
        self._counters: dict[int, int] = dict.fromkeys(Counter, 0)
        self._modulus = curve.p
        self._swap = False
        self.trace = EngineTrace()
        self._first = self._last = self._reduced = self._zero = self._sign = False
        self._place = self._comb = 0
        given = {4: curve.a, 5: curve.b, 6: curve.x, 7: curve.y, 3: curve.n}
        self.set_up = self._run(Operation.SET_UP, given)

    def run(self, operation: Operation, x: Sequence[int], y: Sequence[int]) -> ModelAnswer:
        """Run an operation on the elements of its packets."""
        given = {4 + i: value for i, value in enumerate(x)}
        given |= {8 + i: value for i, value in enumerate(y)}
        return self._run(operation, given)

    # ---- one operation
    def _run(self, operation: Operation, given: Mapping[int, int]) -> ModelAnswer:
        self.elements.update(given)
        self.trace = EngineTrace()
        self._status = EngineStatus.OK
        self._t = self._m = self._negative = False
        self._entry = 0
        pc, returns = int(operation), list[int]()
        while True:
            item = self._code[pc]
            self.trace.instructions.append(pc)
            pc += 1
            match item.op:
                case EngineOp.END:
                    break
                case EngineOp.CALL:
                    returns.append(pc)
                    pc = item.b
                case EngineOp.RETURN:
                    pc = returns.pop()
                case EngineOp.LOOP:
                    self._counters[item.d] -= 1
                    pc = item.b if self._counters[item.d] else pc
                case EngineOp.JUMP:
                    pc = item.b if self._holds(Condition(item.d)) else pc
                case EngineOp.TEST:
                    pc = EXIT if self._test(item) else pc
                case _:
                    self._execute(item)
        good = self._status is EngineStatus.OK
        return ModelAnswer(
            self._status,
            self.elements.get(BANK + 14, 0) if good else 0,
            self.elements.get(BANK + 15, 0) if good else 0,
            len(self.trace.products),
        )

    def _execute(self, item: Instruction) -> None:
        match item.op:
            case EngineOp.MUL:
                self._mul(item)
            case EngineOp.LOOK:
                self._look(item)
            case EngineOp.DIGIT:
                self._digit(item)
            case EngineOp.POINT:
                self._point(item)
            case EngineOp.PASS:
                self._pass(item)
            case EngineOp.RANDOM:
                bits = self._modulus.bit_length() - 1
                self.elements[item.d] = self._random.whole(self._beats) & (1 << bits) - 1 | 1
            case EngineOp.MODULUS:
                self._modulus = self.curve.n if item.d & 1 else self.curve.p
            case EngineOp.SET:
                named = item.b >= Count.COLUMNS_LESS_1
                self._counters[item.d] = self._count(Count(item.b)) if named else item.b
            case EngineOp.STEP:
                self._counters[item.d] += 1
            case _:
                self._sum(item)

    def _read(self, operand: int) -> int:
        return {ZERO: 0, ONE: 1}[operand] if operand >= ZERO else self.elements.get(operand, 0)

    def _mul(self, item: Instruction) -> None:
        left, right = self._read(item.a), self._read(item.b)
        if max(left, right) >= self._modulus:
            raise ValueError(f"an operand of {item} is not below the modulus")
        value = left * right * pow(2, -self._radix, self._modulus) % self._modulus
        self.elements[item.d] = value
        self.trace.products.append(value)

    def _sum(self, item: Instruction) -> None:
        left, right = self._read(item.a), self._read(item.b)
        subtract = item.op is EngineOp.SUB or (item.op is EngineOp.NEG and self._negative)
        if item.op is EngineOp.SEL:
            left, right = (right, 0) if self._swap else (left, 0)
        if item.op in (EngineOp.PUT, EngineOp.SPUT):
            right = 0
        total = left - right if subtract else left + right
        reduced = total < 0 if subtract else total >= self._modulus
        if reduced and item.op is not EngineOp.SPUT:
            total += self._modulus if subtract else -self._modulus
        self._reduced, self._zero = reduced, total == 0
        self.trace.sums.append(total)
        if item.op is EngineOp.PUT:
            entry = self._counters[Counter.E] if item.b == 32 else item.b
            self.tables[item.d >> 2, item.d & 3, entry & 15] = total
        elif item.op is EngineOp.SPUT:
            self._scalars[item.d] = total
        else:
            self.elements[item.d] = total

    def _look(self, item: Instruction) -> None:
        which = TableEntry(item.a)
        self._negative = False
        if which is TableEntry.DIGIT:
            entry, self._negative = self._entry, self._sign
        elif which is TableEntry.COUNTER:
            entry = self._counters[Counter.J] & 15
        else:
            entry, self._negative = item.b & 15, item.b >= 16
        for coordinate in range((item.d & 3) + 1):
            value = self.tables.get((item.d >> 2, coordinate, entry), 0)
            self.elements[LOOKED + coordinate] = value

    def _digit(self, item: Instruction) -> None:
        mode = Mode(item.d)
        if mode is Mode.LADDER:
            bit = self._place >= 0 and self._bit(item.a, self._place)
            self._swap = bit != self._last
            self._last = bit
            self._place -= 1
            return
        value = 0
        if mode is Mode.COMB:
            for tooth in range(TEETH - 1, -1, -1):
                first = tooth == TEETH - 1 and self._comb == self.curve.columns
                place = self._comb + tooth * self.curve.columns
                value = 2 * value + (True if first else self._bit(0, place))
            self._comb -= 1
        else:
            for _ in range(4 if mode is Mode.EXPONENT else TEETH):
                first, self._first = self._first, False
                value = 2 * value + (True if first else self._bit(item.a, self._place))
                self._place -= 1
        self._sign = False
        self._entry = value
        if mode is not Mode.EXPONENT:
            self._sign = value < 16
            self._entry = value & 15 if value >= 16 else ~value & 15

    def _bit(self, memory: int, place: int) -> bool:
        return bool(self._scalars[memory] >> place & 1)

    def _point(self, item: Instruction) -> None:
        mode = Mode(item.d)
        if mode is Mode.COMB:
            self._comb = self.curve.columns
            return
        self._first = mode in (Mode.WINDOW, Mode.WHOLE)
        self._last = False
        self._place = {
            Mode.WINDOW: TEETH * self.curve.columns,
            Mode.WHOLE: TEETH * self.curve.windows,
            Mode.EXPONENT: 4 * self._count(Count.NIBBLES_LESS_1) + 3,
            Mode.HALF: 4 * self._count(Count.NIBBLES_LESS_1) + 4,
            Mode.LADDER: self._count(Count.BITS) - 1,
        }[mode]

    def _pass(self, item: Instruction) -> None:
        scalars, order = self._scalars, self._scalars[Scalar.ORDER]
        which = EnginePass(item.d)
        if which in (EnginePass.BLIND, EnginePass.BLIND_ANY):
            factor = self._random.bits(BLINDING_BITS)
            factor &= ~1 if which is EnginePass.BLIND else ~7
            if which is EnginePass.BLIND:
                factor |= 1 ^ scalars[Scalar.SECOND] & 1
            scalars[Scalar.FIRST] = scalars[Scalar.SECOND] + factor * order
        else:
            memory = Scalar.FIRST if which is EnginePass.ODD_FIRST else Scalar.SECOND
            if scalars[memory] & 1 == 0:
                scalars[memory] += order

    def _count(self, count: Count) -> int:
        curve = self.curve
        return {
            Count.COLUMNS_LESS_1: curve.columns - 1,
            Count.DOUBLINGS: 2 * self._radix,
            Count.NIBBLES_LESS_1: max(2, -(-curve.bits // 4)) - 1,
            Count.BITS: curve.p.bit_length() + BLINDING_BITS - 1,
            Count.LEFT: TEETH * (curve.windows - 1),
        }[count]

    def _holds(self, condition: Condition) -> bool:
        left = self._counters[Counter.LEFT]
        if condition >= Condition.MINUS_3:
            return int(condition) - Condition.MINUS_3 == self.curve.family
        return {
            Condition.ALWAYS: True,
            Condition.FAILED: self._status is not EngineStatus.OK,
            Condition.COMB_DUE: left <= self.curve.columns,
            Condition.COMB_FAR: left >= self.curve.columns + TEETH,
            Condition.LEFT: left != 0,
        }[condition]

    def _test(self, item: Instruction) -> bool:
        flags = {
            Flag.ZERO: self._zero,
            Flag.REDUCED: self._reduced,
            Flag.T: self._t,
            Flag.M: self._m,
        }
        condition = flags[Flag(item.a & 3)] != bool(item.a & Flag.NOT)
        action = Action(item.d)
        if action is Action.STATUS:
            if condition:
                self._status = EngineStatus(item.b)
            return condition
        if action is Action.T_SET:
            self._t = condition
        elif action is Action.T_AND:
            self._t = self._t and condition
        elif action is Action.M_SET:
            self._m = condition
        elif action is Action.NOTE:
            if condition and self._status is EngineStatus.OK:
                self._status = EngineStatus(item.b)
        else:
            self._m = self._m or condition
        return False
