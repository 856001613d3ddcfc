# SPDX-License-Identifier: Apache-2.0
"""The file lists of the .core files, from the registry; ``montcore maintain fusesoc``."""

import os
import re
from pathlib import Path

from montcore.cores import all_cores
from montcore.cores.core import AnyCore

_FILES = re.compile(r"(?:^      - \S+\.sv\n)+", re.M)


def core_file(core: AnyCore) -> Path:
    """Return the path of a core's FuseSoC file."""
    return core.folder / f"{core.name}.core"


def refreshed(core: AnyCore) -> str:
    """Return a core's FuseSoC file with the list of its sources in compile order."""
    path = core_file(core)
    names = [os.path.relpath(source, path.parent) for source in core.sources()]
    listed = "".join(f"      - {name}\n" for name in names)
    return _FILES.sub(listed, path.read_text(encoding="utf-8"))


def outdated() -> list[AnyCore]:
    """Return the cores whose file lists differ from the registry's."""
    return [
        core
        for core in all_cores().values()
        if refreshed(core) != core_file(core).read_text(encoding="utf-8")
    ]


def refresh() -> list[Path]:
    """Rewrite the lists that are out of date; return the files written."""
    found = outdated()
    for core in found:
        core_file(core).write_text(refreshed(core), encoding="utf-8")
    return [core_file(core) for core in found]
