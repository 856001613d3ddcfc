# SPDX-License-Identifier: Apache-2.0
"""The cache of compiled programs: entries are complete or absent, even after interruptions.

A build runs in a separate folder, which is renamed when it is complete. A lock lets other processes
wait for it. A program damaged later is detected by its digest and built again.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from montcore.support import waiting
from montcore.support.errors import check_space, storage
from montcore.support.files import locked
from montcore.support.paths import cache_dir


def cached_program(name: str, key: str, make: Callable[[Path], None]) -> Path:
    """Return the simulator for a name and key, from the cache or built.

    Args:
        make: builds the file ``simulator`` in the given folder.
    """
    folder = cache_dir() / "sim"
    home = folder / f"{name}-{key}"
    executable = home / "simulator"
    if whole(executable):
        return executable
    with locked(folder / f"{name}-{key}.lock"), storage(folder):
        if whole(executable):
            return executable
        # Left by builds that were killed. Processes of theirs that still run write only there,
        # because each build has its own folder.
        for left in folder.glob(f"{name}-{key}.*.tmp"):
            shutil.rmtree(left, ignore_errors=True)
        shutil.rmtree(home, ignore_errors=True)
        work = Path(tempfile.mkdtemp(prefix=f"{name}-{key}.", suffix=".tmp", dir=folder))
        try:
            with waiting.waiting(f"compiling the simulator of {name}, once"):
                try:
                    make(work)
                except Exception:
                    check_space(work)
                    raise
            seal(work / executable.name)
            work.chmod(0o755)  # mkdtemp creates it with mode 0700
            work.rename(home)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return executable


def digest_file(path: Path) -> Path:
    """Return the file with the digest of a finished file."""
    return path.with_name(f"{path.name}.sha256")


def seal(path: Path) -> None:
    """Write the digest of a finished file next to it."""
    digest_file(path).write_text(_digest(path, path.stat().st_mtime_ns), encoding="ascii")


@cache
def _digest(path: Path, written: int) -> str:
    """Return the digest of a file; `written` invalidates the memoised value if the file changes."""
    del written
    return hashlib.sha256(path.read_bytes()).hexdigest()


def whole(path: Path) -> bool:
    """Tell whether a cached file exists and is undamaged."""
    try:
        sealed = digest_file(path).read_text(encoding="ascii")
        return sealed == _digest(path, path.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError):
        return False
