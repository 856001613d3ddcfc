# SPDX-License-Identifier: Apache-2.0
"""Paths of the hardware, the vectors and the caches, in a checkout and in an installed package."""

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def in_checkout() -> bool:
    """Tell whether the package is imported from a checkout, not from a wheel."""
    return not (_PACKAGE / "checkout").is_dir()


#: The checkout that this package was imported from (the folder with hw/ and src/), or its
#: equivalent in a wheel: hw, sw, vectors and other files that the tool reads.
REPO_ROOT = _PACKAGE.parents[1] if in_checkout() else _PACKAGE / "checkout"

#: The hardware; MONTCORE_HW names another folder of the same files.
HW_DIR = Path(os.environ.get("MONTCORE_HW") or REPO_ROOT / "hw")

#: Prefix of every module and package name in hw/, to avoid name clashes in a SoC.
PREFIX = "montcore_"


@cache
def _rtl_by_name() -> dict[str, Path]:
    """Return the files in the rtl folders below hw/ by name; no two have the same name."""
    return {path.stem: path for path in HW_DIR.glob("**/rtl/*.sv")}


def module_files(names: Iterable[str]) -> list[Path]:
    """Return the files of modules of hw/, in any folder; `names` are without the prefix."""
    return [_rtl_by_name()[PREFIX + name] for name in names]


#: The test vectors; MONTCORE_VECTORS names another folder of the same sets.
VECTORS_DIR = Path(os.environ.get("MONTCORE_VECTORS") or REPO_ROOT / "vectors")


def cache_dir() -> Path:
    """Return the folder of compiled simulators and stored results (it may not exist yet).

    It is `.cache` of a checkout, otherwise the user's cache folder. The environment variable
    MONTCORE_CACHE moves it; it is read at each call so that a test can use its own cache.
    """
    chosen = os.environ.get("MONTCORE_CACHE")
    if chosen:
        return Path(chosen).resolve()
    if in_checkout():
        return REPO_ROOT / ".cache"
    import platformdirs  # not in a checkout: `make doctor` runs before any package is installed

    return platformdirs.user_cache_path("montcore")


_OSU018 = Path("share/qflow/tech/osu018")


def osu018_dir() -> Path:
    """Return the folder of the cells of osu018: of Debian's package, or where set-up puts them.

    MONTCORE_OSU018 names another one.
    """
    chosen = os.environ.get("MONTCORE_OSU018")
    if chosen:
        return Path(chosen)
    system, own = Path("/usr") / _OSU018, Path(sys.prefix) / _OSU018
    return own if own.is_dir() and not system.is_dir() else system
