# SPDX-License-Identifier: Apache-2.0
"""Locks between processes."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from montcore.support import waiting
from montcore.support.errors import storage


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file; the system releases it even if the process is killed."""
    with storage(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with waiting.waiting("waiting for another process that makes the same"):
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
