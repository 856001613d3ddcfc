# SPDX-License-Identifier: Apache-2.0
"""What `make soc` shows.

``python -m montcore_lab.cli.soc [--bits N] [--accelerator|--decryption]``

Generates a LiteX system with the accelerator, compiles its firmware with mbedTLS, simulates both
and prints the cycles of signatures, or of messages decrypted, three ways. Each result is checked
on this side.
"""

import argparse
import sys
import time
from typing import TYPE_CHECKING

from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import REPO_ROOT
from montcore.support.terminal import output, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from montcore_lab.litex.run import Measured

BITS = 2048
#: Cycles that a signature may take with the accelerator, and how many times faster it must be than
#: software alone. For RSA-2048 and P-256.
LIMITS = {"rsa": 1_200_000, "oaep": 1_200_000, "ecdsa": 120_000}
FACTOR = 17
_WAYS = {
    "software": "mbedTLS alone",
    "library": "mbedTLS, products by the RISC-V library",
    "accelerator": "mbedTLS, accelerator",
    "accelerator-first": "the same, with the curve to load",
}


def show(console: "Console", found: "Measured", bits: int) -> bool:
    """Print the table; tell whether the limits are kept."""
    titles = {
        "rsa": f"RSA-{bits}, private",
        "oaep": f"RSA-{bits}, decrypt (OAEP)",
        "ecdsa": "ECDSA P-256, sign",
    }
    rows = []
    for kind, title in titles.items():
        alone = found.cycles.get((kind, "software"))
        for way, words in _WAYS.items():
            cycles = found.cycles.get((kind, way))
            if cycles is not None:
                factor = f"{alone / cycles:.1f}" if alone else ""
                rows.append((title, words, f"{cycles:,}", factor))
    headings = ("operation", "way", "cycles", "times faster")
    print_table(console, "Cycles of the system's clock", headings, rows, right=headings[2:])
    good = True
    for kind, limit in LIMITS.items():
        if kind != "ecdsa" and bits != BITS:
            continue
        cycles = found.cycles[kind, "accelerator"]
        kept = cycles <= limit
        said = f"{titles[kind]}: {cycles:,} cycles, at most {limit:,}"
        if (kind, "software") in found.cycles:
            kept = kept and found.factor(kind) >= FACTOR
            said += f"; {found.factor(kind):.1f} times faster than software, at least {FACTOR}"
        console.print(f"{said}: {'met' if kept else 'NOT MET'}", highlight=False)
        good = good and kept
    return good


def main() -> int:
    """Run it; exit status 0 all well, 1 a check failed, 2 something is missing."""
    parser = argparse.ArgumentParser(prog="make soc", description=__doc__)
    parser.add_argument("--bits", type=int, default=BITS, help="length of the RSA key")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--accelerator", action="store_true", help="omit the software-only implementation"
    )
    which.add_argument(
        "--decryption", action="store_true", help="decrypt messages instead of signing"
    )
    asked = parser.parse_args()
    console = output()
    start = time.monotonic()
    try:
        from montcore_lab.litex.run import DECRYPTION, PARTS, pka_design, run_firmware

        # The exponents are blinded, and half as long as the key and 64 bits.
        design = pka_design(max(asked.bits, asked.bits // 2 + 64))
        found = run_firmware(
            design,
            asked.bits,
            REPO_ROOT / "out" / "soc",
            parts="a" if asked.accelerator else DECRYPTION if asked.decryption else PARTS,
            say=lambda line: console.print(line, highlight=False),
        )
    except KeyboardInterrupt:
        return 130
    except RequestError as error:
        print(error, file=sys.stderr)
        return 2
    except CheckFailedError as error:
        print(error, file=sys.stderr)
        return 1
    good = show(console, found, asked.bits)
    minutes = (time.monotonic() - start) / 60
    console.print(
        f"{len(found.tests)} tests of the firmware and {len(found.cycles)} results were right; "
        f"{found.total:,} cycles simulated; took {minutes:.1f} minutes",
        highlight=False,
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
