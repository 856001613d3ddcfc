# SPDX-License-Identifier: Apache-2.0
"""Every measured figure of the committed pages: one ledger, docs/figures.json, and its pages.

``montcore maintain figures`` measures what is missing or out of date, enters it and writes all
pages; it resumes after an interruption. With ``--check`` it measures nothing and reports.
"""

import re
from collections import defaultdict
from itertools import chain
from pathlib import Path
from statistics import median

from montcore.compare.atlas import Atlas
from montcore.compare.point import Point
from montcore.support.files import write_whole
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.markdown import Part, replace_block
from montcore_lab.pages import datasheets, overview, peers, ranking, status
from montcore_lab.papers import run as papers_run
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.page import REASONS
from montcore_lab.papers.subject import Figures, PointSubject, Subject


def subjects() -> list[Subject]:
    """Return what the pages show of ours, each once."""
    every = chain(
        overview.subjects(),
        ranking.subjects(),
        datasheets.subjects(),
        peers.subjects(),
        papers_run.subjects_of(papers_run.chosen(None)),
    )
    return list({subject.command: subject for subject in every}.values())


def parts(ledger: Ledger) -> list[Part]:
    """Return what is written from the ledger."""
    return [
        *overview.parts(ledger),
        *ranking.parts(ledger),
        *datasheets.parts(ledger),
        *peers.parts(ledger),
        *papers_run.parts(ledger),
        *status.parts(ledger, subjects()),
    ]


def pages(ledger: Ledger) -> dict[Path, str]:
    """Return the text of every page that has figures."""
    found: dict[Path, str] = {}
    for path, text, marks in parts(ledger):
        if marks is not None:
            before = found[path] if path in found else path.read_text(encoding="utf-8")
            text = replace_block(before, text, marks)
        found[path] = text
    return found


#: The marks of earlier sources in pages, with their legend.
_STALE = re.compile(r" ?†( [Mm]easured on earlier[^\n]*)?")


def unmarked(text: str) -> str:
    """Return a page without the marks of earlier sources, which change without a new figure."""
    return "\n".join(line for line in _STALE.sub("", text).split("\n") if line)


def mismatches(ledger: Ledger) -> list[str]:
    """Return a sentence for each page that differs from the ledger, and each unused entry.

    A mark that is missing or too many is no mismatch: no page has to follow each change of RTL.
    """
    return [
        *(f"in the ledger, but in no table: {command}" for command in ledger.strays(subjects())),
        *(
            f"{path.relative_to(REPO_ROOT)} is not what the ledger says; "
            "`montcore maintain figures --write` writes it"
            for path, text in pages(ledger).items()
            if not path.is_file() or unmarked(path.read_text(encoding="utf-8")) != unmarked(text)
        ),
    ]


def complaints(ledger: Ledger) -> list[str]:
    """Return a sentence for each figure that is missing or out of date; no tool runs."""
    return ledger.lacks(subjects()) + mismatches(ledger)


def write(ledger: Ledger) -> None:
    """Write all pages and pictures.

    Raises:
        RequestError, TransientError: as `write_whole`.
        CheckFailedError: a page lacks its marks.
    """
    for path, text in pages(ledger).items():
        write_whole(path, text)
    ranking.draw(ledger)


def estimates(ledger: Ledger, atlas: Atlas) -> dict[str, float | None]:
    """Return the seconds of every measurement of the pages and the atlas by its command.

    A point that two commands name is one measurement. Where its own time is not known, it is that
    of its area at the median pace of the measurements on the target; None where no area is known.
    What the pages give a reason for not to be measured is left out.
    """
    found: dict[Point | str, tuple[str, float | None]] = {
        point: (point.command, record.entry.wall_s) for point, record in atlas.records.items()
    }
    paces = _paces(ledger, atlas)
    for subject in subjects():
        entry = ledger.entries.get(subject.command)
        if entry is None and subject.command in REASONS:
            continue
        seconds: float | None = entry.seconds if entry and entry.seconds else None
        if not isinstance(subject, PointSubject):
            found[subject.command] = subject.command, seconds
            continue
        area = _area(entry.figures) if entry else None
        if seconds is None and area:
            pace = paces.get((subject.target, subject.wires)) or paces.get((subject.target, None))
            seconds = area * pace if pace else None
        found.setdefault(subject.point, (subject.command, seconds))
    return dict(found.values())


def _area(figures: Figures) -> float | None:
    return figures.get("ge") or figures.get("lut")


def _paces(ledger: Ledger, atlas: Atlas) -> dict[tuple[str, str | None], float]:
    """Return the median seconds per unit of area, by target and wires and by target."""
    known = [(one.point, ledger.entries[one.command]) for one in _points(ledger)]
    measured = [(point, _area(entry.figures), entry.seconds) for point, entry in known]
    measured += [
        (point, record.entry.ge or record.entry.lut, record.entry.wall_s)
        for point, record in atlas.records.items()
    ]
    found = defaultdict[tuple[str, str | None], list[float]](list)
    for point, area, seconds in measured:
        if area and seconds:
            found[point.target, point.wires].append(seconds / area)
            found[point.target, None].append(seconds / area)
    return {kind: median(paces) for kind, paces in found.items()}


def _points(ledger: Ledger) -> list[PointSubject]:
    """Return the points that pages show and the ledger has."""
    every = [one for one in subjects() if isinstance(one, PointSubject)]
    return [one for one in every if one.command in ledger.entries]


def drop_strays(ledger: Ledger) -> None:
    """Remove the entries that no page shows."""
    if unused := ledger.strays(subjects()):
        for command in unused:
            del ledger.entries[command]
        ledger.save()
