# SPDX-License-Identifier: Apache-2.0
"""The files of the repository, and another cache for a while."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from montcore.support.paths import REPO_ROOT

# Folders that are not sources, in a checkout without git (an unpacked archive has no .git).
_NOT_SOURCES = {"build", "out", "sim_build", "__pycache__"}
#: Hidden folders that belong to the repository.
_HIDDEN = {".ci", ".github", ".devcontainer"}


@cache
def repository_files() -> tuple[Path, ...]:
    """Return every file of the repository, sorted, including new files but not ignored ones."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=REPO_ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        found = [REPO_ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = list(_walk(REPO_ROOT))
    return tuple(sorted({path for path in found if path.is_file()}))


def _walk(folder: Path) -> list[Path]:
    """Return the files below a folder, except in hidden folders and build folders."""
    found: list[Path] = []
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            if entry.name.startswith(".") and entry.name not in _HIDDEN:
                continue
            if entry.name not in _NOT_SOURCES and not entry.name.endswith(".egg-info"):
                found += _walk(Path(entry.path))
        else:
            found.append(Path(entry.path))
    return found


def with_suffix(*suffixes: str) -> list[Path]:
    """Return the files of the repository that end in one of the suffixes."""
    return [path for path in repository_files() if path.suffix in suffixes]


def systemverilog_files() -> list[Path]:
    """Return every SystemVerilog file: designs, proofs and test benches."""
    return with_suffix(".sv", ".svh")


def rtl_files() -> list[Path]:
    """Return the synthesisable SystemVerilog files: those in folders `rtl` of hw and riscv."""
    found = ((path, path.relative_to(REPO_ROOT).parts) for path in systemverilog_files())
    return [path for path, parts in found if parts[0] in ("hw", "riscv") and "rtl" in parts[1:-1]]


def name(path: Path) -> str:
    """Return a path relative to the checkout, as text."""
    return str(path.relative_to(REPO_ROOT))


@contextmanager
def cache_in(folder: Path) -> Iterator[None]:
    """Use another folder as `cache_dir` for the duration of the block."""
    before = os.environ.get("MONTCORE_CACHE")
    os.environ["MONTCORE_CACHE"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["MONTCORE_CACHE"]
        else:
            os.environ["MONTCORE_CACHE"] = before
