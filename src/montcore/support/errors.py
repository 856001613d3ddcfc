# SPDX-License-Identifier: Apache-2.0
"""Failures of a montcore command, and the exit statuses.

Whatever reads what a user gave (an option, a file, a name) raises `RequestError`; whatever runs a
program or compares results raises `CheckFailedError`, of which `ToolError` is the synthesis tools'.
Docstrings of the public interface (docs/site/api.md) say which, others only what differs from this.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from montcore.support.paths import cache_dir


class RequestError(Exception):
    """The request was invalid (exit status 2); the message is one readable sentence."""


class CheckFailedError(Exception):
    """A check failed (exit status 1): a wrong product, a tool that crashed, a bound not met."""


class TransientError(CheckFailedError):
    """A failure that may not recur: a killed tool, no memory, no space, a time limit."""


#: Messages of tools if the machine, not their input, is the cause.
_TRANSIENT_WORDS = (
    "No space left on device",
    "Disk quota exceeded",
    "File too large",
    "disk is full",
    "Cannot allocate memory",
    "std::bad_alloc",
    "out of memory",
    "Out of memory",
    "virtual memory exhausted",
    "Killed signal terminated program",
    "Resource temporarily unavailable",
    "Too many open files",
    "Input/output error",
    "MemoryError",
)
#: A disk with less space than this counts as full.
_LEAST_BYTES = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_MACHINE = (*_FULL, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.EIO)


def is_transient(status: int, said: str) -> bool:
    """Tell whether a tool's failure may not recur.

    Args:
        status: its exit status; negative after a signal, as `subprocess` gives it.
        said: its output.
    """
    # A shell adds 128 to the signal that ended its child. No signal is left out: a crash may come
    # from a lack of memory as well.
    return status < 0 or status > 128 or any(words in said for words in _TRANSIENT_WORDS)


def storage_error(error: OSError, folder: Path) -> RequestError | CheckFailedError:
    """Return the exception for an operating-system error below a folder."""
    if error.errno in _FULL:
        return TransientError(
            f"no space is left in {folder}; what was finished is kept, and the same command resumes"
        )
    words = os.strerror(error.errno) if error.errno else str(error)
    if error.errno in _FORBIDDEN and Path(error.filename or folder).is_relative_to(cache_dir()):
        words += "; set MONTCORE_CACHE to a folder of yours"
    kind = TransientError if error.errno in _MACHINE else RequestError
    return kind(f"{error.filename or folder} cannot be used: {words}")


def has_room(folder: Path) -> bool:
    """Tell whether the disk of a folder has room; assume so if it cannot be queried."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return True
    return found.f_bavail * found.f_frsize >= _LEAST_BYTES


def check_space(folder: Path) -> None:
    """Check after a failure below a folder that its disk is not the cause.

    Tools such as Verilator do not check whether their files could be written; later steps then
    fail with unrelated messages.

    Raises:
        TransientError: the disk is full.
    """
    if not has_room(folder):
        raise storage_error(OSError(errno.ENOSPC, ""), folder)


@contextlib.contextmanager
def storage(folder: Path) -> Iterator[None]:
    """Convert operating-system errors in a block that uses a folder to montcore's exceptions.

    Raises:
        TransientError: no space or memory is left.
        RequestError: the folder cannot be written or read.
    """
    try:
        yield
    except OSError as error:
        raise storage_error(error, folder) from None
