# SPDX-License-Identifier: Apache-2.0
"""The verb `maintain soc`, which `make soc` runs: an accelerator in a simulated LiteX system."""

import time
from typing import TYPE_CHECKING, Annotated

from montcore.cli.options import option
from montcore.cli.output import steps
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.support.terminal import output, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from montcore_lab.litex.run import Measured

BITS = 2048
#: Cycles that an operation may take with the accelerator, and how many times faster the
#: accelerator must be than software alone. For RSA-2048 and P-256.
LIMITS = {
    ("rsa", "accelerator"): 1_200_000,
    ("oaep", "accelerator"): 1_200_000,
    ("ecdsa", "accelerator"): 240_000,
    ("ecdsa", "accelerator-unverified"): 120_000,
}
FACTOR = 17
_WAYS = {
    "software": "mbedTLS alone",
    "library": "mbedTLS, products by the RISC-V library",
    "accelerator": "mbedTLS, accelerator",
    "accelerator-first": "the same, with the curve to load",
    "accelerator-unverified": "the same, not verified before the release",
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
    for (kind, way), limit in LIMITS.items():
        if kind != "ecdsa" and bits != BITS:
            continue
        cycles = found.cycles[kind, way]
        kept = cycles <= limit
        said = f"{titles[kind]}, {_WAYS[way]}: {cycles:,} cycles, at most {limit:,}"
        if (kind, "software") in found.cycles:
            faster = found.cycles[kind, "software"] / cycles
            kept = kept and faster >= FACTOR
            said += f"; {faster:.1f} times faster than software, at least {FACTOR}"
        console.print(f"{said}: {'met' if kept else 'NOT MET'}", highlight=False)
        good = good and kept
    return good


def soc(
    bits: Annotated[int, option("--bits N", "Length of the RSA key.")] = BITS,
    accelerator: Annotated[
        bool, option("--accelerator", "Omit the software-only implementation.")
    ] = False,
    decryption: Annotated[
        bool, option("--decryption", "Decrypt messages instead of signing.")
    ] = False,
) -> int:
    """Simulate a LiteX system whose firmware signs, or decrypts, three ways; print the cycles.

    The firmware is compiled with mbedTLS. Each result is checked on this side.
    """
    from montcore_lab.litex.run import DECRYPTION, PARTS, pka_design, run_firmware

    if accelerator and decryption:
        raise RequestError("--accelerator and --decryption cannot be combined")
    console = output()
    start = time.monotonic()
    # The exponents are blinded, and half as long as the key and 64 bits.
    design = pka_design(max(bits, bits // 2 + 64))
    parts = "a" if accelerator else DECRYPTION if decryption else PARTS
    with steps(f"a LiteX system with RSA-{bits}, parts {parts}") as step:

        def say(line: str) -> None:
            console.print(line, highlight=False)
            step(line)

        found = run_firmware(design, bits, REPO_ROOT / "out" / "soc", parts=parts, say=say)
    good = show(console, found, bits)
    minutes = (time.monotonic() - start) / 60
    console.print(
        f"{len(found.tests)} tests of the firmware and {len(found.cycles)} results were right; "
        f"{found.total:,} cycles simulated; took {minutes:.1f} minutes",
        highlight=False,
    )
    return 0 if good else 1
