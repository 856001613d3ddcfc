# SPDX-License-Identifier: Apache-2.0
"""Cycles of the curve engine's operations over some cores; ``montcore maintain measure ecc``."""

from collections.abc import Mapping

from montcore.cores import get_core
from montcore.ecc.bench import EngineRow, measure
from montcore.ecc.curves import get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine
from montcore.support.terminal import output, print_table

_SHORT = ("prime256v1", "brainpoolP256r1", "secp256k1", "ed25519", "x25519")
#: Core, settings, built width, and the curves that are measured.
SUBJECTS: tuple[tuple[str, Mapping[str, str], int, tuple[str, ...]], ...] = (
    ("smm", {"npe": "8"}, 256, _SHORT),
    ("cs4", {}, 256, _SHORT),
    ("karatsuba", {}, 256, _SHORT),
    ("smm", {"npe": "6"}, 384, ("secp384r1",)),
    ("smm", {"npe": "9"}, 521, ("secp521r1",)),
)


#: The columns of operations, as in `usual_requests`.
_OPERATIONS = ("multiply", "base", "sign", "verify", "ladder")


def rows() -> list[EngineRow]:
    """Simulate all rows; every result is compared with the model's."""
    found = []
    for core, settings, bits, names in SUBJECTS:
        unit = Engine(EngineDesign(get_core(core).configure(settings, bits)))
        found += [measure(unit, get_curve(name)) for name in names]
    return found


def show() -> None:
    """Print the table."""
    headings = ("core", "curve", "k P", "k G", "sign", "verify", "ladder", "set-up", "clear")
    cells = [
        [
            row.core,
            row.curve,
            *(str(row.cycles.get(name, "")) for name in _OPERATIONS),
            str(row.set_up),
            str(row.clear),
        ]
        for row in rows()
    ]
    console = output()
    title = "Cycles of the curve engine, all protections on"
    print_table(console, title, headings, cells, right=headings[2:])
    console.print("Edwards: verify is u G + v Q. Set-up: once per curve.")
    console.print("Clear: from the first beat of the answer until the next operation can begin.")
