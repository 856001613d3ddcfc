# SPDX-License-Identifier: Apache-2.0
"""Results of long runs in an embedded database, so that a killed sweep goes on where it was.

SQLite with a write-ahead log: a result is there completely or not at all, whenever the process is
killed, and several processes may use the file at once.
"""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montcore.errors import RequestError
from montcore.paths import cache_dir

_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, created REAL NOT NULL, payload TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS failures (
    key TEXT PRIMARY KEY, created REAL NOT NULL, message TEXT NOT NULL, log TEXT NOT NULL
);
"""
_BUSY_TIMEOUT_S = 60.0
_LOG_TAIL = 20_000


@dataclass(frozen=True)
class Failure:
    """A point that could not be computed: why, and the end of the log."""

    key: str
    created: float
    message: str
    log: str


class ResultStore:
    """Dictionaries by key, kept in ``results.sqlite`` below the cache folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_dir() / "results.sqlite"

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction.

        A connection for each call costs about a millisecond, next to nothing beside a synthesis,
        and lets worker processes share the store without care.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            connection = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_S)
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
                connection.executescript(_SCHEMA)
                with connection:
                    yield connection
            finally:
                connection.close()
        except sqlite3.DatabaseError as error:
            raise RequestError(
                f"the result store {self.path} cannot be used ({error}); delete it to start afresh"
            ) from None

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the result stored under a key, or None."""
        with self._connection() as connection:
            row = connection.execute("SELECT payload FROM results WHERE key = ?", (key,)).fetchone()
        return dict(json.loads(row[0])) if row else None

    def put(self, key: str, result: dict[str, Any]) -> None:
        """Store a result; when the call returns, it survives whatever happens to the process."""
        payload = json.dumps(result, sort_keys=True)
        with self._connection() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, time.time(), payload)
            )
            connection.execute("DELETE FROM failures WHERE key = ?", (key,))

    def put_failure(self, key: str, message: str, log: str) -> None:
        """Record that a point failed, with the end of its log; a later `put` removes the record."""
        with self._connection() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?)",
                (key, time.time(), message, log[-_LOG_TAIL:]),
            )

    def get_failure(self, key: str) -> Failure | None:
        """Return the failure recorded under a key, or None."""
        with self._connection() as connection:
            row = connection.execute(
                "SELECT key, created, message, log FROM failures WHERE key = ?", (key,)
            ).fetchone()
        return Failure(*row) if row else None

    def failures(self) -> list[Failure]:
        """Return the recorded failures, newest first."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT key, created, message, log FROM failures ORDER BY created DESC"
            ).fetchall()
        return [Failure(*row) for row in rows]
