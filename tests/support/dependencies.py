# SPDX-License-Identifier: Apache-2.0
"""What a test depends on: a table of folders, which errs to more.

A change in a folder runs its own tests and those of all rooms that use it. What no row names
depends on the whole checkout.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from montcore.cores import all_cores
from montcore.support import needed
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import repository_files
from montcore_lab.checkout.remembered import installed_packages

#: The rooms of the tool and of the lab, each used by those behind it alone (CONTRIBUTING.md). The
#: command line loads the room of a command when it runs.
_TOOL = "support model cores hdl sim verification synth modexp rsa ecc soc bundle compare"
_LAB = "checkout proofs lint mutation litex papers peers pages site benches calibration"
ROOMS = {
    **{room: f"src/montcore/{room}" for room in _TOOL.split()},
    "riscv": "riscv",
    **{room: f"lab/src/montcore_lab/{room}" for room in _LAB.split()},
}
#: Folder of tests: the last room that its tests use, and other parts of the checkout.
TABLE = {
    "tests/cores/dsp": ("papers", "hw/common hw/tech hw/dsp hw/modexp"),
    "tests/cores/ecc": ("lint", "hw lab/src/montcore_lab/clients.py"),
    "tests/cores/karatsuba": ("papers", "hw/common hw/tech hw/karatsuba"),
    "tests/cores/modexp": ("benches", "hw"),
    "tests/cores/rows": ("compare", "hw/common hw/tech hw/rows hw/modexp lab"),
    "tests/cores/smm": ("papers", "hw/common hw/tech hw/smm"),
    "tests/cores/soc": ("litex", "hw sw lab examples docs/soc-ecdsa.md docs/site"),
    "riscv/tests": ("papers", "hw/common"),
    "tests/rsa": ("soc", "hw lab/src/montcore_lab/benches lab/src/montcore_lab/clients.py"),
    "tests/sim": ("mutation", "hw"),
    "tests/synth": ("compare", "hw src/montcore lab"),
}
#: Every test depends on these: tools, settings, rules, vectors, and what tests share.
ALWAYS = (
    *("Makefile", "pyproject.toml", "requirements.txt", "conftest.py", "tests/support"),
    *("src/montcore/__init__.py", "src/montcore/__main__.py", "src/montcore/cli"),
    *("lab/pyproject.toml", "lab/src/montcore_lab/__init__.py", "lab/src/montcore_lab/cli"),
    "lab/src/montcore_lab/checkout",
    *("tools", "vectors"),
)
#: Programs that tests run; versions are told apart by size and date.
PROGRAMS = ("verilator", *(program.name for program in needed.PROGRAMS))


def parts(test: Path) -> tuple[str, ...]:
    """Return the files and folders that the tests of a file depend on."""
    here = test.is_relative_to(REPO_ROOT)
    folder = test.parent.relative_to(REPO_ROOT).as_posix() if here else ""
    if folder not in TABLE:
        return (".", *map(str, _with_imported(test)))
    last, others = TABLE[folder]
    rooms = list(ROOMS.values())[: list(ROOMS).index(last) + 1]
    own = (path.relative_to(REPO_ROOT).as_posix() for path in _with_imported(test))
    return (*ALWAYS, *rooms, *others.split(), *own)


def _with_imported(test: Path) -> set[Path]:
    """Return a file of tests and those beside it from which it takes something."""
    found, ahead = set[Path](), [test]
    while ahead:
        path = ahead.pop()
        if path not in found and path.is_file():
            found.add(path)
            names = re.findall(r"^from (test_\w+) import", path.read_text(encoding="utf-8"), re.M)
            ahead += [path.with_name(f"{name}.py") for name in names]
    return found


@cache
def files(test: Path) -> frozenset[Path]:
    """Return the files that the tests of a file depend on."""
    wanted = [REPO_ROOT / part for part in parts(test)]
    below = {path for path in repository_files() if not set(wanted).isdisjoint(_around(path))}
    return frozenset(below | {path for path in wanted if path.is_file()})


@cache
def _around(path: Path) -> frozenset[Path]:
    return frozenset((path, *path.parents))


def concerns(item: pytest.Item, core: str) -> bool:
    """Tell whether a test concerns a core: its folder or its name says so."""
    words = re.split(r"[^a-z0-9]+", item.nodeid.lower())
    folders = all_cores()[core].folder().parts
    return core in words or any(f"cores/{folder}/" in item.nodeid for folder in folders)


@cache
def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _digest(found: frozenset[Path]) -> str:
    digest = hashlib.sha256(f"{sys.version}\n{installed_packages()}\n".encode())
    for program in PROGRAMS:
        place = shutil.which(program)
        state = Path(place).stat() if place else None
        digest.update(f"{program} {state and (state.st_size, state.st_mtime_ns)}\n".encode())
    for name, path in sorted((str(path), path) for path in found):
        digest.update(f"{name} {_content(path)}\n".replace(f"{REPO_ROOT}/", "").encode())
    return digest.hexdigest()[:24]


def digest(item: pytest.Item) -> str:
    """Return a digest of what a test depends on."""
    return _digest(files(item.path))


def changed_files() -> frozenset[Path]:
    """Return the files that differ from the branch `main`, or on `main` from the last commit."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(
            ["git", *words], cwd=REPO_ROOT, capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout.split("\0" if "-z" in words else None)

    base = (git("merge-base", "main", "HEAD") or ["HEAD"])[0]
    names = git("diff", "--name-only", "-z", base)
    names += git("ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(REPO_ROOT / name for name in names if name)
