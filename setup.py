# SPDX-License-Identifier: Apache-2.0
"""Puts the parts of the checkout that the tool works on into the wheel.

A wheel has them in `montcore/checkout`, laid out as in the repository, so that
`montcore.support.paths` finds the same names in both. An editable installation reads the checkout.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
#: What the tool reads beside its own package.
PARTS = (
    "hw",
    "sw",
    "vectors",
    "LICENSE",
    "requirements.txt",
)
#: Folders that builds leave behind.
NOT_SOURCES = {"__pycache__", "build", "out", "sim_build"}


def data_files() -> list[Path]:
    """Return the files of the checkout that go into the wheel, relative to it."""
    found: list[Path] = []
    for part in PARTS:
        path = ROOT / part
        if path.is_dir():
            found += [file for file in path.rglob("*") if file.is_file()]
        elif path.is_file():
            found.append(path)
    kept = (path.relative_to(ROOT) for path in found)
    return sorted(path for path in kept if not NOT_SOURCES & set(path.parts))


class BuildWithData(build_py):
    """The usual build, and the data."""

    def run(self) -> None:
        """Build the package and copy the data into it."""
        super().run()
        if self.editable_mode:
            return
        for path in data_files():
            target = Path(self.build_lib) / "montcore" / "checkout" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(str(ROOT / path), str(target))


setup(cmdclass={"build_py": BuildWithData})
