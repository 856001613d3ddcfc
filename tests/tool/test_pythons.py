# SPDX-License-Identifier: Apache-2.0
"""The README's first command works with every Python that this machine has, from an empty clone."""

import os
import shutil
from pathlib import Path

import pytest
from programs import output_of

from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import repository_files

PYTHONS = [f"python3.{minor}" for minor in range(10, 15) if shutil.which(f"python3.{minor}")]


def run(folder: Path, python: str, *words: str) -> str:
    """Run make with a Python; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MONTCORE_")}
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS"):
        kept.pop(name, None)
    return output_of("make", *words, cwd=folder, env={**kept, "PYTHON": python})


@pytest.mark.nightly
@pytest.mark.parametrize("python", PYTHONS)
def test_the_first_command_works_with(python: str, tmp_path: Path) -> None:
    for path in repository_files():
        copy = tmp_path / path.relative_to(REPO_ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    said = run(tmp_path, python, "run")
    assert "all is well" in said
    own = output_of(tmp_path / ".venv/bin/python", "-V")
    assert own.startswith(f"Python {python.removeprefix('python')}")
    assert run(tmp_path, python, "setup").splitlines()[0] == "setup: nothing to do"
