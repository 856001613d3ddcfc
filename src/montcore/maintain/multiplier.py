# SPDX-License-Identifier: Apache-2.0
"""The generated multiplier of the exponentiator's default build; ``montcore maintain multiplier``.

It is committed beside the other sources of hw/modexp, so that the folder is complete.
"""

from montcore.lint import rtl
from montcore.modexp.design import default_multiplier
from montcore.support.paths import HW_DIR

PATH = HW_DIR / "modexp" / "rtl" / "montcore_modexp_multiplier.sv"


def is_current() -> bool:
    """Tell whether the committed file is what the generator writes, layout excluded."""
    return "".join(PATH.read_text(encoding="utf-8").split()) == "".join(
        default_multiplier().split()
    )


def refresh() -> bool:
    """Write the file if it is out of date; tell whether it was.

    Raises:
        MissingToolError: Verible, which formats it, is not installed.
    """
    if is_current():
        return False
    PATH.write_text(default_multiplier(), encoding="utf-8")
    rtl.fix()
    return True
