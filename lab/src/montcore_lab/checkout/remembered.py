# SPDX-License-Identifier: Apache-2.0
"""A cache of tool results, valid while their inputs are unchanged.

As in the caches of ruff and mypy, the key covers the contents of the files, the query, the calling
code, and the tools. Each result is one file in the cache.
"""

import hashlib
import importlib
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from montcore.support.files import write_whole
from montcore.support.paths import cache_dir

T = TypeVar("T")

#: The key of the result in its file.
_ANSWER = "answer"


@dataclass(frozen=True)
class Question:
    """The inputs that determine a result.

    Attributes:
        about: the query, as plain values (JSON).
        files: the input files, in order, by name and content; a missing file counts too.
        asked_by: the packages whose code runs the query, e.g. ``montcore.ecc``.
        programs: system programs that are run. All Python packages always count.
    """

    about: Any
    files: tuple[Path, ...]
    asked_by: tuple[str, ...]
    programs: tuple[str, ...] = ()

    def key(self) -> str:
        """Return a digest of all inputs."""
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
    """Return the result of a query, from an earlier run if known.

    Args:
        question: the inputs that determine the result.
        answer: computes the result, which must be JSON-serialisable. Exceptions are not stored.
        keep: whether to store a result. One that depends on circumstances, such as a time limit,
            must not be stored.
    """
    file = cache_dir() / "answers" / f"{question.key()}.json"
    try:
        known: T = json.loads(file.read_text())[_ANSWER]
    except (OSError, ValueError, TypeError, LookupError):
        known = answer()
        if keep(known):
            write_whole(file, json.dumps({_ANSWER: known}))
    return known


@cache
def installed_packages() -> str:
    """Return all installed packages with their versions, from the names of their folders."""
    folders = [Path(item) for item in sys.path if Path(item).is_dir()]
    return " ".join(sorted(item.name for at in folders for item in at.glob("*.dist-info")))


@cache
def _code(package: str) -> str:
    found = hashlib.sha256()
    folders = importlib.import_module(package).__path__
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


@cache
def _program(name: str) -> str:
    """Return the identity of a system program; versions are told apart by size and date."""
    found = shutil.which(name)
    if found is None:
        return f"{name} is missing"
    status = Path(found).resolve().stat()
    return f"{found} {status.st_size} {status.st_mtime_ns}"
