# SPDX-License-Identifier: Apache-2.0
"""The file lists of the .core files, kept as the registry has them."""

import os
import re
import sys
from pathlib import Path

from montcore.cores import all_cores
from montcore.cores.core import AnyCore
from montcore.support.paths import HW_DIR

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


def main() -> int:
    """Rewrite the lists that are not as they should be; return the exit status."""
    for core in all_cores().values():
        path, text = core_file(core), refreshed(core)
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(HW_DIR.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
