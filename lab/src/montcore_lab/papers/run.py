# SPDX-License-Identifier: Apache-2.0
"""Measures figures of the papers' tables, and what is written from them."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.words import hint
from montcore.support.workers import worker_pool
from montcore_lab.checkout.markdown import Part
from montcore_lab.papers import page
from montcore_lab.papers.base import Paper
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.registry import all_papers
from montcore_lab.papers.subject import Figures, Subject

SubjectT = TypeVar("SubjectT", bound=Subject)

#: Called after each measurement with the subject, and the error, if any.
Done = Callable[[Subject, str], None]


def chosen(name: str | None) -> list[Paper]:
    """Return the paper of that name, or all papers if the name is None."""
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
    """
    return matching([subject for paper in papers for subject in paper.subjects()], only)


def matching(subjects: Sequence[SubjectT], only: str | None) -> list[SubjectT]:
    """Return the subjects with a text in their command; all of them if there is no text."""
    left = [subject for subject in subjects if only is None or only in subject.command]
    if not left:
        raise RequestError(f"no measurement has '{only}' in its command")
    return left


def due(ledger: Ledger, subjects: Sequence[Subject], again: bool = False) -> list[Subject]:
    """Return what is missing or out of date, or everything if `again` is set."""
    return list(subjects) if again else ledger.missing(subjects) + ledger.stale(subjects)


def _measure(subject: Subject) -> tuple[Figures, float]:
    start = time.monotonic()
    return subject.checked_measure(), time.monotonic() - start


def measure(ledger: Ledger, subjects: Sequence[Subject], done: Done, workers: int = 2) -> int:
    """Measure subjects and enter each result as it arrives; return the number of failures."""
    failed = 0
    with worker_pool(workers) as pool:
        running = {pool.submit(_measure, subject): subject for subject in subjects}
        for future in as_completed(running):
            subject = running[future]
            try:
                ledger.put(subject, *future.result())
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


def parts(ledger: Ledger) -> list[Part]:
    """Return docs/papers.md."""
    papers = chosen(None)
    outdated = ledger.outdated(subjects_of(papers))
    return [Part(page.PATH, page.markdown(papers, ledger.figures(), outdated))]
