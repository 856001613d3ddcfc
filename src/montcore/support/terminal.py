# SPDX-License-Identifier: Apache-2.0
"""Output of readable tables; no cell is truncated."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

#: Columns of a file or a pipe: unlimited.
_NO_LIMIT = 1 << 16
#: Columns of a page, for prose that would otherwise fill the width.
PAGE = 80


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
    verb: str = "",
    wide: bool = False,
    styles: Sequence[str] | None = None,
) -> None:
    """Print a table; if it does not fit, print each row as lines of heading and cell.

    Args:
        rows: cells as plain text; no markup.
        right: headings of columns that are aligned to the right.
        prose: headings of columns that may be wrapped between words.
        spare: headings of columns to leave out, the first one first, where all do not fit.
        verb: the verb whose option --wide shows the columns that were left out.
        wide: leave out no column, and wrap no prose without a terminal.
    """
    chosen = styles or [""] * len(rows)
    page = PAGE if console.width == _NO_LIMIT else console.width
    narrow = [] if wide else [(spare[:count], page) for count in range(len(spare) + 1)]
    narrow += [] if wide else [((), min(2 * page, console.width))]
    for left_out, room in (*narrow, ((), console.width)):
        shown = [at for at, name in enumerate(headings) if name not in left_out]
        widths, least = [], []
        for name, *cells in ([headings[at], *(row[at] for row in rows)] for at in shown):
            lines = [line for cell in (name, *cells) for line in cell.split("\n")]
            # What may not be broken: words of headings and of prose, lines of other cells.
            whole = name.split() + (" ".join(cells).split() if name in prose else lines[1:])
            widths.append(max(map(cell_len, lines)))
            least.append(max(map(cell_len, whole), default=0))
        frame = 3 * len(shown) + 1
        if sum(least) + frame > room:
            continue
        # Headings take more lines before prose does.
        order = sorted(range(len(shown)), key=lambda at: headings[shown[at]] in prose)
        for at in order:
            excess = max(sum(widths) + frame - room, 0)
            widths[at] = max(widths[at] - excess, least[at])
        table = Table(title=Text(title), title_justify="left")
        for at, width in zip(shown, widths, strict=True):
            name = headings[at]
            table.add_column(Text(name), justify="right" if name in right else "left", width=width)
        for row, style in zip(rows, chosen, strict=True):
            table.add_row(*(Text(row[at]) for at in shown), style=style)
        console.print(table)
        if hidden := [name for name in left_out if name in headings]:
            print_words(console, f"`{verb} --wide` also shows: {'; '.join(hidden)}")
        return
    console.print(Text(title, style="italic"), soft_wrap=True)
    width = max(len(heading) for heading in headings)
    for row, style in zip(rows, chosen, strict=True):
        console.print()
        for heading, cell in zip(headings, row, strict=False):
            for number, part in enumerate(cell.split("\n") if cell else ()):
                line = f"  {'' if number else heading:<{width}}  {part}"
                console.print(Text(line, style=style), soft_wrap=True)
