# SPDX-License-Identifier: Apache-2.0
"""The modules of the synthesisable sources, and the files that one needs."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from montcore.hdl.modules import SourceUnit, units_of
from montcore_lab.checkout.files import rtl_files


@cache
def rtl_units() -> dict[str, SourceUnit]:
    """Return the modules and packages of the synthesisable sources by name."""
    return {unit.name: unit for path in rtl_files() for unit in units_of(path)}


def root_modules() -> list[SourceUnit]:
    """Return the modules that no other module instantiates."""
    units = rtl_units()
    used = {other for unit in units.values() for other in unit.uses}
    return [unit for unit in units.values() if not unit.is_package and unit.name not in used]


def sources_below(top: SourceUnit, files: Iterable[Path] | None = None) -> list[Path]:
    """Return the files that a module needs, packages and instantiated modules first.

    Args:
        top: the module.
        files: where the modules are looked up; None for all synthesisable sources.
    """
    if files is None:
        units = rtl_units()
    else:
        units = {unit.name: unit for path in files for unit in units_of(path)}
    ordered: list[Path] = []
    seen: set[str] = set()

    def add(unit: SourceUnit) -> None:
        seen.add(unit.name)
        below = [units[other] for other in sorted(unit.uses) if other in units]
        for other in sorted(below, key=lambda item: not item.is_package):
            if other.name not in seen:
                add(other)
        if unit.path not in ordered:
            ordered.append(unit.path)

    add(top)
    packages = {unit.path for unit in units.values() if unit.is_package}
    return sorted(ordered, key=lambda path: path not in packages)


def needed_by(module: str, files: Sequence[Path]) -> list[Path]:
    """Return those of some files that a module of theirs may need, in the same order.

    What it instantiates counts in every branch, whatever its parameters are.
    """
    (top,) = (unit for path in files for unit in units_of(path) if unit.name == module)
    needed = set(sources_below(top, files))
    return [path for path in files if path in needed]
