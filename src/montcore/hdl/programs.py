# SPDX-License-Identifier: Apache-2.0
"""The programs and packages that read the sources."""

import importlib.util
import shutil
import sys
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.needed import SETUP, missing_package


class MissingToolError(RequestError):
    """A program or a package is not installed."""


def find_program(name: str) -> str:
    """Return a program of this environment or of the system."""
    beside = Path(sys.executable).parent / name
    program = str(beside) if beside.exists() else shutil.which(name)
    if program is None:
        raise MissingToolError(f"the program '{name}' is missing; `{SETUP}` installs it")
    return program


def package_folder(package: str) -> Path:
    """Return the folder of an installed Python package."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingToolError(missing_package(package))
    return Path(spec.submodule_search_locations[0])
