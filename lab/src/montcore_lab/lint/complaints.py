# SPDX-License-Identifier: Apache-2.0
"""What programs that read the sources complain of."""

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.remembered import Question, remembered

TIMEOUT_SECONDS = 300


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
        asked_by=("montcore_lab.lint",),
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
