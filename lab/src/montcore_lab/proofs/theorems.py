# SPDX-License-Identifier: Apache-2.0
"""The theorems for every width, in proofs/*.v, checked by Coq, and their hypotheses.

Each file is compiled in the cache, and Coq is asked what every theorem depends on: nothing is
allowed beside its own hypotheses.
"""

import configparser
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from montcore.support import needed
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import REPO_ROOT, cache_dir

FOLDER = REPO_ROOT / "proofs"
_LIMIT_S = 300
_CLOSED = "Closed under the global context"
_FORBIDDEN = re.compile(r"\b(Admitted|Axioms?|Parameters?|Conjecture|admit)\b")


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis of a theorem, and the assertions that prove it.

    Attributes:
        theorem: the theorem, FILE.NAME.
        name: what it says.
        task: label of the proof.
        labels: the assertions of its property file.
    """

    theorem: str
    name: str
    task: str
    labels: tuple[str, ...]


def theorems(folder: Path = FOLDER) -> list[str]:
    """Return the names of all theorems, FILE.NAME."""
    return [
        f"{file.stem}.{name}"
        for file in _ordered(folder)
        for name in re.findall(r"^Theorem (\w+)", file.read_text(encoding="utf-8"), re.M)
    ]


def hypotheses(file: Path = FOLDER / "hypotheses.ini") -> list[Hypothesis]:
    """Return the lines of the table of hypotheses."""
    table = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    table.optionxform = str  # type: ignore[assignment, method-assign]
    table.read(file, encoding="utf-8")
    rows = (
        (theorem, name, table[theorem][name].split())
        for theorem in table.sections()
        for name in table[theorem]
    )
    return [Hypothesis(theorem, name, words[0], tuple(words[1:])) for theorem, name, words in rows]


def check_theorems(folder: Path = FOLDER) -> tuple[int, float]:
    """Check all files of a folder and return the number of theorems and the seconds.

    Raises:
        RequestError: Coq is not installed.
        CheckFailedError: a proof does not hold, or a theorem rests on more than its hypotheses.
    """
    if shutil.which("coqc") is None:
        raise RequestError(
            f"the theorems of proofs/ need coqc, which is missing; {needed.system_remedy('coq')}"
        )
    start = time.monotonic()
    work = cache_dir() / "theorems"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    files = _ordered(folder)
    for file in files:
        shutil.copy(file, work)
        if found := _FORBIDDEN.search(file.read_text(encoding="utf-8")):
            raise CheckFailedError(f"{file.name} has {found[0]}, which proves nothing")
        _run(work, file.name)
    names = theorems(folder)
    # One question about all together: Coq walks through its library once.
    asked = [f"From Montcore Require {' '.join(file.stem for file in files)}."]
    asked += [f"Definition all := ({', '.join(names)}).", "Print Assumptions all."]
    (work / "assumptions.v").write_text("\n".join(asked), encoding="utf-8")
    said = " ".join(_run(work, "assumptions.v").split())
    if said != _CLOSED:
        raise CheckFailedError(f"a theorem rests on more than its hypotheses: {said}")
    return len(names), time.monotonic() - start


def _ordered(folder: Path) -> list[Path]:
    """Return the files of a folder, each behind those that it requires."""
    found: list[Path] = []

    def add(file: Path) -> None:
        line = re.search(r"^From Montcore Require Import ([^.]*)\.", file.read_text("utf-8"), re.M)
        for name in line[1].split() if line else []:
            add(file.with_name(f"{name}.v"))
        if file not in found:
            found.append(file)

    for file in sorted(folder.glob("*.v")):
        add(file)
    return found


def _run(work: Path, name: str) -> str:
    """Compile a file and return what Coq prints."""
    command = ["coqc", "-q", "-w", "-deprecated", "-Q", ".", "Montcore", name]
    try:
        done = subprocess.run(
            command, cwd=work, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise CheckFailedError(f"coqc needs more than {_LIMIT_S} s for {name}") from None
    if done.returncode:
        raise CheckFailedError(f"coqc refuses {name}: {' '.join(done.stderr.split())}")
    return done.stdout
