# SPDX-License-Identifier: Apache-2.0
"""Markdown tables, and pages with generated blocks."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from montcore.support.errors import CheckFailedError

Marks = tuple[str, str]


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
