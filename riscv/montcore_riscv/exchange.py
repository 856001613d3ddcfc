# SPDX-License-Identifier: Apache-2.0
"""Gives calls of routines to a program that runs them, and reads its answers."""

import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import Queue

from montcore.support.errors import CheckFailedError
from montcore.support.processes import release, start
from montcore_riscv.calls import Call


def exchange(
    name: str,
    command: Sequence[str],
    calls: Iterable[Call],
    encode: Callable[[Call], bytes],
    *,
    head: int,
    seconds: float,
    begin: bytes = b"",
) -> Iterator[tuple[Call, bytes]]:
    """Run a program and yield each call with its answer, in order.

    Args:
        name: what runs the calls, for messages.
        command: the program, which reads calls from stdin and answers on stdout.
        calls: may be a generator; it is consumed by another thread.
        encode: returns a call as the program reads it.
        head: bytes of an answer before the call's output.
        seconds: time limit for all calls together.
        begin: what the program reads before the calls.

    Raises:
        CheckFailedError: the program ended without an answer.
    """
    pipe = subprocess.PIPE
    process = start(command, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin and process.stdout and process.stderr
    stdin = process.stdin
    asked: Queue[Call | BaseException | None] = Queue()

    def feed() -> None:
        end: BaseException | None = None
        try:
            with stdin:
                stdin.write(begin)
                for call in calls:
                    asked.put(call)
                    stdin.write(encode(call))
        except BrokenPipeError:
            pass  # it crashed; the reader reports this
        except BaseException as error:  # of the caller's generator
            end = error
        finally:
            asked.put(end)

    feeder = threading.Thread(target=feed, daemon=True)
    watchdog = threading.Timer(seconds, process.kill)
    feeder.start()
    watchdog.start()
    try:
        while (call := asked.get()) is not None:
            if isinstance(call, BaseException):
                raise call
            answer = process.stdout.read(head + call.out_bytes)
            if len(answer) != head + call.out_bytes:
                status = process.wait()
                said = process.stderr.read().decode(errors="replace").strip()
                why = said or f"exit status {status}"
                raise CheckFailedError(f"{name}: {call.function} crashed: {why}")
            yield call, answer
    finally:
        watchdog.cancel()
        release(process)
        process.stdout.close()
        process.stderr.close()
        feeder.join(5)
