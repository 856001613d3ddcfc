# SPDX-License-Identifier: Apache-2.0
"""Files that are complete, or as they were before; locks between processes."""

import fcntl
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from montcore.support import waiting
from montcore.support.errors import storage, storage_error
from montcore.support.paths import PREFIX, cache_dir


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a kill, a crash or a full disk leaves the old content.

    Raises:
        TransientError: no space is left.
        RequestError: the file cannot be written.
    """
    path = path.resolve()  # the target of a link is replaced, not the link
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a device or a pipe is not replaced
            path.write_text(text, encoding="utf-8")
            return
        try:
            with partial.open("w", encoding="utf-8", newline="") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        error.filename = str(path)
        raise storage_error(error, path.parent) from None


def generated_file(module: str, text: str, prefix: str = PREFIX) -> Path:
    """Return a file of the cache with a generated module; its name comes without the prefix."""
    # The file has the module's name, as Verilator asks for, and a folder of its own.
    folder = cache_dir() / "generated" / hashlib.sha256(text.encode()).hexdigest()[:16]
    path = folder / f"{prefix}{module}.sv"
    with storage(folder):
        if not path.is_file() or path.read_bytes() != text.encode():
            write_whole(path, text)
    return path


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
