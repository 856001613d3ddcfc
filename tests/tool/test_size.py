# SPDX-License-Identifier: Apache-2.0
"""Lines of the repository by room."""

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from montcore.support.errors import RequestError
from montcore_lab.size import Size, room_of, sizes


def test_every_file_has_a_room() -> None:
    assert room_of("src/montcore/synth/asic/flow.py") == "src/montcore/synth"
    assert room_of("lab/src/montcore_lab/papers/page.py") == "lab/src/montcore_lab/papers"
    assert room_of("hw/smm/rtl/montcore_smm.sv") == "hw/smm" and room_of("README.md") == "."


def test_lines_are_counted_by_room_and_kind(tmp_path: Path) -> None:
    text = {"README.md": "a\nb\n", "hw/smm/a.sv": "x\n", "hw/smm/rtl/b.sv": "y\n\n"}
    for name, lines in text.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(lines)
    (tmp_path / "picture.bin").write_bytes(bytes(100))
    with pytest.raises(RequestError, match="git cannot count lines"):
        sizes(top=tmp_path)
    for command in ("init --quiet", "add --all"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    (tmp_path / "untracked.md").write_text("c\n")
    assert sizes(top=tmp_path) == [
        Size(".", 1, Counter({"pages": 2})),
        Size("hw/smm", 2, Counter({"RTL": 3})),
    ]
    with pytest.raises(RequestError, match="git cannot count lines"):
        sizes("no-such-commit", tmp_path)
