# SPDX-License-Identifier: Apache-2.0
"""Judges the mutants of a unit: by simulation, what survives by a proof of equivalence, by tests.

A mutant is equivalent if Yosys proves, in every build of the unit that has its file, that each
register and each output is the same function of all registers and inputs, or shows it by induction
over a few cycles from equal states.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from montcore.cores import all_cores
from montcore.support import waiting
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError, TransientError
from montcore.support.files import write_whole
from montcore.support.paths import HW_DIR, REPO_ROOT, cache_dir
from montcore.support.processes import running
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys
from montcore_lab.checkout.files import rtl_files
from montcore_lab.lint.elaborations import reached
from montcore_lab.mutation.checks import FULL, Judge, checks_of, files_of
from montcore_lab.mutation.mutants import Mutant, sample, write_all, write_one

#: Mutants of one process: what they share, a start of Python, is little beside them.
_SHARE = 10
#: Cycles of the induction by which registers that depend on each other are shown equal.
_CYCLES = 3
#: Limit of the unit's tests for one mutant.
_TESTS_S = 1800


@dataclass(frozen=True)
class Score:
    """What became of the mutants of a unit.

    Attributes:
        killed: number of mutants by the kind of check that killed them.
        equivalent: mutants that change nothing.
        survivors: mutants that nothing found.
    """

    unit: str
    mutants: int
    seed: int
    killed: dict[str, int] = field(default_factory=dict)
    equivalent: list[Mutant] = field(default_factory=list)
    survivors: list[Mutant] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The killed mutants among those that are not equivalent."""
        there = self.mutants - len(self.equivalent)
        return sum(self.killed.values()) / there if there else 1.0


def campaign(unit: str, count: int, seed: int, *, workers: int = 2, tests: bool = False) -> Score:
    """Judge `count` mutants of a unit; a run that was stopped goes on where it was.

    Args:
        tests: also run the unit's own tests with each mutant that survives.

    Raises:
        CheckFailedError: the unit without a mutant does not pass.
    """
    mutants = sample(files_of(unit), count, seed)
    home = _home(unit, mutants)
    with waiting.waiting(f"choosing the builds of {unit}"):
        every = checks_of(unit)
        chosen = needed(every, unit)
    found = _judged(unit, [every.index(one) for one in chosen], len(mutants), home, workers)
    kinds = {one.label: one.kind for one in chosen}
    killed: dict[str, int] = {}
    left = []
    for number, mutant in enumerate(mutants, 1):
        if by := found[number]["by"]:
            killed[kinds[by]] = killed.get(kinds[by], 0) + 1
        else:
            left.append((number, mutant))
    equivalent, survivors = [], []

    def fate_of(item: tuple[int, Mutant]) -> str:
        return _fate(item[1], chosen, home / f"{item[0]}.json", unit if tests else "")

    with (
        waiting.waiting(f"looking at {len(left)} survivors of {unit}") as wait,
        ThreadPoolExecutor(workers) as pool,
    ):
        for done, (fate, (_, mutant)) in enumerate(zip(pool.map(fate_of, left), left, strict=True)):
            wait.move(done + 1, len(left))
            if fate == "equivalent":
                equivalent.append(mutant)
            elif fate:
                killed[fate] = killed.get(fate, 0) + 1
            else:
                survivors.append(mutant)
    return Score(unit, len(mutants), seed, killed, equivalent, survivors)


def _home(unit: str, mutants: Sequence[Mutant]) -> Path:
    """Return the folder of a campaign, with the hardware that has all mutants."""
    code = sorted(Path(__file__).parent.glob("*.py"))
    key = content_key({"mutants": [one.key for one in mutants]}, (*rtl_files(), *code))
    home = cache_dir() / "mutate" / f"{unit}-{key[:16]}"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "hw").is_dir():
        partial = Path(tempfile.mkdtemp(dir=home))
        write_all(mutants, partial / "hw")
        (partial / "hw").rename(home / "hw")
        partial.rmdir()
    return home


def needed(every: Sequence[Judge], unit: str) -> list[Judge]:
    """Return, of each kind, the checks whose builds reach further branches of the unit."""
    own = {path.stem for path in files_of(unit)}
    seen: dict[str, set[tuple[str, str]]] = {}
    chosen = []
    for one in every:
        branches = {branch for branch in reached(one.elaboration()) if branch[0] in own}
        group = f"{one.kind} {one.label.partition(' of ')[0]} {one.label.endswith(str(FULL))}"
        if not branches <= seen.setdefault(group, set()):
            seen[group] |= branches
            chosen.append(one)
    return chosen


def _judged(
    unit: str, places: Sequence[int], count: int, home: Path, workers: int
) -> dict[int, dict[str, Any]]:
    """Return how each mutant fares in simulation, and the control, number 0."""
    results = home / "results.jsonl"
    text = results.read_text(encoding="utf-8") if results.is_file() else ""
    rows = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    found = {row["number"]: row for row in rows}
    environment = {**os.environ, "MONTCORE_HW": str(home / "hw"), "MONTCORE_SIM_FLAGS": "-Og"}
    environment["PYTHONPATH"] = os.pathsep.join(str(REPO_ROOT / at) for at in ("src", "lab/src"))

    def share(numbers: Sequence[int]) -> None:
        words = [unit, ",".join(map(str, places)), ",".join(map(str, numbers))]
        argv = [sys.executable, "-m", "montcore_lab.mutation.checks", *words]
        how: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with running(argv, env=environment, **how) as process:
            out, errors = process.communicate()
        with results.open("a", encoding="utf-8") as file:
            file.write(out)
        found.update({row["number"]: row for row in map(json.loads, out.splitlines())})
        if process.returncode != 0:
            raise TransientError(f"the judge of {unit} ended early: {errors.strip()[-300:]}")

    missing = [number for number in range(count + 1) if number not in found]
    with waiting.waiting(f"judging {count} mutants of {unit}") as wait:
        if 0 in missing:
            share([missing.pop(0)])
        if by := found[0]["by"]:
            raise CheckFailedError(f"{unit} without a mutant: {by}: {found[0]['fault']}")
        shares = [missing[at : at + _SHARE] for at in range(0, len(missing), _SHARE)]
        with ThreadPoolExecutor(workers) as pool:
            for _ in pool.map(share, shares):
                wait.move(len(found) - 1, count)
    return found


def _fate(mutant: Mutant, chosen: Sequence[Judge], file: Path, unit: str) -> str:
    """Return what a survivor is: equivalent, found by a test, or nothing of both (empty)."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        changed = write_one(mutant, Path(folder) / "hw")
        if "equivalent" not in known:
            known["equivalent"] = equivalent(mutant, changed, chosen, Path(folder))
        if unit and not known["equivalent"] and "test" not in known:
            known["test"] = _killing_test(unit, Path(folder) / "hw")
    write_whole(file, json.dumps(known))
    return "equivalent" if known["equivalent"] else known.get("test", "") and "tests of the unit"


def equivalent(mutant: Mutant, changed: Path, chosen: Sequence[Judge], work: Path) -> bool:
    """Tell whether a mutant is proved to change nothing in all builds that have its file."""
    original = HW_DIR / mutant.file
    builds = {one.label: one for one in chosen if original in one.build.sources}
    return bool(builds) and all(
        _same(one, original, changed, Path(tempfile.mkdtemp(dir=work))) for one in builds.values()
    )


def _same(one: Judge, original: Path, changed: Path, work: Path) -> bool:
    top = one.build.top
    values = " ".join(f"-G {key}={value}" for key, value in one.build.parameters.items())
    values += "".join(f" -D {name}=1" for name in one.elaboration().defines)
    commands = []
    for name in ("gold", "gate"):
        sources = [changed if name == "gate" and path == original else path
                   for path in one.build.sources]  # fmt: skip
        commands += [
            f"read_slang {values} --top {top} {' '.join(map(str, sources))}",
            *(f"prep -flatten -top {top}", "memory_map", "async2sync", "dffunmap", "opt_clean"),
            # Other wires may differ in bits that nothing reads.
            *("select -set kept t:$*ff* %x:+[Q] x:*", "rename -hide w:* @kept %d"),
            f"design -stash {name}",
        ]
    commands += [f"design -copy-from {name} -as {name} {top}" for name in ("gold", "gate")]
    commands += ["equiv_make gold gate equiv", "hierarchy -top equiv", "opt_merge", "equiv_struct"]
    commands += [
        *("equiv_simple -undef", f"equiv_induct -undef -seq {_CYCLES}", "equiv_status -assert")
    ]
    try:
        run_yosys(commands, work, "equivalent", DEFAULT_OPTIONS)
    except CheckFailedError:
        return False
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return True


def _killing_test(unit: str, hardware: Path) -> str:
    """Return the first of the unit's tests that fails with other hardware, or nothing."""
    chosen = ["--core", unit, "tests/cores", "tests/sim"]
    argv = [sys.executable, str(REPO_ROOT / "tools" / "run_tests.py"), "-x", "-q"]
    argv += [*("-m", "not nightly"), *(chosen if unit in all_cores() else [f"tests/cores/{unit}"])]
    # What only compares texts or figures finds every change.
    argv += [f"--ignore=tests/cores/test_{name}.py" for name in ("lint", "fusesoc", "bundle_lint")]
    environment = {**os.environ, "MONTCORE_HW": str(hardware)}
    how: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with running(argv, cwd=REPO_ROOT, env=environment, **how) as process:
        try:
            out, _ = process.communicate(timeout=_TESTS_S)
        except subprocess.TimeoutExpired:
            return "a test that takes too long"
    failed = [line for line in out.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0][:200] if failed else ""
