# SPDX-License-Identifier: Apache-2.0
"""A cache of tool results, valid while their inputs are unchanged.

Like the caches of ruff and mypy: the key covers the contents of the files, the question, the
calling code, and the tools. Each result is one file in the cache.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from montcore.support.paths import cache_dir

T = TypeVar("T")

_PACKAGE = Path(__file__).resolve().parents[1]

#: Stands for all layers.
WHOLE_PACKAGE = ""


@dataclass(frozen=True)
class Question:
    """What decides an answer.

    Attributes:
        about: what is asked, as plain values (JSON).
        files: the files it is asked about, in order, by name and content; a missing one counts too.
        asked_by: the layers of the package whose code calls and evaluates, e.g. ``lint``.
        programs: programs of the system that answer. Python packages always count, all of them.
    """

    about: Any
    files: tuple[Path, ...]
    asked_by: tuple[str, ...]
    programs: tuple[str, ...] = ()

    def key(self) -> str:
        """Return a digest of all of it."""
        found = hashlib.sha256(json.dumps(self.about, sort_keys=True).encode())
        for part in (
            installed_packages(),
            *map(_code, self.asked_by),
            *map(_program, self.programs),
        ):
            found.update(part.encode() + b"\0")
        for path in self.files:
            content = path.read_bytes() if path.is_file() else b""
            found.update(path.name.encode() + b"\0" + hashlib.sha256(content).digest())
        return found.hexdigest()[:32]


def remembered(
    question: Question, answer: Callable[[], T], keep: Callable[[T], bool] = lambda _: True
) -> T:
    """Return the answer to a question, from an earlier run if it is known.

    Args:
        question: what decides the answer.
        answer: finds it; what it returns can be written as JSON. What it raises is not kept.
        keep: whether an answer is one to keep. One that depends on the moment, as a time limit, is
            none.
    """
    file = cache_dir() / "answers" / f"{question.key()}.json"
    try:
        known: T = json.loads(file.read_text())
    except (OSError, ValueError):
        known = answer()
        if keep(known):
            _write(file, json.dumps(known))
    return known


def _write(file: Path, text: str) -> None:
    """Write a file as a whole, whoever else writes it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    with os.fdopen(handle, "w") as stream:
        stream.write(text)
    Path(name).replace(file)


@cache
def installed_packages() -> str:
    """Return all installed packages with their versions, which is what their folders are named."""
    folders = [Path(item) for item in sys.path if Path(item).is_dir()]
    return " ".join(sorted(item.name for at in folders for item in at.glob("*.dist-info")))


@cache
def _code(room: str) -> str:
    """Return a digest of the Python files of a layer of the package."""
    found = hashlib.sha256()
    for path in sorted((_PACKAGE / room).rglob("*.py")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


@cache
def _program(name: str) -> str:
    """Return which program of the system a name is: another version has another size or date."""
    found = shutil.which(name)
    if found is None:
        return f"{name} is missing"
    status = Path(found).resolve().stat()
    return f"{found} {status.st_size} {status.st_mtime_ns}"


def files_below(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return files, and all files in folders among them, in order."""
    found: list[Path] = []
    for path in paths:
        found += sorted(item for item in path.rglob("*") if item.is_file()) or [path]
    return tuple(found)
