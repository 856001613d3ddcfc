# SPDX-License-Identifier: Apache-2.0
"""The engine's program: set-up of a curve, and each operation.

Elements that stay while a curve is loaded: M0 = b (Edwards: d), M1 = a (Montgomery: (A - 2) / 4),
M3 = n; A0 = R mod p, A1 = R^2 mod p, A2 = R^2 mod n, A3 = 3 b. A running point is in A4, A5, A6,
what is added to it in M12, M13, M14, with the coordinate that the sign changes in A7. Results are
in A14 and A15.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from montcore.ecc.assembler import Assembler
from montcore.ecc.formulas import FORMULAS, trace
from montcore.ecc.isa import (
    ONE,
    ZERO,
    Action,
    Condition,
    Count,
    Counter,
    Entry,
    Flag,
    Instruction,
    Mode,
    Op,
    Pass,
    Scalar,
    Status,
    Table,
    a,
    m,
)
from montcore.ecc.schedule import Registers, Timing, schedule

NOT = Flag.NOT
ONE_P, R2_P, R2_N, B3 = a(0), a(1), a(2), a(3)
X, Y, Z, SIGNED = a(4), a(5), a(6), a(7)
OUT_X, OUT_Y = a(14), a(15)
B, A, N = m(0), m(1), m(3)
X2, Y2, Z2 = m(12), m(13), m(14)
U = m(15)

_POINT = {"X1": X, "Y1": Y, "Z1": Z, "b": B, "a": A, "b3": B3, "zero": ZERO}
_SUMS = tuple(a(i) for i in range(8, 16))
_WEIERSTRASS = Registers(
    {**_POINT, "X2": X2, "Y2": SIGNED, "Z2": Z2}, (*(m(i) for i in range(4, 12)), *_SUMS)
)
_EDWARDS = Registers(
    {**_POINT, "X2": SIGNED, "Y2": Y2, "Z2": Z2}, (*(m(i) for i in range(4, 12)), *_SUMS)
)
_LADDER = Registers(
    {"X2": m(4), "Z2": m(5), "X3": m(6), "Z3": m(7), "u": U, "a24": A},
    (*(m(i) for i in range(8, 12)), *_SUMS),
)


class Operation(IntEnum):
    """What the engine can be asked for; the number is its entry into the program."""

    MULTIPLY = 0
    BASE = 1
    SIGN = 2
    VERIFY = 3
    JOINT = 4
    LADDER = 5
    MULTIPLY_ADD = 6
    SET_UP = 7


#: Where an operation goes that a test refuses.
EXIT = 8

#: Elements in the packets x and y of each operation.
PACKETS = {
    Operation.MULTIPLY: (1, 2),
    Operation.BASE: (1, 0),
    Operation.SIGN: (2, 1),
    Operation.VERIFY: (2, 3),
    Operation.JOINT: (2, 2),
    Operation.LADDER: (1, 2),
    Operation.MULTIPLY_ADD: (2, 1),
}


def registers(name: str) -> Registers:
    """Return where a formula's numbers are in the engine."""
    if name == "ladder_step":
        return _LADDER
    return _EDWARDS if "edwards" in name else _WEIERSTRASS


@dataclass(frozen=True)
class Program:
    """The whole program.

    Attributes:
        code: its instructions, from address 0 on.
        labels: addresses by name.
    """

    code: tuple[Instruction, ...]
    labels: dict[str, int]


@cache
def program(timing: Timing) -> Program:
    """Return the program, scheduled for a multiplier."""
    asm = Assembler()
    for operation in Operation:
        asm.jump(operation.name.lower())
    asm.end()  # EXIT
    _set_up(asm)
    _multiply(asm)
    _base(asm)
    _sign(asm)
    _verify(asm)
    _joint(asm)
    _ladder(asm, timing)
    _multiply_add(asm)
    _routines(asm)
    _point_formulas(asm, timing)
    return Program(tuple(asm.resolved()), asm.labels)


def _point_formulas(asm: Assembler, timing: Timing) -> None:
    families = (
        ("minus_3", Condition.MINUS_3),
        ("any", Condition.ANY_A),
        ("zero", Condition.ZERO_A),
    )
    asm.label("double")
    for name, condition in (*families, ("edwards", Condition.EDWARDS)):
        asm.jump(f"double_{name}", condition)
    asm.label("add_looked")
    asm.jump("add_edwards", Condition.EDWARDS)
    asm.neg(SIGNED, Y2)
    for name, condition in families:
        asm.jump(f"add_{name}", condition)
    for name, formula in FORMULAS.items():
        if name == "ladder_step":
            continue
        asm.label(name)
        if name == "add_edwards":
            asm.neg(SIGNED, X2)
        asm.extend(schedule(trace(formula), registers(name), timing))
        asm.back()


def _below(asm: Assembler, x: int, status: Status, d: int = a(8)) -> None:
    """A[d] = x, which must be below the modulus."""
    asm.copy(d, x)
    asm.refuse(Flag.REDUCED, status)


def _to_sums(asm: Assembler, x: int, y: int, z: int) -> None:
    for d, source in ((X, x), (Y, y), (Z, z)):
        asm.copy(d, source)


def _put_point(asm: Assembler, table: Table, entry: int = 32) -> None:
    for coordinate, source in enumerate((X, Y, Z)):
        asm.put(table, coordinate, source, entry)


def _set_up(asm: Assembler) -> None:
    """M4 = a, M5 = b, M6, M7 = base point, as given; M3 = n."""
    asm.label("set_up")
    asm.modulus(False)
    for index in range(4, 8):
        _below(asm, m(index), Status.RANGE)
    asm.copy(R2_P, ONE)
    asm.set(Counter.OUTER, Count.DOUBLINGS)
    asm.label("set_up_p")
    asm.add(R2_P, R2_P, R2_P)
    asm.loop(Counter.OUTER, "set_up_p")
    asm.mul(m(8), R2_P, ONE)
    asm.copy(ONE_P, m(8))
    asm.mul(A, m(4), R2_P)
    asm.mul(B, m(5), R2_P)
    asm.add(a(8), B, B)
    asm.add(B3, a(8), B)
    asm.jump("set_up_end", Condition.MONTGOMERY)
    asm.modulus(True)
    asm.copy(R2_N, ONE)
    asm.set(Counter.OUTER, Count.DOUBLINGS)
    asm.label("set_up_n")
    asm.add(R2_N, R2_N, R2_N)
    asm.loop(Counter.OUTER, "set_up_n")
    asm.sput(Scalar.ORDER, N)
    asm.modulus(False)
    asm.mul(m(8), m(6), R2_P)
    asm.mul(m(9), m(7), R2_P)
    asm.call("on_curve")
    asm.refuse(Flag.ZERO | NOT, Status.POINT)
    # Teeth of the comb: 2^(e columns) G is put aside, e = 0 .. 3, and its double at 8 + e.
    _to_sums(asm, m(8), m(9), ONE_P)
    for tooth in range(4):
        _put_point(asm, Table.POINT, tooth)
        asm.call("double")
        _put_point(asm, Table.POINT, 8 + tooth)
        asm.set(Counter.OUTER, Count.COLUMNS_LESS_1)
        asm.label(f"set_up_tooth_{tooth}")
        asm.call("double")
        asm.loop(Counter.OUTER, f"set_up_tooth_{tooth}")
    for tooth in range(4):
        asm.look(Table.POINT, 3, Entry.FIXED, 16 + tooth)
        asm.call("add_looked")
    _put_point(asm, Table.BASE, 0)
    asm.set(Counter.E, 1)
    for tooth in range(4):
        asm.set(Counter.J, 0)
        asm.set(Counter.OUTER, 1 << tooth)
        asm.label(f"set_up_entry_{tooth}")
        asm.look(Table.BASE, 3, Entry.COUNTER)
        _to_sums(asm, X2, Y2, Z2)
        asm.look(Table.POINT, 3, Entry.FIXED, 8 + tooth)
        asm.call("add_looked")
        _put_point(asm, Table.BASE)
        asm.step(Counter.E)
        asm.step(Counter.J)
        asm.loop(Counter.OUTER, f"set_up_entry_{tooth}")
    asm.label("set_up_end")
    asm.end()


def _scalar(asm: Assembler, blinding: Pass = Pass.BLIND) -> None:
    """M4 = a scalar below 2 n; it is blinded. What follows is modulo p."""
    asm.modulus(False)
    asm.modulus(True, adder_only=True)
    asm.copy(a(8), m(4))
    _below(asm, a(8), Status.RANGE, a(9))
    asm.sput(Scalar.SECOND, m(4))
    asm.scan(blinding)
    asm.modulus(False, adder_only=True)


def _coordinates(asm: Assembler) -> None:
    """M8, M9 = a point as given, which must be on the curve; into the domain."""
    _below(asm, m(8), Status.RANGE)
    _below(asm, m(9), Status.RANGE)
    asm.mul(m(8), m(8), R2_P)
    asm.mul(m(9), m(9), R2_P)
    asm.call("on_curve")
    asm.refuse(Flag.ZERO | NOT, Status.POINT)


def _multiply(asm: Assembler) -> None:
    """M4 = scalar, M8, M9 = point."""
    asm.label("multiply")
    _scalar(asm)
    _coordinates(asm)
    asm.random(m(4))
    asm.mul(m(5), m(8), m(4))
    asm.mul(m(6), m(9), m(4))
    _to_sums(asm, m(5), m(6), m(4))
    asm.call("make_table")
    asm.point(Mode.WINDOW)
    asm.digit(Mode.WINDOW, Scalar.FIRST)
    asm.look(Table.POINT, 3, Entry.DIGIT)
    _to_sums(asm, X2, Y2, Z2)
    asm.set(Counter.OUTER, Count.COLUMNS_LESS_1)
    asm.label("multiply_window")
    asm.digit(Mode.WINDOW, Scalar.FIRST)
    asm.look(Table.POINT, 3, Entry.DIGIT)
    for _ in range(5):
        asm.call("double")
    asm.call("add_looked")
    asm.loop(Counter.OUTER, "multiply_window")
    asm.call("affine")
    asm.end()


def _base(asm: Assembler) -> None:
    """M4 = scalar."""
    asm.label("base")
    _scalar(asm)
    asm.call("comb")
    asm.call("affine")
    asm.end()


def _sign(asm: Assembler) -> None:
    """M4 = nonce, M5 = key, M8 = digest."""
    asm.label("sign")
    asm.modulus(False)
    asm.modulus(True, adder_only=True)
    for source in (m(4), m(5)):
        _below(asm, source, Status.RANGE)
        asm.refuse(Flag.ZERO, Status.RANGE)
    asm.copy(a(8), m(8))
    _below(asm, a(8), Status.RANGE, a(9))
    asm.park(0, m(4))
    asm.park(1, m(5))
    asm.park(2, a(9))
    asm.sput(Scalar.SECOND, m(4))
    asm.scan(Pass.BLIND)
    asm.modulus(False, adder_only=True)
    asm.call("comb")
    asm.call("affine")
    asm.modulus(True)
    asm.copy(OUT_X, OUT_X)
    asm.refuse(Flag.ZERO, Status.RETRY)
    # s = (k v)^-1 (v e + v r d), v random.
    asm.random(m(5))
    asm.park(3, m(5))
    asm.unpark(0)
    asm.mul(m(4), X2, R2_N)
    asm.mul(m(4), m(4), m(5))
    asm.copy(a(8), m(4))
    asm.call("invert_n")
    asm.unpark(3)
    asm.copy(a(9), X2)
    asm.unpark(1)
    asm.mul(m(4), X2, R2_N)
    asm.mul(m(4), m(4), a(9))
    asm.mul(m(5), OUT_X, R2_N)
    asm.mul(m(4), m(4), m(5))
    asm.unpark(2)
    asm.mul(m(5), X2, R2_N)
    asm.mul(m(5), m(5), a(9))
    asm.add(a(8), m(4), m(5))
    asm.mul(m(4), a(8), m(8))
    asm.mul(m(5), m(4), ONE)
    asm.copy(OUT_Y, m(5))
    asm.refuse(Flag.ZERO, Status.RETRY)
    asm.end()


def _verify(asm: Assembler) -> None:
    """M4, M5 = r, s; M8 = digest; M9, M10 = public key."""
    asm.label("verify")
    asm.modulus(False, adder_only=True)
    for entry, source in ((2, m(9)), (3, m(10))):
        _below(asm, source, Status.RANGE)
        asm.park(entry, source)
    asm.modulus(True)
    for source in (m(4), m(5)):
        _below(asm, source, Status.RANGE)
        asm.refuse(Flag.ZERO, Status.RANGE)
    asm.copy(a(8), m(8))
    _below(asm, a(8), Status.RANGE, a(9))
    asm.park(0, m(4))
    asm.park(1, a(9))
    asm.mul(m(5), m(5), R2_N)
    asm.copy(a(8), m(5))
    asm.call("invert_n")
    asm.unpark(1)
    asm.mul(m(4), X2, m(8))
    asm.unpark(0)
    asm.mul(m(5), X2, m(8))
    asm.call("joint_scalars")
    asm.modulus(False)
    asm.unpark(2)
    asm.copy(a(8), X2)
    asm.unpark(3)
    asm.mul(m(8), a(8), R2_P)
    asm.mul(m(9), X2, R2_P)
    asm.call("on_curve")
    asm.refuse(Flag.ZERO | NOT, Status.POINT)
    asm.call("joint_product")
    asm.copy(a(8), Z)
    asm.refuse(Flag.ZERO, Status.SIGNATURE)
    # x mod n = r: X = r Z, or X = (r + n) Z with r + n below p.
    asm.unpark(0)
    asm.copy(a(8), X2)
    asm.test(Action.T_SET, Flag.REDUCED | NOT)
    asm.mul(m(4), a(8), R2_P)
    asm.mul(m(4), m(4), Z)
    asm.sub(a(9), m(4), X)
    asm.test(Action.T_AND, Flag.ZERO)
    asm.test(Action.M_SET, Flag.T)
    asm.add(a(8), X2, N)
    asm.test(Action.T_SET, Flag.REDUCED | NOT)
    for _ in range(4):
        asm.copy(a(8), a(8))
    asm.mul(m(4), a(8), R2_P)
    asm.mul(m(4), m(4), Z)
    asm.sub(a(9), m(4), X)
    asm.test(Action.T_AND, Flag.ZERO)
    asm.test(Action.M_OR, Flag.T)
    asm.refuse(Flag.M | NOT, Status.SIGNATURE)
    asm.copy(OUT_X, ZERO)
    asm.copy(OUT_Y, ZERO)
    asm.end()


def _joint(asm: Assembler) -> None:
    """M4, M5 = scalars of base point and point; M8, M9 = point."""
    asm.label("joint")
    asm.modulus(False)
    asm.modulus(True, adder_only=True)
    _below(asm, m(4), Status.RANGE)
    _below(asm, m(5), Status.RANGE)
    asm.call("joint_scalars")
    asm.modulus(False, adder_only=True)
    _coordinates(asm)
    asm.call("joint_product")
    asm.call("affine")
    asm.end()


def _ladder(asm: Assembler, timing: Timing) -> None:
    """M4 = scalar, M8 = u, M9 = order of a group with u in it."""
    asm.label("ladder")
    asm.sput(Scalar.ORDER, m(9))
    _scalar(asm, Pass.BLIND_ANY)
    asm.copy(a(8), m(8))
    _below(asm, a(8), Status.RANGE, a(9))
    asm.mul(U, a(9), R2_P)
    asm.random(m(4))
    asm.mul(m(5), m(4), ZERO)
    asm.random(m(7))
    asm.mul(m(6), U, m(7))
    asm.point(Mode.LADDER)
    asm.set(Counter.OUTER, Count.BITS)
    asm.digit(Mode.LADDER)
    step = schedule(trace(FORMULAS["ladder_step"]), _LADDER, timing)
    last = max(index for index, item in enumerate(step) if item.op is Op.SEL)
    asm.label("ladder_bit")
    asm.extend(step[: last + 1])
    asm.digit(Mode.LADDER)
    asm.extend(step[last + 1 :])
    asm.loop(Counter.OUTER, "ladder_bit")
    asm.sel(X, m(4), m(6))
    asm.sel(a(8), m(5), m(7))
    asm.call("invert_p")
    asm.mul(m(9), X, m(8))
    asm.mul(m(10), m(9), ONE)
    asm.copy(OUT_X, m(10))
    asm.copy(OUT_Y, ZERO)
    asm.end()


def _multiply_add(asm: Assembler) -> None:
    """M4 M5 + M8 modulo n."""
    asm.label("multiply_add")
    asm.modulus(True)
    for source in (m(4), m(5), m(8)):
        _below(asm, source, Status.RANGE)
    asm.mul(m(6), m(4), R2_N)
    asm.mul(m(7), m(6), m(5))
    asm.add(OUT_X, m(7), m(8))
    asm.copy(OUT_Y, ZERO)
    asm.end()


def _routines(asm: Assembler) -> None:
    # A4, A5, A6 = P: table of P, 3 P, ... 31 P.
    asm.label("make_table")
    _put_point(asm, Table.POINT, 0)
    asm.call("double")
    _put_point(asm, Table.POINT, 15)
    asm.look(Table.POINT, 3, Entry.FIXED, 0)
    asm.call("add_looked")
    _put_point(asm, Table.POINT, 1)
    asm.look(Table.POINT, 3, Entry.FIXED, 15)
    asm.set(Counter.E, 2)
    asm.set(Counter.OUTER, 14)
    asm.label("make_table_entry")
    asm.call("add_looked")
    _put_point(asm, Table.POINT)
    asm.step(Counter.E)
    asm.loop(Counter.OUTER, "make_table_entry")
    asm.back()

    # Scalar times base point, from the comb's table.
    asm.label("comb")
    asm.point(Mode.COMB)
    asm.digit(Mode.COMB)
    asm.look(Table.BASE, 3, Entry.DIGIT)
    asm.random(m(4))
    for index, source in enumerate((X2, Y2, Z2)):
        asm.mul(m(5 + index), source, m(4))
    _to_sums(asm, m(5), m(6), m(7))
    asm.set(Counter.OUTER, Count.COLUMNS_LESS_1)
    asm.label("comb_column")
    asm.digit(Mode.COMB)
    asm.look(Table.BASE, 3, Entry.DIGIT)
    asm.call("double")
    asm.call("add_looked")
    asm.loop(Counter.OUTER, "comb_column")
    asm.back()

    # M4, M5 below n: into the scalar memories, as odd numbers.
    asm.label("joint_scalars")
    asm.sput(Scalar.FIRST, m(4))
    asm.sput(Scalar.SECOND, m(5))
    asm.scan(Pass.ODD_FIRST)
    asm.scan(Pass.ODD_SECOND)
    asm.back()

    # M8, M9 = Q: A4, A5, A6 = first scalar times base point + second one times Q.
    asm.label("joint_product")
    _to_sums(asm, m(8), m(9), ONE_P)
    asm.call("make_table")
    asm.point(Mode.COMB)
    asm.point(Mode.WHOLE)
    asm.digit(Mode.WINDOW, Scalar.SECOND)
    asm.look(Table.POINT, 3, Entry.DIGIT)
    _to_sums(asm, X2, Y2, Z2)
    asm.set(Counter.LEFT, Count.LEFT)
    asm.label("joint_far")
    asm.jump("joint_window", Condition.COMB_FAR)
    asm.jump("joint_near")
    asm.label("joint_window")
    asm.digit(Mode.WINDOW, Scalar.SECOND)
    asm.look(Table.POINT, 3, Entry.DIGIT)
    for index in range(5):
        asm.call("double")
        asm.loop(Counter.LEFT, f"joint_counted_{index}")
        asm.label(f"joint_counted_{index}")
    asm.call("add_looked")
    asm.jump("joint_far")
    asm.label("joint_near")
    asm.set(Counter.INNER, 5)
    asm.label("joint_doubling")
    asm.jump("joint_column", Condition.COMB_DUE)
    asm.call("double")
    asm.jump("joint_next")
    asm.label("joint_column")
    asm.digit(Mode.COMB)
    asm.look(Table.BASE, 3, Entry.DIGIT)
    asm.call("double")
    asm.call("add_looked")
    asm.label("joint_next")
    asm.loop(Counter.LEFT, "joint_counted")
    asm.label("joint_counted")
    asm.loop(Counter.INNER, "joint_doubling")
    asm.digit(Mode.WINDOW, Scalar.SECOND)
    asm.look(Table.POINT, 3, Entry.DIGIT)
    asm.call("add_looked")
    asm.jump("joint_near", Condition.LEFT)
    asm.back()

    # A4, A5, A6 to affine coordinates outside of the domain; infinity and faults become a status,
    # in as many cycles.
    asm.label("affine")
    asm.copy(a(8), Z)
    asm.note(Flag.ZERO, Status.INFINITY)
    asm.call("invert_p")
    asm.mul(m(9), Y, m(8))
    asm.mul(m(8), X, m(8))
    asm.call("on_curve")
    asm.note(Flag.ZERO | NOT, Status.FAULT)
    asm.mul(m(10), m(8), ONE)
    asm.mul(m(11), m(9), ONE)
    asm.copy(OUT_X, m(10))
    asm.copy(OUT_Y, m(11))
    asm.back()

    # The last sum is zero if M8, M9 is on the curve.
    asm.label("on_curve")
    asm.jump("on_edwards", Condition.EDWARDS)
    asm.mul(m(10), m(8), m(8))
    asm.mul(m(11), m(9), m(9))
    asm.add(a(12), m(10), A)
    asm.mul(m(10), a(12), m(8))
    asm.add(a(12), m(10), B)
    asm.sub(a(12), a(12), m(11))
    asm.back()
    asm.label("on_edwards")
    asm.mul(m(10), m(8), m(8))
    asm.mul(m(11), m(9), m(9))
    asm.mul(U, m(10), A)
    asm.add(a(12), U, m(11))
    asm.mul(m(10), m(10), m(11))
    asm.mul(m(10), m(10), B)
    asm.add(a(13), m(10), ONE_P)
    asm.sub(a(12), a(12), a(13))
    asm.back()

    # M8 = A8^(modulus - 2), both in the domain; A10 is one then.
    asm.label("invert_p")
    asm.mul(m(8), a(8), a(8))
    asm.copy(a(10), ONE_P)
    asm.jump("invert")
    asm.label("invert_n")
    asm.mul(m(9), R2_N, ONE)
    asm.mul(m(8), a(8), a(8))
    asm.copy(a(10), m(9))
    asm.label("invert")
    asm.add(a(9), ONE, ONE)
    asm.sub(a(9), ZERO, a(9))
    asm.sput(Scalar.FIRST, a(9))
    asm.point(Mode.EXPONENT)
    asm.put(Table.POINT, 0, a(10), 0)
    asm.put(Table.POINT, 0, a(8), 1)
    asm.set(Counter.E, 2)
    asm.set(Counter.INNER, 13)
    asm.label("invert_power")
    asm.put(Table.POINT, 0, m(8))
    asm.step(Counter.E)
    asm.mul(m(8), m(8), a(8))
    asm.loop(Counter.INNER, "invert_power")
    asm.put(Table.POINT, 0, m(8))
    asm.digit(Mode.EXPONENT, Scalar.FIRST)
    asm.look(Table.POINT, 1, Entry.DIGIT)
    asm.mul(m(8), a(10), X2)
    asm.set(Counter.INNER, Count.NIBBLES_LESS_1)
    asm.label("invert_digit")
    asm.digit(Mode.EXPONENT, Scalar.FIRST)
    asm.look(Table.POINT, 1, Entry.DIGIT)
    for _ in range(4):
        asm.mul(m(8), m(8), m(8))
    asm.mul(m(8), m(8), X2)
    asm.loop(Counter.INNER, "invert_digit")
    asm.back()
