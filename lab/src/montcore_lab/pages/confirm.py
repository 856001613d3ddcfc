# SPDX-License-Identifier: Apache-2.0
"""Keep figures of earlier sources, or of an earlier flow, that are still right.

A figure is kept if its design elaborates as it did when it was measured. If the code of a flow has
changed, a sample is measured again; equal figures keep all figures of that flow.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from montcore.compare.atlas import Atlas, differences
from montcore.compare.point import Point, digests
from montcore.support.errors import CheckFailedError, RequestError
from montcore.synth.identity import check_versions, flow_of
from montcore_lab.papers.elaborated import design_digest
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.subject import Subject, designs_of, known_or_measured

#: Figures of a flow that are measured again.
SAMPLE = 3


@dataclass
class Held:
    """A figure that is kept in a file.

    Attributes:
        command: the command that measures it.
        bits: its width; the narrowest ones of a flow are its sample.
        sources, flow, design: digests at the time of measurement.
        now: digests of the present sources and flow.
        elaborate: returns the digest of the present design, empty if it has none.
        again: measures it and returns the differences, one per line.
        keep: enters digests of sources and flow.
    """

    command: str
    bits: int
    sources: str
    flow: str
    design: str
    now: tuple[str, str]
    elaborate: Callable[[], str]
    again: Callable[[], list[str]]
    keep: Callable[[str, str], None]

    def take(self, sources: str, flow: str) -> None:
        """Enter digests."""
        self.sources, self.flow = sources, flow
        self.keep(sources, flow)


def of_ledger(ledger: Ledger, subjects: Sequence[Subject]) -> list[Held]:
    """Return the figures of pages."""

    def held(subject: Subject) -> Held:
        entry = ledger.entries[subject.command]

        def again() -> list[str]:
            found = subject.checked_measure()
            return [
                f"{subject.command}: {name}: {found.get(name)}, not {value}"
                for name, value in entry.figures.items()
                if found.get(name) != value
            ]

        def keep(sources: str, flow: str) -> None:
            ledger.entries[subject.command] = replace(entry, digest=sources, flow=flow)

        return Held(
            command=subject.command,
            bits=getattr(subject, "bits", 0),
            sources=entry.digest,
            flow=entry.flow,
            design=entry.design,
            now=(subject.digest(), subject.flow_digest()),
            elaborate=subject.design_digest,
            again=again,
            keep=keep,
        )

    return [held(subject) for subject in subjects if subject.command in ledger.entries]


def of_atlas(atlas: Atlas) -> list[Held]:
    """Return the points of the atlas."""

    def held(point: Point) -> Held:
        record = atlas.records[point]

        def again() -> list[str]:
            check_versions(flow_of(point.target)["tools"])
            entry = known_or_measured(point)
            return [f"{point.command}: {line}" for line in differences(entry, record.entry)]

        def keep(sources: str, flow: str) -> None:
            atlas.records[point] = replace(record, sources=sources, flow=flow)

        return Held(
            command=point.command,
            bits=point.bits,
            sources=record.sources,
            flow=record.flow,
            design=record.design,
            now=digests(point),
            elaborate=lambda: design_digest(designs_of(point)),
            again=again,
            keep=keep,
        )

    return [held(point) for point in atlas.records]


def same_designs(held: Sequence[Held], workers: int, say: Callable[[str], None]) -> int:
    """Keep the figures of designs that are what they were, and return their number.

    A design is elaborated only if its sources have changed. `say` receives what fails.
    """

    def same(one: Held) -> bool:
        try:
            return one.elaborate() == one.design
        except (CheckFailedError, RequestError) as error:
            say(f"{one.command}: {error}")
            return False

    moved = [one for one in held if one.design and one.sources != one.now[0]]
    with ThreadPoolExecutor(workers) as pool:
        kept = [one for one, equal in zip(moved, pool.map(same, moved), strict=True) if equal]
    for one in kept:
        one.take(one.now[0], one.flow)
    return len(kept)


def same_flows(held: Sequence[Held], say: Callable[[str], None]) -> list[str]:
    """Measure a sample of each flow that has changed; keep its figures if they are equal.

    Returns:
        the differences, one per line; the figures of such a flow remain of an earlier flow.
    """
    groups: dict[tuple[str, str], list[Held]] = defaultdict(list)
    for one in held:
        if one.flow != one.now[1]:
            groups[one.flow, one.now[1]].append(one)
    found: list[str] = []
    for group in groups.values():
        fit = sorted((one for one in group if one.sources == one.now[0]), key=lambda one: one.bits)
        wrong: list[str] = []
        for one in fit[:SAMPLE]:
            say(one.command)
            try:
                wrong += one.again()
            except (CheckFailedError, RequestError) as error:
                wrong.append(f"{one.command}: {error}")
        if fit and not wrong:
            for one in group:
                one.take(one.sources, one.now[1])
        elif not fit:
            wrong.append(f"no figure of the present sources can confirm {len(group)} figures")
        found += wrong
    return found
