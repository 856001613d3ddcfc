# SPDX-License-Identifier: Apache-2.0
"""The C driver of a bundle: sw/driver and a header with the build's constants."""

import re
import shutil
from pathlib import Path

from montcore.bundle.templates import render
from montcore.cores.core import Core
from montcore.model.fields import Field
from montcore.model.spec import r_squared
from montcore.support.paths import REPO_ROOT

DRIVER_DIR = REPO_ROOT / "sw" / "driver"
FILES = ("montcore_driver.h", "montcore_driver.c")


def constants(core: Core, name: str, field: Field | None) -> str:
    """Return the header of a build: width, bus, log2 R for every length, a field's numbers."""
    bus, beats = core.bus_width, core.beats(core.bits)
    lengths = [min(core.bits, bus * (number + 1)) for number in range(beats)]
    r_bits = ", ".join(str(core.r_bits(length)) for length in lengths)
    numbers = ""
    if field is not None:
        r = core.r_bits(field.bits)
        numbers = "\n".join(
            f"static const uint32_t {name}_{what}[{-(-field.bits // 32)}] = {{\n"
            f"  {_limbs(value, field.bits)}\n}};"
            for what, value in (("modulus", field.p), ("r_squared", r_squared(field.p, r)))
        )
        numbers = (
            f"\n/* {field.name}: the modulus and 2^(2 r_bits) mod m. */\n"
            f"#define {name.upper()}_BITS {field.bits}u\n{numbers}\n"
        )
    return render(
        "build.h",
        {
            "name": name,
            "guard": re.sub(r"\W", "_", name).upper(),
            "label": core.label(),
            "bits": core.bits,
            "bus": bus,
            "beats": beats,
            "r_bits": r_bits,
            "numbers": numbers,
        },
    )


def _limbs(value: int, bits: int) -> str:
    """Return a number as 32-bit limbs in C, least significant first, four per line."""
    limbs = [f"0x{value >> place & 0xFFFFFFFF:08x}u" for place in range(0, bits, 32)]
    rows = [", ".join(limbs[start : start + 4]) for start in range(0, len(limbs), 4)]
    return ",\n  ".join(rows)


def write(core: Core, name: str, field: Field | None, folder: Path) -> None:
    """Write the driver of a bundle into its folder ``driver``."""
    folder = folder / "driver"
    folder.mkdir()
    for file in FILES:
        shutil.copyfile(DRIVER_DIR / file, folder / file)
    (folder / f"{name}.h").write_text(constants(core, name, field), encoding="utf-8")
