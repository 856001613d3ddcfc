# SPDX-License-Identifier: Apache-2.0
"""Results of long runs, one complete file each, so that a killed sweep resumes."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from montcore.support.errors import storage
from montcore.support.files import write_whole
from montcore.support.paths import cache_dir

_T = TypeVar("_T")

_reader: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


class ResultStore:
    """Results by key, below the cache folder; several processes may use it concurrently."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_dir() / "results"

    def get(self, key: str, kind: type[_T]) -> _T | None:
        """Return the result stored under a key, or None if there is none or it is damaged.

        Args:
            kind: the dataclass or dictionary that the result must match.

        Raises:
            RequestError: the folder cannot be used; this is told before anything is computed.
        """
        file = self.folder / f"{key}.json"
        with storage(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            if not file.is_file():
                return None
            content = file.read_bytes()
        try:
            found: _T = _reader(kind).validate_json(content)
        except ValidationError:
            return None
        return found

    def put(self, key: str, result: Any) -> None:
        """Store a dataclass or a dictionary: after the call returns, it survives a crash.

        Only a result that was computed to its end is stored, and never a failure.
        """
        write_whole(self.folder / f"{key}.json", _reader(type(result)).dump_json(result).decode())

    def remember(
        self, key: str, kind: type[_T], compute: Callable[[], _T], *, fresh: bool = False
    ) -> _T:
        """Return the result stored under a key; compute and store it if there is none."""
        found = None if fresh else self.get(key, kind)
        if found is None:
            found = compute()
            self.put(key, found)
        return found
