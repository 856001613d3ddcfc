# SPDX-License-Identifier: Apache-2.0
"""Routines of the engine's program that operations share, the point formulas, and the ladder."""

from montcore.ecc.assembler import Assembler
from montcore.ecc.elements import (
    B3,
    LADDER,
    ONE_P,
    OUT_X,
    OUT_Y,
    R2_N,
    R2_P,
    SIGNED,
    X2,
    Y2,
    Z2,
    A,
    B,
    N,
    U,
    X,
    Y,
    Z,
    registers,
)
from montcore.ecc.formulas import FORMULAS, trace
from montcore.ecc.isa import (
    ONE,
    ZERO,
    Action,
    Condition,
    Count,
    Counter,
    EngineOp,
    EnginePass,
    EngineStatus,
    EngineTable,
    Flag,
    Mode,
    Scalar,
    TableEntry,
    a,
    m,
)
from montcore.ecc.schedule import EngineTiming, schedule

NOT = Flag.NOT


def below(asm: Assembler, x: int, status: EngineStatus, d: int = a(8)) -> None:
    """Set A[d] = x; refuse x with a status if it is not below the modulus."""
    asm.copy(d, x)
    asm.refuse(Flag.REDUCED, status)


def exponent(asm: Assembler, mode: Mode) -> None:
    """Make the modulus less 2 the exponent of the routine `power`; `Mode.HALF` halves it."""
    asm.add(a(9), ONE, ONE)
    asm.sub(a(9), ZERO, a(9))
    asm.sput(Scalar.FIRST, a(9))
    asm.point(mode)


def to_sums(asm: Assembler, x: int, y: int, z: int) -> None:
    """Set the accumulated point to (x, y, z)."""
    for d, source in ((X, x), (Y, y), (Z, z)):
        asm.copy(d, source)


def put_point(asm: Assembler, table: EngineTable, entry: int = 32) -> None:
    """Store the accumulated point as a table entry."""
    for coordinate, source in enumerate((X, Y, Z)):
        asm.put(table, coordinate, source, entry)


def routines(asm: Assembler) -> None:
    """Add the routines that operations share, except the point formulas."""
    # P in A4, A5, A6: build the table of P, 3 P, ... 31 P.
    asm.label("make_table")
    put_point(asm, EngineTable.POINT, 0)
    asm.call("double")
    put_point(asm, EngineTable.POINT, 15)
    asm.look(EngineTable.POINT, 3, TableEntry.FIXED, 0)
    asm.call("add_looked")
    put_point(asm, EngineTable.POINT, 1)
    asm.look(EngineTable.POINT, 3, TableEntry.FIXED, 15)
    asm.set(Counter.E, 2)
    asm.set(Counter.OUTER, 14)
    asm.label("make_table_entry")
    asm.call("add_looked")
    put_point(asm, EngineTable.POINT)
    asm.step(Counter.E)
    asm.loop(Counter.OUTER, "make_table_entry")
    asm.back()

    # Multiply the base point by the scalar, using the comb's table.
    asm.label("comb")
    asm.point(Mode.COMB)
    asm.digit(Mode.COMB)
    asm.look(EngineTable.BASE, 3, TableEntry.DIGIT)
    asm.random(m(4))
    for index, source in enumerate((X2, Y2, Z2)):
        asm.mul(m(5 + index), source, m(4))
    to_sums(asm, m(5), m(6), m(7))
    asm.set(Counter.OUTER, Count.COLUMNS_LESS_1)
    asm.label("comb_column")
    asm.digit(Mode.COMB)
    asm.look(EngineTable.BASE, 3, TableEntry.DIGIT)
    asm.call("double")
    asm.call("add_looked")
    asm.loop(Counter.OUTER, "comb_column")
    asm.back()

    # A4, A5, A6, a multiple of P by a scalar taken as odd: subtract P if the digit, its lowest bit,
    # is zero. An Edwards curve's group has an even order, no multiple of which makes a scalar odd.
    asm.label("subtract_if_even")
    put_point(asm, EngineTable.POINT, 1)
    asm.look(EngineTable.POINT, 3, TableEntry.FIXED, 16)
    asm.call("add_looked")
    asm.look(EngineTable.POINT, 3, TableEntry.FIXED, 1)
    for d, kept in ((X, X2), (Y, Y2), (Z, Z2)):
        asm.sel(d, d, kept)
    asm.back()

    # M4 and M5, both below n: load them into the scalar memories and make them odd by adding n, but
    # the second one not on an Edwards curve.
    asm.label("joint_scalars")
    asm.sput(Scalar.FIRST, m(4))
    asm.sput(Scalar.SECOND, m(5))
    asm.scan(EnginePass.ODD_FIRST)
    asm.jump("joint_scalars_end", Condition.EDWARDS)
    asm.scan(EnginePass.ODD_SECOND)
    asm.label("joint_scalars_end")
    asm.back()

    # Q in M8, M9: A4, A5, A6 = first scalar times base point + second scalar times Q.
    asm.label("joint_product")
    to_sums(asm, m(8), m(9), ONE_P)
    asm.call("make_table")
    asm.point(Mode.COMB)
    asm.point(Mode.WHOLE)
    asm.digit(Mode.WINDOW, Scalar.SECOND)
    asm.look(EngineTable.POINT, 3, TableEntry.DIGIT)
    to_sums(asm, X2, Y2, Z2)
    asm.set(Counter.LEFT, Count.LEFT)
    asm.label("joint_far")
    asm.jump("joint_window", Condition.COMB_FAR)
    asm.jump("joint_near")
    asm.label("joint_window")
    asm.digit(Mode.WINDOW, Scalar.SECOND)
    asm.look(EngineTable.POINT, 3, TableEntry.DIGIT)
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
    asm.look(EngineTable.BASE, 3, TableEntry.DIGIT)
    asm.call("double")
    asm.call("add_looked")
    asm.label("joint_next")
    asm.loop(Counter.LEFT, "joint_counted")
    asm.label("joint_counted")
    asm.loop(Counter.INNER, "joint_doubling")
    asm.digit(Mode.WINDOW, Scalar.SECOND)
    asm.look(EngineTable.POINT, 3, TableEntry.DIGIT)
    asm.call("add_looked")
    asm.jump("joint_near", Condition.LEFT)
    asm.back()

    # Convert A4, A5, A6 to affine coordinates outside the Montgomery domain. Infinity and faults
    # only set a status; the cycle count does not change.
    asm.label("affine")
    asm.copy(a(8), Z)
    asm.note(Flag.ZERO, EngineStatus.INFINITY)
    asm.call("invert_p")
    asm.mul(m(9), Y, m(8))
    asm.mul(m(8), X, m(8))
    asm.call("on_curve")
    asm.note(Flag.ZERO | NOT, EngineStatus.FAULT)
    asm.mul(m(10), m(8), ONE)
    asm.mul(m(11), m(9), ONE)
    asm.copy(OUT_X, m(10))
    asm.copy(OUT_Y, m(11))
    asm.back()

    # Evaluate the curve equation: the last sum is zero if (M8, M9) is on the curve.
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

    # M8 = A8^(modulus - 2), both in the Montgomery domain; A10 holds one in that domain.
    asm.label("invert_p")
    asm.mul(m(8), a(8), a(8))
    asm.copy(a(10), ONE_P)
    asm.jump("invert")
    asm.label("invert_n")
    asm.mul(m(9), R2_N, ONE)
    asm.mul(m(8), a(8), a(8))
    asm.copy(a(10), m(9))
    asm.label("invert")
    exponent(asm, Mode.EXPONENT)
    # M8 = A8^e; M8 holds the square of A8.
    asm.label("power")
    asm.put(EngineTable.POINT, 0, a(10), 0)
    asm.put(EngineTable.POINT, 0, a(8), 1)
    asm.set(Counter.E, 2)
    asm.set(Counter.INNER, 13)
    asm.label("invert_power")
    asm.put(EngineTable.POINT, 0, m(8))
    asm.step(Counter.E)
    asm.mul(m(8), m(8), a(8))
    asm.loop(Counter.INNER, "invert_power")
    asm.put(EngineTable.POINT, 0, m(8))
    asm.digit(Mode.EXPONENT, Scalar.FIRST)
    asm.look(EngineTable.POINT, 1, TableEntry.DIGIT)
    asm.mul(m(8), a(10), X2)
    asm.set(Counter.INNER, Count.NIBBLES_LESS_1)
    asm.label("invert_digit")
    asm.digit(Mode.EXPONENT, Scalar.FIRST)
    asm.look(EngineTable.POINT, 1, TableEntry.DIGIT)
    for _ in range(4):
        asm.mul(m(8), m(8), m(8))
    asm.mul(m(8), m(8), X2)
    asm.loop(Counter.INNER, "invert_digit")
    asm.back()


def point_formulas(asm: Assembler, timing: EngineTiming) -> None:
    """Add the formulas for each form of curve, and the jumps that select among them."""
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


def ladder(asm: Assembler, timing: EngineTiming) -> None:
    """Multiply u by the ladder. Inputs: M4 = scalar below 2 p, M8 = u, M9 = 1 on the twist, else 0.

    f = u^3 + A u^2 + u is a square on the curve, and none on the twist. The inverse of Z shows it:
    w = f Z^2, v = w^((p - 3) / 2): v f Z = 1 / Z or -1 / Z, v w = 1 or -1. A wrong M9 is refused.
    """
    asm.label("ladder")
    asm.modulus(False)
    below(asm, m(9), EngineStatus.RANGE)
    asm.mul(m(10), m(9), B)
    asm.add(a(8), m(10), N)
    asm.sput(Scalar.ORDER, a(8))
    asm.sput(Scalar.SECOND, m(4))
    asm.scan(EnginePass.BLIND_ANY)
    # Meanwhile: M9 is 0 or 1, Y = 1 or -1, the ranges, and SIGNED = f.
    asm.sub(a(9), m(9), ONE)
    asm.mul(m(10), m(9), a(9))
    asm.mul(m(11), m(9), R2_P)
    asm.copy(a(8), m(10))
    asm.refuse(Flag.ZERO | NOT, EngineStatus.RANGE)
    asm.add(a(8), m(11), m(11))
    asm.sub(Y, ONE_P, a(8))
    asm.copy(a(8), m(4))
    below(asm, a(8), EngineStatus.RANGE, a(9))
    asm.copy(a(8), m(8))
    below(asm, a(8), EngineStatus.RANGE, a(9))
    asm.mul(U, a(9), R2_P)
    asm.add(a(8), U, B3)
    asm.mul(m(8), a(8), U)
    asm.add(a(8), m(8), ONE_P)
    asm.mul(m(9), a(8), U)
    asm.copy(SIGNED, m(9))
    asm.random(m(4))
    asm.mul(m(5), m(4), ZERO)
    asm.random(m(7))
    asm.mul(m(6), U, m(7))
    asm.point(Mode.LADDER)
    asm.set(Counter.OUTER, Count.BITS)
    asm.digit(Mode.LADDER)
    step = schedule(trace(FORMULAS["ladder_step"]), LADDER, timing)
    last = max(index for index, item in enumerate(step) if item.op is EngineOp.SEL)
    asm.label("ladder_bit")
    asm.extend(step[: last + 1])
    asm.digit(Mode.LADDER)
    asm.extend(step[last + 1 :])
    asm.loop(Counter.OUTER, "ladder_bit")
    asm.sel(X, m(4), m(6))
    asm.sel(Z, m(5), m(7))
    asm.mul(m(11), SIGNED, Z)
    asm.mul(m(9), X, Y)
    asm.mul(m(8), m(11), Z)
    asm.mul(m(10), m(11), m(9))
    asm.copy(a(8), m(8))
    asm.mul(m(8), m(8), m(8))
    asm.copy(a(10), ONE_P)
    exponent(asm, Mode.HALF)
    asm.call("power")
    asm.mul(m(9), m(8), m(10))
    asm.mul(m(11), m(8), a(8))
    asm.mul(m(10), m(9), ONE)
    asm.copy(a(8), m(11))
    asm.test(Action.T_SET, Flag.ZERO | NOT)
    asm.sub(a(8), m(11), Y)
    asm.test(Action.T_AND, Flag.ZERO | NOT)
    asm.refuse(Flag.T, EngineStatus.POINT)
    asm.copy(OUT_X, m(10))
    asm.copy(OUT_Y, ZERO)
    asm.end()
