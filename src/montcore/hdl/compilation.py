# SPDX-License-Identifier: Apache-2.0
"""Designs as slang reads them."""

from collections.abc import Iterable
from typing import Any


def read_design(words: Iterable[str]) -> Any:
    """Return slang's driver with a design, or None where slang cannot read it.

    The driver has to live as long as the compilations that it creates: they read its sources.

    Args:
        words: slang's arguments, files among them.
    """
    from pyslang import driver  # a large library, loaded only where it is needed

    slang = driver.Driver()
    slang.addStandardArgs()
    quoted = " ".join(f'"{word}"' for word in words)
    if not (
        slang.parseCommandLine(f"slang {quoted}")
        and slang.processOptions()
        and slang.parseAllSources()
    ):
        return None
    return slang
