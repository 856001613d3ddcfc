# SPDX-License-Identifier: Apache-2.0
"""Judges the mutants of a unit: by simulation, and what survives by a proof of equivalence.

A mutant is equivalent if a proof shows, in the builds of the random sequences that have its branch
of the sources, that no output changes in any cycle from a reset on (`equivalence`). The builds are
those that together reach the most branches; other values of parameters are not proved.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from montcore.support import waiting
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError, TransientError, storage
from montcore.support.files import locked, write_whole
from montcore.support.paths import REPO_ROOT, cache_dir
from montcore.support.processes import release, running
from montcore_lab.checkout.files import rtl_files
from montcore_lab.lint.elaborations import Branch, reached
from montcore_lab.mutation.checks import FULL, Judge, checks_of, files_of
from montcore_lab.mutation.equivalence import equivalent
from montcore_lab.mutation.mutants import Mutant, sample, write_all, write_one

#: Mutants of one process: what they share, a start of Python, is little beside them.
_SHARE = 10
_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(frozen=True)
class Score:
    """What became of the mutants of a unit.

    Attributes:
        killed: number of mutants by the kind of check that killed them.
        equivalent: mutants that change nothing.
        survivors: mutants that nothing found, with a reason where one is known.
    """

    unit: str
    mutants: int
    seed: int
    killed: Counter[str] = field(default_factory=Counter)
    equivalent: list[Mutant] = field(default_factory=list)
    survivors: dict[Mutant, str] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The killed mutants among those that are not equivalent."""
        there = self.mutants - len(self.equivalent)
        return self.killed.total() / there if there else 1.0


#: Reason of a survivor that no check can find.
UNREACHED = "No build of these checks has the branch."


def campaign(unit: str, count: int, seed: int, *, workers: int = 2) -> Score:
    """Judge `count` mutants of a unit; a run that was stopped goes on where it was.

    Raises:
        CheckFailedError: the unit without a mutant does not pass.
        TransientError: the disk is full, or a process was killed.
    """
    mutants = sample(files_of(unit), count, seed)
    home = _home(unit, mutants)
    with storage(home), locked(home / "campaign.lock"):
        if not (home / "hw").is_dir():
            shutil.rmtree(home / "partial", ignore_errors=True)
            write_all(mutants, home / "partial")
            (home / "partial").rename(home / "hw")
        with waiting.waiting(f"choosing the builds of {unit}"):
            every = checks_of(unit)
            chosen = needed(every, unit)
            branches = {one.label: reached(one.elaboration()) for one in chosen}
        found = _judged(unit, [every.index(one) for one in chosen], len(mutants), home, workers)
        score = Score(unit, len(mutants), seed)
        kinds = {one.label: one.kind for one in chosen}
        left: list[tuple[int, Mutant, list[Judge]]] = []
        for number, mutant in enumerate(mutants, 1):
            if by := found[number]["by"]:
                score.killed[kinds[by]] += 1
            else:
                reaching = [one for one in chosen if mutant.branch in branches[one.label]]
                left.append((number, mutant, _to_prove(reaching)))

        def same(item: tuple[int, Mutant, list[Judge]]) -> bool:
            return _equivalent(item[1], item[2], home / f"equivalent-{item[0]}.json")

        with waiting.waiting(f"looking at the survivors of {unit}") as wait:
            for equal, (_, mutant, builds) in zip(
                _side_by_side(same, left, workers), left, strict=True
            ):
                wait.move(wait.done + 1, len(left))
                if equal:
                    score.equivalent.append(mutant)
                else:
                    score.survivors[mutant] = "" if builds else UNREACHED
    return score


def _home(unit: str, mutants: Sequence[Mutant]) -> Path:
    """Return the folder of a campaign: of these mutants, this RTL and these checks."""
    code = sorted(path for path in Path(__file__).parent.glob("*.py") if path.stem != "page")
    key = content_key({"mutants": [one.key for one in mutants]}, (*rtl_files(), *code))
    home = cache_dir() / "mutate" / f"{unit}-{key[:16]}"
    home.mkdir(parents=True, exist_ok=True)
    return home


def _to_prove(reaching: Sequence[Judge]) -> list[Judge]:
    """Return the builds of sequences: of full words, and of no exponentiator over a core, if any.

    At other widths the topmost bits of operands are constant, so that less can differ.
    """
    found = [one for one in reaching if one.kind == "sequences"] or list(reaching)
    found = [one for one in found if one.label.endswith(f"bits {FULL}")] or found
    return [one for one in found if one.build.top == found[0].build.top]


def needed(every: Sequence[Judge], unit: str) -> list[Judge]:
    """Return, of each kind, the checks whose builds reach further branches of the unit."""
    own = {path.stem for path in files_of(unit)}
    seen: dict[str, set[Branch]] = {}
    chosen = []
    for one in every:
        branches = {branch for branch in reached(one.elaboration()) if branch[0] in own}
        group = f"{one.kind} {one.label.partition(' of ')[0]} {one.label.endswith(str(FULL))}"
        if not branches <= seen.setdefault(group, set()):
            seen[group] |= branches
            chosen.append(one)
    return chosen


def _side_by_side(
    work: Callable[[_In], _Out], items: Sequence[_In], workers: int
) -> Generator[_Out, None, None]:
    """Yield the results in order; what has not begun when this ends early does not begin."""
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(work, items)
    finally:
        pool.shutdown(cancel_futures=True)


def _judged(
    unit: str, places: Sequence[int], count: int, home: Path, workers: int
) -> dict[int, dict[str, str]]:
    """Return how each mutant fares in simulation, and the control, number 0."""
    environment = {**os.environ, "MONTCORE_HW": str(home / "hw"), "MONTCORE_SIM_FLAGS": "-Og"}
    environment["PYTHONPATH"] = os.pathsep.join(str(REPO_ROOT / at) for at in ("src", "lab/src"))
    processes: set[subprocess.Popen[str]] = set()

    def file(number: int) -> Path:
        return home / f"judged-{number}.json"

    def share(numbers: Sequence[int]) -> None:
        words = [unit, ",".join(map(str, places)), ",".join(map(str, numbers)), str(home)]
        argv = [sys.executable, "-m", "montcore_lab.mutation.checks", *words]
        with running(argv, env=environment, stderr=subprocess.PIPE, text=True) as process:
            processes.add(process)
            try:
                _, errors = process.communicate()
            finally:
                processes.discard(process)
        if process.returncode != 0:
            raise TransientError(f"the judge of {unit} ended early: {errors.strip()[-300:]}")

    missing = [number for number in range(count + 1) if not file(number).is_file()]
    with waiting.waiting(f"judging {count} mutants of {unit}") as wait:
        if 0 in missing:
            share([missing.pop(0)])
        control = json.loads(file(0).read_text(encoding="utf-8"))
        if control["by"]:
            file(0).unlink()  # whatever was wrong, it is judged again
            raise CheckFailedError(f"{unit} without a mutant: {control['by']}: {control['fault']}")
        shares = [missing[at : at + _SHARE] for at in range(0, len(missing), _SHARE)]
        judged = _side_by_side(share, shares, workers)
        try:
            for done, _ in enumerate(judged, 1):
                wait.move(count - len(missing) + min(done * _SHARE, len(missing)), count)
        except BaseException:
            for process in list(processes):
                release(process)
            judged.close()
            raise
    return {n: json.loads(file(n).read_text(encoding="utf-8")) for n in range(count + 1)}


def _equivalent(mutant: Mutant, builds: Sequence[Judge], file: Path) -> bool:
    """Return what `equivalent` says, from a file if it is known."""
    if not file.is_file():
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            changed = write_one(mutant, Path(folder) / "hw")
            write_whole(file, json.dumps(equivalent(mutant, changed, builds, file.parent)))
    return bool(json.loads(file.read_text(encoding="utf-8")))
