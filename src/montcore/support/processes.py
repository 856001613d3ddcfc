# SPDX-License-Identifier: Apache-2.0
"""External programs that never outlive the process that started them.

Each runs as the leader of its own process group, and anything that ends the wait kills the group. A
process that is itself killed (SIGKILL) cannot do that: a small watcher process holds the other end
of a pipe to it, detects its end, and kills the remaining groups.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

_WATCHER = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    group = int(line[1:])
    groups.add(group) if line[0] == "+" else groups.discard(group)
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class _Watcher:
    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> "subprocess.Popen[bytes]":
        """Return the watcher, started if there is none yet."""
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", _WATCHER],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C must not reach it
                    cwd="/",
                )
            return self._process

    def tell(self, sign: str, group: int) -> None:
        with self._lock:
            stdin = self.begin().stdin
            assert stdin is not None
            try:
                stdin.write(f"{sign}{group}\n".encode())
                stdin.flush()
            except BrokenPipeError:  # it was killed; the next call starts a new one
                self._process = None

    def forget(self) -> None:
        """Detach from the watcher in a forked process, since it belongs to the parent."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()  # nothing is buffered
            # This process neither writes to the watcher nor waits for it.
            self._process.returncode = 0
            self._process.stdin = None
        self._lock = threading.RLock()
        self._process = None


_watcher = _Watcher()
os.register_at_fork(after_in_child=_watcher.forget)


def kill_group(process: "subprocess.Popen[Any]") -> None:
    """Kill the group that a process leads, and reap the leader."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Defer signals whose handlers may raise an exception to the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers run only in the main thread
        return
    arrived: list[int] = []
    # An ignored signal remains ignored: the program inherits that.
    usual = {
        number: handler
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
        if callable(handler := signal.getsignal(number))
    }
    for number in usual:
        signal.signal(number, lambda received, _: arrived.append(received))
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for received in arrived:
            signal.raise_signal(received)


def start(argv: Sequence[str], **options: Any) -> "subprocess.Popen[Any]":
    """Start a program as the leader of a group that ends with this process; see `release`."""
    _watcher.begin()  # first, since this takes a while, in which the program would not be watched
    process = None
    try:
        # An exception between these lines would leave an unwatched program.
        with _signals_wait():
            process = subprocess.Popen(list(argv), start_new_session=True, **options)
            _watcher.tell("+", process.pid)
    except BaseException:
        if process is not None:
            release(process)
        raise
    return process


def release(process: "subprocess.Popen[Any]") -> None:
    """Kill the remaining processes of a program from `start`, and stop watching it."""
    if process.poll() is None or process.returncode != 0:
        # A leader that ends on its own may leave children, for example ABC.
        kill_group(process)
    _watcher.tell("-", process.pid)


@contextlib.contextmanager
def running(argv: Sequence[str], **options: Any) -> "Iterator[subprocess.Popen[Any]]":
    """Run a program for the duration of the block; none of its processes is left afterwards."""
    process = start(argv, **options)
    try:
        yield process
    finally:
        release(process)
