# SPDX-License-Identifier: Apache-2.0
"""Where the tools of Python packages are, and which versions they have."""

import importlib.metadata
import shutil
import sys
from pathlib import Path

from montcore.support.errors import RequestError


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
