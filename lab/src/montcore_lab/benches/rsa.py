# SPDX-License-Identifier: Apache-2.0
"""Cycles of the powers with a secret exponent, with and without blinding of the exponent.

``montcore maintain measure rsa`` prints the table (`show`), and with ``--steps`` that of all steps
of an operation, alone and in a series (`show_steps`). The tool and the library blind every
exponent; the figures without blinding are for comparison with other work.
"""

import random
from collections.abc import Mapping

from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator
from montcore.rsa.keys import PrivateKey, generate
from montcore.rsa.operations import RsaUnit
from montcore.support.errors import CheckFailedError
from montcore.support.terminal import output, print_table


def power_cycles(
    exponentiator: Exponentiator, key: PrivateKey, rows: int, *, crt: bool, blind: bool
) -> int:
    """Return the cycles of the powers with a secret exponent in one private operation.

    The set-up of their moduli is included, except without CRT and with blinding, where the step
    before has the same modulus.

    Args:
        exponentiator: the simulated hardware.
        key: the key.
        rows: as for `RsaUnit`.
        crt: two powers of half the length instead of one.
        blind: blind base and exponents.
    """
    unit = RsaUnit(exponentiator, random.SystemRandom().randbytes, rows=rows)
    return _of_powers(operation_steps(unit, key, key.n, crt=crt, blind=blind))


def operation_steps(
    unit: RsaUnit, key: PrivateKey, seed: int, *, crt: bool = True, blind: bool = True
) -> dict[str, int]:
    """Return the cycles of a private operation, by step."""
    unit.steps.clear()
    value = random.Random(seed).randrange(key.n)
    if unit.private(key, value, crt=crt, blind=blind) != pow(value, key.d, key.n):
        raise CheckFailedError("the result of a private operation is wrong")
    return dict(unit.steps)


def _of_powers(steps: Mapping[str, int]) -> int:
    """Return the cycles of the powers with a secret exponent."""
    return sum(count for step, count in steps.items() if step.startswith("power"))


def show_steps(design: ExponentiatorDesign, size: int, rows: int) -> None:
    """Print the cycles of all steps, of one operation and of a later one of a series.

    In a series a pair computes the blinding of the next operation with the check, and n is still
    loaded from the check of the operation before.

    Args:
        design: the exponentiator.
        size: bits of the new random key.
        rows: as for `RsaUnit`.
    """
    key = PrivateKey.of_numbers(generate(size).private_numbers())
    exponentiator, source = Exponentiator(design), random.SystemRandom().randbytes
    series = RsaUnit(exponentiator, source, rows=rows, ahead=True)
    operation_steps(series, key, 1)
    columns = (
        operation_steps(RsaUnit(exponentiator, source, rows=rows), key, 2),
        operation_steps(series, key, 3),
    )
    names = list(dict.fromkeys(name for column in columns for name in column))
    cells = [
        [name, *(f"{column[name]:,}" if name in column else "" for column in columns)]
        for name in names
    ]
    whole = [sum(column.values()) for column in columns]
    powers = [_of_powers(column) for column in columns]
    other = [every - both for every, both in zip(whole, powers, strict=True)]
    shares = [f"{100 * count / both:.1f} %" for count, both in zip(other, powers, strict=True)]
    cells.append(["all but the powers", *(f"{count:,}" for count in other)])
    cells.append(["relative to the powers", *shares])
    cells.append(["all", *(f"{count:,}" for count in whole)])
    title = f"{design.title()}, a key of {size} bits, cycles of each step"
    headings = ("step", "one operation", "in a series")
    print_table(output(), title, headings, cells, right=headings[1:])


def show(design: ExponentiatorDesign, size: int, rows: int) -> None:
    """Print the cycles for a new random key of `size` bits; `rows` as for `RsaUnit`."""
    key = PrivateKey.of_numbers(generate(size).private_numbers())
    exponentiator = Exponentiator(design)
    cells = []
    for crt in (True, False):
        cycles = [
            power_cycles(exponentiator, key, rows, crt=crt, blind=blind) for blind in (True, False)
        ]
        cells.append(["CRT" if crt else "one power", *(f"{count:,}" for count in cycles)])
    headings = ("method", "exponents blinded", "not blinded")
    title = f"{design.title()}, a key of {size} bits"
    print_table(output(), title, headings, cells, right=headings[1:])
