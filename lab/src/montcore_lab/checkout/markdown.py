# SPDX-License-Identifier: Apache-2.0
"""Markdown tables and paragraphs, and pages with generated blocks."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from montcore.support.errors import CheckFailedError

Marks = tuple[str, str]
#: The longest line of prose in a page.
COLUMNS = 100
#: A word, with the code and the links that it contains.
_WORD = re.compile(r"(?:`[^`]*`|\[[^\]`]*\]\([^)]*\)|\S)+")


class Part(NamedTuple):
    """Generated text of a page: all of it, or what stands between two marks."""

    path: Path
    text: str
    marks: Marks | None = None


def table(header: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> list[str]:
    """Return the lines of a table; its last `numbers` columns are aligned to the right."""
    rule = [" --- "] * (len(header) - numbers) + [" ---: "] * numbers
    return [
        f"| {' | '.join(header)} |",
        f"|{'|'.join(rule)}|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def prose(text: str, indent: str = "") -> str:
    """Return a paragraph in lines of at most `COLUMNS`, without breaks in code and links.

    Lines after the first have the indent.
    """
    first, *words = _WORD.findall(text)
    lines = [first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        lines[-1:] = [longer] if len(longer) <= COLUMNS else [lines[-1], indent + word]
    return "\n".join(lines)


def replace_block(text: str, block: str, marks: Marks) -> str:
    """Return a page with the text between its marks replaced.

    Raises:
        CheckFailedError: the page does not have both marks.
    """
    before, first, rest = text.partition(marks[0])
    _, second, after = rest.partition(marks[1])
    if not first or not second:
        raise CheckFailedError(f"the page lacks the marks {marks[0]} and {marks[1]}")
    return f"{before}{marks[0]}\n{block}\n{marks[1]}{after}"
