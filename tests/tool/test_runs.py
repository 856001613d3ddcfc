# SPDX-License-Identifier: Apache-2.0
"""Runs of the tests: counts, skips, resuming, interruptions; and the runs of CI."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from needs import require
from programs import number_in, output_of, survivors
from runs_of_tests import TIMEOUT, copy_rules, run_tests, start_tests

from montcore.support.paths import REPO_ROOT


# Runs with tests that pass and that fail: test_a_run_goes_on_where_it_was_stopped.
@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def helper(): pass", "tests: 0 passed, 1 failed"),
        ("import no_such_module", "tests: 0 passed, 1 failed"),
        (
            "import pytest\n@pytest.mark.skip\ndef test_a(): 0",
            "tests: 0 passed, 0 failed, 1 skipped",
        ),
    ],
    ids=["none", "import error", "all skipped"],
)
def test_a_run_closes_with_its_counts(tmp_path: Path, source: str, line: str) -> None:
    (tmp_path / "test_it.py").write_text(source)
    done = run_tests(tmp_path)
    assert done.stdout.splitlines()[-1] == line
    assert done.returncode == 1


def test_a_run_that_hangs_is_stopped_and_has_failed(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import time\ndef test_a(): time.sleep(600)")
    done = run_tests(tmp_path, minutes="0.05")
    assert done.stdout.splitlines()[-1] == "tests: 0 passed, 1 failed"
    assert done.returncode == 1


def test_a_run_in_the_background_can_interrupt_what_it_starts(tmp_path: Path) -> None:
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    (tmp_path / "test_it.py").write_text(
        "import subprocess, sys\n"
        "def test_a():\n"
        f"    said = subprocess.run([sys.executable, '-c', {code!r}], capture_output=True)\n"
        "    assert said.stdout == b'False\\n'\n"
    )
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell starts its background jobs
    try:
        done = run_tests(tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.stdout.splitlines()[-1] == "tests: 1 passed, 0 failed"


@pytest.mark.nightly  # every run has the counts of a run with skips
def test_a_skip_without_a_missing_system_package_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_rules(tmp_path)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "from needs import needs, require\n"
        "def test_passes(): pass\n"
        "@pytest.fixture\n"
        "def cells(): require('osu018 cells')\n"
        # Excused: doctor names these, and they are not here.
        "@needs('iverilog')\n"
        "def test_a(): assert 0\n"
        "def test_b(cells): assert 0\n"
        "def test_c(): pytest.skip('cannot run: apt-get install iverilog')\n"
        # Not excused: no such thing, a Python package, a thing that is here, no reason at all.
        "def test_d(): pytest.skip('the vectors are not beside the checkout')\n"
        "def test_e(): pytest.importorskip('no_such_package')\n"
        "def test_f(): pytest.skip('there is no python here')\n"
        "@pytest.mark.skip\n"
        "def test_g(): pass\n"
        "@pytest.mark.xfail\n"
        "def test_h(): assert 0\n"
    )
    (tmp_path / "test_module.py").write_text("import pytest\npytest.importorskip('no_such')\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("MONTCORE_OSU018", str(programs))
    done = run_tests(tmp_path, workers=1)
    assert done.stdout.splitlines()[-1] == "tests: 1 passed, 6 failed, 3 skipped", done.stdout
    assert done.returncode == 1
    told = "skipped, though nothing that doctor names is missing: "
    assert f"{told}Skipped: the vectors are not beside the checkout" in done.stdout
    assert "test_h" in done.stdout
    (tmp_path / "test_module.py").unlink()
    chosen = ("test_passes", "test_a", "test_b", "test_c")
    excused = run_tests(*(f"{tmp_path / 'test_it.py'}::{name}" for name in chosen))
    assert excused.stdout.splitlines()[-1] == "tests: 1 passed, 0 failed, 3 skipped"
    assert excused.returncode == 0


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, own_cache: Path) -> None:
    copy_rules(tmp_path)
    gate = tmp_path / "gate"
    (tmp_path / "test_it.py").write_text(
        "import pathlib\n"
        "def test_a(): pass\n"
        f"def test_b(): assert pathlib.Path({str(gate)!r}).exists()\n"
    )
    (tmp_path / "test_other.py").write_text("def test_c(): pass\n")
    first = run_tests("--keep", tmp_path, workers=1)
    assert first.stdout.splitlines()[-1] == "tests: 2 passed, 1 failed"
    kept = own_cache / "passed" / "tests.txt"
    with kept.open("a") as stream:
        stream.write("half a na")  # what a run leaves that is killed while it writes
    gate.touch()
    (tmp_path / "test_other.py").write_text("def test_c(): assert True\n")  # has to run again
    second = run_tests("--keep", tmp_path, workers=1)
    line = "tests: 3 passed, 1 of them in earlier runs, 0 failed"
    assert second.stdout.splitlines()[-1] == line and second.returncode == 0


#: Settings that a run of CI must not see.
ELSEWHERE = {"MONTCORE_VECTORS": "elsewhere", "MONTCORE_CACHE": "elsewhere"}


@dataclass(frozen=True)
class Ci:
    """A small repository with .ci/run, and an empty folder as TMPDIR of its runs."""

    checkout: Path
    scratch: Path

    def start(self, recipe: str) -> "subprocess.Popen[str]":
        """Start .ci/run with a recipe of `make test`."""
        lines = "".join(f"\t@{line}\n" for line in recipe.splitlines())
        (self.checkout / "Makefile").write_text(f"test:\n{lines}")
        return subprocess.Popen(
            ["bash", ".ci/run"],
            cwd=self.checkout,
            env={**os.environ, "CI": "true", "TMPDIR": str(self.scratch), **ELSEWHERE},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, recipe: str) -> tuple[int, list[str]]:
        """Return the status and the lines of a run, which must leave nothing behind."""
        process = self.start(recipe)
        said, _ = process.communicate(timeout=TIMEOUT)
        assert not list(self.scratch.iterdir())
        return process.returncode, said.splitlines()


@pytest.fixture
def ci(tmp_path: Path) -> Ci:
    require("git")
    made = Ci(tmp_path / "checkout", tmp_path / "scratch")
    made.scratch.mkdir()
    (made.checkout / ".ci").mkdir(parents=True)
    shutil.copy(REPO_ROOT / ".ci" / "run", made.checkout / ".ci")
    for name in ("kept", "gone", "Makefile", "requirements.txt"):
        (made.checkout / name).write_text("committed\n")
    for command in ("init -q", "add ."):
        output_of("git", *command.split(), cwd=made.checkout)
    (made.checkout / "kept").write_text("changed\n")
    (made.checkout / "gone").unlink()
    (made.checkout / "untracked").touch()
    (tmp_path / "shared").mkdir()
    return made


def test_ci_runs_in_a_copy_with_nothing_beside_it(ci: Ci) -> None:
    status, lines = ci.run(
        "echo beside: *; echo above: ../*; cat kept\n"
        "echo $${MONTCORE_VECTORS-none} $${MONTCORE_CACHE-none} $$XDG_CACHE_HOME $$PWD\n"
        "read line || echo no input\n"
        "echo 'tests: 3 passed, 0 failed'"
    )
    assert status == 0 and lines[-1] == "tests: 3 passed, 0 failed", lines
    assert [line for line in lines if line.startswith("tests:")] == lines[-1:]
    assert {"beside: Makefile kept requirements.txt", "changed", "no input"} <= set(lines), lines
    assert "above: ../montcore" in lines
    vectors, cache, caches, folder = next(line for line in lines if "none" in line).split()
    assert vectors == cache == "none" and caches == f"{folder}/.cache/user"


@pytest.mark.parametrize(
    ("recipe", "line"),
    [
        ("echo 'tests: 1 passed, 2 failed'; exit 1", "tests: 1 passed, 2 failed"),
        ("echo no network; exit 1", "tests: 0 passed, 1 failed"),
    ],
)
def test_ci_that_fails_ends_with_the_count(ci: Ci, recipe: str, line: str) -> None:
    status, lines = ci.run(recipe)
    assert status != 0 and lines[-1] == line, lines


def test_ci_leaves_out_a_venv_that_does_not_name_its_folder(ci: Ci) -> None:
    venv = ci.checkout / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()
    (venv / "pyvenv.cfg").write_text("command = python3 -m venv /elsewhere/.venv\n")
    key = hashlib.sha256((ci.checkout / "requirements.txt").read_bytes()).hexdigest()
    (venv / "montcore-setup.stamp").write_text(f"requirements {key}\n")
    status, lines = ci.run("ls -d .venv || echo none here\necho 'tests: 1 passed, 0 failed'")
    assert status == 0 and lines[-1] == "tests: 1 passed, 0 failed", lines
    assert "none here" in lines


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ci_that_is_interrupted_ends_what_it_started(ci: Ci, number: signal.Signals) -> None:
    process = ci.start("setsid sleep 600 & echo pid $$!; sleep 600 & echo pid $$!; sleep 600")
    assert process.stdout is not None
    pids = (line.split()[1] for line in process.stdout if line.startswith("pid "))
    started = [int(next(pids)), int(next(pids))]
    process.send_signal(number)
    said = process.stdout.read()
    assert process.wait(timeout=TIMEOUT) == 128 + number
    assert said.splitlines()[-1] == "tests: 0 passed, 1 failed"
    assert not list(ci.scratch.iterdir())
    assert survivors(started) == []


def test_a_run_that_is_told_to_end_ends_its_workers(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    (tmp_path / "test_it.py").write_text(
        "import os, pathlib, time\n"
        "def test_a():\n"
        f"    pathlib.Path({str(file)!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(600)\n"
    )
    process = start_tests(tmp_path)
    worker = number_in(file)
    process.terminate()
    assert process.wait(timeout=TIMEOUT) == 128 + signal.SIGTERM
    assert survivors([worker]) == []


def test_each_choice_of_a_sampled_sweep_is_in_one_of_both_runs(tmp_path: Path) -> None:
    """`one_in(n)`: the first of every n choices in `make test`, all others in `make nightly`."""
    copy_rules(tmp_path)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('choice', range(10))\n"
        "@pytest.mark.one_in(4)\n"
        "def test_a(choice): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-o", "addopts=", "--collect-only", "-q"]
    said = output_of(*command, "-m", "nightly", "test_it.py", cwd=tmp_path)
    left = [choice for choice in range(10) if choice % 4]
    assert [line for line in said.splitlines() if "::" in line] == [
        f"test_it.py::test_a[{choice}]" for choice in left
    ]
