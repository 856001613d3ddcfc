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
from multiprocessing import get_context

from montcore.support import waiting

_PR_SET_PDEATHSIG = 1
#: Time for a worker to stop its tools, in seconds.
_GRACE_S = 3.0


@contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Yield worker processes; they end with the block, even if it ends early."""
    # By default, from Python 3.14 on, workers are children of a server and would outlive us.
    fork = get_context("fork")
    pool = ProcessPoolExecutor(workers, mp_context=fork, initializer=_end_with_parent)
    try:
        yield pool
    except BaseException:
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _end_with_parent() -> None:
    """Let only the parent receive Ctrl-C, and handle its `terminate` as an orderly end."""
    waiting.switch_off()  # the parent shows the waits
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    # A killed parent cannot terminate its workers: the operating system does it.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(*_: object) -> None:
    # The pool treats any exception of a task, even SystemExit, as its result, and waits for the
    # next.
    last = threading.Timer(_GRACE_S, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)
