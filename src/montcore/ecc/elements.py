# SPDX-License-Identifier: Apache-2.0
"""Allocation of the engine's registers to the values of its program.

Values that remain as long as a curve is loaded: M0 = b (Edwards: d; Montgomery: the twist's order
less n), M1 = a (Montgomery: (A - 2) / 4), M3 = n; A0 = R mod p, A1 = R^2 mod p, A2 = R^2 mod n,
A3 = 3 b (Montgomery: A). The accumulated point is in A4, A5, A6; the point to be added is in M12,
M13, M14, with the coordinate that depends on the sign in A7. Results are in A14 and A15.
"""

from montcore.ecc.isa import ZERO, a, m
from montcore.ecc.schedule import Registers

ONE_P, R2_P, R2_N, B3 = a(0), a(1), a(2), a(3)
X, Y, Z, SIGNED = a(4), a(5), a(6), a(7)
OUT_X, OUT_Y = a(14), a(15)
B, A, N = m(0), m(1), m(3)
X2, Y2, Z2 = m(12), m(13), m(14)
U = m(15)

_POINT = {"X1": X, "Y1": Y, "Z1": Z, "b": B, "a": A, "b3": B3, "zero": ZERO}
_SUMS = tuple(a(i) for i in range(8, 16))
WEIERSTRASS = Registers(
    {**_POINT, "X2": X2, "Y2": SIGNED, "Z2": Z2}, (*(m(i) for i in range(4, 12)), *_SUMS)
)
EDWARDS = Registers(
    {**_POINT, "X2": SIGNED, "Y2": Y2, "Z2": Z2}, (*(m(i) for i in range(4, 12)), *_SUMS)
)
LADDER = Registers(
    {"X2": m(4), "Z2": m(5), "X3": m(6), "Z3": m(7), "u": U, "a24": A},
    (*(m(i) for i in range(8, 12)), *_SUMS),
)


def registers(name: str) -> Registers:
    """Return the register allocation of a formula."""
    if name == "ladder_step":
        return LADDER
    return EDWARDS if "edwards" in name else WEIERSTRASS
