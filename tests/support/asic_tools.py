# SPDX-License-Identifier: Apache-2.0
"""What the tests of the ASIC flow need: cell library, timing analyser, and a design."""

from needs import needs

from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth.design import Design

needs_asic = needs("osu018 cells", "sta")

#: The RTL of memory macros, and that of a unit with one.
MACRO = HW_DIR / "tech" / "rtl" / "montcore_ram_macro.sv"
MAC_FILES = (MACRO, REPO_ROOT / "tests" / "support" / "rtl" / "synth_mac.sv")


def mac(width: int) -> Design:
    """Return a multiply-accumulate unit with a memory."""
    return Design.of("synth_mac", MAC_FILES, {"Width": width})
