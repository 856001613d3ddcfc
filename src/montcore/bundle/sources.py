# SPDX-License-Identifier: Apache-2.0
"""Source files that one configuration of a core actually needs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from montcore.hdl.compilation import read_design
from montcore.hdl.modules import units_of
from montcore.support.errors import CheckFailedError


def needed_sources(
    top: str,
    sources: Sequence[Path],
    parameter_sets: Iterable[Mapping[str, int]] = ({},),
    defines: Sequence[str] = (),
    headers: Sequence[Path] = (),
) -> list[Path]:
    """Return those of the given files that a top module needs, in their order.

    Modules in branches disabled by the parameters are left out; packages are kept if a remaining
    file mentions them.

    Args:
        parameter_sets: the overrides of its parameters that must work.
        defines: switches that count as defined.
        headers: headers of external modules that may be instantiated.

    Raises:
        CheckFailedError: it does not elaborate.
    """
    declared = {unit.name: unit for path in sources for unit in units_of(path)}
    modules: set[str] = set()
    for parameters in parameter_sets:
        overrides = [f"-G{name}={value}" for name, value in parameters.items()]
        overrides += [f"-D{name}" for name in defines]
        files = [*headers, *sources]
        each_instance(top, files, lambda one: modules.add(one.definition.name), overrides)
    wanted = {declared[name].path for name in modules if name in declared}
    frontier = set(wanted)
    while frontier:  # packages may use packages
        mentioned = {use for path in frontier for unit in units_of(path) for use in unit.uses}
        packages = {
            declared[name].path
            for name in mentioned
            if name in declared and declared[name].is_package
        }
        frontier = packages - wanted
        wanted |= packages
    return [path for path in sources if path in wanted]


def each_instance(
    top: str, sources: Iterable[Path], see: Callable[[Any], None], overrides: Sequence[str] = ()
) -> None:
    """Show each instance of an elaborated design, a symbol of pyslang, to a function.

    Raises:
        CheckFailedError: it does not elaborate.
    """
    from pyslang import ast  # a large library, loaded only when needed

    slang = read_design(["--top", top, *overrides, *map(str, sources)])
    if slang is None:
        raise CheckFailedError(f"the sources of {top} cannot be read")
    compilation: Any = slang.createCompilation()
    if any(item.isError() for item in compilation.getAllDiagnostics()):
        raise CheckFailedError(f"{top} does not elaborate with {' '.join(overrides)}")

    def visit(symbol: Any) -> bool:
        if isinstance(symbol, ast.InstanceSymbol):
            see(symbol)
        return True

    compilation.getRoot().visit(visit)
