# SPDX-License-Identifier: Apache-2.0
"""Worker processes that never outlive the process that started them."""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

from montcore.support import waiting

_PR_SET_PDEATHSIG = 1
#: Time that a worker has to stop the tools that it runs.
_GRACE_S = 3.0


@contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Yield worker processes; whatever ends the block early ends them too."""
    pool = ProcessPoolExecutor(workers, initializer=_end_with_parent)
    try:
        yield pool
    except BaseException:
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _end_with_parent() -> None:
    """Let Ctrl-C reach the parent alone, and turn its `terminate` into an orderly end."""
    waiting.switch_off()  # the parent shows what is waited for
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    # A killed parent cannot terminate its workers: the operating system does it.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(*_: object) -> None:
    # The pool takes what ends a task for its result, SystemExit too, and waits for the next task.
    last = threading.Timer(_GRACE_S, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)
