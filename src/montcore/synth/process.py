# SPDX-License-Identifier: Apache-2.0
"""Run one external tool: in its own process group, logged, with a time limit.

Yosys starts ABC through a shell; killing only Yosys leaves ABC spinning. Every tool therefore runs
as the leader of a new session, and anything that ends the wait (time limit, Ctrl-C, an exception)
kills the whole group.
"""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from montcore.support.errors import CheckFailedError, TransientError, is_transient
from montcore.support.processes import running


class ToolError(CheckFailedError):
    """A tool failed; the message names the tool, the reason and the log."""


class TransientToolError(ToolError, TransientError):
    """A tool was killed, or ran out of memory or disk space: it may succeed if run again."""


class ToolTimeoutError(TransientToolError):
    """A tool exceeded its time limit and was killed with all its children."""


def run_tool(
    argv: Sequence[str],
    *,
    cwd: Path,
    log: Path,
    timeout: float,
    extra_env: Mapping[str, str] | None = None,
    last: str = "",
) -> None:
    """Run a tool to its end.

    Args:
        cwd: working directory; temporary files of the tool go there too.
        log: file that receives standard output and standard error.
        timeout: limit in seconds.
        last: words at the end of a complete log; tools end with status 0 even if their output
            could not be written.

    Raises:
        ToolError: the exit status was not 0.
        TransientToolError: it was killed, or ran out of memory or disk space, or its log is cut
            off.
        ToolTimeoutError: the time limit was reached; none of the tool's processes is left running.
    """
    env = {**os.environ, "TMPDIR": str(cwd), **(extra_env or {})}
    name = Path(argv[0]).name if "-m" not in argv else argv[argv.index("-m") + 1]
    with log.open("wb") as stream:
        options = {"cwd": cwd, "env": env, "stdin": subprocess.DEVNULL, "stdout": stream}
        with running(argv, stderr=subprocess.STDOUT, **options) as process:
            try:
                status = process.wait(timeout=timeout)
            except subprocess.TimeoutExpired:
                raise ToolTimeoutError(
                    f"{name} did not end within {timeout:g} s and was stopped; its log is {log}"
                ) from None
    if status != 0:
        kind = TransientToolError if is_transient(status, _tail(log)) else ToolError
        raise kind(f"{name} ended with status {status}: {last_error_line(log)}; its log is {log}")
    if last not in _tail(log):
        raise TransientToolError(f"the output of {name} is cut off; its log is {log}")


def read_json(path: Path) -> Any:
    """Return what a tool wrote to a file.

    Raises:
        TransientToolError: the file is missing or incomplete.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        raise TransientToolError(f"the file {path} was not written, or only in part") from None


def _tail(log: Path, size: int = 100_000) -> str:
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - size))
        return stream.read().decode(errors="replace")


def last_error_line(log: Path) -> str:
    """Return the most informative line of a log about a failure."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    for line in lines:
        if any(mark in line for mark in ("ERROR", "error:", "%Fatal:")) or line.startswith("Error"):
            return line
    return lines[-1] if lines else "no output"
