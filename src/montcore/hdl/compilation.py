# SPDX-License-Identifier: Apache-2.0
"""Designs elaborated by slang."""

from collections.abc import Iterable
from typing import Any


def read_design(words: Iterable[str]) -> Any:
    """Return slang's driver with a design, or None if slang cannot read it.

    The driver must outlive the compilations that it creates, and their diagnostics: they refer to
    its sources. Otherwise the library reports a page of leaks when the process ends.

    Args:
        words: slang's arguments, including files.
    """
    from pyslang import driver  # a large library, loaded only when needed

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
