# SPDX-License-Identifier: Apache-2.0
"""The cores at 256 bits with wires and with memory counted; ``montcore maintain ranking``.

The table of docs/cores.md that `montcore.maintain.overview` writes has cells alone, and memories as
macros. This one has each configuration placed, with its wires and its clock tree, once with its
memories as macros and once as flip-flops, in the order of area x time. The figures come from
docs/ranking.json, which keeps with each the digests of its sources and of its flow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.cores import all_cores, get_core
from montcore.maintain.overview import BITS, TARGETS
from montcore.papers.ledger import Ledger
from montcore.papers.run import renewed
from montcore.papers.subject import Figures, PointSubject
from montcore.support.markdown import replace_block
from montcore.support.markdown import table as markdown_table
from montcore.support.paths import REPO_ROOT
from montcore.synth.options import DEFAULT_OPTIONS, FLOPS, MACRO, PLACED

#: The target with gates, of which wires are counted.
TARGET = TARGETS[0]
PATH = REPO_ROOT / "docs" / "ranking.json"
PAGE = REPO_ROOT / "docs" / "cores.md"
MARKS = ("<!-- ranking:begin -->", "<!-- ranking:end -->")
HEADER = (
    *("core", "parameters", "kGE", "memory kGE", "Tmin ns", "without wires", "kGE x us"),
    *("sustained", "kGE, flip-flops", "Tmin ns", "kGE x us", "sustained"),
)
#: Behind the parameters of a configuration of which a figure is out of date.
STALE = "†"


@dataclass(frozen=True)
class PlacedSubject(PointSubject):
    """A core placed on the ASIC target, with its memories of one kind.

    Attributes:
        memory: what the memories are, `MACRO` or `FLOPS`.
    """

    memory: str = MACRO

    kept: ClassVar[tuple[str, ...]] = (
        *("ge", "ge_memory", "tmin_ns", "tmin_ns_no_wires", "tmin_in_ns", "tmin_out_ns"),
        *("cycles", "interval"),
    )

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return f"{super().command} --wires {PLACED} --memory {self.memory}"

    def measure(self) -> Figures:
        """Measure it, or take it from the result store."""
        from montcore.synth import synthesise

        options = replace(DEFAULT_OPTIONS, wires=PLACED, memory=self.memory)
        result = synthesise(self.point.configured(), self.target, opts=options)
        return {name: getattr(result, name) for name in self.kept}

    def derived(self, ledger: Ledger) -> Mapping[str, float | int | None]:
        """Return the measured figures and those that follow; nothing if it is not measured."""
        found = ledger.figures().get(self.command)
        if not found:
            return {}
        entry = Entry.from_record(
            {"core": self.core, "params": {}, "bits": self.bits, "target": self.target}
            | {"status": "ok", **found}
        )
        return entry.figures()


def subjects() -> list[PlacedSubject]:
    """Return every configuration of the table, with its memories as macros and as flip-flops."""
    return [
        PlacedSubject(point.core, point.settings, BITS, TARGET, memory)
        for core in all_cores().values()
        for configured in core.points(BITS)
        for point in [Point.of_core(configured, TARGET)]
        for memory in (MACRO, FLOPS)
    ]


def _cell(figures: Mapping[str, float | int | None], name: str, form: str, unit: float = 1) -> str:
    value = figures.get(name)
    return "-" if value is None else form.format(value / unit)


def _row(macro: PlacedSubject, flops: PlacedSubject, ledger: Ledger, stale: bool) -> list[str]:
    """Return the cells of one configuration."""
    cells, registers = macro.derived(ledger), flops.derived(ledger)
    settings = " ".join(f"{key}={value}" for key, value in macro.settings)
    folder = get_core(macro.core).folder.relative_to(REPO_ROOT)
    return [
        f"[{macro.core}](../{folder.as_posix()}/README.md)",
        f"{settings} {STALE}" if stale else settings,
        _cell(cells, "ge", "{:.1f}", 1e3),
        _cell(cells, "ge_memory", "{:.1f}", 1e3),
        _cell(cells, "tmin_ns", "{:.2f}"),
        _cell(cells, "tmin_ns_no_wires", "{:.2f}"),
        _cell(cells, "kge_us", "{:.1f}"),
        _cell(cells, "kge_us_sustained", "{:.1f}"),
        _cell(registers, "ge", "{:.1f}", 1e3),
        _cell(registers, "tmin_ns", "{:.2f}"),
        _cell(registers, "kge_us", "{:.1f}"),
        _cell(registers, "kge_us_sustained", "{:.1f}"),
    ]


def _time(figures: Mapping[str, float | int | None]) -> float:
    """Return what the table is ordered by: area x time of one product, none at the end."""
    value = figures.get("kge_us")
    return float("inf") if value is None else float(value)


def table(ledger: Ledger, stale: frozenset[str]) -> list[list[str]]:
    """Return the cells of every configuration, the smallest area x time of one product first.

    Args:
        ledger: the figures.
        stale: the commands of the subjects that are out of date.
    """
    every = subjects()
    pairs = list(zip(every[::2], every[1::2], strict=True))
    pairs.sort(key=lambda pair: _time(pair[0].derived(ledger)))
    return [
        _row(macro, flops, ledger, not stale.isdisjoint({macro.command, flops.command}))
        for macro, flops in pairs
    ]


def order(ledger: Ledger, memory: str) -> list[str]:
    """Return the names of the cores that are measured, best configuration of each, best first."""
    best: dict[str, float] = {}
    for subject in subjects():
        time = _time(subject.derived(ledger))
        if subject.memory == memory and time < best.get(subject.core, float("inf")):
            best[subject.core] = time
    return sorted(best, key=best.__getitem__)


def block(ledger: Ledger, stale: frozenset[str]) -> str:
    """Return the table in Markdown, with what it says and how to get it."""
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
        f"Best configuration of each core, memories as macros: {', '.join(macro)}.",
        f"Memories as flip-flops: {', '.join(flops)}.",
        "",
        "A dash: not measured. `.venv/bin/montcore maintain ranking` measures what is missing",
        "or out of date; one entry:",
        f"`.venv/bin/{subjects()[0].command}`.",
    ]
    if stale:
        lines += ["", f"{STALE} Measured on earlier sources, or with an earlier flow."]
    return "\n".join(lines)


def page(ledger: Ledger, text: str) -> str:
    """Return the page with its table as the ledger says.

    Raises:
        CheckFailedError: it lacks the marks.
    """
    return replace_block(text, block(ledger, ledger.outdated(subjects())), MARKS)


def complaints(ledger: Ledger) -> list[str]:
    """Return, a sentence each, what is missing or out of date; no tool runs."""
    every = subjects()
    return [
        *(f"not measured: {subject.command}" for subject in ledger.missing(every)),
        *(fault for subject in every if (fault := ledger.fault(subject))),
        *mismatches(ledger),
    ]


def mismatches(ledger: Ledger, file: Path = PAGE) -> list[str]:
    """Return, a sentence each, where the table is not what the ledger says."""
    known = {subject.command for subject in subjects()}
    text = file.read_text(encoding="utf-8")
    return [
        *(
            f"in the ledger, but in no table: {command}"
            for command in sorted(ledger.entries)
            if command not in known
        ),
        *(
            [f"the ranking of {file.name} is not what {ledger.path.name} says"]
            if page(ledger, text) != text
            else []
        ),
    ]


def renew(ledger: Ledger, again: bool = False, only: str = "", workers: int = 2) -> int:
    """Measure what is due, write the table, and return how many points failed.

    Args:
        ledger: the figures measured so far.
        again: measure what is up to date too.
        only: measure only what has this in its command.
        workers: points that are measured at the same time.
    """
    every = subjects()
    chosen = [subject for subject in every if only in subject.command]
    failed = renewed(ledger, every, again, chosen=chosen, workers=workers)
    PAGE.write_text(page(ledger, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return failed
