# SPDX-License-Identifier: Apache-2.0
"""A small assembler: one method for each instruction, and labels."""

from collections.abc import Sequence

from montcore.ecc.isa import (
    ZERO,
    Action,
    Condition,
    Count,
    Counter,
    EngineOp,
    EnginePass,
    EngineStatus,
    EngineTable,
    Instruction,
    Mode,
    Scalar,
    TableEntry,
)


class Assembler:
    """Collects instructions; `resolved` replaces the labels by addresses."""

    def __init__(self) -> None:
        self._items: list[tuple[Instruction, str]] = []
        self._labels: dict[str, int] = {}

    def label(self, name: str) -> None:
        """Name the address of the next instruction."""
        if name in self._labels:
            raise ValueError(f"two places are called {name}")
        self._labels[name] = len(self._items)

    def emit(self, item: Instruction, target: str = "") -> None:
        """Add an instruction, with its target label if it has one."""
        self._items.append((item, target))

    def extend(self, items: Sequence[Instruction]) -> None:
        """Add instructions without labels."""
        for item in items:
            self.emit(item)

    # ---- arithmetic
    def mul(self, d: int, x: int, y: int) -> None:
        """M[d] = x y / R."""
        self.emit(Instruction(EngineOp.MUL, d, x, y))

    def add(self, d: int, x: int, y: int) -> None:
        """A[d] = x + y."""
        self.emit(Instruction(EngineOp.ADD, d, x, y))

    def sub(self, d: int, x: int, y: int) -> None:
        """A[d] = x - y."""
        self.emit(Instruction(EngineOp.SUB, d, x, y))

    def copy(self, d: int, x: int) -> None:
        """A[d] = x, minus the modulus once if x is not below it."""
        self.add(d, x, ZERO)

    def neg(self, d: int, x: int) -> None:
        """A[d] = x, or -x if the digit is negative."""
        self.emit(Instruction(EngineOp.NEG, d, ZERO, x))

    def sel(self, d: int, x: int, y: int) -> None:
        """A[d] = x, or y if the ladder swaps."""
        self.emit(Instruction(EngineOp.SEL, d, x, y))

    # ---- memories
    def put(self, table: EngineTable, coordinate: int, x: int, entry: int = 32) -> None:
        """Table entry = x; by default, the entry that counter E selects."""
        self.emit(Instruction(EngineOp.PUT, table << 2 | coordinate, x, entry))

    def sput(self, memory: Scalar, x: int) -> None:
        """Scalar memory = x."""
        self.emit(Instruction(EngineOp.SPUT, memory, x, ZERO))

    def look(self, table: EngineTable, coordinates: int, which: TableEntry, entry: int = 0) -> None:
        """M[12..] = the coordinates of an entry; 16 + entry also makes the sign negative."""
        self.emit(Instruction(EngineOp.LOOK, table << 2 | (coordinates - 1), which, entry))

    def unpark(self, entry: int) -> None:
        """M[12] = a number that `park` has saved."""
        self.look(EngineTable.PARK, 1, TableEntry.FIXED, entry)

    def park(self, entry: int, x: int) -> None:
        """Save a number in the table memory."""
        self.put(EngineTable.PARK, 0, x, entry)

    # ---- scalars
    def digit(self, mode: Mode, memory: int = 0) -> None:
        """Fetch the next digit."""
        self.emit(Instruction(EngineOp.DIGIT, mode, memory))

    def point(self, mode: Mode) -> None:
        """Set the digit pointers to the most significant digit."""
        self.emit(Instruction(EngineOp.POINT, mode))

    def scan(self, which: EnginePass) -> None:
        """Perform a pass over the scalar memories."""
        self.emit(Instruction(EngineOp.PASS, which))

    def random(self, d: int) -> None:
        """M[d] = a random number."""
        self.emit(Instruction(EngineOp.RANDOM, d))

    def modulus(self, order: bool, *, adder_only: bool = False) -> None:
        """Select the modulus: n, the order of the group, or p, that of the field."""
        self.emit(Instruction(EngineOp.MODULUS, 2 * adder_only + order))

    # ---- control
    def test(self, action: Action, condition: int, status: EngineStatus = EngineStatus.OK) -> None:
        """Perform an action that depends on a condition."""
        self.emit(Instruction(EngineOp.TEST, action, condition, status))

    def refuse(self, condition: int, status: EngineStatus) -> None:
        """End the operation with a status if a condition holds."""
        self.test(Action.STATUS, condition, status)

    def note(self, condition: int, status: EngineStatus) -> None:
        """Set the status if a condition holds, without changing the number of cycles."""
        self.test(Action.NOTE, condition, status)

    def set(self, counter: Counter, value: int | Count) -> None:
        """Counter = value."""
        self.emit(Instruction(EngineOp.SET, counter, 0, int(value)))

    def step(self, counter: Counter) -> None:
        """Increment a counter."""
        self.emit(Instruction(EngineOp.STEP, counter))

    def loop(self, counter: Counter, target: str) -> None:
        """Decrement a counter; jump to the label unless the counter is zero."""
        self.emit(Instruction(EngineOp.LOOP, counter), target)

    def jump(self, target: str, condition: Condition = Condition.ALWAYS) -> None:
        """Jump to the label if a condition holds."""
        self.emit(Instruction(EngineOp.JUMP, condition), target)

    def call(self, target: str) -> None:
        """Call a routine."""
        self.emit(Instruction(EngineOp.CALL), target)

    def back(self) -> None:
        """Return from a routine."""
        self.emit(Instruction(EngineOp.RETURN))

    def end(self) -> None:
        """End the operation."""
        self.emit(Instruction(EngineOp.END))

    # ---- result
    def resolved(self) -> list[Instruction]:
        """Return the instructions with addresses in place of labels."""
        found = []
        for item, target in self._items:
            if target:
                item = Instruction(item.op, item.d, 0, self._labels[target])
            found.append(item)
        return found

    @property
    def labels(self) -> dict[str, int]:
        """Return the address of each label."""
        return dict(self._labels)
