# SPDX-License-Identifier: Apache-2.0
"""What simulators do not understand of the sources, and how it is written for them instead."""

import re

# Icarus Verilog 11 (Debian 12) has no unsigned `int` parameters and no `$fatal` outside of a
# procedure; the style asks for the first, the refusal of bad parameters for the second. Icarus
# Verilog 12 has both.
_ICARUS_11_LACKS = (
    (re.compile(r"\b(parameter|localparam) +int unsigned\b"), r"\1 int"),
    (re.compile(r"^( *)(\$fatal\()", re.MULTILINE), r"\1initial \2"),
)


def for_icarus_11(text: str) -> str:
    """Return SystemVerilog text with the constructs of `_ICARUS_11_LACKS` replaced."""
    for pattern, replacement in _ICARUS_11_LACKS:
        text = pattern.sub(replacement, text)
    return text
