# SPDX-License-Identifier: Apache-2.0
"""Worker processes that never outlive the process that started them."""

import ctypes
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

_PR_SET_PDEATHSIG = 1


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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # A parent that is killed cannot terminate anybody: the system does it.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
