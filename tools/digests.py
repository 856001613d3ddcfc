# SPDX-License-Identifier: Apache-2.0
"""Keep in requirements.txt the digests of the files that a supported machine can install.

A package has up to 150 wheels. Those for Windows, macOS on x86-64, musl, PyPy, free-threaded Python
and processors other than x86-64 and Arm would be two thirds of the file. `make pins` calls this
after uv has written all digests; pip refuses a file whose digest is not listed.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.utils import parse_wheel_filename

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MACHINE = re.compile(r"any|(many)?linux.*_(x86_64|aarch64)|macosx_.*_(arm64|universal2)")
PYTHON = re.compile(r"(py3\d*|cp3(10|11|12|13|14))-(none|abi3|cp\d+)-.*|cp\d+-abi3-.*")


def installable(wheel: str) -> bool:
    """Return whether Python 3.10 to 3.14 on Linux, or macOS on Arm, takes the wheel of a name."""
    return any(
        MACHINE.fullmatch(tag.platform) and PYTHON.fullmatch(str(tag))
        for tag in parse_wheel_filename(wheel)[3]
    )


def digests(requirements: Path) -> Iterator[str]:
    """Yield the digests of the installable files of what is pinned; uv asks the package index."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder, "pylock.toml")
        command = ["uv", "pip", "compile", str(requirements), "--universal", "--no-deps", "--quiet"]
        subprocess.run([*command, "--python-version=3.10", "--output-file", str(lock)], check=True)
        for package in tomllib.loads(lock.read_text())["packages"]:
            wheels = [file for file in package.get("wheels", ()) if installable(name(file))]
            source = package.get("sdist")
            # Where a wheel fits every machine, pip never takes the source.
            if source and not any(name(wheel).endswith("-none-any.whl") for wheel in wheels):
                wheels.append(source)
            for file in wheels:
                yield file["hashes"]["sha256"]


def name(file: dict[str, Any]) -> str:
    """Return the name of a file of a package, which uv leaves out if its address has it."""
    return str(file.get("name") or file["url"].rpartition("/")[2])


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
