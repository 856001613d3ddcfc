# SPDX-License-Identifier: Apache-2.0
"""The test of an accelerator's bundle: accesses over the bus, and the expected answers."""

import random
from dataclasses import replace

from montcore.bundle.engine import SHORT
from montcore.cores.core import Core
from montcore.ecc.curves import Curve, get_curve
from montcore.ecc.program import Operation
from montcore.ecc.synthesis import widest_curve
from montcore.soc.design import (
    COMMAND,
    CURVE,
    CYCLES,
    KEY,
    LENGTH,
    OPERANDS,
    SLOT,
    Y_LENGTH,
    AcceleratorDesign,
)

_WRITE, _READ, _IDLE, _MEASURE, _IRQ, _RANDOM_FAILS, _RESET = range(7)
#: Write-only slots: for a scalar, for a curve's key.
_SCALAR, _KEY_SCALAR = 14, 15
_MULTIPLY = 14
_NO_MODULUS, _BAD_COMMAND, _BAD_KEY, _NO_RANDOM, _NO_CURVE = 6, 8, 10, 21, 24
_INFINITY, _RANGE, _POINT, _WRONG = 17, 18, 19, 20


class Script:
    """The lines of a test: accesses and their expected results."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.stimulus: list[int] = []
        self.expected: list[int] = []

    def line(
        self,
        kind: int,
        address: int = 0,
        data: int = 0,
        strobes: int = 15,
        *,
        refused: bool = False,
    ) -> None:
        """Add a line; the data of a read is its expected value."""
        sent = data if kind in (_WRITE, _RANDOM_FAILS) else 0
        self.stimulus.append(kind << 60 | strobes << 56 | address << 40 | sent)
        self.expected.append(refused << 32 | (0 if kind == _WRITE else data))

    def slot(self, kind: int, slot: int, value: int) -> None:
        """Write or read the number of a slot, which has the built length."""
        address = OPERANDS + slot * SLOT if slot < 8 else KEY + (slot - 8) * SLOT
        for place in range(0, self.bits, 32):
            self.line(kind, address + place // 8, value >> place & 0xFFFFFFFF)

    def zeroize(self) -> None:
        """Clear everything."""
        self.line(_WRITE, 0x10, 1)
        self.line(_IDLE)

    def command(
        self,
        op: int,
        error: int = 0,
        *,
        x: int = 1,
        y: int = 2,
        z: int = 3,
        policy: int = 0,
        operation: int = 0,
    ) -> None:
        """Issue a command, wait for its end and compare its error."""
        slots = x << 8 | y << 12 | z << 16
        self.line(_WRITE, COMMAND, op | policy << 4 | slots | operation << 20)
        self.line(_IDLE)
        self.line(_READ, 0x18, error)

    def modulus(self, m: int) -> None:
        """Load a modulus after an even one, which is refused."""
        self.line(_WRITE, LENGTH, m.bit_length())
        self.slot(_WRITE, 0, m ^ 1)
        self.command(1, 1, x=0)
        self.slot(_WRITE, 0, m)
        self.command(1, x=0)


def script_of(design: AcceleratorDesign, seed: int) -> Script:
    """Return the test of all units of an accelerator."""
    script = Script(design.length)
    _registers(design, script)
    _reset(design, script)
    if design.curves is not None:
        _curves(script, design.curves.bits)
    if design.core is not None:
        _powers(script, random.Random(seed))
    if design.multiplier is not None:
        _products(script, design.multiplier, random.Random(seed))
    return script


def measured_text(design: AcceleratorDesign) -> str:
    """Return a description of the operation whose cycles the test measures."""
    if design.multiplier is not None:
        return f"One Montgomery product with a modulus of {design.length} bits takes"
    if design.core is not None:
        return (
            "One power with an exponent of 17 bits (65537) and a modulus of "
            f"{design.core.bits} bits takes"
        )
    return f"One ECDSA signature on {widest_curve(design.length).name} takes"


def _registers(design: AcceleratorDesign, script: Script) -> None:
    script.line(_IDLE)
    script.line(_READ, 0x00, 0x4D504B41)
    script.line(_READ, 0x0C, design.parameters()["CoreName"])
    for address in (0x10, 0x3C, KEY, 0x6000, 0xFFFC):
        script.line(_READ, address, 0, refused=True)
    script.line(_WRITE, 0x00, 1, refused=True)
    script.line(_WRITE, 0x20, 2)
    script.line(_IRQ, 0, 1)
    script.line(_WRITE, 0x1C, 3)
    script.line(_IRQ, 0, 0)
    for strobes, word in ((15, 0x11223344), (3, 0x5555AAAA), (8, 0x77FFFFFF)):
        script.line(_WRITE, OPERANDS + 5 * SLOT, word, strobes)
    script.line(_READ, OPERANDS + 5 * SLOT, 0x7722AAAA)


def _reset(design: AcceleratorDesign, script: Script) -> None:
    """Reset during a command; afterwards memory is cleared and registers have reset values."""
    script.slot(_WRITE, 0, (1 << design.length) - 1)
    script.line(_WRITE, 0x20, 3)
    script.line(_WRITE, LENGTH, design.length)
    if design.curves is None:
        script.line(_WRITE, COMMAND, 1)
    script.line(_RESET)
    script.line(_IDLE)
    for address in (0x14, 0x18, 0x1C, 0x20, LENGTH):
        script.line(_READ, address, 0)
    script.slot(_READ, 0, 0)


def _products(script: Script, core: Core, rng: random.Random) -> None:
    script.command(_MULTIPLY, _NO_MODULUS)
    for op in (2, 3, 7):
        script.command(op, _BAD_COMMAND)
    script.line(_WRITE, KEY, 0, refused=True)
    lengths = sorted({2, min(33, core.bits), core.bits // 2 + 1, core.bits - 1, core.bits} - {1})
    for bits in lengths:
        m = rng.getrandbits(bits) | 1 << bits - 1 | 1
        r_inverse = pow(2, -core.r_bits(bits), m)
        script.modulus(m)
        for x, y in ((m - 1, m - 1), (0, m - 1), (rng.randrange(m), rng.randrange(m))):
            script.slot(_WRITE, 1, x)
            script.slot(_WRITE, 2, y)
            script.command(_MULTIPLY)
            script.slot(_READ, 3, x * y * r_inverse % m)
        script.slot(_WRITE, 2, m)
        script.command(_MULTIPLY, 4)
        # The same slot for all operands, and results of products as operands.
        script.command(_MULTIPLY, x=3, y=3, z=3)
        script.slot(_READ, 3, pow(x * y * r_inverse, 2, m) * r_inverse % m)
    script.line(_MEASURE, CYCLES)
    script.command(_MULTIPLY, _BAD_COMMAND, policy=1)
    script.zeroize()
    for slot in range(8):
        script.slot(_READ, slot, 0)
    script.command(_MULTIPLY, _NO_MODULUS)


def _write_curve(script: Script, curve: Curve, first: int) -> None:
    numbers = (curve.p, curve.n, curve.a, curve.b, curve.x, curve.y)
    for place, value in enumerate(numbers):
        script.slot(_WRITE, first + place, value)
    script.line(_WRITE, LENGTH, curve.p.bit_length())
    script.line(_WRITE, Y_LENGTH, curve.n.bit_length())
    script.line(_WRITE, CURVE, curve.columns | curve.windows << 8 | curve.family << 20)


def _curves(script: Script, bits: int) -> None:
    curve, widest = get_curve(SHORT), widest_curve(bits)
    n = curve.n
    k, d, e = n // 3, n // 5, n // 7
    public = curve.multiply(d, curve.base) or (0, 0)
    r = (curve.multiply(k, curve.base) or (0, 0))[0] % n
    s = pow(k, -1, n) * (e + r * d) % n
    base, sign, verify = Operation.BASE, Operation.SIGN, Operation.VERIFY
    script.command(9, _NO_CURVE, x=_SCALAR, y=0, operation=base)
    _write_curve(script, replace(curve, y=curve.y ^ 1), 0)
    script.command(8, 4, x=0)
    _write_curve(script, curve, 0)
    script.command(8, x=0)
    script.slot(_WRITE, _SCALAR, d)
    script.line(_READ, KEY + 6 * SLOT, 0, refused=True)
    script.command(9, x=_SCALAR, y=0, z=1, operation=base)
    script.slot(_READ, 1, public[0])
    script.slot(_READ, 2, public[1])
    # The scalar was cleared, so the result is zero times the base point.
    script.command(9, _INFINITY, x=_SCALAR, y=0, z=3, operation=base)
    script.slot(_WRITE, 0, e)
    script.slot(_WRITE, _SCALAR, k)
    script.slot(_WRITE, _KEY_SCALAR, d)
    script.command(9, x=_SCALAR, y=0, z=3, operation=sign)
    script.slot(_READ, 3, r)
    script.slot(_READ, 4, s)
    script.command(9, x=3, y=0, z=5, operation=verify)
    script.slot(_WRITE, 0, e ^ 1)
    script.command(9, _WRONG, x=3, y=0, z=5, operation=verify)
    script.slot(_WRITE, 3, 0)
    script.command(9, _RANGE, x=3, y=0, z=5, operation=verify)
    script.slot(_WRITE, 2, public[1] ^ 1)
    script.command(9, _POINT, x=3, y=1, z=5, operation=Operation.MULTIPLY)
    script.command(9, _BAD_COMMAND, x=3, y=0, z=5, operation=7)
    # A key locked for signing: its signature, with an unknown nonce, is valid.
    script.command(11, _BAD_KEY, y=0, z=3, operation=sign)
    _write_curve(script, curve, 8)
    script.slot(_WRITE, _KEY_SCALAR, d)
    script.command(12, policy=1)
    script.line(_WRITE, KEY + 7 * SLOT, 0, refused=True)
    script.command(11, _NO_CURVE, y=0, z=3, operation=sign)
    script.command(10)
    script.command(11, y=0, z=1, operation=base)
    script.slot(_READ, 1, public[0])
    script.line(_RANDOM_FAILS, 0, 1)
    script.command(11, _NO_RANDOM, y=0, z=3, operation=sign)
    script.line(_RANDOM_FAILS, 0, 0)
    script.command(11, y=0, z=3, operation=sign)
    script.command(9, x=3, y=0, z=5, operation=verify)
    script.command(11, _BAD_KEY, y=1, z=5, operation=Operation.MULTIPLY)
    script.zeroize()
    script.command(10, _BAD_KEY)
    # A key generated internally, unknown to the test.
    _write_curve(script, widest, 8)
    script.command(13, policy=3)
    script.command(10)
    script.command(11, y=0, z=1, operation=base)
    script.slot(_WRITE, 0, e)
    script.command(11, y=0, z=3, operation=sign)
    script.line(_MEASURE, CYCLES)
    script.command(9, x=3, y=0, z=5, operation=verify)
    script.zeroize()


def _powers(script: Script, rng: random.Random) -> None:
    bits = script.bits
    m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
    x, y, e = rng.randrange(m), rng.randrange(m), 65537 & ((1 << bits) - 1)
    e_bits = e.bit_length()
    script.command(3, _NO_MODULUS)
    script.modulus(m)
    script.slot(_WRITE, 1, m)
    script.command(3, 4)
    script.slot(_WRITE, 1, x)
    script.slot(_WRITE, 2, y)
    script.command(3)
    script.slot(_READ, 3, x * y % m)
    script.slot(_WRITE, 2, e)
    script.line(_WRITE, Y_LENGTH, e_bits)
    for policy in (0, 1, 2):
        script.command(2, policy=policy)
        script.slot(_READ, 3, pow(x, e, m))
        if policy == 0:
            script.line(_MEASURE, CYCLES)
    script.command(14, _BAD_COMMAND)
    script.slot(_WRITE, 8, m)
    script.slot(_WRITE, 9, e)
    script.command(5, _BAD_KEY)
    script.command(7)
    script.line(_WRITE, KEY, 0, refused=True)
    script.command(4)
    script.command(5)
    script.slot(_READ, 3, pow(x, e, m))
    script.zeroize()
    for slot in range(8):
        script.line(_READ, OPERANDS + slot * SLOT, 0)
    script.command(4, _BAD_KEY)
