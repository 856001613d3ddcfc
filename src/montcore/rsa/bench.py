# SPDX-License-Identifier: Apache-2.0
"""Cycles of the powers with a secret exponent, with and without blinding of the exponent.

``montcore maintain measure rsa`` prints the table (`show`). The tool and the library blind every
exponent; the figures without blinding are for comparison with other work.
"""

import random

from rich.table import Table

from montcore.modexp import Exponentiator
from montcore.modexp.design import Design
from montcore.rsa.keys import PrivateKey, generate
from montcore.rsa.operations import RsaUnit
from montcore.support.errors import CheckFailedError
from montcore.support.terminal import output


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

    Raises:
        CheckFailedError: the result is wrong.
    """
    unit = RsaUnit(exponentiator, random.SystemRandom().randbytes, rows=rows)
    value = random.Random(key.n).randrange(key.n)
    if unit.private(key, value, crt=crt, blind=blind) != pow(value, key.d, key.n):
        raise CheckFailedError("the result of a private operation is wrong")
    return sum(count for step, count in unit.tally.steps.items() if step.startswith("power"))


def show(design: Design, size: int, rows: int) -> None:
    """Print the cycles for a new random key of `size` bits; `rows` as for `RsaUnit`."""
    key = PrivateKey.of_numbers(generate(size).private_numbers())
    exponentiator = Exponentiator(design)
    table = Table(title=f"{design.title()}, a key of {size} bits")
    for column in ("method", "exponents blinded", "not blinded"):
        table.add_column(column, justify="left" if column == "method" else "right")
    for crt in (True, False):
        cycles = [
            power_cycles(exponentiator, key, rows, crt=crt, blind=blind) for blind in (True, False)
        ]
        table.add_row("CRT" if crt else "one power", *(f"{count:,}" for count in cycles))
    output().print(table)
