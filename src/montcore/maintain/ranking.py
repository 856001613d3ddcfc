# SPDX-License-Identifier: Apache-2.0
"""Ranking of the cores at 256 bits, including wires and memory; ``montcore maintain ranking``.

The table of docs/cores.md that `montcore.maintain.overview` writes counts only cells, with memories
as macros. This table has each configuration placed, with wires and clock tree, with memories as
macros and as flip-flops, sorted by area x time. The figures come from docs/ranking.json, which
stores with each figure the digests of its sources and its flow.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from montcore.compare.point import Point
from montcore.cores import all_cores
from montcore.maintain.overview import BITS, PAGE, STALE, TARGETS, CoreSubject, Figure, row
from montcore.papers.ledger import Ledger
from montcore.papers.run import renewed
from montcore.papers.subject import Figures
from montcore.support.errors import RequestError
from montcore.support.markdown import replace_block
from montcore.support.markdown import table as markdown_table
from montcore.support.paths import REPO_ROOT
from montcore.synth.options import FLOPS, MACRO, PLACED

#: The standard-cell target, for which wires are counted.
TARGET = TARGETS[0]
PATH = REPO_ROOT / "docs" / "ranking.json"
MARKS = ("<!-- ranking:begin -->", "<!-- ranking:end -->")
HEADER = (
    *("core", "parameters", "kGE", "memory kGE", "Tmin ns", "without wires", "kGE x us"),
    *("sustained", "kGE, flip-flops", "Tmin ns", "kGE x us", "sustained"),
)
#: Figures with memories as macros, then as flip-flops, in the order of `HEADER`.
FIGURES: tuple[Figure, ...] = (
    (0, "ge", "{:.1f}", 1e3),
    (0, "ge_memory", "{:.1f}", 1e3),
    (0, "tmin_ns", "{:.2f}", 1),
    (0, "tmin_ns_no_wires", "{:.2f}", 1),
    (0, "kge_us", "{:.1f}", 1),
    (0, "kge_us_sustained", "{:.1f}", 1),
    (1, "ge", "{:.1f}", 1e3),
    (1, "tmin_ns", "{:.2f}", 1),
    (1, "kge_us", "{:.1f}", 1),
    (1, "kge_us_sustained", "{:.1f}", 1),
)


@dataclass(frozen=True)
class PlacedSubject(CoreSubject):
    """A core placed on the ASIC target, with one kind of memory.

    Attributes:
        memory: kind of memory, `MACRO` or `FLOPS`.
    """

    memory: str = MACRO

    kept: ClassVar[tuple[str, ...]] = (
        *("ge", "ge_memory", "tmin_ns", "tmin_ns_no_wires", "tmin_in_ns", "tmin_out_ns"),
        *("cycles", "interval"),
    )

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return f"{super().command} --memory {self.memory}"

    def measure(self) -> Figures:
        """Measure it, or read the result store."""
        from montcore.synth import synthesise

        point = self.point
        options = replace(point.options, memory=self.memory)
        result = synthesise(point.configured(), self.target, opts=options)
        return {name: getattr(result, name) for name in self.kept}


def subjects() -> list[PlacedSubject]:
    """Return every configuration of the table, with its memories as macros and as flip-flops."""
    return [
        PlacedSubject(point.core, point.settings, BITS, TARGET, PLACED, memory)
        for core in all_cores().values()
        for configured in core.points(BITS)
        for point in [Point.of_core(configured, TARGET)]
        for memory in (MACRO, FLOPS)
    ]


def _area_time(subject: PlacedSubject, ledger: Ledger) -> float:
    """Return the sort key, area x time of one product; infinite if unknown."""
    value = subject.entry(ledger).figures()["kge_us"]
    return math.inf if value is None else float(value)


def table(ledger: Ledger, stale: frozenset[str]) -> list[list[str]]:
    """Return the cells of every configuration, sorted by area x time of one product.

    Args:
        ledger: the figures.
        stale: the commands of the subjects that are out of date.
    """
    every = subjects()
    pairs = list(zip(every[::2], every[1::2], strict=True))
    pairs.sort(key=lambda pair: _area_time(pair[0], ledger))
    return [
        row(
            macro.entry(ledger),
            flops.entry(ledger),
            not stale.isdisjoint({macro.command, flops.command}),
            FIGURES,
        )
        for macro, flops in pairs
    ]


def order(ledger: Ledger, memory: str) -> list[str]:
    """Return the names of the measured cores by their best configuration, best first."""
    best: dict[str, float] = {}
    for subject in subjects():
        area_time = _area_time(subject, ledger)
        if subject.memory == memory and area_time < best.get(subject.core, math.inf):
            best[subject.core] = area_time
    return sorted(best, key=best.__getitem__)


def block(ledger: Ledger, stale: frozenset[str]) -> str:
    """Return the table in Markdown, with its explanation and the command that generates it."""
    macro, flops = order(ledger, MACRO), order(ledger, FLOPS)
    lines = [
        f"The same configurations placed, {BITS} bits, 180 nm, sorted by kGE x us of one product.",
        "Area and clock include wires, buffers and the clock tree; Tmin is register to register.",
        "The first six figures are with memories as macros, the last four with memories as",
        'flip-flops. "Without wires" is Tmin of the same placed netlist, timed without its wires.',
        "[Measuring](measuring.md) says how wires and macros are estimated.",
        "",
        *markdown_table(HEADER, table(ledger, stale)),
        "",
        "The measured cores in the order of their best configuration: with memories as macros",
        f"{', '.join(macro)}; with flip-flops {', '.join(flops)}.",
        "",
        "A dash means that the figure is not measured. `.venv/bin/montcore maintain ranking`",
        "measures missing and out-of-date figures; for one of them:",
        f"`.venv/bin/{subjects()[0].command}`.",
    ]
    if stale:
        lines += ["", f"{STALE} Measured on earlier sources, or with an earlier flow."]
    return "\n".join(lines)


def page(ledger: Ledger, text: str) -> str:
    """Return the page with its table updated from the ledger.

    Raises:
        CheckFailedError: the page lacks the marks.
    """
    return replace_block(text, block(ledger, ledger.outdated(subjects())), MARKS)


def complaints(ledger: Ledger) -> list[str]:
    """Return a sentence for each figure that is missing or out of date; no tool runs."""
    every = subjects()
    return [
        *(f"not measured: {subject.command}" for subject in ledger.missing(every)),
        *ledger.faults(every),
        *mismatches(ledger),
    ]


def mismatches(ledger: Ledger) -> list[str]:
    """Return a sentence for each difference between table and ledger."""
    found = ledger.strays(subjects())
    text = PAGE.read_text(encoding="utf-8")
    if page(ledger, text) != text:
        found.append(f"the ranking of {PAGE.name} is not what {ledger.path.name} says")
    return found


def renew(ledger: Ledger, again: bool = False, only: str | None = None, workers: int = 2) -> int:
    """Measure what is due, write the table, and return the number of failures.

    Args:
        ledger: the figures measured so far.
        again: also measure what is up to date.
        only: measure only subjects with this text in their command; everything by default.
        workers: number of points measured in parallel.

    Raises:
        RequestError: no command contains `only`.
    """
    every = subjects()
    chosen = [subject for subject in every if only is None or only in subject.command]
    if not chosen:
        raise RequestError(f"no measurement has '{only}' in its command")
    failed = renewed(ledger, every, again, chosen=chosen, workers=workers)
    PAGE.write_text(page(ledger, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return failed
