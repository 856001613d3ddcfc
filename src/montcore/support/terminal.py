# SPDX-License-Identifier: Apache-2.0
"""Output of readable tables; no cell is truncated."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

#: Columns of a file or a pipe: unlimited.
_NO_LIMIT = 1 << 16
#: Columns of a page, for rules that would otherwise fill the width.
_PAGE = 100


def output() -> Console:
    """Return standard output: as wide as the terminal, or unlimited without a terminal."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return Console()
    return Console(width=_NO_LIMIT)


def print_words(console: Console, words: str, style: str = "") -> None:
    """Print a sentence unchanged: no markup, no highlights, no added line breaks."""
    console.print(words, style=style, highlight=False, markup=False, soft_wrap=True)


def print_rule(console: Console, text: str) -> None:
    """Print a rule with a title, at most one page wide."""
    console.print(Rule(Text(text, style="bold"), align="left"), width=min(console.width, _PAGE))


def print_pairs(console: Console, title: str, pairs: Mapping[str, Any]) -> None:
    """Print a title and a line for each name and value; long values are not wrapped."""
    console.print(Text(title, style="bold"), soft_wrap=True)
    width = max((len(key) for key in pairs), default=0)
    for key, value in pairs.items():
        text = Text(f"  {key:<{width}}  ").append(str(value))
        console.print(text, soft_wrap=True, highlight=False)


def print_table(
    console: Console,
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[str] = (),
    prose: Sequence[str] = (),
    styles: Sequence[str] | None = None,
) -> None:
    """Print a table; if it does not fit, print each row as lines of heading and cell.

    Args:
        rows: cells as plain text; no markup.
        right: headings of columns that are aligned to the right.
        prose: headings of columns that may be wrapped between words.
    """
    table = Table(title=Text(title), title_justify="left")
    for heading in headings:
        table.add_column(
            Text(heading),
            justify="right" if heading in right else "left",
            no_wrap=heading not in prose,
            overflow="fold",
        )
    chosen = styles or [""] * len(rows)
    for row, style in zip(rows, chosen, strict=True):
        table.add_row(*(Text(cell) for cell in row), style=style)
    natural = console.options.update_width(_NO_LIMIT)
    if Measurement.get(console, natural, table).minimum <= console.width:
        console.print(table)
        return
    console.print(Text(title, style="italic"), soft_wrap=True)
    width = max(len(heading) for heading in headings)
    for row, style in zip(rows, chosen, strict=True):
        console.print()
        for heading, cell in zip(headings, row, strict=False):
            for number, part in enumerate(cell.split("\n") if cell else ()):
                line = f"  {'' if number else heading:<{width}}  {part}"
                console.print(Text(line, style=style), soft_wrap=True)
