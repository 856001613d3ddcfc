# SPDX-License-Identifier: Apache-2.0
"""The generated modules of default builds; ``montcore maintain multiplier``.

The multipliers of both units and the curve engine's program are committed with the other sources of
hw/modexp and hw/ecc, so that the folders are complete.
"""

from collections.abc import Callable
from pathlib import Path

from montcore.ecc.design import default_multiplier as curve_multiplier
from montcore.ecc.design import default_rom
from montcore.modexp.design import default_multiplier
from montcore.support.files import write_whole
from montcore.support.paths import HW_DIR
from montcore_lab.lint import rtl

PATH = HW_DIR / "modexp" / "rtl" / "montcore_modexp_multiplier.sv"
ROM = HW_DIR / "ecc" / "rtl" / "montcore_ecc_rom.sv"
CURVES = HW_DIR / "ecc" / "rtl" / "montcore_ecc_multiplier.sv"
GENERATED: dict[Path, Callable[[], str]] = {
    PATH: default_multiplier,
    ROM: default_rom,
    CURVES: curve_multiplier,
}


def _outdated() -> dict[Path, str]:
    """Return the generated text of each committed file that differs from it, ignoring layout."""
    found = {path: make() for path, make in GENERATED.items()}
    return {
        path: text
        for path, text in found.items()
        if not path.is_file()
        or "".join(path.read_text(encoding="utf-8").split()) != "".join(text.split())
    }


def is_current() -> bool:
    """Tell whether the committed files match the generator's output, ignoring layout."""
    return not _outdated()


def refresh() -> bool:
    """Write the files that are out of date; return whether there were any.

    Raises:
        MissingToolError: Verible, which formats it, is not installed.
    """
    found = _outdated()
    if not found:
        return False
    for path, text in found.items():
        write_whole(path, text)
    rtl.fix()
    return True
