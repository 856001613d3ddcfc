# SPDX-License-Identifier: Apache-2.0
"""Results of long runs in an embedded database, so that a killed sweep resumes.

SQLite with a write-ahead log: a result is stored completely or not at all, even if the process is
killed, and several processes may use the file concurrently.
"""

import errno
import sqlite3
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from montcore.support import waiting
from montcore.support.errors import (
    CheckFailedError,
    RequestError,
    TransientError,
    storage,
    storage_error,
)
from montcore.support.locks import locked
from montcore.support.paths import cache_dir

_T = TypeVar("_T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, created REAL NOT NULL, payload TEXT NOT NULL
);
"""
_BUSY_TIMEOUT_S = 60.0
_BUSY_PAUSE_S = 0.02


_reader: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


class ResultStore:
    """Results by key, kept in ``results.sqlite`` below the cache folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_dir() / "results.sqlite"

    def _do(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run one transaction, in a new file if the old one is damaged.

        A connection for each call costs about a millisecond, little compared with a synthesis, and
        lets worker processes share the store safely.

        Raises:
            TransientError: no space is left, or the file remains locked.
            RequestError: the file cannot be used.
        """
        with storage(self.path.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._transaction(work)
        except sqlite3.OperationalError as error:
            raise self._story(error) from None
        except sqlite3.DatabaseError:
            self._discard()
        try:
            return self._transaction(work)
        except sqlite3.DatabaseError as error:
            raise self._story(error) from None

    def _transaction(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run a transaction once the file is free.

        SQLite itself does not wait when a connection creates or removes the write-ahead log.
        """
        deadline = time.monotonic() + _BUSY_TIMEOUT_S
        while True:
            try:
                return self._once(work)
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_BUSY_PAUSE_S)

    def _once(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        connection = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_S)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.executescript(_SCHEMA)
            with connection:
                return work(connection)
        finally:
            connection.close()

    def _story(self, error: sqlite3.DatabaseError) -> RequestError | CheckFailedError:
        """Return the exception to raise for a database error."""
        if "full" in str(error):
            return storage_error(OSError(errno.ENOSPC, ""), self.path.parent)
        if "locked" in str(error) or "I/O" in str(error):
            return TransientError(f"the result store {self.path} cannot be used now ({error})")
        return RequestError(f"the result store {self.path} cannot be used ({error})")

    def _discard(self) -> None:
        """Move a damaged file aside, unless another process has already done so."""
        with locked(self.path.with_suffix(".lock")):
            try:
                self._transaction(lambda connection: connection.execute("PRAGMA quick_check"))
            except sqlite3.OperationalError as error:
                raise self._story(error) from None
            except sqlite3.DatabaseError:
                aside = self.path.with_suffix(f".damaged-{time.strftime('%Y%m%d-%H%M%S')}")
                with storage(self.path.parent):
                    self.path.rename(aside)
                    for suffix in ("-wal", "-shm"):
                        self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
                waiting.say(
                    f"montcore: the result store was damaged: it is now {aside}, and a new one is "
                    f"created"
                )

    def get(self, key: str, kind: type[_T]) -> _T | None:
        """Return the result stored under a key, or None; a damaged one is discarded.

        Args:
            key: the key.
            kind: the dataclass or dictionary that the result must match.
        """
        query = "SELECT payload FROM results WHERE key = ?"
        row = self._do(lambda connection: connection.execute(query, (key,)).fetchone())
        if row is None:
            return None
        try:
            found: _T = _reader(kind).validate_json(row[0])
        except ValidationError:
            command = "DELETE FROM results WHERE key = ?"
            self._do(lambda connection: connection.execute(command, (key,)))
            return None
        return found

    def put(self, key: str, result: Any) -> None:
        """Store a dataclass or a dictionary: after the call returns, it survives a crash.

        Only a result that was computed to its end is stored, and never a failure.
        """
        payload = _reader(type(result)).dump_json(result).decode()
        command = "INSERT OR REPLACE INTO results VALUES (?, ?, ?)"
        row = (key, time.time(), payload)
        self._do(lambda connection: connection.execute(command, row))
