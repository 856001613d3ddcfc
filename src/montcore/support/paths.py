# SPDX-License-Identifier: Apache-2.0
"""Where the parts of a montcore checkout and its caches are."""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

#: The checkout that this package was imported from (the folder that holds hw/ and src/).
REPO_ROOT = Path(__file__).resolve().parents[3]

#: The hardware sources.
HW_DIR = REPO_ROOT / "hw"

#: Prefix of every module and package name in hw/, so that none collides with another in a SoC.
PREFIX = "montcore_"


@cache
def _rtl_by_name() -> dict[str, Path]:
    """Return the files in the rtl folders below hw/ by name; no two have the same name."""
    return {path.stem: path for path in HW_DIR.glob("**/rtl/*.sv")}


def module_files(names: Iterable[str]) -> list[Path]:
    """Return the files of modules of hw/, wherever they are; `names` come without the prefix."""
    return [_rtl_by_name()[PREFIX + name] for name in names]


#: The test vectors; MONTCORE_VECTORS names another folder of the same sets.
VECTORS_DIR = Path(os.environ.get("MONTCORE_VECTORS") or REPO_ROOT / "vectors")


def cache_dir() -> Path:
    """Return the folder of compiled simulators and stored results (it may not exist yet).

    The environment variable MONTCORE_CACHE moves it; it is read at each call so that a test can
    work in a cache of its own.
    """
    return Path(os.environ.get("MONTCORE_CACHE") or REPO_ROOT / ".cache").resolve()
