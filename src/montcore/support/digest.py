# SPDX-License-Identifier: Apache-2.0
"""The digest that tells whether a figure still belongs to the files it was measured on."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

_COMMENT = re.compile(r"//.*$", re.MULTILINE)


def digest(about: Iterable[str], files: Iterable[Path] = ()) -> str:
    """Return a hash of texts and of files by name and content, excluding comments and white space.

    No tool runs: a digest takes milliseconds and needs nothing installed.
    """
    found = hashlib.sha256("\0".join(about).encode())
    for path in files:
        code = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        found.update(path.name.encode() + "".join(code.split()).encode())
    return found.hexdigest()[:16]
