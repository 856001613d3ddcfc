# SPDX-License-Identifier: Apache-2.0
"""Where the external tools and the cell library are, and which versions they have."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from montcore.support.errors import RequestError

_LIBERTY_DIR = Path("/usr/share/qflow/tech/osu018")


def liberty_path() -> Path:
    """Return the osu018 liberty file; ``MONTCORE_OSU018`` may name another folder.

    Raises:
        RequestError: the cell library is not installed.
    """
    folder = Path(os.environ.get("MONTCORE_OSU018", _LIBERTY_DIR))
    path = folder / "osu018_stdcells.lib"
    if not path.is_file():
        raise RequestError(
            f"the osu018 cell library is missing ({path} does not exist); "
            "`make setup` installs it (Debian package qflow-tech-osu018)"
        )
    return path


def sta_program() -> str:
    """Return the OpenSTA program.

    Raises:
        RequestError: it is not installed.
    """
    program = shutil.which("sta")
    if program is None:
        raise RequestError(
            "the timing analyser OpenSTA is missing (no program 'sta'); "
            "`make setup` installs it (Debian package opensta)"
        )
    return program


def script_program(name: str) -> str:
    """Return a program that a Python package of this environment installed.

    Raises:
        RequestError: it is not there.
    """
    beside = Path(sys.executable).parent / name
    program = str(beside) if beside.exists() else shutil.which(name)
    if program is None:
        raise RequestError(f"the program '{name}' is missing; `make setup` installs it")
    return program


def package_version(package: str) -> str:
    """Return the version of an installed Python package.

    Raises:
        RequestError: it is not installed.
    """
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise RequestError(
            f"the Python package '{package}' is missing; `make setup` installs it"
        ) from None


@cache
def sta_version() -> str:
    """Return the version that OpenSTA prints."""
    done = subprocess.run(
        [sta_program(), "-version"], capture_output=True, text=True, timeout=30, check=False
    )
    return (done.stdout or done.stderr).strip().splitlines()[0]
