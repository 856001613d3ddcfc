# SPDX-License-Identifier: Apache-2.0
"""Measures missing figures of the papers' tables, and checks that they are up to date."""

from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from montcore.papers import charts, page
from montcore.papers.base import Paper
from montcore.papers.ledger import Ledger
from montcore.papers.registry import all_papers
from montcore.papers.subject import Figures, Subject
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.files import write_whole
from montcore.support.names import hint
from montcore.support.paths import REPO_ROOT
from montcore.support.terminal import print_words
from montcore.support.workers import worker_pool

SubjectT = TypeVar("SubjectT", bound=Subject)

#: Called after each measurement with the subject, and the error, if any.
Done = Callable[[Subject, str], None]


def chosen(name: str | None) -> list[Paper]:
    """Return the paper of that name, or all papers if the name is None.

    Raises:
        RequestError: there is no paper of that name.
    """
    papers = all_papers()
    if name is None:
        return list(papers.values())
    if name not in papers:
        raise RequestError(
            f"there is no paper '{name}'{hint(name, papers)}; there are {', '.join(papers)}"
        )
    return [papers[name]]


def subjects_of(papers: Sequence[Paper], only: str | None = None) -> list[Subject]:
    """Return the subjects measured for papers.

    Args:
        papers: the papers.
        only: text that the command must contain.

    Raises:
        RequestError: no subject matches.
    """
    return matching([subject for paper in papers for subject in paper.subjects()], only)


def matching(subjects: Sequence[SubjectT], only: str | None) -> list[SubjectT]:
    """Return the subjects with a text in their command; all of them if there is no text.

    Raises:
        RequestError: no subject matches.
    """
    left = [subject for subject in subjects if only is None or only in subject.command]
    if not left:
        raise RequestError(f"no measurement has '{only}' in its command")
    return left


def due(ledger: Ledger, subjects: Sequence[Subject], again: bool = False) -> list[Subject]:
    """Return what is missing or out of date, or everything if `again` is set."""
    return list(subjects) if again else ledger.missing(subjects) + ledger.stale(subjects)


def _measure(subject: Subject) -> Figures:
    return subject.checked_measure()


def measure(ledger: Ledger, subjects: Sequence[Subject], done: Done, workers: int = 2) -> int:
    """Measure subjects and enter each result as it arrives; return the number of failures.

    Raises:
        RequestError: the ledger cannot be written.
        CheckFailedError: a worker process was killed.
    """
    failed = 0
    with worker_pool(workers) as pool:
        running = {pool.submit(_measure, subject): subject for subject in subjects}
        for future in as_completed(running):
            subject = running[future]
            try:
                ledger.put(subject, future.result())
                done(subject, "")
            except BrokenProcessPool:
                raise CheckFailedError(
                    "a worker process was killed; what was finished is kept, and the same "
                    "command resumes"
                ) from None
            except (CheckFailedError, RequestError) as error:
                failed += 1
                done(subject, str(error))
    return failed


def renewed(
    ledger: Ledger,
    subjects: Sequence[Subject],
    again: bool = False,
    only: str | None = None,
    workers: int = 2,
) -> int:
    """Measure what is due for a page, drop stale entries, and return the number of failures.

    Args:
        ledger: the figures measured so far; its file is written.
        subjects: the subjects of the page.
        again: also measure what is up to date.
        only: measure only subjects with this text in their command; all by default.
        workers: number of subjects measured in parallel.

    Raises:
        RequestError: no command contains `only`.
    """
    lacking = due(ledger, matching(subjects, only), again)
    console = Console(stderr=True)
    count = 0

    def done(subject: Subject, problem: str) -> None:
        nonlocal count
        count += 1
        text = f"{count} of {len(lacking)}: {subject.command}"
        print_words(console, f"{text} FAILED: {problem}" if problem else text)

    if lacking:
        print_words(console, f"{len(lacking)} of {len(subjects)} points are to be measured")
    failed = measure(ledger, lacking, done, workers) if lacking else 0
    for command in set(ledger.entries) - {subject.command for subject in subjects}:
        del ledger.entries[command]
    ledger.save()
    return failed


def _pages(ledger: Ledger) -> dict[Path, str]:
    """Return docs/papers.md, the page of charts and the datasheets with tables of papers."""
    papers = chosen(None)
    figures, outdated = ledger.figures(), ledger.outdated(subjects_of(papers))
    return {
        page.PATH: page.markdown(papers, figures, outdated),
        charts.PATH: charts.html(papers, ledger, outdated),
        **page.datasheets(papers, figures, outdated),
    }


def write_pages(ledger: Ledger) -> None:
    """Write docs/papers.md, the tables in datasheets, and the pictures.

    Raises:
        RequestError: one of them cannot be written.
    """
    try:
        for path, text in _pages(ledger).items():
            write_whole(path, text)
        for paper in chosen(None):
            if paper.draw is not None:
                paper.draw(ledger.figures())
    except OSError as error:
        raise RequestError(f"{error.filename} cannot be written: {error.strerror}") from None


def complaints(ledger: Ledger) -> list[str]:
    """Return a sentence for each figure out of date and each mismatch of the pages."""
    return ledger.faults(subjects_of(chosen(None))) + mismatches(ledger)


def mismatches(ledger: Ledger) -> list[str]:
    """Return a sentence for each page that differs from the ledger.

    Rows that are out of date are marked in the pages. So a source change is detected unless the
    figures were measured again or marked.
    """
    found = ledger.strays(subjects_of(chosen(None)))
    found += [
        f"{path.relative_to(REPO_ROOT)} is not what the ledger says; `montcore papers --write` "
        "writes it"
        for path, text in _pages(ledger).items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    return found
