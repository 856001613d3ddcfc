# SPDX-License-Identifier: Apache-2.0
"""The engine's program: set-up of a curve, and each operation.

`elements.py` allocates the registers; `routines.py` has the routines that operations share and the
operation on a Montgomery curve.
"""

from dataclasses import asdict, dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path

from montcore.ecc.assembler import Assembler
from montcore.ecc.elements import B3, ONE_P, OUT_X, OUT_Y, R2_N, R2_P, X2, Y2, Z2, A, B, N, X, Z
from montcore.ecc.isa import (
    ONE,
    ZERO,
    Action,
    Condition,
    Count,
    Counter,
    EnginePass,
    EngineStatus,
    EngineTable,
    Flag,
    Instruction,
    Mode,
    Scalar,
    TableEntry,
    a,
    m,
)
from montcore.ecc.routines import NOT, below, ladder, point_formulas, put_point, routines, to_sums
from montcore.ecc.schedule import EngineTiming
from montcore.support.digest import code_of, content_key, digest
from montcore.synth.store import ResultStore


class Operation(IntEnum):
    """Operations of the engine; the number is the entry address in the program."""

    MULTIPLY = 0
    BASE = 1
    SIGN = 2
    VERIFY = 3
    JOINT = 4
    LADDER = 5
    MULTIPLY_ADD = 6
    SET_UP = 7


#: Modules of `montcore.ecc` that generate the program in the engine's memory.
GENERATOR = ("assembler", "elements", "formulas", "isa", "program", "routines", "schedule")

#: Address to which a failed test sends an operation.
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


@dataclass(frozen=True)
class Program:
    """The complete program."""

    code: tuple[Instruction, ...]
    labels: dict[str, int]


@cache
def program(timing: EngineTiming) -> Program:
    """Return the program, scheduled for the timing of a multiplier.

    Scheduling takes seconds, so that the result is kept in the cache.
    """
    about = {"what": "program", "timing": asdict(timing), "generator": generator_digest()}
    key, store = content_key(about, ()), ResultStore()
    found = store.get(key, Program)
    if found is None:
        found = _scheduled(timing)
        store.put(key, found)
    return found


@cache
def generator_digest() -> str:
    """Return a digest of the code that generates programs."""
    files = (Path(__file__).with_name(f"{name}.py") for name in GENERATOR)
    return digest(code_of(path.read_text(encoding="utf-8")) for path in files)


def _scheduled(timing: EngineTiming) -> Program:
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
    ladder(asm, timing)
    _multiply_add(asm)
    routines(asm)
    point_formulas(asm, timing)
    return Program(tuple(asm.resolved()), asm.labels)


def _set_up(asm: Assembler) -> None:
    """Load a curve. Inputs: M4 = a, M5 = b, M6, M7 = base point, M3 = n."""
    asm.label("set_up")
    asm.modulus(False)
    for index in range(4, 8):
        below(asm, m(index), EngineStatus.RANGE)
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
    asm.jump("set_up_montgomery", Condition.MONTGOMERY)
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
    asm.refuse(Flag.ZERO | NOT, EngineStatus.POINT)
    # Teeth of the comb, e = 0 .. 3: store 2^(e columns) G as entry e and its double as entry 8 + e.
    to_sums(asm, m(8), m(9), ONE_P)
    for tooth in range(4):
        put_point(asm, EngineTable.POINT, tooth)
        asm.call("double")
        put_point(asm, EngineTable.POINT, 8 + tooth)
        asm.set(Counter.OUTER, Count.COLUMNS_LESS_1)
        asm.label(f"set_up_tooth_{tooth}")
        asm.call("double")
        asm.loop(Counter.OUTER, f"set_up_tooth_{tooth}")
    for tooth in range(4):
        asm.look(EngineTable.POINT, 3, TableEntry.FIXED, 16 + tooth)
        asm.call("add_looked")
    put_point(asm, EngineTable.BASE, 0)
    asm.set(Counter.E, 1)
    for tooth in range(4):
        asm.set(Counter.J, 0)
        asm.set(Counter.OUTER, 1 << tooth)
        asm.label(f"set_up_entry_{tooth}")
        asm.look(EngineTable.BASE, 3, TableEntry.COUNTER)
        to_sums(asm, X2, Y2, Z2)
        asm.look(EngineTable.POINT, 3, TableEntry.FIXED, 8 + tooth)
        asm.call("add_looked")
        put_point(asm, EngineTable.BASE)
        asm.step(Counter.E)
        asm.step(Counter.J)
        asm.loop(Counter.OUTER, f"set_up_entry_{tooth}")
    asm.end()
    # B = the difference of both orders, B3 = A, the coefficient.
    asm.label("set_up_montgomery")
    below(asm, N, EngineStatus.RANGE)
    asm.sub(a(8), m(5), N)
    asm.mul(B, a(8), R2_P)
    asm.add(a(8), A, A)
    asm.add(a(9), ONE_P, ONE_P)
    asm.add(a(8), a(8), a(8))
    asm.add(B3, a(8), a(9))
    asm.end()


def _scalar(asm: Assembler, blinding: EnginePass = EnginePass.BLIND, bound: int = 2) -> None:
    """Blind the scalar in M4, which must be below `bound` n, and leave p as the modulus."""
    asm.modulus(False)
    asm.modulus(True, adder_only=True)
    for at in range(bound - 1):
        asm.copy(a(8), a(8) if at else m(4))
    below(asm, a(8), EngineStatus.RANGE, a(9))
    asm.sput(Scalar.SECOND, m(4))
    asm.scan(blinding)
    asm.modulus(False, adder_only=True)


def _coordinates(asm: Assembler) -> None:
    """Check that (M8, M9) is on the curve and convert it to the Montgomery domain."""
    below(asm, m(8), EngineStatus.RANGE)
    below(asm, m(9), EngineStatus.RANGE)
    asm.mul(m(8), m(8), R2_P)
    asm.mul(m(9), m(9), R2_P)
    asm.call("on_curve")
    asm.refuse(Flag.ZERO | NOT, EngineStatus.POINT)


def _result(asm: Assembler, name: str, scalar: Scalar) -> None:
    asm.jump(f"{name}_edwards", Condition.EDWARDS)
    asm.label(f"{name}_affine")
    asm.call("affine")
    asm.end()
    asm.label(f"{name}_edwards")
    asm.digit(Mode.LADDER, scalar)
    asm.call("subtract_if_even")
    asm.jump(f"{name}_affine")


def _multiply(asm: Assembler) -> None:
    """Multiply a point. Inputs: M4 = scalar, M8, M9 = point.

    The point may have any order: on an Edwards curve the scalar is blinded by multiples of 8 n.
    """
    asm.label("multiply")
    asm.jump("multiply_any", Condition.EDWARDS)
    _scalar(asm)
    asm.jump("multiply_point")
    asm.label("multiply_any")
    _scalar(asm, EnginePass.BLIND_ANY, 8)
    asm.label("multiply_point")
    _coordinates(asm)
    asm.random(m(4))
    asm.mul(m(5), m(8), m(4))
    asm.mul(m(6), m(9), m(4))
    to_sums(asm, m(5), m(6), m(4))
    asm.call("make_table")
    asm.point(Mode.WINDOW)
    asm.digit(Mode.WINDOW, Scalar.FIRST)
    asm.look(EngineTable.POINT, 3, TableEntry.DIGIT)
    to_sums(asm, X2, Y2, Z2)
    asm.set(Counter.OUTER, Count.COLUMNS_LESS_1)
    asm.label("multiply_window")
    asm.digit(Mode.WINDOW, Scalar.FIRST)
    asm.look(EngineTable.POINT, 3, TableEntry.DIGIT)
    for _ in range(5):
        asm.call("double")
    asm.call("add_looked")
    asm.loop(Counter.OUTER, "multiply_window")
    _result(asm, "multiply", Scalar.FIRST)


def _base(asm: Assembler) -> None:
    """Multiply the base point. Input: M4 = scalar."""
    asm.label("base")
    _scalar(asm)
    asm.call("comb")
    asm.call("affine")
    asm.end()


def _sign(asm: Assembler) -> None:
    """Sign. Inputs: M4 = nonce, M5 = private key, M8 = digest."""
    asm.label("sign")
    asm.modulus(False)
    asm.modulus(True, adder_only=True)
    for source in (m(4), m(5)):
        below(asm, source, EngineStatus.RANGE)
        asm.refuse(Flag.ZERO, EngineStatus.RANGE)
    asm.copy(a(8), m(8))
    below(asm, a(8), EngineStatus.RANGE, a(9))
    asm.park(0, m(4))
    asm.park(1, m(5))
    asm.park(2, a(9))
    asm.sput(Scalar.SECOND, m(4))
    asm.scan(EnginePass.BLIND)
    asm.modulus(False, adder_only=True)
    asm.call("comb")
    asm.call("affine")
    asm.modulus(True)
    asm.copy(OUT_X, OUT_X)
    asm.refuse(Flag.ZERO, EngineStatus.RETRY)
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
    asm.refuse(Flag.ZERO, EngineStatus.RETRY)
    asm.end()


def _verify(asm: Assembler) -> None:
    """Verify. Inputs: M4, M5 = r, s; M8 = digest; M9, M10 = public key."""
    asm.label("verify")
    asm.modulus(False, adder_only=True)
    for entry, source in ((2, m(9)), (3, m(10))):
        below(asm, source, EngineStatus.RANGE)
        asm.park(entry, source)
    asm.modulus(True)
    for source in (m(4), m(5)):
        below(asm, source, EngineStatus.RANGE)
        asm.refuse(Flag.ZERO, EngineStatus.RANGE)
    asm.copy(a(8), m(8))
    below(asm, a(8), EngineStatus.RANGE, a(9))
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
    asm.refuse(Flag.ZERO | NOT, EngineStatus.POINT)
    asm.call("joint_product")
    asm.copy(a(8), Z)
    asm.refuse(Flag.ZERO, EngineStatus.SIGNATURE)
    # Check x mod n = r: either X = r Z, or r + n < p and X = (r + n) Z.
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
    asm.refuse(Flag.M | NOT, EngineStatus.SIGNATURE)
    asm.copy(OUT_X, ZERO)
    asm.copy(OUT_Y, ZERO)
    asm.end()


def _joint(asm: Assembler) -> None:
    """Add multiples of the base point and of a point.

    Inputs: M4, M5 = scalars of the base point and of the point; M8, M9 = point.
    """
    asm.label("joint")
    asm.modulus(False)
    asm.modulus(True, adder_only=True)
    below(asm, m(4), EngineStatus.RANGE)
    below(asm, m(5), EngineStatus.RANGE)
    asm.call("joint_scalars")
    asm.modulus(False, adder_only=True)
    _coordinates(asm)
    asm.call("joint_product")
    _result(asm, "joint", Scalar.SECOND)


def _multiply_add(asm: Assembler) -> None:
    """Compute M4 M5 + M8 modulo n."""
    asm.label("multiply_add")
    asm.modulus(True)
    for source in (m(4), m(5), m(8)):
        below(asm, source, EngineStatus.RANGE)
    asm.mul(m(6), m(4), R2_N)
    asm.mul(m(7), m(6), m(5))
    asm.add(OUT_X, m(7), m(8))
    asm.copy(OUT_Y, ZERO)
    asm.end()
