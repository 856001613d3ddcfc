# SPDX-License-Identifier: Apache-2.0
"""Paths and versions of OpenSTA and the cell library."""

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.installing import tool_remedy

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
            f"`{tool_remedy('qflow-tech-osu018')}` installs it"
        )
    return path


def lef_path() -> Path:
    """Return the LEF file of the osu018 cells, next to the liberty file."""
    return liberty_path().with_suffix(".lef")


def liberty_version() -> str:
    """Return the first digits of the library's SHA-256.

    Raises:
        RequestError: the cell library is not installed.
    """
    return hashlib.sha256(liberty_path().read_bytes()).hexdigest()[:12]


def sta_program() -> str:
    """Return the OpenSTA program.

    Raises:
        RequestError: it is not installed.
    """
    program = shutil.which("sta")
    if program is None:
        raise RequestError(
            "the timing analyser OpenSTA is missing (no program 'sta'); "
            f"`{tool_remedy('opensta')}` installs it"
        )
    return program


@cache
def sta_version() -> str:
    """Return the version that OpenSTA prints.

    Raises:
        CheckFailedError: it prints none.
    """
    done = subprocess.run(
        [sta_program(), "-version"], capture_output=True, text=True, timeout=30, check=False
    )
    said = (done.stdout or done.stderr).split()
    if done.returncode or not said:
        raise CheckFailedError(f"{sta_program()} -version ended with status {done.returncode}")
    return said[0]
