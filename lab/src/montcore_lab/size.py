# SPDX-License-Identifier: Apache-2.0
"""Lines of text in the repository by room and kind, ``montcore maintain size``."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT

#: Kinds by suffix; all others are "other".
KINDS = {
    **dict.fromkeys((".py",), "Python"),
    **dict.fromkeys((".sv", ".svh", ".v", ".rdl", ".vlt"), "RTL"),
    **dict.fromkeys((".c", ".h", ".cpp", ".hpp", ".S", ".inc", ".ld", ".scala"), "C, assembly"),
    **dict.fromkeys((".md",), "pages"),
    **dict.fromkeys((".json", ".txt", ".html", ".ini"), "data"),
}
#: Folders with more than one room, and the depth of a room's path in them.
DEPTHS = {"src": 3, "lab": 4, "hw": 2, "sw": 2, "tests": 2}


@dataclass(frozen=True)
class Size:
    """The size of a part of the repository.

    Attributes:
        room: path of a room.
        files: its files of text.
        lines: their lines by kind.
    """

    room: str
    files: int
    lines: Counter[str]


def room_of(path: str) -> str:
    """Return the room of a file: a folder, or `.` for the files of the checkout's top."""
    folders = PurePosixPath(path).parts[:-1]
    return "/".join(folders[: DEPTHS.get(folders[0], 1)]) if folders else "."


def sizes(commit: str | None = None, top: Path = REPO_ROOT) -> list[Size]:
    """Return the size of each room of a checkout, of its working tree or of a commit."""
    command = ["git", "grep", "-Icz", "", *([commit] if commit else []), "--"]
    done = subprocess.run(command, cwd=top, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RequestError(f"git cannot count lines: {done.stderr.strip() or 'no files'}")
    files: Counter[str] = Counter()
    lines: dict[str, Counter[str]] = {}
    for name, count in re.findall(r"([^\0\n]+)\0(\d+)\n", done.stdout):
        path = name.removeprefix(f"{commit}:") if commit else name
        room, kind = room_of(path), KINDS.get(PurePosixPath(path).suffix, "other")
        files[room] += 1
        lines.setdefault(room, Counter())[kind] += int(count)
    return [Size(room, files[room], lines[room]) for room in sorted(lines)]
