# SPDX-License-Identifier: Apache-2.0
"""Files generated from the register description; ``montcore maintain registers``."""

from pathlib import Path

from montcore.soc.generated import generated
from montcore.soc.registers import same
from montcore.support.files import write_whole
from montcore_lab.lint import rtl


def outdated() -> dict[Path, str]:
    """Return the generated text of each committed file that differs from it, ignoring layout.

    Raises:
        RequestError: PeakRDL is not installed.
    """
    return {
        path: text
        for path, text in generated().items()
        if not path.is_file() or not same(path.read_text(encoding="utf-8"), text)
    }


def refresh() -> list[Path]:
    """Write the files that are out of date; return their paths.

    Raises:
        RequestError: PeakRDL, or Verible, which formats the RTL, is not installed.
    """
    found = outdated()
    for path, text in found.items():
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)
    if found:
        rtl.fix()
    return list(found)
