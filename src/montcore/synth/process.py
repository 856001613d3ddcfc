# SPDX-License-Identifier: Apache-2.0
"""Run one external tool: in its own process group, logged, with a time limit.

Yosys starts ABC through a shell; killing only Yosys leaves ABC spinning. Every tool therefore runs
as the leader of a new session, and whatever ends the wait (time limit, Ctrl-C, an exception) kills
the whole group.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from montcore.errors import CheckFailedError


class ToolError(CheckFailedError):
    """A tool failed; the message names the tool, the reason and the log."""


class ToolTimeoutError(ToolError):
    """A tool did not end within its time limit and was killed with all its children."""


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill the process group led by `process` and reap the leader."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run_tool(
    argv: Sequence[str],
    *,
    cwd: Path,
    log: Path,
    timeout: float,
    extra_env: Mapping[str, str] | None = None,
) -> float:
    """Run a tool to its end and return the wall time in seconds.

    Args:
        argv: program and arguments.
        cwd: working directory; temporary files of the tool go there too.
        log: file that receives standard output and standard error.
        timeout: limit in seconds.
        extra_env: additions to the environment.

    Raises:
        ToolError: the exit status was not 0.
        ToolTimeoutError: the time limit was reached; nothing of the tool is left running.
    """
    env = {**os.environ, "TMPDIR": str(cwd), **(extra_env or {})}
    name = Path(argv[0]).name if "-m" not in argv else argv[argv.index("-m") + 1]
    start = time.monotonic()
    with log.open("wb") as stream:
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            _kill_group(process)
            raise ToolTimeoutError(
                f"{name} did not end within {timeout:g} s and was stopped; its log is {log}"
            ) from None
        except BaseException:
            _kill_group(process)
            raise
    if status != 0:
        # A leader that dies by itself may leave children, for example ABC.
        _kill_group(process)
        raise ToolError(
            f"{name} ended with status {status}: {last_error_line(log)}; its log is {log}"
        )
    return time.monotonic() - start


def last_error_line(log: Path) -> str:
    """Return the line of a log that says most about a failure."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    for line in lines:
        if "ERROR" in line or "error:" in line or line.startswith("Error"):
            return line
    return lines[-1] if lines else "no output"
