# SPDX-License-Identifier: Apache-2.0
"""Output of readable tables; no cell is truncated."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

#: Columns of a file or a pipe: unlimited.
_NO_LIMIT = 1 << 16
#: Columns of a page, for rules and prose that would otherwise fill the width.
_PAGE = 100


def new_console(**how: Any) -> Console:
    """Return a console, with NO_COLOR one without any style: Rich alone would keep bold."""
    return Console(color_system=None if os.environ.get("NO_COLOR") else "auto", **how)


def output() -> Console:
    """Return standard output: as wide as the terminal, or unlimited without a terminal."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return new_console()
    return new_console(width=_NO_LIMIT)


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
    spare: Sequence[str] = (),
    wrap: bool = False,
    styles: Sequence[str] | None = None,
) -> list[str]:
    """Print a table; if it does not fit, print each row as lines of heading and cell.

    Args:
        rows: cells as plain text; no markup.
        right: headings of columns that are aligned to the right.
        prose: headings of columns that may be wrapped between words.
        spare: headings of columns to leave out, the first one first, where all do not fit.
        wrap: whether prose is wrapped at a page's width without a terminal too.

    Returns:
        the headings that were left out.
    """
    chosen = styles or [""] * len(rows)
    natural = console.options.update_width(_NO_LIMIT)
    page = _PAGE if console.width == _NO_LIMIT else console.width
    left_out: list[str] = []
    for heading in ("", *spare):
        left_out += [heading] * (heading in headings)
        table = Table(title=Text(title), title_justify="left")
        shown = [at for at, name in enumerate(headings) if name not in left_out]
        for at in shown:
            name, cells = headings[at], [headings[at], *(row[at] for row in rows)]
            # What may not be broken: words of prose, otherwise lines.
            parts = [part for cell in cells for part in cell.split(None if name in prose else "\n")]
            table.add_column(
                Text(name),
                justify="right" if name in right else "left",
                no_wrap=name not in prose,
                min_width=max(map(cell_len, parts), default=None),
            )
        for row, style in zip(rows, chosen, strict=True):
            table.add_row(*(Text(row[at]) for at in shown), style=style)
        least = Measurement.get(console, natural, table).minimum
        if least <= page:
            break
    if least <= console.width:
        console.print(
            table, width=max(least, _PAGE) if (wrap or spare) and page < console.width else None
        )
        return left_out
    console.print(Text(title, style="italic"), soft_wrap=True)
    width = max(len(heading) for heading in headings)
    for row, style in zip(rows, chosen, strict=True):
        console.print()
        for heading, cell in zip(headings, row, strict=False):
            for number, part in enumerate(cell.split("\n") if cell else ()):
                line = f"  {'' if number else heading:<{width}}  {part}"
                console.print(Text(line, style=style), soft_wrap=True)
    return []
