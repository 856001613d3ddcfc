# SPDX-License-Identifier: Apache-2.0
"""Runs of the tests as `make test` starts them: counts, skips, resuming, interruptions; and CI.

A change of anything that a test depends on runs it again.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import dependencies
import pytest
from dependencies import ALWAYS, ROOMS, TABLE, changed_files, files, parts
from needs import require
from programs import number_in, output_of, survivors

from montcore.cores import all_cores
from montcore.support.paths import REPO_ROOT

#: Seconds after which a run has hung: more than the 2 minutes after which it ends itself, and says
#: how far it came.
TIMEOUT = 150


def copy_rules(folder: Path) -> None:
    """Copy the configuration of the repository's tests next to tests elsewhere."""
    for name in ("conftest.py", "tests/support/needs.py", "tests/support/dependencies.py"):
        shutil.copy(REPO_ROOT / name, folder)


def start_tests(
    *arguments: str | Path, minutes: str = "2", workers: int = 0
) -> "subprocess.Popen[str]":
    """Start tools/run_tests.py as `make test` does, but not as part of this pytest."""
    environment = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
    environment["MONTCORE_TEST_WORKERS"] = str(workers)
    return subprocess.Popen(
        [sys.executable, REPO_ROOT / "tools" / "run_tests.py", *arguments],
        env={**environment, "MONTCORE_TEST_MINUTES": minutes},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run_tests(
    *arguments: str | Path, minutes: str = "2", workers: int = 0
) -> "subprocess.CompletedProcess[str]":
    """Run tools/run_tests.py to its end."""
    process = start_tests(*arguments, minutes=minutes, workers=workers)
    said, _ = process.communicate(timeout=TIMEOUT)
    return subprocess.CompletedProcess(process.args, process.returncode, said)


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
    command += ["--rootdir", "."]
    said = output_of(*command, "-m", "nightly", "test_it.py", cwd=tmp_path)
    left = [choice for choice in range(10) if choice % 4]
    assert [line for line in said.splitlines() if "::" in line] == [
        f"test_it.py::test_a[{choice}]" for choice in left
    ]


TESTS = REPO_ROOT / "tests"


def files_in(folder: str) -> list[Path]:
    return sorted((REPO_ROOT / folder).glob("test_*.py"))


@pytest.mark.parametrize("folder", TABLE)
def test_a_row_has_every_room_that_its_tests_name(folder: str) -> None:
    for test in files_in(folder):
        text = test.read_text(encoding="utf-8")
        named = re.findall(r"\bmontcore(?:_lab)?[._]([a-z]+)\b", text)
        known = [REPO_ROOT / part for part in parts(test)]
        for room in (REPO_ROOT / ROOMS[name] for name in named if name in ROOMS):
            assert not {room, *room.parents}.isdisjoint(known), f"{test.name}: {room.name}"


#: Names by which tests reach a part of the checkout.
PLACES = {"REPO_ROOT": "", "HW_DIR": "hw", "RISCV_DIR": "riscv", "VECTORS_DIR": "vectors"}
_PLACE = re.compile(rf"\b({'|'.join(PLACES)}|vectors_dir)\b((?: / \"[\w.-]+\")*)")


@pytest.mark.parametrize("folder", TABLE)
def test_a_row_has_every_part_of_the_checkout_that_its_tests_name(folder: str) -> None:
    for test in files_in(folder):
        known = {REPO_ROOT / part for part in parts(test)}
        for line in test.read_text(encoding="utf-8").splitlines():
            for name, below in _PLACE.findall("" if " import " in line else line):
                path = REPO_ROOT.joinpath(PLACES[name.upper()], *re.findall(r'"(.+?)"', below))
                assert not known.isdisjoint((path, *path.parents)), f"{test.name}: {line.strip()}"


@pytest.mark.parametrize("folder", TABLE)
def test_a_row_has_all_hardware_of_its_cores(folder: str) -> None:
    (test, *_) = files_in(folder)
    for core in all_cores().values():
        if folder.rpartition("/")[2] in core.folder().relative_to(REPO_ROOT).parts:
            assert set(core.sources()) <= files(test)


def test_every_room_has_a_place_in_the_table() -> None:
    packages = (REPO_ROOT / "src" / "montcore", REPO_ROOT / "lab" / "src" / "montcore_lab")
    there = {path.parent.name for package in packages for path in package.glob("*/__init__.py")}
    assert there - {"cli"} == ROOMS.keys() - {"riscv"}
    for part in {part for test in map(files_in, TABLE) for part in parts(test[0])}:
        assert (REPO_ROOT / part).exists(), part


def test_what_no_row_names_depends_on_everything() -> None:
    found = files(TESTS / "tool" / "test_site.py")
    assert REPO_ROOT / "README.md" in found and REPO_ROOT / "hw/smm/rtl/montcore_smm.sv" in found
    assert found == files(TESTS / "papers" / "test_papers.py")


@pytest.mark.parametrize(
    "changed",
    ["hw/modexp/rtl/montcore_modexp_engine.sv", "tests/support/tcl", "src/montcore/support"],
)
def test_a_shared_part_reaches_the_files_in_all_that_use_it(changed: str) -> None:
    below = {path for path in files(TESTS / "tool/test_site.py") if f"/{changed}" in str(path)}
    assert below
    users = [folder for folder, (_, others) in TABLE.items() if "hw" in others.split()]
    for folder in TABLE if not changed.startswith("hw") else [*users, "tests/cores/dsp"]:
        assert below <= files(files_in(folder)[0]), folder


def test_the_firmware_depends_on_the_riscv_library() -> None:
    assert REPO_ROOT / "riscv/src/rows.S" in files(TESTS / "cores/soc/test_litex.py")


def test_a_core_is_of_no_concern_to_another_ones_tests() -> None:
    found = files(files_in("tests/cores/karatsuba")[0])
    assert not any(
        "hw/smm" in str(path) or (path.suffix == ".md" and "docs" in str(path)) for path in found
    )
    assert all((REPO_ROOT / part).exists() for part in ALWAYS)


@pytest.mark.parametrize("what", ["_content", "installed_packages", "PROGRAMS"])
def test_a_kept_test_runs_again_with_another_file_or_other_tools(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = frozenset({REPO_ROOT / "pyproject.toml"})
    before = dependencies._digest.__wrapped__(file)
    assert dependencies._digest.__wrapped__(file) == before
    other = {"PROGRAMS": ("sh",)}.get(what, lambda *_: "another")
    monkeypatch.setattr(dependencies, what, other)
    assert dependencies._digest.__wrapped__(file) != before


#: Variables by which a make tells those that it starts what it was asked for.
MAKES_OWN = {"AGAIN", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"}


def test_only_a_run_that_asks_for_it_repeats_what_has_passed() -> None:
    def recipe(*words: str) -> str:
        # `make test AGAIN=1` hands its words to every make below it.
        kept = {name: value for name, value in os.environ.items() if name not in MAKES_OWN}
        return output_of("make", "--dry-run", "test", *words, cwd=REPO_ROOT, env=kept)

    assert "run_tests.py --keep" in recipe()
    again = recipe("AGAIN=1")
    assert "run_tests.py" in again and "--keep" not in again


def test_what_differs_from_main_is_what_git_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        output_of("git", *identity, *words, cwd=tmp_path)

    monkeypatch.setattr("dependencies.REPO_ROOT", tmp_path)
    git("init", "-q", "-b", "main")
    (tmp_path / "old").write_text("1")
    (tmp_path / "kept").write_text("1")
    git("add", ".")
    git("commit", "-qm", "first")
    assert changed_files() == frozenset()
    git("switch", "-qc", "branch")
    (tmp_path / "committed").write_text("1")
    git("add", ".")
    git("commit", "-qm", "second")
    (tmp_path / "old").write_text("2")
    (tmp_path / "new").write_text("1")
    assert {path.name for path in changed_files()} == {"committed", "old", "new"}
