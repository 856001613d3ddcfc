# SPDX-License-Identifier: Apache-2.0
"""The passes of `smm` with the fast schedule, and their order."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

Row = tuple[int, ...]


class PassMultiplier(Enum):
    """Source of the multiplier word of a pass."""

    ZERO = "0"
    X = "x"
    LOW = "low"
    NEW_LOW = "new low"
    QUOTIENT = "q"


class Multiplicand(Enum):
    """The operand that is multiplied by the multiplier word."""

    Y = "Y"
    SCALED = "M'"
    MODULUS = "M"
    INVERSE = "n0'"


@dataclass(frozen=True)
class Pass:
    """One pass over all rows.

    Attributes:
        active: False for cycles in which nothing is sent; they count as passes of one slot.
        name: A0, A1, B0, ..., last; "-" for a pass that adds nothing.
        multiplier: the source of the multiplier word.
        index: which word of X, for `PassMultiplier.X`.
        multiplicand: the rows that are read.
        rows: those rows.
        fresh: start a new sum instead of continuing T.
        shift: shift T down by one word first.
        from_f: continue the sum in F instead of T.
        f_from_head: F receives the output of the queue of T.
        capture: capture the lowest word of the sum.
        result: the sum is S * 2^w.
        moved: the result of the previous pass is in F when this pass ends.
        final_a: the operands are no longer needed after this pass.
        begins: a product begins.
    """

    active: bool = False
    name: str = "-"
    multiplier: PassMultiplier = PassMultiplier.ZERO
    index: int = 0
    multiplicand: Multiplicand = Multiplicand.Y
    rows: tuple[Row, ...] = ()
    fresh: bool = False
    shift: bool = False
    from_f: bool = False
    f_from_head: bool = False
    capture: bool = False
    result: bool = False
    moved: bool = False
    final_a: bool = False
    begins: bool = False


IDLE = Pass(fresh=True)


@dataclass(frozen=True)
class PassSlot:
    """One row of a pass in the pipeline."""

    task: Pass
    row: int
    first: bool
    last: bool
    hold: bool = False  # T is unchanged: not a row of a pass
    load: bool = False  # the multiplier word is loaded although it is not the first row

    def __str__(self) -> str:
        return f"{self.task.name}.{self.row}"


@dataclass
class Sequencer:
    """The choice of the next pass: hw/smm/rtl/montcore_smm_fast_sequencer.sv.

    The leading product sends A and B passes alternately; a product that has sent all of them
    trails. With up to three rows, its sum moves to F during the gap until the last quotient digit
    is known; the passes of the next product fill this gap.

    If element 0 computes that digit (`shared`), it does so in a separate slot, two after the first
    one of the last pass but one; the last pass begins at least four slots after it.
    """

    words: int
    rows: int
    scaled: tuple[Row, ...]
    modulus: tuple[Row, ...]
    shared: bool = False
    inverse: Row = ()
    now: Pass = IDLE
    row: int = 0
    x: Sequence[int] = ()
    y: tuple[Row, ...] = ()
    leading: bool = False
    next_is_b: bool = False
    index: int = 0
    trailing: bool = False
    gap: int = 0
    gap_started: bool = False
    f_busy: bool = False
    digit_pass: bool = False  # the current pass is followed by the last one of its product
    since: int = 0  # cycles since its first slot, up to 3; 0 after that

    @property
    def stall(self) -> bool:
        """Whether no row of a pass is sent in this cycle."""
        return self.since == 2 or (self.now.result and self.since > 0)

    def slot(self) -> PassSlot:
        """Return the slot in stage R."""
        if self.since == 2:
            digit = Pass(
                active=True,
                name="q",
                multiplier=PassMultiplier.NEW_LOW,
                multiplicand=Multiplicand.INVERSE,
                rows=(self.inverse,),
                fresh=True,
                capture=True,
            )
            return PassSlot(digit, 0, first=True, last=False, hold=True)
        if self.stall:
            waits = Pass(multiplier=self.now.multiplier, rows=self.now.rows, fresh=True)
            return PassSlot(waits, 0, first=True, last=False, hold=True)
        return PassSlot(
            self.now,
            self.row,
            first=not self.now.active or self.row == 0,
            last=not self.now.active or self.row == self.rows - 1,
            load=self.since == 3,
        )

    def advance(self, operands: tuple[Sequence[int], tuple[Row, ...]] | None, gone: bool) -> None:
        """Advance to the next slot, and at the end of a pass to the next pass.

        Args:
            operands: words of X and rows of Y of a waiting product, or None.
            gone: the result in F leaves in this cycle.
        """
        self.f_busy = self.f_busy and not gone
        stall = self.stall
        if self.digit_pass and self.now.active and self.row == 0 and not stall:
            self.since = 1
        else:
            self.since = (self.since + 1) % 4 if self.since else 0
        if stall:
            return
        if not self.now.active or self.row == self.rows - 1:
            self.digit_pass = False
            self.row = 0
            self.now = self._next_pass(operands)
        else:
            self.row += 1

    def _next_pass(self, operands: tuple[Sequence[int], tuple[Row, ...]] | None) -> Pass:
        if self.trailing and self.f_busy and not self.gap_started:
            # T circulates unchanged until the previous result has left F.
            return Pass(active=True)
        if self.trailing and self.gap == 0:
            self.trailing = False
            self.f_busy = True
            return Pass(
                active=True,
                name="last",
                multiplier=PassMultiplier.QUOTIENT,
                multiplicand=Multiplicand.MODULUS,
                rows=self.modulus,
                from_f=not self.shared,
                f_from_head=not self.shared,
                result=True,
            )
        # After a short result the next pass works on the contents of F and moves the result there.
        moved = self.now.active and self.now.result and not self.shared
        to_f = moved
        was_trailing = self.trailing
        if self.trailing:
            to_f = not self.gap_started
            self.gap_started = True
            self.gap -= 1
            self.f_busy = True
        if self.leading and self.next_is_b:
            chosen = self._b_pass(moved, to_f)
        elif self.leading:
            chosen = self._a_pass(moved, to_f)
        elif operands is not None and (not self.trailing or self.words >= 3):
            chosen = self._first_pass(operands, moved, to_f)
        else:
            chosen = Pass(active=was_trailing or moved, fresh=True, f_from_head=to_f, moved=moved)
        return chosen

    def _first_pass(
        self, operands: tuple[Sequence[int], tuple[Row, ...]], moved: bool, to_f: bool
    ) -> Pass:
        self.x, self.y = operands
        self.leading = self.words > 1
        self.next_is_b = False
        self.index = 1
        if self.words == 1:
            self._trail()
        return Pass(
            active=True,
            name="A0",
            multiplier=PassMultiplier.X,
            rows=self.y,
            fresh=True,
            capture=True,
            f_from_head=to_f,
            moved=moved,
            final_a=self.words == 1,
            begins=True,
        )

    def _a_pass(self, moved: bool, to_f: bool) -> Pass:
        self.next_is_b = True
        return Pass(
            active=True,
            name=f"A{self.index}",
            multiplier=PassMultiplier.X,
            index=self.index,
            rows=self.y,
            shift=True,
            from_f=moved,
            f_from_head=to_f,
            moved=moved,
            final_a=self.index == self.words - 1,
        )

    def _b_pass(self, moved: bool, to_f: bool) -> Pass:
        name = f"B{self.index - 1}"
        self.next_is_b = False
        if self.index == self.words - 1:
            self.leading = False
            self._trail()
        else:
            self.index += 1
        return Pass(
            active=True,
            name=name,
            multiplier=PassMultiplier.LOW,
            multiplicand=Multiplicand.SCALED,
            rows=self.scaled,
            from_f=moved,
            f_from_head=to_f,
            # For the last one only the digit is needed, which is captured in its own slot.
            capture=not (self.shared and self.trailing),
            moved=moved,
        )

    def _trail(self) -> None:
        self.trailing = True
        self.gap = 0 if self.shared else {1: 3, 2: 1, 3: 1}[self.rows]
        self.digit_pass = self.shared
        self.gap_started = False
