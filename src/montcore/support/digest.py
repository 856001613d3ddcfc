# SPDX-License-Identifier: Apache-2.0
"""The digest that tells whether a figure still belongs to the files it was measured on."""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

_COMMENT = re.compile(r"//.*$", re.MULTILINE)


def digest(about: Iterable[str], files: Iterable[Path] = ()) -> str:
    """Return a hash of texts and of files by name and content, excluding comments and white space.

    No tool runs: a digest takes milliseconds and needs nothing installed.
    """
    found = hashlib.sha256("\0".join(about).encode())
    for path in files:
        found.update(path.name.encode() + _code(path, path.stat().st_mtime_ns))
    return found.hexdigest()[:16]


@cache
def _code(path: Path, _changed: int) -> bytes:
    """Return a file's code; a page asks for the same files hundreds of times."""
    return "".join(_COMMENT.sub("", path.read_text(encoding="utf-8")).split()).encode()


def content_key(parts: dict[str, Any], sources: tuple[Path, ...]) -> str:
    """Return a key from plain values and the contents of files (their names do not count)."""
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode())
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:24]


_TOKEN = re.compile(
    r'(?P<string>"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<comment>#[^\n]*)"
)
_IMPORT = re.compile(r"^ *(?:from [\w.]+ )?import (?:\([^)]*\)|[^\n]*)\n", re.MULTILINE)


def code_of(text: str) -> str:
    """Return a Python source without comments, docstrings, imports and empty lines.

    It tells whether the code changed, on every version of Python alike: syntax trees differ.
    """
    kept, end = "", 0
    for found in _TOKEN.finditer(text):
        kept += text[end : found.start()]
        end = found.end()
        # A docstring begins a line behind a colon, or the file.
        begins = not kept.rpartition("\n")[2].strip() and kept.rstrip()[-1:] in ("", ":")
        documents = begins and found[0].startswith('"""')
        if found["string"] and not documents:
            kept += found[0]
    kept = _IMPORT.sub("", kept + text[end:])
    return "\n".join(line.rstrip() for line in kept.splitlines() if line.strip())
