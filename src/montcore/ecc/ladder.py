# SPDX-License-Identifier: Apache-2.0
"""The operation of the engine's program on a Montgomery curve."""

from montcore.ecc.assembler import Assembler
from montcore.ecc.elements import B3, LADDER, ONE_P, OUT_X, OUT_Y, R2_P, SIGNED, B, N, U, X, Y, Z
from montcore.ecc.formulas import FORMULAS, trace
from montcore.ecc.isa import (
    ONE,
    ZERO,
    Action,
    Count,
    Counter,
    EngineOp,
    EnginePass,
    EngineStatus,
    Flag,
    Mode,
    Scalar,
    a,
    m,
)
from montcore.ecc.routines import NOT, below, exponent
from montcore.ecc.schedule import EngineTiming, schedule


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
