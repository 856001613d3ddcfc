# SPDX-License-Identifier: Apache-2.0
"""Where tables for people are printed."""

import os
import sys

from rich.console import Console

#: Columns of a table in a file or a pipe, where nothing says how wide it may be.
FILE_COLUMNS = 160


def output() -> Console:
    """Return standard output: as wide as the terminal, or as a file can be read."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return Console()
    return Console(width=FILE_COLUMNS)
