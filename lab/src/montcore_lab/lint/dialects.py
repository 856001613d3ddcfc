# SPDX-License-Identifier: Apache-2.0
"""Constructs that simulators do not support, and their replacements."""

import re
from collections.abc import Iterable
from pathlib import Path

# Icarus Verilog 11 (Debian 12) has no unsigned `int` parameters and no `$fatal` outside of a
# procedure; the style guide requires the first, the rejection of bad parameters uses the second.
# Icarus Verilog 12 supports both.
#
# The simulator of release 11 also wakes unrelated `always_comb` blocks together: all of them share
# the event that runs them at time zero. Two blocks that give a default first and a value after it
# can so wake each other for ever. `always @*` has no such event.
_ICARUS_11_LACKS = (
    (re.compile(r"\b(parameter|localparam) +int unsigned\b"), r"\1 int"),
    (re.compile(r"^( *)(\$fatal\()", re.MULTILINE), r"\1initial \2"),
    (re.compile(r"\balways_comb\b"), "always @*"),
)


def for_icarus_11(text: str) -> str:
    """Return SystemVerilog text with the constructs of `_ICARUS_11_LACKS` replaced."""
    for pattern, replacement in _ICARUS_11_LACKS:
        text = pattern.sub(replacement, text)
    return text


def copies_for_icarus_11(sources: Iterable[Path], folder: Path) -> list[Path]:
    """Write such copies of files into a folder, and return them in order."""
    copies = []
    for source in sources:
        copies.append(folder / source.name)
        text = for_icarus_11(source.read_text(encoding="utf-8"))
        copies[-1].write_text(text, encoding="utf-8")
    return copies
