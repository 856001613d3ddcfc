# SPDX-License-Identifier: Apache-2.0
"""The programs that read the sources: their paths and their output."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.needed import SETUP, missing_package
from montcore.support.paths import REPO_ROOT
from montcore.support.remembered import Question, remembered

TIMEOUT_SECONDS = 300


class MissingToolError(RequestError):
    """A program or a package is not installed."""


def find_program(name: str) -> str:
    """Return a program of this environment or of the system.

    Raises:
        MissingToolError: there is no program of that name.
    """
    beside = Path(sys.executable).parent / name
    program = str(beside) if beside.exists() else shutil.which(name)
    if program is None:
        raise MissingToolError(f"the program '{name}' is missing; `{SETUP}` installs it")
    return program


def package_folder(package: str) -> Path:
    """Return the folder of an installed Python package.

    Raises:
        MissingToolError: it is not installed.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingToolError(missing_package(package))
    return Path(spec.submodule_search_locations[0])


def complaints(
    command: Sequence[str | Path],
    *,
    about: Iterable[Path] = (),
    environment: dict[str, str] | None = None,
    given: str = "",
) -> list[str]:
    """Run a program in the checkout and return its output if it failed, otherwise empty text.

    Args:
        command: the program and its arguments.
        about: the files that it reads. If given, a program that succeeded on them is not run again
            until they or the other arguments change.
        environment: variables in addition to those of this process.
        given: the program's standard input.
    """
    files = tuple(about)
    if not files:
        return _run(command, environment, given)
    words = [_without_place(str(part), files) for part in command[1:]]
    question = Question(
        [Path(command[0]).name, words, _without_place(given, files)],
        files,
        asked_by=("montcore.hdl",),
        programs=(str(command[0]),),
    )
    return remembered(question, lambda: _run(command, environment, given), lambda found: not found)


def _without_place(text: str, files: Iterable[Path]) -> str:
    """Return an argument without the paths of the checkout and of the files' folders."""
    for place in (REPO_ROOT, *{path.parent for path in files}):
        text = text.replace(f"{place}/", "")
    return text


def _run(
    command: Sequence[str | Path], environment: dict[str, str] | None, given: str
) -> list[str]:
    """Compute `complaints` by running the program."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=REPO_ROOT,
        env={**os.environ, **(environment or {})},
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode == 0:
        return []
    output = done.stdout.replace(f"{REPO_ROOT}/", "").strip()
    return [output or f"{command[0]} ended with status {done.returncode} and said nothing"]
