# SPDX-License-Identifier: Apache-2.0
"""Programs that tests start, and the processes that these leave."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

#: Compilers that take the drivers' C without a warning.
COMPILERS = (
    ("gcc", "-std=c99", "-O2", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow"),
    ("g++", "-x", "c++", "-Wall", "-Wextra"),
    ("riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-ffreestanding", "-Wall"),
)


def program(
    *words: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    text: str = "",
) -> "subprocess.CompletedProcess[str]":
    """Run a program with a text as its input, and return its status and what it printed.

    It has the time that pytest gives the test.
    """
    return subprocess.run(
        words, cwd=cwd, env=env, input=text, capture_output=True, text=True, check=False
    )


def output_of(
    *words: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    text: str = "",
) -> str:
    """Return the standard output of a program that succeeds."""
    done = program(*words, cwd=cwd, env=env, text=text)
    assert done.returncode == 0, f"{words}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def check_stack(search: Path) -> None:
    """Check that a program with driver/stack_search.h finds only what was left on purpose.

    A part of an address equals a word of a number by chance now and then, but not in two runs.
    """
    done = program(search)
    if done.returncode == 1:
        done = program(search)
    assert done.returncode == 0, f"{done.returncode}: {done.stdout}"
    assert done.stdout.splitlines()[-1] == "the search finds what was left on purpose"


def write_script(path: Path, body: str) -> Path:
    """Make a program of a few lines for the shell, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # A fake program must never be written through a link to the real one.
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def wait_until(condition: Callable[[], object], seconds: float = 60) -> bool:
    """Return whether a condition comes true within a time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def number_in(file: Path) -> int:
    """Return the number that another process writes to a file."""
    assert wait_until(lambda: file.exists() and file.read_text().strip()), f"{file} is not written"
    return int(file.read_text())


def runs(process: int) -> bool:
    """Return whether a process exists; a zombie has ended, though its parent is slow to reap it."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def survivors(processes: Collection[int]) -> list[int]:
    """Return those processes that do not end within some time, and kill them."""
    wait_until(lambda: not any(map(runs, processes)), 20)
    left = [process for process in processes if runs(process)]
    for process in left:
        os.kill(process, signal.SIGKILL)
    return left
