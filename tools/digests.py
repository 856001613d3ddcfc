# SPDX-License-Identifier: Apache-2.0
"""Keep in requirements.txt the digests of the files that a supported machine can install.

A package has up to 150 wheels. Those for Windows, musl, PyPy, free-threaded Python and processors
other than x86-64 and Arm would be two thirds of the file. `make pins` calls this after uv has
written all digests; pip refuses a file whose digest is not listed.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from packaging.utils import parse_wheel_filename

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MACHINE = re.compile(r"any|(many)?linux.*_(x86_64|aarch64)|macosx_.*_(arm64|universal2)")
PYTHON = re.compile(r"(py3\d*|cp3(10|11|12|13|14))-(none|abi3|cp\d+)-.*|cp\d+-abi3-.*")


def installable(name: str) -> bool:
    """Return whether Python 3.10 to 3.14 on Linux or macOS takes the file of that name."""
    return not name.endswith(".whl") or any(
        MACHINE.fullmatch(tag.platform) and PYTHON.fullmatch(str(tag))
        for tag in parse_wheel_filename(name)[3]
    )


def digests(requirements: Path) -> Iterator[str]:
    """Yield the digests of the installable files of what is pinned; uv asks the package index."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder, "pylock.toml")
        command = ["uv", "pip", "compile", str(requirements), "--universal", "--no-deps", "--quiet"]
        subprocess.run([*command, "--python-version=3.10", "--output-file", str(lock)], check=True)
        for package in tomllib.loads(lock.read_text())["packages"]:
            files = [*package.get("wheels", ()), *filter(None, [package.get("sdist")])]
            for file in files:
                if installable(file.get("name") or file["url"].rpartition("/")[2]):
                    yield file["hashes"]["sha256"]


def main() -> None:
    """Rewrite requirements.txt."""
    path = Path("requirements.txt")
    kept = set(digests(path))
    pins = path.read_text().replace(" \\\n", "\\").splitlines()
    path.write_text("".join(without_others(pin, kept) for pin in pins))


def without_others(pin: str, kept: set[str]) -> str:
    """Return a pin with those of its digests that are kept."""
    first, *lines = pin.split("\\")
    wanted = [line for line in lines if line.rpartition(":")[2] in kept]
    return " \\\n".join([first, *wanted]) + "\n"


main()
