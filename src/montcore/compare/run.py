# SPDX-License-Identifier: Apache-2.0
"""The whole comparison: plan, measure, recommend, write."""

import os
import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from montcore.compare import atlas, report
from montcore.compare.atlas import Known
from montcore.compare.atlas import recall as recall_points
from montcore.compare.budget import Budget, Choice, check_budgets, check_objective, recommend
from montcore.compare.cluster import Cluster
from montcore.compare.entry import Entry
from montcore.compare.point import DEFAULT_TARGETS, Plan, survey
from montcore.compare.predict import BETWEEN, predictions
from montcore.compare.sweep import Done, sweep
from montcore.support.errors import RequestError, storage
from montcore.support.requests import Processes, checked
from montcore.synth.options import chosen_options
from montcore.synth.target import check_wires, get_target


@checked
@dataclass(frozen=True)
class Request:
    """A comparison request.

    Attributes:
        bits: built width and length of the products in bits.
        cores: names of cores; None for all.
        targets: names of targets; None for the default ones.
        full: the cores' full sweeps.
        wires: as for `Point`, on targets with cells; None for the default.
    """

    bits: int
    cores: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    budgets: tuple[Budget, ...] = ()
    objective: str = "area-time"
    full: bool = False
    wires: str | None = None

    def __post_init__(self) -> None:
        check_objective(self.objective)

    def plan(self) -> Plan:
        """Return the points to measure, and the cores that do not offer the width.

        Raises:
            RequestError: an unknown core or target, or no core of that width.
        """
        return survey(
            self.bits, cores=self.cores, targets=self.targets, full=self.full, wires=self.wires
        )

    def check(self) -> None:
        """Check before any work that the request can be met.

        Raises:
            RequestError: as `plan`, or a budget bounds a figure that a target lacks.
        """
        chosen_options(self.wires)
        self.plan()
        targets = self.targets or DEFAULT_TARGETS
        check_wires(self.wires, targets)
        check_budgets(self.budgets, targets)

    @property
    def command(self) -> str:
        """The command that repeats the request."""
        words = ["montcore", "compare", "--bits", str(self.bits)]
        named = [get_target(name).named for name in self.targets or ()]
        plain = [value for option, value in named if option == "--target"]
        if plain:
            words += ["--targets", ",".join(plain)]
        words += [word for pair in named if pair[0] != "--target" for word in pair]
        if self.cores is not None:
            words += ["--cores", ",".join(self.cores)]
        for budget in self.budgets:
            words += ["--budget", str(budget)]
        words += ["--minimise", self.objective]
        if self.full:
            words.append("--full")
        if self.wires is not None:
            words += ["--wires", self.wires]
        return shlex.join([*words, "-o", "DIR"])

    def as_object(self) -> dict[str, Any]:
        """Return it as plain values for results.json."""
        return {
            "bits": self.bits,
            "cores": self.cores,
            "targets": self.targets,
            "budgets": [str(budget) for budget in self.budgets],
            "minimise": self.objective,
            "full": self.full,
            "wires": self.wires,
            "command": self.command,
            "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        }


@dataclass(frozen=True)
class Comparison:
    """Results of a comparison, its files, and the cores that lack the width, with reasons."""

    entries: tuple[Entry, ...]
    choices: tuple[Choice, ...]
    files: tuple[Path, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """Number of points that could not be measured."""
        return sum(entry.status != "ok" for entry in self.entries)


@checked
def compare(
    request: Request,
    output: Path,
    done: Done,
    *,
    workers: Processes = 2,
    cluster: Cluster | None = None,
    fresh: bool = False,
    from_atlas: bool = True,
    answered: Callable[[Comparison], None] | None = None,
) -> Comparison:
    """Use known points of a request, measure the rest, recommend, and write the report.

    Args:
        output: folder for the report; created if missing.
        done: called with each point as it completes.
        workers, cluster, fresh, from_atlas: as in `sweep`.
        answered: called when the report is written, before the plots, which take seconds.

    Raises:
        RequestError: the request cannot be met, or the folder cannot be written.
        TransientError: the disk is full.
    """
    request.check()
    found = request.plan()
    _check_writable(output)
    with storage(output):
        entries = sweep(
            found.points, done, workers=workers, cluster=cluster, fresh=fresh, from_atlas=from_atlas
        )
        choices = recommend(entries, request.budgets, request.objective)
        files = write(request, entries, choices, output)
        comparison = Comparison(tuple(entries), tuple(choices), tuple(files), found.left_out)
        if answered is not None:
            answered(comparison)
        from montcore.compare.pictures import draw  # matplotlib takes a second to load

        files += draw(entries, request.bits, output)
    return replace(comparison, files=tuple(files))


def write(
    request: Request, entries: Sequence[Entry], choices: Sequence[Choice], output: Path
) -> list[Path]:
    """Write results.json, results.csv and report.html; return their paths."""
    asked = request.as_object()
    left_out = request.plan().left_out
    written = [output / name for name in ("results.json", "results.csv", "report.html")]
    report.write_json(written[0], entries, choices, asked, left_out)
    report.write_csv(written[1], entries)
    report.write_html(written[2], entries, choices, asked, left_out, _others(request, entries))
    return written


def _others(request: Request, entries: Sequence[Entry]) -> list[Entry]:
    book = atlas.current()
    there = {(entry.label, entry.bits, entry.target) for entry in entries}
    # What `recommend` knows of the same width and targets, measured here included.
    here = replace(request, cores=None).plan().points
    own = list(recall_points(here).entries.values())
    asked = {(point.bits, point.target) for point in here}
    elsewhere = (one for one in book.marked() if one.unit or (one.bits, one.target) not in asked)
    known = [*own, *elsewhere]
    targets = list(dict.fromkeys(entry.target for entry in [*entries, *known]))
    guesses = [
        entry
        for bits in sorted({*BETWEEN, request.bits})
        if targets
        for entry in predictions(book, bits, targets=targets, wires=request.wires)
    ]
    # One chart has cells alone, or cells with wires: not both. Targets without cells have neither.
    wires = {None, chosen_options(request.wires).wires}
    return [
        entry
        for entry in [*known, *guesses]
        if (entry.label, entry.bits, entry.target) not in there and entry.wires in wires
    ]


@checked
def recall(request: Request) -> Known:
    """Return the known points of a request, without measuring.

    Raises:
        RequestError: the request cannot be met.
    """
    return recall_points(request.plan().points)


def _check_writable(folder: Path) -> None:
    """Check before hours of work that the report can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise RequestError(
            f"the folder {folder} cannot be written: {os.strerror(error.errno or 0)}"
        ) from None
