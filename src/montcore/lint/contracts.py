# SPDX-License-Identifier: Apache-2.0
"""Check that every public module says what it does: a `///` contract, and `///` on each port."""

from pathlib import Path

from montcore.hdl.files import name, rtl_files
from montcore.hdl.modules import units_of
from montcore.lint.check import Check

_MARK = "///"


def contract_findings(path: Path) -> list[str]:
    """Return a finding for each module, package, parameter or port without its `///` comment.

    A comment counts if it is in the lines right above, or at the end of the declaration.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    units = units_of(path)
    found = []
    if not units:
        found.append(f"{name(path)}: declares neither a module nor a package")
    for unit in units:
        if not _comment_above(lines, unit.line):
            found.append(f"{name(path)}:{unit.line}: {unit.name} has no {_MARK} contract above it")
        for item in unit.items:
            trailing = lines[item.last_line - 1].partition(_MARK)[2]
            if not trailing.strip() and not _comment_above(lines, item.first_line):
                found.append(
                    f"{name(path)}:{item.first_line}: "
                    f"{item.kind} {item.name} of {unit.name} has no {_MARK} comment"
                )
    return found


def _comment_above(lines: list[str], number: int) -> bool:
    """Tell whether the line above line `number` (from 1) is a `///` comment with words in it."""
    above = lines[number - 2].strip() if number >= 2 else ""
    return above.startswith(_MARK) and bool(above.strip("/ "))


def checks() -> list[Check]:
    """Return one check for each synthesisable source."""
    return [
        Check("contract", name(path), lambda path=path: contract_findings(path))  # type: ignore[misc]
        for path in rtl_files()
    ]
