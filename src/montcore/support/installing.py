# SPDX-License-Identifier: Apache-2.0
"""Installation commands for missing Python packages and system packages."""

import importlib.metadata
import importlib.util
import os
import re
import shutil
from functools import cache
from pathlib import Path

from montcore.support.paths import in_checkout

SETUP = "make setup"

#: Names in other package managers if they differ from Debian's; None: there is no package.
_DNF = {
    "g++": "gcc-c++",
    "default-jdk-headless": "java-latest-openjdk-headless",
    "gcc-riscv64-unknown-elf": None,
    "chromium-driver": "chromedriver",
    "device-tree-compiler": "dtc",
    "opensta": None,
    "qflow-tech-osu018": None,
}
_BREW = {
    "g++": "gcc",
    "python3": "python@3.12",
    "iverilog": "icarus-verilog",
    "default-jdk-headless": "openjdk",
    "gcc-riscv64-unknown-elf": "riscv64-elf-gcc",
    "chromium-driver": "chromedriver",
    "device-tree-compiler": "dtc",
    "opensta": None,
    "qflow-tech-osu018": None,
    "qemu-user": None,
}
#: A line of the metadata: `name>=version ; extra == "name"`.
_REQUIREMENT = re.compile(r"""([\w.-]+)(?:.*;.*extra\s*==\s*["']([\w-]+)["'])?""")
#: A line of requirements.txt: ``name==version``, then perhaps a marker and a continuation.
_PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)
_MANAGERS: dict[str, dict[str, str | None]] = {"apt-get": {}, "dnf": _DNF, "brew": _BREW}


def module_exists(module: str) -> bool:
    """Tell whether a module can be found, without importing it."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def package_remedy(package: str) -> str:
    """Return the command that installs a Python package."""
    if in_checkout():
        return SETUP
    extra = _extras().get(normal(package))
    return f"pip install 'montcore[{extra}]'" if extra else f"pip install {package}"


def missing_package(package: str) -> str:
    """Return the sentence that names a missing Python package, or its module, and its remedy."""
    package = package.replace("_", "-")
    return f"the Python package '{package}' is missing; `{package_remedy(package)}` installs it"


def system_remedy(*packages: str) -> str:
    """Return the command with which this user installs system packages.

    Args:
        packages: their names in Debian.
    """
    for manager, others in _MANAGERS.items():
        if shutil.which(manager) is None:
            continue
        names = [others.get(package, package) for package in packages]
        known = " ".join(name for name in names if name)
        lacking = [package for package, name in zip(packages, names, strict=True) if not name]
        sudo = "" if manager == "brew" or os.geteuid() == 0 else "sudo "
        command = [f"{sudo}{manager} install {known}"] if known else []
        if lacking:
            command.append(f"build {' '.join(lacking)} from source ({manager} has no package)")
        return "; ".join(command)
    return f"install {' '.join(packages)}"


def tool_remedy(package: str) -> str:
    """Return the command that installs a synthesis tool that `make setup` also installs."""
    return SETUP if in_checkout() else system_remedy(package)


def is_for_development(package: str) -> bool:
    """Tell whether only the extra `dev` has a Python package."""
    return _extras().get(normal(package)) == "dev"


def requirements() -> list[tuple[str, str | None]]:
    """Return the Python packages that montcore's metadata lists, each with its extra or None."""
    try:
        listed = importlib.metadata.requires("montcore") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    found = (_REQUIREMENT.match(line) for line in listed)
    return [(match[1], match[2]) for match in found if match]


def pinned_versions(root: Path) -> dict[str, list[str]]:
    """Return the versions in requirements.txt by normalised package name, none without the file.

    A package has several where the newest one needs a newer Python; that one is the last.
    """
    path = root / "requirements.txt"
    found: dict[str, list[str]] = {}
    for name, version in _PIN.findall(path.read_text("utf-8") if path.is_file() else ""):
        found.setdefault(normal(name), []).append(version)
    return found


@cache
def _extras() -> dict[str, str]:
    """Return the first extra of each Python package that has one, by normalised name."""
    found: dict[str, str] = {}
    for name, extra in requirements():
        if extra is not None:
            found.setdefault(normal(name), extra)
    return found


def normal(package: str) -> str:
    """Return the name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", package).lower()
