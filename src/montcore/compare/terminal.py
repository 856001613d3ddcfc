# SPDX-License-Identifier: Apache-2.0
"""What `montcore compare` and `montcore recommend` print for people."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from montcore.compare.budget import Choice
from montcore.compare.entry import Entry
from montcore.compare.point import Point

_FIGURES = (
    ("latency", "cycles", "{:,.0f}"),
    ("interval", "interval", "{:,.0f}"),
    ("GE", "ge", "{:,.0f}"),
    ("mem. GE", "ge_memory", "{:,.0f}"),
    ("Tmin ns", "tmin_ns", "{:.2f}"),
    ("LUT", "lut", "{:,.0f}"),
    ("FF", "ff", "{:,.0f}"),
    ("DSP", "dsp", "{:,.0f}"),
    ("fmax MHz", "fmax_mhz", "{:.1f}"),
    ("kGE us", "kge_us", "{:.2f}"),
    ("sustained", "kge_us_sustained", "{:.2f}"),
    ("nJ", "energy_nj", "{:.1f}"),
    ("use", "utilisation_sustained", "{:.0%}"),
)


def line(entry: Entry) -> str:
    """Return one line about a point, for printing as it comes."""
    if entry.status != "ok":
        return f"{entry.label} on {entry.target}: FAILED: {entry.message}"
    figures = entry.figures()
    shown = [
        f"{title} {form.format(figures[key])}"
        for title, key, form in _FIGURES
        if figures[key] is not None
    ]
    return f"{entry.label} on {entry.target}: {', '.join(shown)}"


@contextmanager
def progress(total: int) -> Iterator[Callable[[Point, Entry, int], None]]:
    """Show a bar (done, running, time left) and each new point; yield what is told of each."""
    console = Console(stderr=True)
    start = time.monotonic()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("measuring", total=total)
        fresh = 0

        def done(_: Point, entry: Entry, running: int) -> None:
            nonlocal fresh
            bar.update(task, advance=1, description=f"measuring ({running} running)")
            # What comes out of the result store at once is shown in the table alone.
            if running or fresh or time.monotonic() - start > 10:
                fresh += 1
                style = "" if entry.status == "ok" else "red"
                console.print(line(entry), style=style, highlight=False, markup=False)

        yield done


def print_entries(console: Console, entries: Sequence[Entry], choices: Sequence[Choice]) -> None:
    """Print a table for each target, best first, with the recommended points marked."""
    best = {id(choice.entry) for choice in choices}
    for target in dict.fromkeys(entry.target for entry in entries):
        points = [entry for entry in entries if entry.target == target]
        figures = [entry.figures() for entry in points]
        shown = [
            item for item in _FIGURES if any(figure[item[1]] is not None for figure in figures)
        ]
        table = Table(title=f"{points[0].bits} bits on {target}", title_justify="left")
        table.add_column("core and parameters")
        for title, _, _ in shown:
            table.add_column(title, justify="right")
        table.add_column("checked", justify="right")
        for entry in sorted(points, key=lambda entry: entry.interval or 1 << 60):
            if entry.status != "ok":
                table.add_row(escape(entry.label), "[red]failed[/]")
                continue
            found = entry.figures()
            cells = [
                "" if found[key] is None else form.format(found[key]) for _, key, form in shown
            ]
            mark = " *" if id(entry) in best else ""
            table.add_row(
                escape(entry.label) + mark,
                *cells,
                str(entry.checked),
                style="bold green" if mark else "",
            )
        console.print(table)
    for entry in entries:
        if entry.status != "ok":
            console.print(line(entry), style="red", highlight=False, markup=False)


def print_choices(console: Console, choices: Sequence[Choice]) -> None:
    """Print the recommendation of each target in words."""
    for choice in choices:
        style = "green" if choice.fits else "yellow"
        console.print(f"{choice.target}: ", style=f"bold {style}", end="")
        console.print(choice.words, highlight=False, markup=False)
