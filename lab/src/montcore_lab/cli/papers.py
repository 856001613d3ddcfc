# SPDX-License-Identifier: Apache-2.0
"""The verb `papers`: the papers' tables with our figures beside them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from montcore.cli.options import JsonOption, OnlyOption, WideOption, WorkersOption, option
from montcore.cli.output import print_json, progress
from montcore.support import waiting
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_words

if TYPE_CHECKING:
    from montcore_lab.papers.ledger import Ledger
    from montcore_lab.papers.subject import Subject

#: Place in the help.
ORDER = 60


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(papers)


def papers(
    paper: Annotated[str | None, option("--paper NAME", "One paper, e.g. smm-2021.")] = None,
    measure: Annotated[
        bool, option("--measure", "Measure missing and out-of-date figures; takes hours.")
    ] = False,
    again: Annotated[
        bool, option("--again", "With --measure: also figures that are up to date.")
    ] = False,
    only: OnlyOption = None,
    figures: Annotated[
        Path | None, option("--figures HTML", "Write the plotted figures as an HTML page.")
    ] = None,
    workers: WorkersOption = 2,
    wide: WideOption = False,
    json_: JsonOption = False,
) -> int:
    """Show the tables of the five papers with our figures, and each paper's elements."""
    from montcore_lab.pages import figures as pages
    from montcore_lab.papers import charts, page
    from montcore_lab.papers import run as papers_run
    from montcore_lab.papers.ledger import Ledger

    ledger = Ledger.load()
    shown = papers_run.chosen(paper)
    failed = 0
    if measure:
        lacking = papers_run.due(ledger, papers_run.subjects_of(shown, only), again)
        with measurements(lacking, ledger, workers) as done:
            failed = papers_run.measure(ledger, lacking, done, workers)
        pages.write(ledger)
    if figures is not None:
        charts.write(figures, shown, ledger, ledger.outdated(papers_run.subjects_of(shown)))
        if json_:
            print_json({"papers": [item.name for item in shown], "figures": str(figures)})
        else:
            count = sum(len(item.charts) for item in shown)
            print_words(standard_output(), f"{count} figures: {figures}")
        return 1 if failed else 0
    if json_:
        known = {item.command for item in papers_run.subjects_of(shown)}
        entries = {key: vars(item) for key, item in ledger.entries.items() if key in known}
        elements = {item.name: [one.as_json() for one in item.elements] for item in shown}
        names = [item.name for item in shown]
        print_json({"papers": names, "measured": entries, "elements": elements})
    else:
        outdated = ledger.outdated(papers_run.subjects_of(shown))
        page.show(standard_output(), shown, ledger.figures(), outdated, wide=wide)
    return 1 if failed else 0


@contextmanager
def measurements(
    subjects: "Sequence[Subject]", ledger: "Ledger", workers: int
) -> Iterator[Callable[["Subject", str], None]]:
    """Show a bar and each measurement as it ends; yield the function that reports each."""
    from montcore.compare.atlas import current
    from montcore.support.words import duration
    from montcore_lab.pages.figures import estimates

    times, total = estimates(ledger, current()), len(subjects)
    known = [seconds for one in subjects if (seconds := times.get(one.command))]
    seconds = sum(known) / workers
    time = f"about {duration(seconds)}" if known else "nothing is known of the time"
    if known and len(known) < total:
        time += f"; nothing is known of {total - len(known)}"
    with progress(f"measuring {total} figures", waiting.Lasts(time, seconds)) as advance:
        count = 0

        def done(subject: "Subject", problem: str) -> None:
            nonlocal count
            count += 1
            text = f"FAILED: {subject.command}: {problem}" if problem else subject.command
            waiting.say(text, "red" if problem else "")
            advance(count, total)

        yield done
